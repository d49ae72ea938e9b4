"""The pages of blocks and of conditions, by what a reader is meant to find in them."""

from generator.catalogue.model.records import Catalogue
from generator.pages.block_page import block_page
from generator.pages.blocks_page import blocks_page
from generator.pages.conditions import conditions_view
from generator.pages.conditions_page import conditions_page
from generator.pages.module_page import module_page
from tests.fixtures.tiny_history import alone


def test_a_block_shows_its_first_bill_and_folds_the_others(small: Catalogue) -> None:
    page = block_page(small, small.blocks["linear-relu"])
    assert page.first is not None
    assert [row.chip.text for row in page.first.rows] == ["input"]
    (frozen,) = page.others
    assert [row.times for row in frozen.rows] == ["", "2 ×"]
    assert frozen.rows[1].bytes == "32,768"


def test_every_setting_is_a_row_also_one_that_raised(small: Catalogue) -> None:
    page = block_page(small, small.blocks["linear-relu"])
    assert [row.note for row in page.settings] == [
        None,
        None,
        "raised: RuntimeError: made up for this page",
    ]
    assert page.settings[0].by_class == ("–", "–", "16 KiB", "–")


def test_a_block_is_found_by_the_words_of_its_readers(small: Catalogue) -> None:
    page = block_page(small, small.blocks["linear-relu"])
    assert "activation memory" in page.head.aliases


def test_the_index_compares_trained_and_frozen(small: Catalogue) -> None:
    (row,) = blocks_page(small).rows
    assert row.cells == ("0 bytes", "32 KiB", "–", "–")


def test_a_module_links_to_the_blocks_that_hold_it(small: Catalogue) -> None:
    page = module_page(small, alone(small), small.modules["torch.nn.Linear"])
    assert [link.href for link in page.blocks] == ["../../blocks/linear-relu/"]


def test_a_condition_is_shown_with_what_it_changes_and_its_program(small: Catalogue) -> None:
    view = conditions_view(small.header, small.ops["torch.mul"])
    assert view is not None
    (row,) = view.changed
    assert (row.extra, row.plain_extra) == ("8", "0")
    assert "other = 2.0" in view.programs[0].program
    assert len(view.unchanged) == 4
    assert view.refused[0].reason.startswith("RuntimeError")


def test_an_op_without_conditions_has_no_such_section(small: Catalogue) -> None:
    assert conditions_view(small.header, small.ops["torch.exp"]) is None


def test_ops_are_grouped_by_the_condition_that_changes_them(small: Catalogue) -> None:
    page = conditions_page(small)
    told = {group.heading: [row.link.href for row in group.rows] for group in page.groups}
    linear = ["../modules/torch.nn.Linear/#conditions"]
    assert told == {
        "Under autocast": linear,
        "With a Python number": ["../ops/torch.mul/#conditions"],
        "With frozen parameters": linear,
    }

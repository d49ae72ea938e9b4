"""The spellings of an op on its page, and the in-place ones that hide a clone, mask by mask."""

from pathlib import Path

from msgspec.structs import replace

from generator.catalogue.model.records import Catalogue
from generator.pages.clones import clone_answers, clone_rows
from generator.pages.markup import environment
from generator.pages.op_page import op_page
from generator.pages.relations import relate
from generator.pages.render import render
from generator.pages.spellings import SpellingView, spellings_view
from tests.fixtures import tiny_spellings
from tests.fixtures.tiny_history import alone

IMAGE = "524,288"


def told(view: SpellingView) -> list[tuple[str, str, str]]:
    return [(one.masks, one.extra, one.remark) for one in view.lines]


def test_a_spelling_that_keeps_something_else_has_a_line_for_each_answer(small: Catalogue) -> None:
    view = spellings_view(small, tiny_spellings.cloning())
    assert view is not None
    assert view.note is not None
    assert "under all its 3 grad masks" in view.note
    (answer,) = view.answers
    assert answer == (
        "<code>torch.Tensor.mul_</code> keeps a hidden clone of what it overwrites when"
        " <code>other</code> requires grad, and none otherwise."
    )
    alias, in_place = view.rows
    assert (alias.span, told(alias)) == (None, [("", "0", "")])
    assert in_place.span == 3
    assert told(in_place) == [
        ("grad of input, other", IMAGE, "keeps a hidden clone"),
        ("grad of input", "0", ""),
        ("grad of other", IMAGE, "keeps a hidden clone"),
    ]


def test_a_spelling_that_keeps_what_the_op_does_has_one_line(small: Catalogue) -> None:
    _, *others = tiny_spellings.MUL.references[0].measurements
    view = spellings_view(small, tiny_spellings.mul(*others))
    assert view is not None
    assert told(view.rows[1]) == [
        ("as the op itself under every mask; grad of input, other", "0", "")
    ]
    assert view.answers == ()


def test_a_spelling_that_clones_under_every_mask_is_not_said_to_keep_what_the_op_does(
    small: Catalogue,
) -> None:
    further = (replace(tiny_spellings.by_both(), mask=("input",)),)
    view = spellings_view(small, tiny_spellings.mul(*further, first=tiny_spellings.by_both()))
    assert view is not None
    assert told(view.rows[1]) == [("under every grad mask", IMAGE, "keeps a hidden clone")]


def test_spellings_that_clone_alike_are_told_together() -> None:
    op = tiny_spellings.cloning()
    alias, in_place = op.variants
    other = replace(in_place, name="torch.Tensor.multiply_")
    (answer,) = clone_answers(replace(op, variants=(alias, in_place, other)))
    assert answer == (
        "`torch.Tensor.mul_` and `torch.Tensor.multiply_` keep a hidden clone of what they"
        " overwrite when `other` requires grad, and none otherwise."
    )


def test_its_table_has_the_name_once_for_all_lines(small: Catalogue) -> None:
    op = tiny_spellings.cloning()
    jinja = environment(Path(__file__).parents[2] / "site_templates")
    rendered = render(jinja, "op.md.jinja", op_page(small, relate(small), alone(small), op))
    table = rendered[rendered.index("## Other spellings") :]
    assert table.count('rowspan="3">torch.Tensor.mul_</th>') == 1
    assert table.count("<small>grad of ") == 3
    assert '<th scope="row">torch.multiply</th>' in table


def test_the_list_of_clones_says_when_each_is_kept() -> None:
    (row,) = clone_rows([tiny_spellings.cloning()], "../")
    assert (row.name, row.when) == ("torch.Tensor.mul_", "when other requires grad")
    assert (row.extra, row.of) == (IMAGE, "1,048,576")


def test_of_one_mask_it_says_that_no_other_was_tried() -> None:
    op = tiny_spellings.mul(first=tiny_spellings.by_both())
    (row,) = clone_rows([op], "../")
    assert row.when == "with grad of input, other, the only mask tried"


def test_an_op_without_another_spelling_has_no_section(small: Catalogue) -> None:
    assert spellings_view(small, replace(small.ops["torch.exp"], variants=())) is None

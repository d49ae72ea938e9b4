"""Reading a bill: by class of role, in words, as a program; and what rules it must obey."""

import pytest
from msgspec import structs

from generator.catalogue import codec
from generator.catalogue.bills import (
    bill_program,
    block_claim,
    bytes_by_class,
    lines,
    mask_words,
    mode_words,
)
from generator.catalogue.checks import violations
from generator.catalogue.model.bills import BlockRecord
from generator.catalogue.model.records import Catalogue
from generator.errors import CatalogueError
from tests.fixtures.tiny_blocks import ACTIVATION, WEIGHT


@pytest.fixture
def block(small: Catalogue) -> BlockRecord:
    return small.blocks["linear-relu"]


def rules(small: Catalogue, block: BlockRecord) -> list[str]:
    changed = structs.replace(small, blocks={block.name: block})
    return [one.rule for one in violations(changed)]


def test_storages_that_are_alike_weigh_together(block: BlockRecord) -> None:
    assert [line.bytes for line in lines(block, block.bills[1])] == [WEIGHT, 2 * ACTIVATION]


def test_bytes_are_added_up_by_class(block: BlockRecord) -> None:
    assert bytes_by_class(block, block.bills[1]) == {
        "parameter": WEIGHT,
        "intermediate": 2 * ACTIVATION,
    }


def test_a_setting_is_said_in_words(block: BlockRecord) -> None:
    trained, frozen, _ = block.bills
    assert mask_words(frozen) == "frozen: only the input requires grad"
    assert mode_words(trained) == "train and eval mode"
    assert mode_words(structs.replace(frozen, autocast=True)) == (
        "train mode, autocast to bfloat16"
    )


def test_the_claim_compares_trained_and_frozen(block: BlockRecord) -> None:
    claim = block_claim(block)
    assert claim.startswith("keeps 16,384 bytes for backward")
    assert claim.endswith("holds 0 of them, and 32,768 when the block is frozen")


def test_a_block_without_a_bill_says_why(block: BlockRecord) -> None:
    dead = structs.replace(block, state="crashed", reason="it was ended by SIGSEGV", bills=())
    assert block_claim(dead) == "not measured: crashed: it was ended by SIGSEGV"


def test_the_program_freezes_after_the_setup(small: Catalogue, block: BlockRecord) -> None:
    text = bill_program(small.header, block, block.bills[1]).splitlines()
    order = [
        text.index("input = torch.randn(8, 512)"),
        text.index("module.requires_grad_(False)"),
        text.index("input.requires_grad_()"),
        text.index("output = module(input)"),
    ]
    assert order == sorted(order)


def test_the_program_of_eval_mode_and_autocast(small: Catalogue, block: BlockRecord) -> None:
    evaluated = structs.replace(block.bills[0], modes=("eval",), autocast=True)
    text = bill_program(small.header, block, evaluated)
    assert "module.eval()\n" in text
    assert "    output = module(input)\n" in text


def test_the_small_block_breaks_no_rule(small: Catalogue, block: BlockRecord) -> None:
    assert rules(small, block) == []


@pytest.mark.parametrize("field", ["storage_bytes", "extra_bytes"])
def test_a_bill_that_does_not_add_up_is_found(
    small: Catalogue, block: BlockRecord, field: str
) -> None:
    wrong = structs.replace(block.bills[1], **{field: 1})
    assert "bills_add_up" in rules(small, structs.replace(block, bills=(wrong,)))


def test_two_bills_of_one_setting_are_found(small: Catalogue, block: BlockRecord) -> None:
    twice = structs.replace(block, bills=(*block.bills, block.bills[0]))
    assert rules(small, twice) == ["bills_are_told_apart"]


def test_a_keeper_that_no_node_record_knows_is_found(small: Catalogue, block: BlockRecord) -> None:
    stranger = structs.replace(block.keepers[0], attribute="_saved_nothing")
    changed = structs.replace(block, keepers=(stranger, block.keepers[1]))
    assert rules(small, changed) == ["keepers_are_catalogued"]


def test_an_item_that_is_not_there_is_refused(small: Catalogue, block: BlockRecord) -> None:
    dangling = structs.replace(block.bills[0], items=(7,))
    changed = structs.replace(block, bills=(dangling,))
    data = codec.encode(structs.replace(small, blocks={block.name: changed}))
    with pytest.raises(CatalogueError, match="an item that it does not hold"):
        codec.decode(data)

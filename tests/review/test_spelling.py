"""What a spelling keeps that is not the op's own, against what PyTorch 2.13.0 is known to do.

`hardtanh_` saves the input that it overwrites, so a clone of it is made; ReLU and ELU in place need
their output alone. ELU's plain call keeps its input.
"""

from typing import Any

import pytest
import torch
from msgspec.structs import replace

from generator.catalogue.citations import markdown
from generator.catalogue.model.measurement import Measurement
from generator.catalogue.model.records import Catalogue, OpRecord
from generator.catalogue.name_tiers import index
from generator.catalogue.names import find
from generator.errors import SizesError
from generator.review.layout import Table, TextPage
from generator.review.page import text_page
from generator.review.sizes import choose, sizes_page
from generator.review.spelling import refuse_other_formula, spelling_data
from tests.fixtures import tiny_spellings

IMAGE = "524,288"


def asked(catalogue: Catalogue, text: str) -> TextPage:
    found = find(index(catalogue), text)
    return text_page(catalogue.header, found.record, found.spelling, catalogue.nodes)


def cited(catalogue: Catalogue, text: str) -> str:
    found = find(index(catalogue), text)
    return markdown(catalogue.header, found.record, found.spelling, catalogue.nodes)


def spellings(page: TextPage) -> Table | None:
    return next((one for one in page.tables if one.title == "Other spellings"), None)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("hardtanh_", "torch.nn.functional.hardtanh_"),
        ("F.hardtanh_", "torch.nn.functional.hardtanh_"),
        ("relu6(inplace=True)", "torch.nn.functional.relu6(inplace=True)"),
        ("torch.nn.functional.relu6(x, inplace = True)", "torch.nn.functional.relu6(inplace=True)"),
    ],
)
def test_a_spelling_that_hides_a_clone_says_so_first(
    committed: Catalogue, text: str, name: str
) -> None:
    page = asked(committed, text)
    assert page.title == name
    assert page.claim == "keeps a hidden clone of what it overwrites"
    facts = dict(page.facts)
    assert facts["this spelling keeps"].startswith("HardtanhBackward0._saved_self (intermediate)")
    assert facts["its extra bytes"].startswith(f"{IMAGE} in the reference call")
    assert "hidden clone" in facts
    assert cited(committed, text).startswith(f"`{name}` keeps a hidden clone")


def multiplied(small: Catalogue, op: OpRecord) -> Catalogue:
    return replace(small, ops={**small.ops, op.name: op})


def test_a_spelling_that_was_called_under_one_mask_of_several_says_which(small: Catalogue) -> None:
    op = tiny_spellings.mul(first=tiny_spellings.by_both())
    assert asked(multiplied(small, op), "torch.Tensor.mul_").claim == (
        "keeps a hidden clone of what it overwrites and `other`, measured where `input` and `other`"
        " require grad"
    )


def test_a_spelling_that_was_called_under_every_mask_says_when_it_clones(small: Catalogue) -> None:
    x = torch.rand(3, requires_grad=True) * 1
    y = x.mul_(2)
    assert y.grad_fn is not None
    assert y.grad_fn._saved_self is None  # no clone where the factor requires no grad
    page = asked(multiplied(small, tiny_spellings.cloning()), "torch.Tensor.mul_")
    assert page.claim == (
        "keeps a hidden clone of what it overwrites when `other` requires grad and `other` when"
        " `input` requires grad"
    )
    kept = [text for label, text in page.facts if label == "this spelling keeps"]
    assert [text.partition(", ")[2] for text in kept] == [
        f"{IMAGE} extra bytes, with input, other requiring grad",
        "0 extra bytes, with input requiring grad",
        f"{IMAGE} extra bytes, with other requiring grad",
    ]
    facts = dict(page.facts)
    assert facts["hidden clone"].endswith("made for backward, when other requires grad")
    assert facts["its extra bytes"].startswith(f"{IMAGE} in the reference call, under the first")


def test_a_mask_that_failed_is_told_with_its_reason(small: Catalogue) -> None:
    failed = Measurement(mask=("other",), state="raised", reason="RuntimeError: made up")
    op = tiny_spellings.mul(tiny_spellings.BY_INPUT, failed)
    catalogue = multiplied(small, op)
    page = asked(catalogue, "torch.Tensor.mul_")
    assert page.claim.endswith(
        "; not measured where `other` requires grad (raised: RuntimeError: made up)"
    )
    told = data(catalogue, "torch.Tensor.mul_")["under_further_masks"]
    assert told[1] == {"mask": ("other",), "state": "raised", "reason": "RuntimeError: made up"}


def test_a_clone_under_a_further_mask_alone_makes_a_spelling_differ(small: Catalogue) -> None:
    op = tiny_spellings.mul(tiny_spellings.BY_INPUT, tiny_spellings.by_other())
    told = data(multiplied(small, op), "torch.Tensor.mul_")
    assert told["differs"]
    assert not told["keeps"]["hidden_clone"]
    clones = [one["hidden_clone"] for one in told["under_further_masks"]]
    assert clones == [False, True]
    table = spellings(asked(multiplied(small, op), "torch.mul"))
    assert table is not None
    assert [(row[0], row[4], row[6]) for row in table.rows] == [
        ("torch.Tensor.mul_", IMAGE, "keeps a hidden clone under some grad masks")
    ]


def test_what_is_multiplied_in_place_is_cloned_for_the_factor(committed: Catalogue) -> None:
    claim = asked(committed, "x *= 2").claim
    assert claim.startswith("keeps a hidden clone of what it overwrites when `other` requires grad")


@pytest.mark.parametrize(
    ("text", "node"), [("relu_", "ReluBackward0"), ("elu_", "EluBackward1"), ("exp_", "ExpBack")]
)
def test_a_spelling_that_keeps_its_output_hides_none(
    committed: Catalogue, text: str, node: str
) -> None:
    page = asked(committed, text)
    assert (page.title.split(".")[-1], page.claim) == (text, "keeps its output")
    facts = dict(page.facts)
    assert facts["this spelling keeps"].startswith(node)
    assert facts["its extra bytes"].startswith("0 in the reference call")
    assert "hidden clone" not in facts
    assert cited(committed, text).startswith(f"`{page.title}` keeps its output.")


def test_the_op_itself_is_told_as_before(committed: Catalogue) -> None:
    page = asked(committed, "hardtanh")
    assert (page.title, page.claim) == ("torch.nn.functional.hardtanh", "keeps `input`")
    assert cited(committed, "hardtanh").startswith("`torch.nn.functional.hardtanh` keeps `input`.")


def test_the_op_lists_the_spellings_that_keep_something_else(committed: Catalogue) -> None:
    table = spellings(asked(committed, "hardtanh"))
    assert table is not None
    assert [(row[0], row[4], row[6]) for row in table.rows] == [
        (f"torch.nn.functional.hardtanh{end}", IMAGE, "keeps a hidden clone")
        for end in ("(inplace=True)", "_")
    ]
    assert spellings(asked(committed, "relu")) is None


def test_an_alias_that_keeps_the_same_has_the_claim_of_the_op(committed: Catalogue) -> None:
    page = asked(committed, "torch.multiply")
    assert page.title == "torch.mul"
    assert page.facts[0] == ("spelling", "torch.multiply, an alias of torch.mul")
    assert cited(committed, "torch.multiply").startswith("`torch.mul` keeps")


def test_what_nobody_called_is_not_told_by_the_op(small: Catalogue) -> None:
    page = asked(small, "torch.Tensor.mul_")
    assert page.claim == "was not called, so what it keeps is not known"
    assert cited(small, "torch.Tensor.mul_").startswith("`torch.Tensor.mul_` was not called")
    assert ("this spelling", "not called; what is said here is measured of torch.exp") in asked(
        small, "torch.special.exp"
    ).facts


def data(catalogue: Catalogue, text: str) -> dict[str, Any]:
    found = find(index(catalogue), text)
    assert isinstance(found.record, OpRecord)
    assert found.spelling is not None
    return spelling_data(found.record, found.spelling, catalogue.nodes)


def at(catalogue: Catalogue, text: str) -> TextPage:
    found = find(index(catalogue), text)
    assert isinstance(found.record, OpRecord)
    assert found.spelling is not None
    refuse_other_formula(found.record, found.spelling)
    priced = choose(found.record, "8x128", None, None)
    return sizes_page(catalogue.header, found.record, priced, None, found.spelling)


def test_data_says_of_a_spelling_what_text_does(committed: Catalogue) -> None:
    told = data(committed, "hardtanh_")
    assert (told["name"], told["of"]) == (
        "torch.nn.functional.hardtanh_",
        "torch.nn.functional.hardtanh",
    )
    assert told["claim"] == asked(committed, "hardtanh_").claim
    kept = told["keeps"]
    assert (kept["extra_bytes"], kept["hidden_clone"], told["differs"]) == (524_288, True, True)
    assert [(one["node"], one["attribute"]) for one in kept["saved"] if one["roles"]] == [
        ("HardtanhBackward0", "_saved_self")
    ]
    plain = data(committed, "relu_")
    assert (plain["keeps"]["hidden_clone"], plain["differs"]) == (False, False)


def test_a_formula_is_not_told_of_a_spelling_that_keeps_something_else(
    committed: Catalogue,
) -> None:
    page = at(committed, "relu_")
    assert (page.title, page.claim.split(",")[0]) == ("torch.relu_", "Keeps 4")
    assert dict(page.facts)["spelling"].startswith("torch.relu_, an in-place spelling of")
    with pytest.raises(
        SizesError, match=r"524,288 extra bytes .* ask for torch\.nn\.functional\.hard"
    ):
        at(committed, "hardtanh_")

"""A claim that names a call twice says what sets the second apart."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from generator.catalogue import store
from generator.catalogue.claims import claim
from generator.catalogue.claims_of_others import ANOTHER
from generator.catalogue.model.measurement import Argument
from generator.catalogue.model.records import Case, Catalogue, ModuleRecord, OpRecord
from tests.fixtures.tiny_claims import case, kept, measurement, referred

CALL = "torch.op(input, other)"
MASK = ("input", "other")
FIRST = ("input",)
X = Argument(name="input", shape=(3, 4), dtype="float32")
Y = Argument(name="other", shape=(4,), dtype="float32")
VECTOR = replace(X, shape=(4,))


def sample(*arguments: Argument, call: str = CALL) -> Case:
    """A case that keeps its input, where the reference of `second` keeps its output."""
    return replace(case(measurement(MASK, 1, 0)), call=call, arguments=arguments)


def second(other: Case, *, name: str = "torch.op", call: str = CALL) -> str:
    """What the claim says of the other call, after how many samples it is of."""
    reference = replace(
        referred(f"output = {call}", "output"),
        arguments=(X, Y),
        measurements=(measurement(MASK, 0, 0), measurement(FIRST, 0, 0)),
    )
    record = OpRecord(
        name=name,
        state="measured",
        nodes=(kept("output"), kept("input input")),
        policies=((0,), (1,)),
        references=(reference,),
        cases=(other,),
    )
    return claim(record).partition("samples): ")[2]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((VECTOR, Y), "`input` (4 float32)"),
        ((VECTOR, replace(Y, dtype="int64")), "`input` (4 float32), `other` (4 int64)"),
        ((replace(X, shape=()), replace(Y, shape=())), "`input` and `other` (() float32)"),
    ],
)
def test_the_sizes_of_the_arguments_that_differ_are_said(
    arguments: tuple[Argument, ...], expected: str
) -> None:
    assert second(sample(*arguments)) == f"`{CALL}` with {expected} keeps `input`"


def test_a_call_of_another_text_needs_no_more() -> None:
    call = "torch.op(input, other, 2)"
    assert second(sample(VECTOR, Y, call=call)) == f"`{call}` keeps `input`"


def test_keywords_and_methods_are_other_texts_of_the_same_call() -> None:
    worded = "torch.op(other=other, input=input)"
    assert second(sample(VECTOR, Y, call=worded)) == (
        f"`{worded}` with `input` (4 float32) keeps `input`"
    )
    name = "torch.Tensor.__rop__"
    bare = f"{name}(input, other)"
    said = second(sample(VECTOR, Y, call=bare), name=name, call="other.__rop__(input)")
    assert said == f"`{bare}` with `input` (4 float32) keeps `input`"


def test_values_a_mode_and_a_mask_set_apart_too_and_where_nothing_does_that_is_said() -> None:
    same = sample(X, Y)
    assert second(replace(same, mode="eval")) == f"`{CALL}` in eval mode keeps `input`"
    asking = replace(same, measurements=(measurement(FIRST, 1, 0),))
    assert second(asking) == f"`{CALL}` with `input` requiring grad keeps `input`"
    number = Argument(name="other", literal="2.0")
    assert second(sample(X, number)) == f"`{CALL}` with `other=2.0` keeps `input`"
    assert second(same) == f"`{CALL}`{ANOTHER} keeps `input`"


@pytest.fixture(scope="module")
def full(committed: Catalogue, root: Path) -> list[Catalogue]:
    """Both releases that were measured in full."""
    return [committed, store.load(store.path_of(root, "2.15.0", "cpu"))]


def _claims(full: list[Catalogue]) -> Iterator[str]:
    for catalogue in full:
        records: list[OpRecord | ModuleRecord] = [
            *catalogue.ops.values(),
            *catalogue.modules.values(),
        ]
        yield from map(claim, records)


def test_no_claim_names_a_call_twice_without_what_sets_the_second_apart(
    full: list[Catalogue],
) -> None:
    pattern = re.compile(r"`(?P<call>[^`]*)` .*samples\): `(?P<other>[^`]*)`(?P<rest>.*)")
    compared = [found for one in _claims(full) if (found := pattern.search(one))]
    twice = [found["rest"] for found in compared if found["call"] == found["other"]]
    assert len(compared) > 150
    assert len(twice) >= 4
    assert [rest for rest in twice if not rest.startswith((" with ", " of ", " in "))] == []


# `sample_inputs_matmul` of PyTorch has S = 5 and M = 10.
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("torch.matmul", "`input` (10 float32), `other` (5 × 10 × 5 float32)"),
        ("torch.Tensor.__rmatmul__", "`input` (5 × 10 × 5 float32), `other` (10 float32)"),
    ],
)
def test_a_product_of_a_vector_and_of_matrices(
    full: list[Catalogue], name: str, expected: str
) -> None:
    for catalogue in full:
        assert f"(input, other)` with {expected} keeps" in claim(catalogue.ops[name])


def test_an_empty_tensor_of_one_sample_says_nothing_of_its_whole_case(
    full: list[Catalogue],
) -> None:
    """The first of `sample_inputs_pdist` is of one point, which has no distances; the last has."""
    for catalogue in full:
        assert claim(catalogue.ops["torch.nn.functional.pdist"]) == ("keeps `input` and its output")

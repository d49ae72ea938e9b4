"""How a difference reads: as text for a terminal, and as Markdown for a pull request."""

from typing import Any

import msgspec
import pytest

from generator.catalogue.difference.findings import TOPICS, Difference
from generator.catalogue.difference.told import difference
from generator.catalogue.field_words import FIELDS
from generator.catalogue.model.records import (
    Case,
    Catalogue,
    Header,
    ModuleRecord,
    NodeRecord,
    OpRecord,
    Reference,
    SavedValue,
)
from generator.catalogue.model.unseen import WriteRecord
from generator.catalogue.model.writes import Verdicts, Writes
from generator.review.diff import SHORT, TITLES, markdown_text, plain_text
from tests.fixtures import tiny_calls, tiny_modules, tiny_ops, tiny_spellings, tiny_writes
from tests.fixtures.tiny_releases import (
    INPUT,
    NEW,
    OLD,
    mean_after,
    mean_before,
    node,
    op,
    released,
    type_of,
)

FLASH = "ScaledDotProductFlashAttentionBackward0"
ERROR = "which is output 0 of {}, is at version 1; expected version 0 instead."
EXP = tiny_ops.exp()
CRASHED = OpRecord(name="torch.exp", state="crashed", reason="signal 11")


def changed(struct: Any, **fields: Any) -> Any:
    return msgspec.structs.replace(struct, **fields)


def lines(old: Catalogue, new: Catalogue, **how: Any) -> list[str]:
    return plain_text(difference(old, new), **how).splitlines()


def test_a_title_names_a_few_records_and_counts_the_rest() -> None:
    both = difference(released(OLD, mean_before()), released(NEW, mean_after()))
    for asked, named in ((("a",), "a"), (("a", "b", "c", "d", "e"), "a, b, c and 2 more")):
        title = plain_text(changed(both, only=asked)).splitlines()[0]
        assert title == f"torch {OLD} -> torch {NEW} (cpu, {named})"


def with_logical(record: OpRecord, logical: int) -> Any:
    (reference,) = record.references
    (one,) = reference.measurements
    weighed = changed(reference, measurements=(changed(one, logical_bytes=logical),))
    return changed(record, references=(weighed,))


def written(*input_plain: Verdicts) -> list[OpRecord]:
    """Ops in whose input writes end so; under hooks each op ends otherwise, and stays so."""
    hooked = (tiny_writes.FINE, tiny_writes.WRONG)
    writes = tiny_writes.exp()
    return [
        changed(
            EXP,
            name=name,
            writes=changed(
                writes,
                trials=(changed(writes.trials[0], plain=plain, hooked=under), *writes.trials[1:]),
            ),
        )
        for name, plain, under in zip(("torch.exp", "torch.sin"), input_plain, hooked, strict=True)
    ]


def test_writes_that_end_otherwise_alike_are_told_once() -> None:
    before = written(tiny_writes.FINE, tiny_writes.FINE)
    after = written(tiny_writes.WRONG, tiny_writes.WRONG)
    found = told(released(OLD, *before), released(NEW, *after))
    place = found.index("however written: correct -> silently wrong: 2 records")
    assert found[place + 1 : place + 3] == [
        "torch.exp (writing to input)",
        "torch.sin (writing to input)",
    ]


def under_two_masks(wide: int, narrow: int) -> Any:
    """An op whose reference goes through A, through B, or through both, under each of two masks."""
    record = op(node("A", INPUT), node("B", INPUT))
    (reference,) = record.references
    (one,) = reference.measurements
    measured = (
        changed(one, mask=("input", "other"), policy=wide),
        changed(one, mask=("other",), policy=narrow),
    )
    called = changed(reference, measurements=measured)
    return changed(record, policies=((0,), (1,), (0, 1)), references=(called,))


def test_a_call_that_is_told_of_two_masks_says_which() -> None:
    old, new = released(OLD, under_two_masks(0, 0)), released(NEW, under_two_masks(1, 2))
    said = [line for line in told(old, new) if line.startswith("torch.mean: ")]
    other = "torch.mean: now goes through B, no longer through A (the same bytes; with {} requiring"
    assert said[0].startswith(other.format("input, other"))
    assert said[1:] == [
        "torch.mean: now goes through B as well (the same bytes; with other requiring grad)"
    ]


def told(old: Catalogue, new: Catalogue) -> list[str]:
    """The lines of findings, without their indentation."""
    return [line.strip() for line in lines(old, new) if line.startswith("  ")]


def big() -> Difference:
    """More findings of one topic than a description in Markdown should hold."""
    old = [type_of(f"A{number}", f"_saved_self{number}") for number in range(50)]
    new = [type_of(f"A{number}") for number in range(50)]
    return difference(released(OLD, *old), released(NEW, *new))


def test_the_same_catalogue_twice_is_one_line() -> None:
    expected = ["torch 2.0.1 -> torch 2.0.1 (cpu): no differences"]
    assert lines(released(OLD, EXP), released(OLD, EXP)) == expected
    found = difference(released(OLD, EXP), released(OLD, EXP))
    assert markdown_text(found).splitlines() == expected


def test_direction_builds_and_counts_come_first() -> None:
    head = lines(released(OLD, mean_before(), EXP), released(NEW, mean_after(), CRASHED))[:5]
    assert head == [
        "torch 2.0.1 -> torch 2.2.2 (cpu)",
        "old: torch 2.0.1+cpu, git 20001aaaaaaa",
        "new: torch 2.2.2+cpu, git 20202aaaaaaa",
        "",
        "2 differences: 1 of what calls keep, 1 not comparable",
    ]


def test_another_machine_is_told() -> None:
    said = lines(released(OLD, mean_before()), released(NEW, mean_after(), processor="AVX-512"))
    assert "measured otherwise: processor: a made-up processor -> AVX-512" in said


def test_a_clone_under_one_mask_is_told_with_the_mask() -> None:
    first, by_input = tiny_spellings.by_both(), tiny_spellings.BY_INPUT
    before = tiny_spellings.mul(by_input, tiny_spellings.by_other(cloned=False), first=first)
    said = lines(released(OLD, before), released(NEW, tiny_spellings.cloning()))
    told = [line for line in said if "torch.Tensor.mul_" in line]
    assert len(told) == 1
    assert "now keeps intermediate (extra bytes 0 -> 524,288" in told[0]
    assert told[0].endswith("with other requiring grad; variant torch.Tensor.mul_)")


def test_what_neither_side_has_measured_is_told() -> None:
    said = lines(
        released(OLD, mean_before(), depth="history"), released(NEW, mean_after(), depth="history")
    )
    layers = "reads after writes, conditions, formulas, compiled, blocks"
    further = "spellings under further masks"
    assert f"measured in neither (depth history): {layers}, {further}" in said


LOST = "torch.mean: MeanBackward0 no longer keeps input (extra bytes 0 -> 0, storage 524,288 -> 0)"
GAINED = "torch.mean: MeanBackward0 now keeps input (extra bytes 0 -> 0, storage 0 -> 524,288)"

READABLE: dict[str, tuple[Catalogue, Catalogue, str]] = {
    "a role lost": (released(OLD, mean_before()), released(NEW, mean_after()), LOST),
    "a role gained": (released(OLD, mean_after()), released(NEW, mean_before()), GAINED),
    "a role in two ops": (
        released(OLD, op(node("A", INPUT)), op(node("A", INPUT), name="torch.std")),
        released(NEW, op(node("A")), op(node("A"), name="torch.std")),
        "A no longer keeps input: 2 records",
    ),
    "another role": (
        released(OLD, op(node("A", INPUT))),
        released(NEW, op(node("A", tiny_calls.tensor("_saved_self", "output")))),
        "torch.mean: A no longer keeps input; A now keeps output (the same bytes)",
    ),
    "another attribute": (
        released(OLD, op(node("A", INPUT))),
        released(NEW, op(node("A", tiny_calls.tensor("_saved_x", "input input")))),
        "torch.mean: A keeps input as _saved_x, no longer as _saved_self (the same bytes)",
    ),
    "a role that another node keeps still": (
        released(OLD, op(node("A", INPUT), node("B", INPUT))),
        released(NEW, op(node("A"), node("B", INPUT))),
        "torch.mean: A no longer keeps input as _saved_self (the same bytes)",
    ),
    "another node": (
        released(OLD, op(node("A", INPUT), node("A"), node("C"))),
        released(NEW, op(node("B"))),
        (
            "torch.mean: now goes through B, no longer through A x2, C; no longer keeps input"
            " (the same bytes)"
        ),
    ),
    "another dtype": (
        released(OLD, op(node("A", INPUT), storage=8, dtype="int64")),
        released(NEW, op(node("A", INPUT), storage=8, dtype="float64")),
        (
            "torch.mean: _saved_self of A (input): 256 × 512 int64 -> 256 × 512 float64"
            " (the same bytes)"
        ),
    ),
    "a value that holds nothing": (
        released(OLD, op(node("A"))),
        released(NEW, op(node("A", SavedValue(attribute="_saved_self", kind="none")))),
        "attributes that hold nothing: 1 op: torch.mean",
    ),
    "logical bytes alone": (
        released(OLD, op(node("A", INPUT))),
        released(NEW, with_logical(op(node("A", INPUT)), 8)),
        (
            "torch.mean: the same values weigh something else (logical bytes 0 -> 8, the same 0"
            " extra bytes and 0 of storage)"
        ),
    ),
    "node types that all got a number": (
        released(OLD, type_of("ExpBackward"), type_of("SinBackward")),
        released(NEW, type_of("ExpBackward0"), type_of("SinBackward0")),
        (
            "2 node types have a 0 behind their name now, as ExpBackward0 that was called"
            " ExpBackward (by the spelling, in no call that both measured): ExpBackward0,"
            " SinBackward0"
        ),
    ),
    "bytes alone": (
        released(OLD, op(node("A", INPUT))),
        released(NEW, op(node("A", INPUT), storage=8, extra=4)),
        ("torch.mean: the same values weigh something else (extra bytes 0 -> 4, storage 0 -> 8)"),
    ),
    "an op added": (
        released(OLD),
        released(NEW, EXP),
        "1 op catalogued from now on (measured): torch.exp",
    ),
    "an op removed": (
        released(OLD, EXP),
        released(NEW),
        "1 op no longer catalogued (was measured): torch.exp",
    ),
    "layers that one side has not measured": (
        released(OLD, EXP, depth="history"),
        released(NEW, EXP),
        (
            "reads after writes, conditions, formulas, compiled, blocks,"
            " spellings under further masks:"
            " measured in the new release alone (depth history -> full)"
        ),
    ),
    "a crash": (released(OLD, EXP), released(NEW, CRASHED), "torch.exp: measured -> crashed"),
    "an attribute renamed": (
        released(OLD, type_of(FLASH, "_saved_ouput")),
        released(NEW, type_of(FLASH, "_saved_output")),
        (
            f"{FLASH}: attribute _saved_ouput is now called _saved_output"
            " (by the spelling, in no call that both measured)"
        ),
    ),
    "a node type renamed": (
        released(OLD, op(node("A", INPUT)), type_of("A", "_saved_self")),
        released(NEW, op(node("B", INPUT)), type_of("B", "_saved_self")),
        (
            "node type A is now called B (in the same place of the same calls,"
            " the one stands for the other in 1 call)"
        ),
    ),
    "a registry grown": (
        released(OLD, type_of("A")),
        released(NEW, type_of("A"), type_of("B")),
        "the registry: 1 -> 2 node types (+1)",
    ),
    "an error worded otherwise": (
        released(OLD, type_of("ExpBackward0", error=ERROR.format("ExpBackward0"))),
        released(NEW, type_of("ExpBackward0", error=ERROR.format("Exp"))),
        ('ExpBackward0: errors that said "output 0 of ExpBackward0" now say "output 0 of Exp"'),
    ),
    "a write no longer noticed": (
        released(OLD, EXP),
        released(
            NEW,
            changed(
                EXP,
                writes=changed(
                    tiny_writes.exp(),
                    trials=(
                        tiny_writes.exp().trials[0],
                        changed(tiny_writes.exp().trials[1], plain=tiny_writes.WRONG, message=None),
                    ),
                ),
            ),
        ),
        (
            "torch.exp: in place, through a view, under no_grad: raises -> silently wrong"
            " (writing to output)"
        ),
    ),
}


@pytest.mark.parametrize(("old", "new", "expected"), READABLE.values(), ids=READABLE)
def test_a_finding_reads_from_old_to_new(old: Catalogue, new: Catalogue, expected: str) -> None:
    assert expected in told(old, new)


def test_records_of_one_cause_follow_it_with_their_own_bytes() -> None:
    old = released(OLD, op(node("A", INPUT), storage=8), op(node("A", INPUT), name="torch.std"))
    new = released(NEW, op(node("A")), op(node("A"), name="torch.std"))
    assert told(old, new) == [
        "A no longer keeps input: 2 records",
        "torch.mean (extra bytes 0 -> 0, storage 8 -> 0)",
        "torch.std (the same bytes)",
    ]


def test_many_names_are_counted_unless_all_are_wanted() -> None:
    ops = [changed(EXP, name=f"torch.op{number:02}") for number in range(12)]
    old, new = released(OLD), released(NEW, *ops)
    assert lines(old, new)[-1].endswith("torch.op07 and 4 more")
    assert lines(old, new, everything=True)[-1].endswith("torch.op10, torch.op11")


def test_markdown_is_a_table_with_permalinks_of_the_new_release() -> None:
    found = difference(released(OLD, mean_before(), EXP), released(NEW, mean_after()))
    text = markdown_text(found)
    assert text.startswith("## torch 2.0.1 -> torch 2.2.2 (cpu)\n\n- old: torch 2.0.1+cpu")
    assert (
        "| [`torch.mean`](https://tapekept.github.io/2.2.2/ops/torch.mean/)"
        " | `MeanBackward0` no longer keeps input | 0 -> 0 | 524,288 -> 0"
        " | `output = torch.mean(input)` |"
    ) in text.splitlines()
    # What is gone has its page in the old release alone.
    assert "[`torch.exp`](https://tapekept.github.io/2.0.1/ops/torch.exp/)" in text


def test_markdown_ends_where_a_description_would_be_too_long() -> None:
    text = markdown_text(big())
    assert text.count("no longer has") == 40
    assert text.endswith("10 more: `tapekept diff 2.0.1 2.2.2 --long`\n")
    assert markdown_text(big(), everything=True).count("no longer has") == 50


def test_every_topic_has_a_title_and_a_count() -> None:
    assert list(TITLES) == list(SHORT) == list(TOPICS)


def test_a_detail_of_several_kinds_of_record_is_one_line() -> None:
    linear = changed(tiny_modules.linear(), double_backward=("X",))
    old = released(OLD, EXP, tiny_modules.linear())
    found = told(old, released(NEW, changed(EXP, double_backward=("X",)), linear))
    what = "node types of a second or third backward"
    assert f"{what}: 1 op, 1 module: torch.exp, torch.nn.Linear" in found


def test_every_field_that_has_words_is_one_of_the_model() -> None:
    structs = (OpRecord, ModuleRecord, NodeRecord, WriteRecord, Header, Reference, Case, Writes)
    assert FIELDS.keys() <= {field for one in structs for field in one.__struct_fields__}

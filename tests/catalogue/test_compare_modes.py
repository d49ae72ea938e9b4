"""A call that one release has for both modes, compared with those of another for each."""

from itertools import pairwise
from typing import Any

import msgspec
import pytest

from generator.catalogue.compare.calls import compare_calls
from generator.catalogue.compare.catalogues import compare
from generator.catalogue.compare.changes import (
    Bytes,
    BytesChanged,
    Call,
    CallAdded,
    CallRemoved,
    DetailChanged,
    NoCallInCommon,
)
from generator.catalogue.difference.findings import Kept
from generator.catalogue.difference.told import difference
from generator.catalogue.model.records import Catalogue, Mode, ModuleRecord
from tests.fixtures import tiny_modules
from tests.fixtures.changing import changed, of

APART = tiny_modules.linear()
WEIGHED = APART.references[0].measurements[0]
HEAVIER = changed(WEIGHED, storage_bytes=WEIGHED.storage_bytes + 64, extra_bytes=64)
MODES: tuple[Mode, ...] = ("train", "eval")


def for_both(**fields: Any) -> ModuleRecord:
    """Return the record with one reference, that in train mode, for both modes."""
    both = msgspec.structs.replace(APART.references[0], mode=None, **fields)
    return msgspec.structs.replace(APART, references=(both,))


def bytes_of(extra: int) -> Bytes:
    return Bytes(logical=WEIGHED.logical_bytes, storage=WEIGHED.storage_bytes + extra, extra=extra)


def in_mode(mode: Mode) -> Call:
    return Call(kind="reference", filed="projection", text="output = module(input)", mode=mode)


def expected(old: Bytes, new: Bytes, modes: tuple[Mode | None, Mode | None]) -> list[Any]:
    """List what differs in either mode: that it is told apart, and the bytes."""
    about: dict[str, Any] = {"subject": "module", "name": "torch.nn.Linear"}
    return [
        change
        for mode in MODES
        for change in (
            DetailChanged(
                **about,
                call=in_mode(mode),
                field="mode",
                old=mode if modes[0] else None,
                new=mode if modes[1] else None,
            ),
            BytesChanged(**about, call=in_mode(mode), mask=WEIGHED.mask, old=old, new=new),
        )
    ]


def test_what_was_alike_in_both_modes_is_compared_with_each() -> None:
    old, new = of(for_both(measurements=(HEAVIER,))), of(APART)
    assert compare(old, new) == expected(bytes_of(64), bytes_of(0), (None, "train"))
    assert compare(new, old) == expected(bytes_of(0), bytes_of(64), ("train", None))


def test_the_bytes_are_told_first() -> None:
    first = difference(of(for_both(measurements=(HEAVIER,))), of(APART)).findings[0]
    assert isinstance(first, Kept)
    (one,) = first.records
    assert (one.call, one.calls) == (in_mode("train"), 2)
    assert (one.old, one.new) == (bytes_of(64), bytes_of(0))


def test_a_reference_in_one_mode_alone_is_compared_in_that_mode() -> None:
    train = changed(APART, references=APART.references[:1])
    found = compare(of(for_both()), of(train))
    assert [type(one) for one in found] == [DetailChanged]


def test_a_sample_that_was_alike_in_both_modes_is_compared_with_each() -> None:
    sample = APART.cases[0]
    (one,) = sample.measurements
    more = changed(one, storage_bytes=one.storage_bytes + 64)
    apart = tuple(
        changed(sample, mode=mode, measurements=(measured,))
        for mode, measured in (("train", one), ("eval", more))
    )
    old = of(changed(APART, cases=(changed(sample, mode=None),)))
    new = of(changed(APART, cases=apart))
    for before, after in ((old, new), (new, old)):
        found = [type(one) for one in compare(before, after)]
        assert found.count(BytesChanged) == 1
        assert not {CallAdded, CallRemoved} & {*found}


def test_another_call_is_compared_with_none() -> None:
    found = compare(of(for_both(call="output = module(input, 1)")), of(changed(APART, cases=())))
    kinds = [type(one) for one in found]
    assert kinds.count(CallAdded) == 2
    assert BytesChanged not in kinds


def test_no_committed_reference_is_lost_for_its_mode(catalogues: dict[str, Catalogue]) -> None:
    """Whatever call two releases both made as their reference is never told as come or gone."""
    releases = [*catalogues]
    for before, after in [*pairwise(releases), ("1.9.1", "2.13.0")]:
        for name, new in catalogues[after].modules.items():
            old = catalogues[before].modules.get(name)
            if old is None:
                continue
            both = {one.call for one in old.references} & {one.call for one in new.references}
            for one in compare_calls("module", old, new):
                if isinstance(one, NoCallInCommon):
                    assert not both, (before, after, name)
                if isinstance(one, CallAdded | CallRemoved) and one.call.kind == "reference":
                    assert one.mask is not None or one.call.text not in both, (before, after, one)


@pytest.mark.parametrize(("before", "after"), [("1.9.1", "2.13.0"), ("1.13.1", "2.0.1")])
def test_the_fused_lstm_is_told_first_with_the_bytes_of_its_reference(
    catalogues: dict[str, Catalogue], before: str, after: str
) -> None:
    name = "torch.nn.LSTM"
    old, new = (
        msgspec.structs.replace(
            catalogues[one], ops={}, nodes={}, modules={name: catalogues[one].modules[name]}
        )
        for one in (before, after)
    )
    first = difference(old, new).findings[0]
    assert isinstance(first, Kept)
    (told,) = first.records
    assert told.call.kind == "reference"
    for side, catalogue in ((told.old, old), (told.new, new)):
        (weighed,) = (
            one
            for one in catalogue.modules[name].references[0].measurements
            if one.mask == told.mask
        )
        assert side is not None
        assert (side.extra, side.storage) == (weighed.extra_bytes, weighed.storage_bytes)

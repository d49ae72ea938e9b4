"""Which calls of a record a history follows, and how each is known again in another release.

That is the reference call under each grad mask, each other spelling, and the sample that stands for
each case, under the mask that it asks for. Nothing is said of samples that cannot be known again
(`catalogue.samples`).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from generator.catalogue.compare.changes import CONCLUSIVE
from generator.catalogue.history.facts import (
    ALIKE,
    NO_CALL,
    NO_CASE,
    NOT_CALLED,
    Called,
    Fact,
    Spoken,
    keeping_fact,
)
from generator.catalogue.kept import Call, measured, widest
from generator.catalogue.model.history import Followed, SampleCall
from generator.catalogue.model.measurement import Measurement
from generator.catalogue.model.records import Case, Mode, OpRecord, Reference, Variant
from generator.catalogue.samples import indistinct, look
from generator.catalogue.spellings import spelled_call

REFERENCE = Followed(of="reference")


@dataclass(frozen=True)
class Known:
    """A record in one release, and the facts of its calls: by what is followed, and by mode."""

    record: Called
    facts: Mapping[Followed, Mapping[Mode | None, Fact]]


def known(record: Called) -> Known:
    """Read the facts of all calls of a record; the reference has one always, whatever its state."""
    facts: dict[Followed, dict[Mode | None, Fact]] = {}
    for followed, mode, fact in _facts(record):
        facts.setdefault(followed, {})[mode] = fact
    return Known(record, facts)


def fact_of(here: Known | None, followed: Followed, mode: Mode | None) -> Fact | None:
    """Return what a release says of a call in a mode; None where it lacks the record.

    Where it has the record and not the call, the fact is why.
    """
    if here is None:
        return None
    by_mode = here.facts.get(followed, {})
    found = by_mode.get(mode) or by_mode.get(None)
    if found is not None:
        return found
    if here.record.state != "measured":
        return Fact(state=here.record.state, reason=here.record.reason)
    if followed.sample is not None:
        return _no_case(here.record, followed.sample)
    return Fact(state=NOT_CALLED)


def _facts(record: Called) -> Iterator[tuple[Followed, Mode | None, Fact]]:
    if record.state != "measured":
        yield REFERENCE, None, Fact(state=record.state, reason=record.reason)
        return
    yield from _references(record)
    if isinstance(record, OpRecord):
        yield from _variants(record)
    yield from _cases(record)


def _references(record: Called) -> Iterator[tuple[Followed, Mode | None, Fact]]:
    if not record.references:
        yield REFERENCE, None, Fact(state=NO_CALL, reason=record.unreferenced)
    seen: set[Mode | None] = set()
    for call in record.references:
        if call.mode not in seen:
            seen.add(call.mode)
            program = f"{call.setup}\n{call.require}\n{call.call}"
            for mask, fact in _by_mask(record, call, program):
                yield Followed(of="reference", mask=mask), call.mode, fact


def _variants(op: OpRecord) -> Iterator[tuple[Followed, Mode | None, Fact]]:
    """Yield what spellings keep: those that were called, by a call that there is."""
    for variant in op.variants:
        one, call = variant.measurement, spelled_call(op, variant)
        if one is not None and call is not None:
            followed = Followed(of="variant", variant=variant.name)
            yield followed, None, _variant(op, call, variant, one)


def _variant(op: OpRecord, call: Call, variant: Variant, one: Measurement) -> Fact:
    if one.policy is None:
        return Fact(state=one.state, reason=one.reason)
    setup = f"{call.setup}\n" if variant.call is not None and isinstance(call, Reference) else ""
    text = variant.call or variant.name
    return keeping_fact(Spoken(op, call, one, text), f"{setup}{text}")


def _cases(record: Called) -> Iterator[tuple[Followed, Mode | None, Fact]]:
    alike = indistinct(record)
    for case in record.cases:
        sample = SampleCall(entry=case.entry, text=case.call, arguments=case.arguments)
        fact = Fact(state=ALIKE) if look(case) in alike else _of_case(record, case)
        yield Followed(of="case", sample=sample), case.mode, fact


def _of_case(record: Called, case: Case) -> Fact:
    one = case.measurements[0]
    if one.policy is None:
        return Fact(state=one.state, reason=one.reason)
    return keeping_fact(Spoken(record, case, one, case.call), case.call)


def _by_mask(
    record: Called, call: Reference, program: str
) -> Iterator[tuple[tuple[str, ...] | None, Fact]]:
    """Yield the fact under each mask; under None that which speaks for the call."""
    spoken = widest(call) if measured(call) else call.measurements[0]
    for one in call.measurements:
        mask = None if one is spoken else one.mask
        if one.policy is None:
            yield mask, Fact(state=one.state, reason=one.reason)
        else:
            yield mask, keeping_fact(Spoken(record, call, one, call.call), program)


def _no_case(record: Called, sample: SampleCall) -> Fact:
    """Say why no case of a record is this sample's: its entry came to no conclusion, or no word."""
    entries = [one for one in record.entries if one.name == sample.entry]
    failed = [one for one in entries if one.state not in CONCLUSIVE]
    if failed:
        return Fact(state=failed[0].state, reason=failed[0].reason)
    return Fact(state=NO_CASE)


def told_alone(each: Iterable[Known | None]) -> frozenset[str]:
    """Return the texts by which one sample is written, and no other call, in every release."""
    arguments: dict[str, set[object]] = {}
    for here in each:
        for text, given in _written(here.record) if here else ():
            arguments.setdefault(text, set()).add(given)
    return frozenset(text for text, given in arguments.items() if len(given) == 1)


def _written(record: Called) -> Iterator[tuple[str, object]]:
    yield from ((case.call, case.arguments) for case in record.cases)
    yield from ((plain_text(one.call), None) for one in record.references)
    if isinstance(record, OpRecord):
        yield from ((plain_text(one.call), None) for one in record.variants if one.call)


def plain_text(call: str) -> str:
    """Write a call as samples are, which name no output."""
    return call.removeprefix("output = ")


def newest_case(facts: Iterable[Fact | None]) -> Case | None:
    """Return the case that the newest release has of what is followed; None where it is none."""
    for fact in reversed([*facts]):
        if fact is not None and isinstance(fact.told, Spoken):
            return fact.told.call if isinstance(fact.told.call, Case) else None
    return None


def followed_calls(each: Iterable[Known | None]) -> list[tuple[Followed, Mode | None]]:
    """List what is followed over all releases, the newest release's order first.

    A call is told in two modes where any release tells them apart.
    """
    found: dict[Followed, set[Mode | None]] = {}
    for here in reversed([*each]):
        for followed, by_mode in here.facts.items() if here else ():
            found.setdefault(followed, set()).update(by_mode)
    modes: tuple[Mode, ...] = ("train", "eval")
    return [
        (followed, mode)
        for followed, there in found.items()
        for mode in (modes if there != {None} else (None,))
    ]

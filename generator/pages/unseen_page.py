"""The page of all kinds of write after the call: which autograd sees, and which it cannot see."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from generator.catalogue.model.records import Catalogue, Header
from generator.catalogue.model.unseen import WriteEnd, WriteRecord
from generator.catalogue.unseen import TEMPLATE, is_unseen, write_printed, write_program
from generator.catalogue.writes import RAISES
from generator.pages.figures import exact, plural
from generator.pages.parts import Front, Link, ProgramView, Word
from generator.pages.writes import NO_HOOKS, word

ROOT = "../../"
# In the words of the page of all ops.
_VERBS = {"raises": RAISES}
_APART = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class KindRow:
    """One kind of write in a line: what the counter did, and how backward ended."""

    link: Link
    plain: Word
    error: str
    versions: str
    hooked: Word | None
    hooked_error: str


@dataclass(frozen=True)
class KindView:
    """One kind of write: the lines that write, and the whole program with what it printed."""

    name: str
    anchor: str
    write: str
    plain: Word
    message: str | None
    program: ProgramView | None


@dataclass(frozen=True)
class Family:
    """Kinds of write that belong together."""

    heading: str
    anchor: str
    kinds: tuple[KindView, ...]


@dataclass(frozen=True)
class Unmeasured:
    """A kind of write whose program did not run in this release, and why."""

    link: Link
    reason: str


@dataclass(frozen=True)
class UnseenPage:
    """All kinds of write, those that autograd does not see first."""

    front: Front
    summary: str
    with_hooks: bool
    unseen: tuple[KindRow, ...]
    seen: tuple[KindRow, ...]
    refused: tuple[KindRow, ...]
    unmeasured: tuple[Unmeasured, ...]
    families: tuple[Family, ...]


def unseen_page(catalogue: Catalogue) -> UnseenPage:
    """Lay out every kind of write."""
    records = sorted(catalogue.writes.values(), key=lambda one: (one.family, one.name))
    measured = [one for one in records if one.state == "measured"]
    unseen = [one for one in measured if is_unseen(one)]
    others = [one for one in measured if not is_unseen(one)]
    seen = [one for one in others if _end(one.plain).verdict == "raises"]
    refused = [one for one in others if one not in seen]
    return UnseenPage(
        front=Front(
            title="Writes that autograd cannot see",
            description=(
                "Which writes move no version counter, so that backward goes on with other values."
            ),
            section=Link("Writes after the call", f"{ROOT}writes/"),
            boost=8.0,
            hide=("navigation",),
        ),
        summary=_summary(measured, unseen, catalogue.header.build.without_hooks),
        with_hooks=catalogue.header.build.without_hooks is None,
        unseen=tuple(_row(one) for one in unseen),
        seen=tuple(_row(one) for one in seen),
        refused=tuple(_row(one) for one in refused),
        unmeasured=tuple(
            Unmeasured(_link(one), (one.reason or one.state).rstrip("."))
            for one in records
            if one.state != "measured"
        ),
        families=tuple(
            Family(
                heading=_heading(name),
                anchor=f"of-{_slug(name)}",
                kinds=tuple(_kind(catalogue.header, one) for one in records if one.family == name),
            )
            for name in dict.fromkeys(one.family for one in records if one.family)
        ),
    )


def _summary(
    measured: Iterable[WriteRecord], unseen: Iterable[WriteRecord], without_hooks: str | None
) -> str:
    all_kinds, missed = list(measured), list(unseen)
    if not all_kinds:
        return "No kind of write was tried in this build."
    wrong = [one for one in missed if one.plain and one.plain.verdict == "silently wrong"]
    still = [one for one in missed if one.versions and one.versions[0] == one.versions[1]]
    hooks = "" if without_hooks is None else f" {NO_HOOKS}"
    return (
        f"Of {plural(len(all_kinds), 'kind')} of write to a tensor that backward needs, "
        f"{exact(len(missed))} went unseen: {exact(len(wrong))} left a wrong gradient and no "
        f"error, and {exact(len(still))} did not move the version counter.{hooks}"
    )


def _row(record: WriteRecord) -> KindRow:
    plain, hooked = _end(record.plain), record.hooked
    before, after = record.versions or (0, 0)
    return KindRow(
        link=_link(record),
        plain=word(_VERBS.get(plain.verdict, plain.verdict)),
        error=_error(plain),
        versions=f"{before} → {after}",
        hooked=None if hooked is None else word(hooked.verdict),
        hooked_error="" if hooked is None else _error(hooked),
    )


def _kind(header: Header, record: WriteRecord) -> KindView:
    program = None
    if TEMPLATE in header.evidence:
        program = ProgramView(
            write_program(header, record).rstrip(), write_printed(record).rstrip()
        )
    return KindView(
        name=record.name,
        anchor=_slug(record.name),
        write=record.write,
        plain=word(_end(record.plain).verdict),
        message=record.plain.message if record.plain else record.reason,
        program=program,
    )


def _end(end: WriteEnd | None) -> WriteEnd:
    return end or WriteEnd("not tried")


def _error(end: WriteEnd) -> str:
    return "" if end.relative_error is None else f"{end.relative_error:g}"


def _link(record: WriteRecord) -> Link:
    return Link(record.name, f"#{_slug(record.name)}")


def _heading(family: str) -> str:
    """Begin in upper case, but leave a dotted name as it is spelled."""
    return family if "." in family.split(maxsplit=1)[0] else family[:1].upper() + family[1:]


def _slug(name: str) -> str:
    return _APART.sub("-", name.lower()).strip("-")

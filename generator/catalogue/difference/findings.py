"""What a person is told of two catalogues, as typed data: one struct per kind of finding.

A finding is what one cause did, and where: many changes of `compare.changes` become one where the
same thing happened to many records. Each reads from `old` to `new`. `topic` says in which part of
a report it belongs, and `TOPICS` in which order these come.
"""

from typing import Literal

from generator.catalogue.compare.changes import Bytes, Call, Change, Subject
from generator.catalogue.compare.renames import Basis
from generator.catalogue.compare.shifts import Shift
from generator.catalogue.model.conditions import Applied, ConditionOutcome
from generator.catalogue.model.frozen import Frozen
from generator.catalogue.model.reads import ReadEnds
from generator.catalogue.model.records import Depth
from generator.catalogue.model.unseen import Verdict
from generator.catalogue.model.writes import Verdicts

Topic = Literal[
    "kept",
    "records",
    "verdicts",
    "wording",
    "registry",
    "backward",
    "not comparable",
    "details",
]
TOPICS: tuple[Topic, ...] = (
    "kept",
    "records",
    "verdicts",
    "wording",
    "registry",
    "backward",
    "not comparable",
    "details",
)


class Named(Frozen, frozen=True, kw_only=True):
    """A record by kind and name."""

    subject: Subject
    name: str


class KeptIn(Frozen, frozen=True, kw_only=True):
    """A record whose calls keep something else, told by one call under one mask.

    That is its reference where it is concerned, under the mask where most requires grad. `old` and
    `new` weigh the call, in bytes; both are None where it weighs the same. `calls` counts the calls
    and masks that differ alike, `otherwise` those of the record that differ in other ways and are
    not told apart. `among` says that the same call is told of another mask as well.
    """

    subject: Subject
    name: str
    call: Call
    mask: tuple[str, ...]
    old: Bytes | None
    new: Bytes | None
    calls: int = 1
    otherwise: int = 0
    among: bool = False


class Kept(Frozen, frozen=True, kw_only=True, tag="kept"):
    """Calls keep other tensors, or tensors of other weight.

    `lost` and `gained` are roles that one whole call keeps and the other does not; `shifts` says
    of which nodes and values. All are empty where bytes alone differ.
    """

    topic: Literal["kept"] = "kept"
    lost: tuple[str, ...]
    gained: tuple[str, ...]
    shifts: tuple[Shift, ...]
    records: tuple[KeptIn, ...]


class FormulaOf(Frozen, frozen=True, kw_only=True):
    """An op, and which call of it: empty for the reference."""

    name: str
    call: str


class Formulas(Frozen, frozen=True, kw_only=True, tag="formulas"):
    """Calls keep something else in terms of their sizes: logical, storage and extra bytes."""

    topic: Literal["kept"] = "kept"
    old: tuple[str, str, str]
    new: tuple[str, str, str]
    calls: tuple[FormulaOf, ...]


class Conditions(Frozen, frozen=True, kw_only=True, tag="conditions"):
    """The reference calls of ops end otherwise under conditions, each of one argument or of all."""

    topic: Literal["kept"] = "kept"
    conditions: tuple[Applied, ...]
    old: ConditionOutcome
    new: ConditionOutcome
    names: tuple[str, ...]


class Records(Frozen, frozen=True, kw_only=True, tag="records"):
    """Records that one side alone has, or that are in another state; None is absence."""

    topic: Literal["records", "registry"]
    subject: Subject
    old: str | None
    new: str | None
    names: tuple[str, ...]


class WrittenTo(Frozen, frozen=True, kw_only=True):
    """What was written to, in the call of which op, and what required grad."""

    name: str
    target: str
    mask: tuple[str, ...]


class Ending(Frozen, frozen=True, kw_only=True):
    """How writes ended plainly, under identity hooks, and under `save_on_cpu`, where tried."""

    plain: Verdicts
    hooked: Verdicts | None = None
    on_cpu: Verdicts | None = None


class InPlace(Frozen, frozen=True, kw_only=True, tag="verdicts"):
    """Writing to a tensor after the call does something else to backward.

    `old` and `new` are those of the first target; the others have in common with it what differs.
    """

    topic: Literal["verdicts"] = "verdicts"
    old: Ending
    new: Ending
    targets: tuple[WrittenTo, ...]


class ReadAfter(Frozen, frozen=True, kw_only=True, tag="reads"):
    """Reading an output after writes to tensors of the call ends otherwise."""

    topic: Literal["verdicts"] = "verdicts"
    old: ReadEnds
    new: ReadEnds
    targets: tuple[WrittenTo, ...]


class KindOfWrite(Frozen, frozen=True, kw_only=True, tag="kinds of write"):
    """Kinds of write end otherwise, without hooks and under them, where both builds have hooks."""

    topic: Literal["verdicts"] = "verdicts"
    old: tuple[Verdict, ...]
    new: tuple[Verdict, ...]
    names: tuple[str, ...]


class Wording(Frozen, frozen=True, kw_only=True, tag="wording"):
    """Errors are worded otherwise: how, and an example of each side, verbatim, of one record."""

    topic: Literal["wording"] = "wording"
    old: str
    new: str
    old_example: str
    new_example: str
    example: Named
    records: tuple[Named, ...]


class RegistrySize(Frozen, frozen=True, kw_only=True, tag="registry size"):
    """The registry has so many node types; those that lie outside it do not count."""

    topic: Literal["registry"] = "registry"
    old: int
    new: int


class Renames(Frozen, frozen=True, kw_only=True, tag="renames"):
    """A node type goes by another name, or an attribute of `nodes` does.

    `basis` lists what makes it certain, `calls` in how many calls the one stands for the other.
    """

    topic: Literal["registry"] = "registry"
    what: Literal["node type", "attribute"]
    old: str
    new: str
    basis: tuple[Basis, ...]
    calls: int
    nodes: tuple[str, ...] = ()


class Numbered(Frozen, frozen=True, kw_only=True, tag="numbered"):
    """Several node types have a 0 behind their old name; `nodes` are the new names.

    `basis` lists what makes it certain, `calls` in how many calls one stands for its old name.
    """

    topic: Literal["registry"] = "registry"
    basis: tuple[Basis, ...]
    calls: int
    nodes: tuple[str, ...]


class Attributes(Frozen, frozen=True, kw_only=True, tag="attributes"):
    """Node types have other attributes, and not by another name of the same."""

    topic: Literal["registry"] = "registry"
    lost: tuple[str, ...]
    gained: tuple[str, ...]
    nodes: tuple[str, ...]


class Weighed(Frozen, frozen=True, kw_only=True):
    """What backward's own graph or a partitioner keeps: a state, and tensors and bytes if any.

    `raises` says that differentiating the gradients once more raises.
    """

    state: str
    tensors: int
    bytes: Bytes
    raises: bool = False


class Backward(Frozen, frozen=True, kw_only=True, tag="backward"):
    """Double backward of a record, or a partitioner's cut of its reference, keeps another amount.

    `partitioners` is empty for double backward.
    """

    topic: Literal["backward"] = "backward"
    subject: Subject
    name: str
    partitioners: tuple[str, ...]
    old: Weighed
    new: Weighed


class Incomparable(Frozen, frozen=True, kw_only=True, tag="not comparable"):
    """Records, or calls of them, of which at least one side came to no conclusion.

    Both states are `measured` where the two sides made other calls of a record.
    """

    topic: Literal["not comparable"] = "not comparable"
    old: str
    new: str
    whole: bool
    records: tuple[Named, ...]


class Unmeasured(Frozen, frozen=True, kw_only=True, tag="unmeasured"):
    """Layers that the side of depth `full` alone has measured, of every record."""

    topic: Literal["not comparable"] = "not comparable"
    layers: tuple[str, ...]
    old: Depth
    new: Depth


class Details(Frozen, frozen=True, kw_only=True, tag="details"):
    """Whatever else differs between records of a kind: in which field or respect, and where."""

    topic: Literal["details"] = "details"
    subject: Subject
    field: str
    names: tuple[str, ...]


Finding = (
    Kept
    | Formulas
    | Conditions
    | Records
    | InPlace
    | ReadAfter
    | KindOfWrite
    | Wording
    | RegistrySize
    | Renames
    | Numbered
    | Attributes
    | Backward
    | Incomparable
    | Unmeasured
    | Details
)


class Side(Frozen, frozen=True, kw_only=True):
    """One of the two catalogues: its name, and the build that it was measured on."""

    name: str
    release: str
    device: str
    depth: Depth
    version: str
    git: str


class Elsewhere(Frozen, frozen=True, kw_only=True):
    """In what else the two builds, or the machines that measured them, differ."""

    field: str
    old: str | None
    new: str | None


class Difference(Frozen, frozen=True, kw_only=True):
    """All that differs from `old` to `new`, what matters most first.

    `only` names the records that were asked for, and is empty for all. `counts` has the number of
    findings by topic. `changes` holds the changes that the findings were made of, in the order of
    the file, where they were asked for.
    """

    old: Side
    new: Side
    only: tuple[str, ...] = ()
    elsewhere: tuple[Elsewhere, ...] = ()
    counts: dict[Topic, int]
    findings: tuple[Finding, ...]
    changes: tuple[Change, ...] | None = None

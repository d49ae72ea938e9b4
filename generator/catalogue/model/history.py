"""What all measured releases say of one record, as typed data: spans of releases that say the same.

A `History` is computed by `catalogue.history` from catalogues of one device, oldest to newest.
Releases are named by their number. All byte figures are bytes.
"""

import datetime as dt
from typing import Literal

from generator.catalogue.compare.changes import Bytes
from generator.catalogue.compare.shifts import NodeCount
from generator.catalogue.difference.findings import Difference
from generator.catalogue.model.frozen import Frozen
from generator.catalogue.model.measurement import Argument
from generator.catalogue.model.records import Depth, Mode

Step = Literal["first", "added", "removed", "changed", "renamed", "same", "another call", "unknown"]
Of = Literal["reference", "variant", "case", "class"]


class SavedRole(Frozen, frozen=True, kw_only=True):
    """An attribute of a node type that holds a tensor in that role, and in how many nodes."""

    node: str
    attribute: str
    role: str
    times: int = 1


class Keeping(Frozen, frozen=True, kw_only=True, tag="keeping"):
    """What one call keeps under one mask: the one under which most arguments require grad.

    `claim` says it in words that follow "it keeps". `roles` are those that it names, in its order;
    `saved` and `nodes` say which nodes there are and what they hold, in the order of the graph.
    """

    call: str
    mask: tuple[str, ...]
    claim: str
    roles: tuple[str, ...]
    saved: tuple[SavedRole, ...]
    nodes: tuple[NodeCount, ...]
    bytes: Bytes


class NodeClass(Frozen, frozen=True, kw_only=True, tag="class"):
    """A node type as the releases of a span have it: its name there, and its `_saved_*` names."""

    name: str
    attributes: tuple[str, ...]


class Span(Frozen, frozen=True, kw_only=True):
    """Consecutive releases, `since` to `until`, that say the same of a record.

    `state` is a record's or a measurement's, or `absent` where the catalogue has no such record. It
    says why nothing is known of a call of a record that was measured: `no reference call`, `not
    called`, and of a sample `no such case` or `not told apart`. Of a node type it is `registered`,
    or `unregistered` where it was only seen live. `said` is what the newest of the releases says,
    and is None where nothing was measured: a record that crashed, raised, ran out of time or was
    declared only says nothing about what is kept.

    `step` tells how the span follows the ones before it. `first` and `unknown`: nothing was known
    before, nothing is known here. `added`: no older catalogue has the record; `removed`: only older
    ones do. `changed`, `renamed` and `same` compare with the last span that says something, also
    across others between; `renamed` is a node type that is the same but for its name or those of
    its attributes, as it can be told (see `compare.renames`), and a call that keeps the same in
    nodes so renamed is the `same`. `another call`: its call or arguments are not those of that
    span, so that nothing can be said of a change.
    """

    since: str
    until: str
    releases: int
    state: str
    step: Step
    reason: str | None = None
    said: Keeping | NodeClass | None = None


class SampleCall(Frozen, frozen=True, kw_only=True):
    """What a sample is known again by in another release: its entry, its text and its arguments."""

    entry: str
    text: str
    arguments: tuple[Argument, ...]


class Followed(Frozen, frozen=True, kw_only=True):
    """What a timeline follows: a call of a record, or a node type by whatever names.

    A call is the reference, the spelling `variant`, or the `sample` that stands for a case; that
    is `named` by its text where no other call of the record is written so. Of a module it is in
    `mode`, which is None where the same is told of train and of eval mode. `mask` is None for the
    mask that speaks for the call: where most arguments require grad, and of a sample the one that
    it asks for.
    """

    of: Of
    mode: Mode | None = None
    variant: str | None = None
    sample: SampleCall | None = None
    named: bool = False
    mask: tuple[str, ...] | None = None


class Timeline(Frozen, frozen=True, kw_only=True):
    """All spans of a record, or of one call of it, from the oldest measured release to the newest.

    `alike` counts the other calls and masks of the record that changed in the same releases in the
    same way, and have no timeline of their own. `samples` counts those of float32 that a case
    stands for in the newest release that has it, and is 0 where no case is followed. `programs`
    lists releases from which on the setup of the call is written otherwise, though call and
    arguments are the same.
    """

    name: str
    followed: Followed
    spans: tuple[Span, ...]
    alike: int = 0
    samples: int = 0
    programs: tuple[str, ...] = ()


class Measured(Frozen, frozen=True, kw_only=True):
    """One release that was measured: its build, how deep and on what, and how much there is.

    `published` is the day of its wheels, where that is known. `counts` are the header's: a record
    kind's states and their numbers. `registered` counts the node types of the registry.
    `without_hooks` says why nothing was measured under saved-tensor hooks, where nothing was.
    """

    release: str
    version: str
    git: str
    device: str
    depth: Depth
    python: str
    platform: str
    processor: str
    published: dt.date | None = None
    counts: dict[str, dict[str, int]]
    registered: int
    without_hooks: str | None = None


class History(Frozen, frozen=True, kw_only=True):
    """The history of every record on one device; `releases` from the oldest to the newest.

    `ops` and `modules` file the timelines of a record under its name: the reference's first, then
    those of other calls and masks that changed, and not as the reference did.
    `nodes` files them under every name that a type went by; a name that stood for two types in
    turn has two. `differences` has one for each release but the first, from the one before it.
    """

    device: str
    releases: tuple[Measured, ...]
    ops: dict[str, tuple[Timeline, ...]]
    modules: dict[str, tuple[Timeline, ...]]
    nodes: dict[str, tuple[Timeline, ...]]
    differences: tuple[Difference, ...]

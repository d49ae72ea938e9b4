"""The typed model of a catalogue: frozen structs that decode, validate and encode themselves.

One file per build holds one record a line: a `Header`, then `OpRecord`, `ModuleRecord`,
`NodeRecord`, `BlockRecord` and `WriteRecord`. What a call keeps is described twice over, so that
equal answers are written once: a policy says which nodes there are and what each saved value *is*
(its role), a `Measurement` says what it *weighs* for one call under one grad mask, and points to
its policy by position. A record's policies in turn are positions in its `nodes`: see
`catalogue.policies` for both steps. All byte figures are bytes; all shapes are in elements.
"""

from typing import Literal

import msgspec

from generator.catalogue.model.bills import BlockRecord
from generator.catalogue.model.compiled import Compiled
from generator.catalogue.model.conditions import Conditions
from generator.catalogue.model.formulas import Pricing
from generator.catalogue.model.frozen import Frozen
from generator.catalogue.model.measurement import Argument, Measurement, State
from generator.catalogue.model.reads import Reads
from generator.catalogue.model.recipes import Layer, Recipe
from generator.catalogue.model.second_order import SecondOrder
from generator.catalogue.model.unseen import WriteRecord
from generator.catalogue.model.writes import Writes

SCHEMA_VERSION = 3

Kind = Literal["tensor", "tensor list", "sizes", "scalar", "none", "unreadable"]
Mode = Literal["train", "eval"]
Depth = Literal["full", "history"]
NodeState = Literal["witnessed", "stubbed", "declared", "unregistered"]


Edge = int | str | None


class SavedValue(Frozen, frozen=True, array_like=True):
    """One `_saved_*` attribute of one node.

    `roles` has one entry per tensor (one for kind `tensor`, any number for `tensor list`, none
    otherwise): `input NAME`, `parameter NAME`, `buffer NAME`, `output` or `output I`,
    `view of …` one of these, `intermediate`, or `wrapped number` (a Python number made a tensor).
    """

    attribute: str
    kind: Kind
    roles: tuple[str, ...] = ()


class PolicyNode(Frozen, frozen=True, kw_only=True):
    """One node of a call's graph, without its edges: its type and its saved values."""

    type: str
    saved: tuple[SavedValue, ...] = ()


class TwoWays(Frozen, frozen=True, kw_only=True):
    """Saved tensors found by reading attributes against tensors seen by a pack hook, by storage.

    Each field counts samples: those where both ways found the same storages, those where an
    attribute held a storage that no hook saw, and those where a hook saw a storage that no
    attribute of a reachable node holds. `let_go` counts those of the last where all that a hook
    alone saw was gone when the call returned.
    """

    same: int = 0
    attributes_only: int = 0
    hooks_only: int = 0
    let_go: int = 0


class Failure(Frozen, frozen=True, kw_only=True):
    """Samples of an op that did not run, by the first line of their error."""

    state: State
    reason: str
    samples: int


class Case(Frozen, frozen=True, kw_only=True):
    """Samples that share a policy (same node types, attributes and roles, list positions aside).

    `entry` is OpInfo's or ModuleInfo's own full name, `samples` counts them by dtype. `mode` is
    None for an op, and for a module whose samples agree in train and eval. `call`, `arguments`
    and `outputs` describe the representative, the first of them, of which every grad mask was
    measured. The first measurement is under the mask that the sample itself asks for; the others
    leave `tensors` empty. A module's parameters and buffers are not among its `arguments`.
    """

    entry: str
    mode: Mode | None = None
    samples: dict[str, int]
    call: str
    arguments: tuple[Argument, ...]
    outputs: tuple[Argument, ...]
    measurements: tuple[Measurement, ...]
    two_ways: TwoWays


class Reference(Frozen, frozen=True, kw_only=True):
    """The call of realistic size, written as a program, and what it printed.

    `setup` makes the arguments, `require` makes them require grad and `call` makes the outputs.
    The whole program that shows what was kept is the header's evidence template named `template`
    with these three, `held` and `grad_fns` filled in (see `catalogue.evidence`); `printed` is what
    it printed in this build. `family` names the set of ops that share argument sizes. `mode` is
    None for an op, and for a module that keeps the same in train mode, whose program this is, and
    after `module.eval()`. The first
    measurement is under the mask where every differentiable argument requires grad, for a module
    every parameter; `edges` and `values` belong to it.

    `edges` has an entry for each node of the policy: where each edge leads, as the position of
    another node of the policy, the name of the argument whose history begins there, or None where
    no gradient flows. `values` has the printed value of each saved value that is of kind `sizes`,
    `scalar` or `unreadable`, in the policy's order.
    """

    family: str
    mode: Mode | None = None
    setup: str
    require: str = ""
    call: str
    held: str
    grad_fns: str
    template: str
    printed: str
    arguments: tuple[Argument, ...]
    outputs: tuple[Argument, ...]
    measurements: tuple[Measurement, ...]
    edges: tuple[tuple[Edge, ...], ...]
    values: tuple[str, ...] = ()


class Variant(Frozen, frozen=True, kw_only=True):
    """An in-place, method or alias spelling of an op.

    `call` is the reference call in this spelling, made with the setup of the reference; it is None
    where the first sample was called instead, whose arguments are by value. Where it could be
    called, `measurement` says what it keeps; in-place spellings write into a clone of their first
    argument. `further` has the other masks of the reference call, and is empty at depth `history`
    and where the first sample was called. `printed` is what the evidence program printed of it
    where that is not what was measured (see `catalogue.spelling_evidence`).
    """

    name: str
    relation: Literal["alias", "method", "in-place"]
    call: str | None = None
    printed: str | None = None
    measurement: Measurement | None = None
    further: tuple[Measurement, ...] = ()


class OpInfoEntry(Frozen, frozen=True, kw_only=True):
    """One entry of PyTorch's own `op_db`, measured or with the reason why it was not."""

    name: str
    state: State
    reason: str | None = None
    samples: dict[str, int] = msgspec.field(default_factory=dict)
    failures: tuple[Failure, ...] = ()


class OpRecord(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="op"):
    """One op: everything measured about a public callable under its canonical dotted name.

    `unreferenced` says why there is no reference, where there is none. `conditions` is None where
    there is none. `writes` is None unless the op was measured, and `reads` unless reading the
    outputs after these writes was.
    """

    name: str
    state: State
    reason: str | None = None
    overloads: tuple[str, ...] = ()
    variants: tuple[Variant, ...] = ()
    entries: tuple[OpInfoEntry, ...] = ()
    nodes: tuple[PolicyNode, ...] = ()
    policies: tuple[tuple[int, ...], ...] = ()
    references: tuple[Reference, ...] = ()
    unreferenced: str | None = None
    cases: tuple[Case, ...] = ()
    writes: Writes | None = None
    reads: Reads | None = None
    conditions: Conditions | None = None
    formulas: tuple[Pricing, ...] = ()
    double_backward: tuple[str, ...] = ()
    second_order: SecondOrder | None = None
    compiled: Compiled | None = None


class ModuleRecord(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="module"):
    """One `nn.Module` of `module_db`, in train and eval mode; fields as in `OpRecord`.

    Its conditions are those of its reference in train mode.
    """

    name: str
    state: State
    reason: str | None = None
    entries: tuple[OpInfoEntry, ...] = ()
    nodes: tuple[PolicyNode, ...] = ()
    policies: tuple[tuple[int, ...], ...] = ()
    references: tuple[Reference, ...] = ()
    unreferenced: str | None = None
    cases: tuple[Case, ...] = ()
    conditions: Conditions | None = None
    double_backward: tuple[str, ...] = ()
    second_order: SecondOrder | None = None
    compiled: Compiled | None = None


class Formula(Frozen, frozen=True, kw_only=True):
    """A derivative as the release's `derivatives.yaml` states it, for the inputs it is for."""

    inputs: tuple[str, ...]
    formula: str


class DeclaredValue(Frozen, frozen=True, kw_only=True):
    """A value that the code generator derives from a formula for saving.

    `type` is its C++ type; `expression` is what is saved where that is not simply the name, such
    as `self.scalar_type()`.
    """

    name: str
    type: str
    expression: str | None = None


class Declaration(Frozen, frozen=True, kw_only=True):
    """What the release's own `derivatives.yaml` says of a node type.

    `line` is the line of the entry in that file, where it has one of its own or shares one.
    """

    overload: str
    dispatch: str
    line: int | None = None
    formulas: tuple[Formula, ...]
    saved_inputs: tuple[DeclaredValue, ...] = ()
    saved_outputs: tuple[DeclaredValue, ...] = ()


class Observation(Frozen, frozen=True, kw_only=True):
    """How often one attribute was seen with which kind and which class of role, over all calls.

    A class of role is a role without its name: `input`, `view of output`, `intermediate`…
    """

    attribute: str
    kinds: dict[Kind, int]
    roles: dict[str, int] = msgspec.field(default_factory=dict)


class Witness(Frozen, frozen=True, kw_only=True):
    """The first call, in the order of the probe, whose graph held the node type."""

    layer: Layer
    name: str


class NodeRecord(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="node"):
    """One backward class: of the release's registry, or seen live without being in it.

    `attributes` lists the `_saved_*` names of the class. `error` is the message of the in-place
    check, verbatim, when a tensor that this node made was saved and then overwritten.
    `kernels` lists the dispatch keys for which the release declares a kernel of the overload.
    `packed` has the roles of the tensors that hooks saw when the recipe ran, in order of packing,
    where no attribute shows them: all that can be known of a type outside the registry, and what a
    type of it hides.
    """

    name: str
    state: NodeState
    reason: str | None = None
    attributes: tuple[str, ...] = ()
    declared: tuple[Declaration, ...] = ()
    kernels: tuple[str, ...] = ()
    observed: tuple[Observation, ...] = ()
    witness: Witness | None = None
    recipe: Recipe | None = None
    packed: tuple[str, ...] | None = None
    error: str | None = None


class Build(Frozen, frozen=True, kw_only=True):
    """The exact build that was measured, and where.

    `samples` says what ops were called with where that are not the samples of PyTorch's own tests.
    `without_hooks` says why nothing was measured under saved-tensor hooks, where nothing was.
    """

    version: str
    git: str
    device: str
    python: str
    platform: str
    processor: str
    samples: str | None = None
    without_hooks: str | None = None


class Header(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="header"):
    """First line of a catalogue: what was measured, and how much of it there is.

    `counts` maps a record kind to its states and their numbers. `evidence` holds the templates
    that the references' programs are made from, as `string.Template` text. At depth `history` no
    formulas, reads after writes, conditions, partitioners and blocks were measured: what is told of
    them is nothing. Spellings were called under their first mask alone.
    """

    name: str
    state: Literal["measured"]
    schema: int
    release: str
    build: Build
    depth: Depth = "full"
    evidence: dict[str, str] = msgspec.field(default_factory=dict)
    counts: dict[str, dict[str, int]]


Record = Header | OpRecord | ModuleRecord | NodeRecord | BlockRecord | WriteRecord


class Catalogue(Frozen, frozen=True, kw_only=True):
    """A whole catalogue in memory; each mapping is by record name, in the file's order."""

    header: Header
    ops: dict[str, OpRecord]
    modules: dict[str, ModuleRecord]
    nodes: dict[str, NodeRecord]
    blocks: dict[str, BlockRecord] = msgspec.field(default_factory=dict)
    writes: dict[str, WriteRecord] = msgspec.field(default_factory=dict)

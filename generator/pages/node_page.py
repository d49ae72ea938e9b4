"""The page of one node type: what it saves, what the release declares, and who makes it."""

from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup

from generator.catalogue import links
from generator.catalogue.claims import claim
from generator.catalogue.evidence import recipe_program
from generator.catalogue.explain.messages import forward_name, node_said
from generator.catalogue.explain.readings import Readings, named
from generator.catalogue.model.records import (
    Catalogue,
    Declaration,
    DeclaredValue,
    Header,
    NodeRecord,
    Observation,
    Witness,
)
from generator.pages.figures import exact
from generator.pages.markup import code_fence
from generator.pages.parts import (
    Chip,
    Citation,
    Front,
    Head,
    Link,
    ProgramView,
    chip,
    citation,
    head,
)
from generator.pages.relations import Relations
from generator.pages.saved import attribute_link
from generator.pages.search_tags import node_tags
from generator.pages.timeline import AcrossView, Past

ROOT = "../../"
OF_THIS_CALL = "Another call may make it keep something else, or nothing."

_STATES = {
    "witnessed": "Witnessed: seen live in a graph, made by a real kernel of the measured device.",
    "stubbed": (
        "Witnessed over a stub: the autograd kernel is the real one, the backend below it was "
        "replaced. What is saved is real, values are not."
    ),
    "declared": "Declared only: in the release's registry, but made by no call of the probe.",
    "unregistered": "Unregistered: seen live in graphs of this build.",
}

_OWN_LAYERS = {
    "recipe": "Seen in its own recipe, below.",
    "synthesized call": "Seen in a call of its op with arguments made from the op's schema, below.",
    "stub": "Seen in the call below, over a stub.",
}
_STUB_NOTE = (
    "The program below defines the stub. It computes nothing, and stands for the kernel alone: "
    "outputs are zeros, and gradients mean nothing."
)


@dataclass(frozen=True)
class DeclarationView:
    """One entry of `derivatives.yaml`: formulas by input, with the way to its source line."""

    overload: str
    dispatch: str
    source: Link | None
    formulas: tuple[tuple[str, str], ...]
    saved_inputs: tuple[str, ...]
    saved_outputs: tuple[str, ...]


@dataclass(frozen=True)
class AttributeRow:
    """One attribute: as declared, and as measured over all calls of the build."""

    attribute: Link
    declared: str
    kinds: str
    roles: tuple[tuple[Chip, str], ...]


@dataclass(frozen=True)
class RecipeView:
    """The shortest program that makes the type, and the one around it that shows what it saved.

    `note` says what its numbers do not mean, where a stub stands for the kernel.
    """

    recipe: Markup
    evidence: ProgramView
    note: str | None


@dataclass(frozen=True)
class NodePage:
    """Everything that the page of a node type shows."""

    front: Front
    head: Head
    across: AcrossView
    state: str
    reason: str | None
    witness: str | None
    undeclared: str | None
    recipe: RecipeView | None
    packed: tuple[Chip, ...] | None
    packed_note: str | None
    declarations: tuple[DeclarationView, ...]
    attributes: tuple[AttributeRow, ...]
    kernels: str
    ops: tuple[Link, ...]
    modules: tuple[Link, ...]
    double_backward: tuple[Link, ...]
    error: str | None
    named: str | None
    meanings: tuple[tuple[str, str], ...]
    error_note: str | None
    citation: Citation


def node_page(catalogue: Catalogue, relations: Relations, past: Past, node: NodeRecord) -> NodePage:
    """Decide everything that the page of `node` shows."""
    witness = node.witness
    return NodePage(
        front=Front(
            title=node.name,
            description=(
                f"{node.name} in PyTorch {catalogue.header.release}: "
                f"{claim(node).replace('`', '')}."
            ),
            section=Link("Nodes", f"{ROOT}nodes/"),
            boost=1.0,
            tags=node_tags(node),
            hide=("navigation",),
        ),
        head=head(catalogue.header, node, "node type", _aliases(node)),
        across=past.view("node", node.name),
        state=_STATES[node.state],
        reason=_reason(node),
        witness=_witness(witness) if witness else None,
        undeclared=_undeclared(catalogue),
        recipe=_recipe(catalogue.header, node),
        packed=None if node.packed is None else tuple(chip(role) for role in node.packed),
        packed_note=None if node.state == "unregistered" else OF_THIS_CALL,
        declarations=tuple(_declaration(one, catalogue.header.build.git) for one in node.declared),
        attributes=tuple(_rows(node)),
        kernels=", ".join(node.kernels),
        ops=_pages(relations.ops_of_node.get(node.name, ()), "ops"),
        modules=_pages(relations.modules_of_node.get(node.name, ()), "modules"),
        double_backward=tuple(
            Link(name, f"{ROOT}{'ops' if name in catalogue.ops else 'modules'}/{name}/")
            for name in relations.double_backward_of_node.get(node.name, ())
        ),
        error=node.error,
        named=node_said(node.error or ""),
        meanings=_meanings(relations.readings, node),
        error_note=error_note(node),
        citation=citation(catalogue.header, node),
    )


def _undeclared(catalogue: Catalogue) -> str | None:
    """Say why nothing is declared of any type, where the release ships no declarations."""
    if any(node.declared for node in catalogue.nodes.values()):
        return None
    release = catalogue.header.release
    return f"PyTorch {release} ships no derivatives.yaml: all that is said here was observed."


def _reason(node: NodeRecord) -> str | None:
    """Give the reason where the claim, which stands above it, does not say it already."""
    reason = (node.reason or "").rstrip(".")
    outside = node.state == "unregistered" and "registry" in reason
    return None if outside or node.state == "declared" else reason or None


def _witness(witness: Witness) -> str:
    own = _OWN_LAYERS.get(witness.layer)
    return own or f"First seen in {witness.name} ({witness.layer})."


def _recipe(header: Header, node: NodeRecord) -> RecipeView | None:
    if node.recipe is None:
        return None
    return RecipeView(
        recipe=code_fence(f"import torch\n\n{node.recipe.program}", "python"),
        evidence=ProgramView(
            recipe_program(header, node, node.recipe).rstrip(), node.recipe.printed.rstrip()
        ),
        note=_STUB_NOTE if node.state == "stubbed" else None,
    )


def _meanings(known: Readings, node: NodeRecord) -> tuple[tuple[str, str], ...]:
    """Say what it can mean that an error names this node, in the words of its release."""
    called = node_said(node.error or "")
    if called is None or known.first_names or not _is_called(node, called):
        return ()
    return named(known.known, node, called)


def _is_called(node: NodeRecord, called: str) -> bool:
    stem = node.name.rstrip("0123456789")
    return called in (node.name, stem, forward_name(node.name))


def error_note(node: NodeRecord) -> str | None:
    """Say whom the message names: the tensor's `grad_fn` at that moment, not who had saved it."""
    if node.error is None:
        return None
    named = node_said(node.error)
    if named is None:
        return "The message names no node."
    said = (
        f"“{named}” is the overwritten tensor's own grad_fn at that moment; "
        "the multiplication, which had saved it here, is not named."
    )
    if _is_called(node, named):
        return said
    if named.startswith("AsStrided"):
        return (
            f"{said} It is no longer {node.name}: after a write to a view or to its base, "
            "the view's node is made anew, as AsStrided."
        )
    return f"{said} It is no longer {node.name}."


def _declaration(declared: Declaration, git: str) -> DeclarationView:
    return DeclarationView(
        overload=declared.overload,
        dispatch=declared.dispatch,
        source=None
        if declared.line is None
        else Link(f"derivatives.yaml, line {declared.line}", links.source_line(git, declared.line)),
        formulas=tuple((", ".join(one.inputs), one.formula) for one in declared.formulas),
        saved_inputs=_named(declared.saved_inputs),
        saved_outputs=_named(declared.saved_outputs),
    )


def _named(values: Iterable[DeclaredValue]) -> tuple[str, ...]:
    return tuple(one.expression or one.name for one in values)


def _rows(node: NodeRecord) -> Iterable[AttributeRow]:
    observed = {one.attribute: one for one in node.observed}
    inputs = {value.name for one in node.declared for value in one.saved_inputs}
    outputs = {value.name for one in node.declared for value in one.saved_outputs}
    for attribute in dict.fromkeys((*node.attributes, *observed)):
        short = attribute.removeprefix("_saved_")
        declared = "input" if short in inputs else "output" if short in outputs else "–"
        yield _row(attribute, declared, observed.get(attribute))


def _row(attribute: str, declared: str, seen: Observation | None) -> AttributeRow:
    return AttributeRow(
        attribute=attribute_link(attribute, ROOT),
        declared=declared,
        kinds=(
            ", ".join(f"{kind} {exact(count)}" for kind, count in _by_count(seen.kinds.items()))
            if seen
            else "not seen"
        ),
        roles=(
            tuple((chip(role), exact(count)) for role, count in _by_count(seen.roles.items()))
            if seen
            else ()
        ),
    )


def _by_count(counts: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    return sorted(counts, key=lambda pair: (-pair[1], pair[0]))


def _pages(names: Iterable[str], section: str) -> tuple[Link, ...]:
    return tuple(Link(name, f"{ROOT}{section}/{name}/") for name in names)


def _aliases(node: NodeRecord) -> tuple[str, ...]:
    bare = node.name.rstrip("0123456789")
    overloads = (one.overload for one in node.declared)
    return (bare, bare.removesuffix("Backward"), *overloads)

"""The page of saved attributes: what each `_saved_*` was seen to hold, and who has it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from generator.catalogue.model.records import Catalogue, NodeRecord, Observation
from generator.pages.figures import exact, plural
from generator.pages.parts import Chip, Front, Link, chip
from generator.pages.relations import Relations
from generator.pages.saved import attribute_anchor

ROOT = "../"
_DIGITS = "0123456789"


@dataclass(frozen=True)
class AttributeSection:
    """One attribute: how it was seen, what the release declares, and who has it.

    `numbered` are the same name with a number behind it; the search finds them under this one.
    """

    name: str
    anchor: str
    aliases: str
    explanation: str
    roles: tuple[tuple[Chip, str], ...]
    nodes: tuple[Link, ...]
    nodes_count: str
    ops: tuple[Link, ...]
    ops_count: str
    numbered: tuple["AttributeSection", ...]


@dataclass(frozen=True)
class AttributesPage:
    """All attributes of the release, by name."""

    front: Front
    count: str
    sections: tuple[AttributeSection, ...]


def attributes_page(catalogue: Catalogue, relations: Relations) -> AttributesPage:
    """Gather every `_saved_*` name over all node types."""
    seen = _observations(catalogue)
    names = sorted({*relations.nodes_of_attribute, *relations.ops_of_attribute, *seen})
    return AttributesPage(
        front=Front(
            title="Saved attributes",
            description="Every _saved_* attribute: what it was seen to hold, and who has it.",
            section=None,
            boost=2.0,
            hide=("navigation", "toc"),
        ),
        count=plural(len(names), "attribute"),
        sections=tuple(_sections(names, catalogue, relations, seen)),
    )


def _observations(catalogue: Catalogue) -> dict[str, tuple[Observation, ...]]:
    found: dict[str, list[Observation]] = {}
    for node in catalogue.nodes.values():
        for one in node.observed:
            found.setdefault(one.attribute, []).append(one)
    return {name: tuple(each) for name, each in found.items()}


def _sections(
    names: Sequence[str],
    catalogue: Catalogue,
    relations: Relations,
    seen: Mapping[str, tuple[Observation, ...]],
) -> Iterator[AttributeSection]:
    """Make a section for each name, the numbered ones inside that of their plain name."""
    for name in names:
        if name.rstrip(_DIGITS) == name or name.rstrip(_DIGITS) not in names:
            numbered = [one for one in names if one != name and one.rstrip(_DIGITS) == name]
            inside = tuple(
                _section(one, catalogue, relations, seen.get(one, ()), ()) for one in numbered
            )
            yield _section(name, catalogue, relations, seen.get(name, ()), inside)


def _section(
    name: str,
    catalogue: Catalogue,
    relations: Relations,
    seen: Iterable[Observation],
    numbered: tuple[AttributeSection, ...],
) -> AttributeSection:
    roles: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for one in seen:
        roles.update(one.roles)
        kinds.update(one.kinds)
    types = relations.nodes_of_attribute.get(name, ())
    ops = relations.ops_of_attribute.get(name, ())
    return AttributeSection(
        name=name,
        anchor=attribute_anchor(name),
        aliases=" ".join(one.name for one in numbered),
        explanation=_explanation(name, kinds, [catalogue.nodes[one] for one in types]),
        roles=tuple((chip(role), exact(count)) for role, count in _ranked(roles)),
        nodes=tuple(Link(one, f"{ROOT}nodes/{one}/") for one in types),
        nodes_count=plural(len(types), "node type"),
        ops=tuple(Link(one, f"{ROOT}ops/{one}/") for one in ops),
        ops_count=plural(len(ops), "op"),
        numbered=numbered,
    )


def _explanation(name: str, kinds: Counter[str], types: Iterable[NodeRecord]) -> str:
    """Say what the attribute held and what the release declares it to be, in two sentences."""
    if kinds:
        each = ", ".join(f"{kind} in {plural(count, 'call')}" for kind, count in _ranked(kinds))
        held = f"Seen as {each}."
    else:
        held = "Not reached by the probe's calls."
    short = name.removeprefix("_saved_")
    declared: Counter[str] = Counter()
    for node in types:
        outputs = any(value.name == short for one in node.declared for value in one.saved_outputs)
        inputs = any(value.name == short for one in node.declared for value in one.saved_inputs)
        declared["an output of the op"] += outputs
        declared["an input of the op, or made from one"] += inputs and not outputs
    parts = [f"{text} in {plural(count, 'type')}" for text, count in _ranked(declared) if count]
    return f"{held} Declared as {' and '.join(parts)}." if parts else held


def _ranked(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))

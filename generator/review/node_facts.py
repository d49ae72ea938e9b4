"""The facts and tables of a node type: where it was seen, what it declares, what it saves."""

from collections.abc import Iterator, Mapping
from typing import Any

from generator.catalogue.kept import spoken_role
from generator.catalogue.links import source_line
from generator.catalogue.model.records import Header, NodeRecord
from generator.review.layout import Fact, Table


def node_facts(header: Header, record: NodeRecord) -> Iterator[Fact]:
    """Yield how a node type was seen, and what the release declares of it."""
    yield record.state, record.reason or "by a real kernel of this device"
    if record.witness:
        yield "first seen in", f"{record.witness.name} ({record.witness.layer})"
    if record.packed is not None:
        yield "hooks see, in its recipe", ", ".join(map(spoken_role, record.packed)) or "no tensor"
    for declared in record.declared:
        yield "declared for", f"{declared.overload} ({declared.dispatch})"
        for formula in declared.formulas:
            yield f"gradient of {', '.join(formula.inputs)}", formula.formula
        if declared.line is not None:
            yield "declared in", source_line(header.build.git, declared.line)
    if record.error:
        yield "after an in-place write", record.error


def node_tables(record: NodeRecord) -> Iterator[Table]:
    """Yield the program that makes it, and what its attributes held."""
    seen = {one.attribute: one for one in record.observed}
    rows = []
    for attribute in dict.fromkeys((*record.attributes, *seen)):
        one = seen.get(attribute)
        kinds = _counted(one.kinds) if one else "not seen"
        rows.append((attribute, kinds, _counted(one.roles) if one else ""))
    if record.recipe:
        lines = tuple((line,) for line in record.recipe.program.splitlines())
        yield Table("Recipe", ("after `import torch`",), lines)
    if rows:
        yield Table("Saved attributes, by calls", ("attribute", "kind", "role"), tuple(rows))


def _counted(numbers: Mapping[Any, int]) -> str:
    return ", ".join(f"{number} {name}" for name, number in numbers.items())

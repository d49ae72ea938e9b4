"""Put together the programs that show what a reference call keeps, and what a recipe makes."""

from string import Template
from textwrap import indent

from generator.catalogue.model.recipes import Recipe
from generator.catalogue.model.records import Header, NodeRecord, Reference


def evidence_program(header: Header, reference: Reference) -> str:
    """Return the program as it was run, whose output is the reference's `printed`."""
    return Template(header.evidence[reference.template]).substitute(
        setup=reference.setup,
        require=reference.require,
        call=reference.call,
        held=reference.held,
        grad_fns=reference.grad_fns,
    )


def recipe_template(node: NodeRecord) -> str:
    """Return the name of the template around the recipe of a node type."""
    if node.state == "stubbed":
        return "recipe over a stub"
    return "recipe" if node.packed is None else "recipe under hooks"


def recipe_program(header: Header, node: NodeRecord, recipe: Recipe) -> str:
    """Return the program around a node type's recipe, whose output is the recipe's `printed`."""
    return Template(header.evidence[recipe_template(node)]).substitute(
        recipe=recipe.program,
        indented=indent(recipe.program, "    "),
        type=node.name,
    )

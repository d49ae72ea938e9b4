"""How recipes are written as tables: one setup, and a call for each node type.

A recipe is the text of a program that is run after `import torch` and ends in an `output` whose
graph holds a node of the type that it is for. Nothing here needs torch.
"""

from __future__ import annotations


def calls(setup: str, expressions: dict[str, str]) -> dict[str, str]:
    """Give each node type the program that evaluates its expression after `setup`."""
    return {name: f"{setup}\noutput = {expression}" for name, expression in expressions.items()}


def twice(setup: str, expressions: dict[str, str], of: str = "x") -> dict[str, str]:
    """Give each node type the program that differentiates its expression by `of`, with a graph.

    The square makes the gradient of the expression depend on `of`, so that it needs one, too.
    """
    gradient = f"torch.autograd.grad(y.square().sum(), {of}, create_graph=True)"
    return {
        name: f"{setup}\ny = {expression}\noutput = {gradient}"
        for name, expression in expressions.items()
    }

"""The record of one reference program, and the ways to write many of them as a table.

A program is text: it is printed as evidence on a page and run by the probe, so that what a
reader pastes is what was measured. Nothing here needs torch.
"""

from __future__ import annotations

from typing import NamedTuple


class Program(NamedTuple):
    """One call of realistic size, to be run after `import torch`.

    `family` names the set of calls that share their argument sizes. `setup` has lines
    `name = expression` that make the arguments, none of which requires grad yet; a lazy module is
    called once besides. `call` is the one line `output = ...` whose graph is measured.
    """

    family: str
    setup: str
    call: str


def programs(family: str, setup: str, calls: dict[str, str]) -> dict[str, Program]:
    """Give every op of a family its program: the same arguments, its own call.

    `calls` maps a canonical op name to the expression that calls it.
    """
    return {
        name: Program(family, setup, f"output = {expression}") for name, expression in calls.items()
    }


def alike(expression: str, names: str, module: str = "torch") -> dict[str, str]:
    """Write one expression for many ops of a module: `{}` in it stands for each op in turn."""
    ops = [f"{module}.{name}" for name in names.split()]
    return {op: expression.format(op) for op in ops}


def called(*expressions: str) -> dict[str, str]:
    """Key each expression by the function that it calls, the text before its first bracket."""
    return {expression.partition("(")[0]: expression for expression in expressions}


def modules(
    family: str, arguments: str, *constructors: str, inputs: str = "input"
) -> dict[str, Program]:
    """Give every module of a family its program, keyed by the class that its constructor names."""
    return {
        f"torch.nn.{constructor.partition('(')[0]}": Program(
            family, f"module = torch.nn.{constructor}\n{arguments}", f"output = module({inputs})"
        )
        for constructor in constructors
    }

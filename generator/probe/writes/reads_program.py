"""The program that reads the outputs after a write, and the parts that are filled into it.

What is right it finds by memory that it fills twice, and by `torch.where`.
"""

from __future__ import annotations

from typing import Any

from generator.probe.depth import FULL
from generator.probe.writes.pieces import (
    FLAT,
    RANDOM_LIKE,
    RELATIVE_ERROR,
    SAID,
    VALUES_AND_WRITES,
)
from generator.probe.writes.program import program_parts
from generator.tape.compat_programs import in_this_release

Json = dict[str, Any]

TEMPLATE = in_this_release(
    """\
import torch


"""
    + FLAT
    + """\
def forward():
    torch.default_generator.manual_seed(0)
    $setup
    leaves = [$leaves]
    for leaf in leaves:
        leaf.requires_grad_()
    # autograd refuses to write into a leaf
    $clones
    torch.default_generator.manual_seed(0)
    $call
    outputs = flat([$outputs])
    return leaves, [$arguments, *outputs], [one for one in outputs if one.requires_grad]


"""
    + RANDOM_LIKE
    + """\
def backward(leaves, outputs, starts):
    torch.default_generator.manual_seed(0)
    incoming = [random_like(one) for one in outputs]
    found = torch.autograd.grad(starts, leaves, incoming, allow_unused=True)
    return [torch.zeros_like(leaf) if one is None else one for leaf, one in zip(leaves, found)]


"""
    + VALUES_AND_WRITES
    + RELATIVE_ERROR
    + '''\
def reach(place):
    """Tell which elements of the outputs lie in the memory of a tensor; None where none can."""
    _, held, outputs = forward()
    if any(one.layout != torch.strided for one in (held[place], *outputs)):
        return None
    seen = []
    for number in (0, 1 + 1j if held[place].is_complex() else 1):
        held[place].data.fill_(number)
        seen.append([one.detach().clone() for one in outputs])
    return [zero != one for zero, one in zip(*seen)]


def out_of_place(place):
    """Return the gradients of the program with the write in it, written without any."""
    reached_by_it = reach(place)
    if reached_by_it is None:
        return None
    leaves, _, outputs = forward()
    constants = [torch.zeros_like(one.detach()) for one in outputs]
    starts = list(map(torch.where, reached_by_it, constants, outputs))
    return backward(leaves, outputs, starts)


def outcome(place, write, right):
    """Read the outputs after one write after another, until something is not as it should be."""
    choices = len(other_values(forward()[1][place].detach()))
    ended = ("not read", None, None)
    for choice in range(choices):
        leaves, held, outputs = forward()
        values = other_values(held[place].detach())[choice]
        try:
            write(held[place], values)
        except RuntimeError:
            return ended
        if not reached(held[place], values):
            return ended
        try:
            starts = [one.clone() for one in outputs]
        except RuntimeError as error:
            return "read raises", said(error), None
        try:
            got = backward(leaves, outputs, starts)
        except RuntimeError as error:
            return "raises", said(error), None
        wrong = None if right is None else relative_error(got, right)
        if right is not None and wrong != 0:
            return "silently wrong", None, wrong
        ended = ("runs" if right is None else "correct"), None, None
    return ended


'''
    + SAID
    + """

found = {}
arguments, held = [$names], forward()[1]
outputs = [f"output {place}" for place in range(len(held) - len(arguments))]
names = arguments + (["output"] if len(outputs) == 1 else outputs)
print("outputs read after a write in place, through a view, under no_grad, through .data")
for name in [$targets]:
    place = names.index(name)
    right = out_of_place(place)
    # whether a gradient is right is asked where autograd is to differentiate the write
    tries = ((in_place, right), (through_view, right), (under_no_grad, None), (through_data, None))
    ended = [outcome(place, write, expected) for write, expected in tries]
    states = [state for state, _, _ in ended]
    message = next((text for _, text, _ in ended if text), None)
    error = max((wrong for _, _, wrong in ended if wrong is not None), default=None)
    print(f"{name}: {', '.join(states)}")
    if message:
        print(f"    {message}")
    if error is not None:
        print(f"    largest relative error: {error:g}")
    found[name] = states, message, error
"""
)


def templates(depth: str) -> dict[str, str]:
    """Return the template by its name; at depth `history` nothing is read, and there is none."""
    return {"reads": TEMPLATE} if depth == FULL else {}


def reads_parts(tried: Json, trials: list[Json]) -> dict[str, str]:
    """Return what the template asks for: of the record of the writes, and whose memory is shared.

    Under the first mask alone.
    """
    targets = [one["target"].split("input ", 1)[-1] for one in trials if 0 in one["masks"]]
    return {**program_parts(tried), "targets": ", ".join(f'"{one}"' for one in targets)}

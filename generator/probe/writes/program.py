"""The program that shows what writes after a call do, and the parts that are filled into it.

Where a release has no hooks on what is saved, the program does without them.
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
from generator.tape.compat_programs import in_this_release

Json = dict[str, Any]
Mask = tuple[str, ...]

_FORWARD = (
    """\
import torch
from contextlib import nullcontext
from torch.autograd.graph import save_on_cpu, saved_tensors_hooks


"""
    + FLAT
    + """\
def forward(hooks=nullcontext):
    # this generator alone: torch.manual_seed looks for every accelerator, each time
    torch.default_generator.manual_seed(0)
    $setup
    leaves = [$leaves]
    for leaf in leaves:
        leaf.requires_grad_()
    # autograd refuses to write into a leaf
    $clones
    torch.default_generator.manual_seed(0)
    with hooks():
        $call
    outputs = flat([$outputs])
    # a clone keeps its edge when the output behind it is given another history
    starts = [one.clone() for one in outputs if one.requires_grad]
    return leaves, [$arguments, *outputs], starts


"""
    + RANDOM_LIKE
    + """\
def backward(leaves, starts):
    torch.default_generator.manual_seed(0)
    incoming = [random_like(start) for start in starts]
    return torch.autograd.grad(starts, leaves, incoming, allow_unused=True)
"""
)

_WRITES = (
    """

"""
    + VALUES_AND_WRITES
    + """\
def identity():
    return saved_tensors_hooks(lambda tensor: tensor, lambda tensor: tensor)


"""
    + RELATIVE_ERROR
    + '''\
def outcome(place, hooks, write, right):
    """Write one set of other values after another, until the gradient is not what it was."""
    choices = len(other_values(forward(hooks)[1][place].detach()))
    for choice in range(choices):
        leaves, held, starts = forward(hooks)
        values = other_values(held[place].detach())[choice]
        try:
            write(held[place], values)
        except RuntimeError as error:
            return "refused", said(error), None
        if not reached(held[place], values):
            return "not tried", None, None
        try:
            got = backward(leaves, starts)
        except RuntimeError as error:
            return "raises", said(error), None
        wrong = relative_error(got, right)
        if wrong != 0:
            return "silently wrong", None, wrong
    return ("correct" if choices else "not tried"), None, None


'''
    + SAID
    + "\n"
)

_FIRST_MASK = """
found = {}
arguments, held = [$names], forward()[1]
outputs = [f"output {place}" for place in range(len(held) - len(arguments))]
names = arguments + (["output"] if len(outputs) == 1 else outputs)
writes = (in_place, through_view, under_no_grad, through_data)
kinds = {"no hooks": nullcontext, "identity hooks": identity, "save_on_cpu": save_on_cpu}
right = {kind: backward(*forward(hooks)[::2]) for kind, hooks in kinds.items()}
print("written in place, through a view, under no_grad, through .data")
for place, name in enumerate(names):
    print(name)
    ended = {
        kind: [outcome(place, hooks, write, right[kind]) for write in writes]
        for kind, hooks in kinds.items()
    }
    verdicts = [[verdict for verdict, _, _ in each] for each in ended.values()]
    for kind, each in zip(kinds, verdicts):
        print(f"    {kind}: {', '.join(each)}")
    message = ended["no hooks"][0][1]
    if message:
        print(f"    {message}")
    errors = [wrong for each in ended.values() for _, _, wrong in each if wrong is not None]
    if errors:
        print(f"    largest relative error: {max(errors):g}")
    found[name] = (*verdicts, message, max(errors, default=None))
"""

# What is otherwise where the program goes over masks: what requires grad is given to it.
_BY_MASK = (
    ("def forward(hooks=nullcontext):", "def forward(requires, hooks=nullcontext):"),
    (
        "    leaves = [$leaves]\n",
        "    given = {$given}\n    leaves = [given[name] for name in requires]\n",
    ),
    (
        "def outcome(place, hooks, write, right):",
        "def outcome(requires, place, hooks, write, right):",
    ),
    ("forward(hooks)[1]", "forward(requires, hooks)[1]"),
    ("= forward(hooks)\n", "= forward(requires, hooks)\n"),
)

_EACH_MASK = """found = {}
arguments, masks = [$names], [$masks]
outputs = [f"output {place}" for place in range(len(forward(masks[0])[1]) - len(arguments))]
names = arguments + (["output"] if len(outputs) == 1 else outputs)
writes = (in_place, through_view, under_no_grad, through_data)
kinds = {"no hooks": nullcontext, "identity hooks": identity, "save_on_cpu": save_on_cpu}
print("written in place, through a view, under no_grad, through .data")
for requires in masks:
    right = {kind: backward(*forward(requires, hooks)[::2]) for kind, hooks in kinds.items()}
    print("requires grad:", ", ".join(requires))
    for place, name in enumerate(names):
        ended = {
            kind: [outcome(requires, place, hooks, write, right[kind]) for write in writes]
            for kind, hooks in kinds.items()
        }
        verdicts = [[verdict for verdict, _, _ in each] for each in ended.values()]
        message = ended["no hooks"][0][1]
        errors = [wrong for each in ended.values() for _, _, wrong in each if wrong is not None]
        found[requires, name] = (*verdicts, message, max(errors, default=None))
        if requires != masks[0] and found[masks[0], name][:-2] == tuple(verdicts):
            continue  # under this mask as under the first
        print(f"  {name}")
        for kind, each in zip(kinds, verdicts):
            print(f"    {kind}: {', '.join(each)}")
        if message and requires == masks[0]:
            print(f"    {message}")
        if errors and requires == masks[0]:
            print(f"    largest relative error: {max(errors):g}")
"""

_NO_BACKWARD = """

try:
    leaves, held, starts = forward()
    backward(leaves, starts)
except RuntimeError as error:
    first_line = str(error).splitlines()[0]
    print(f"backward raises without any write: {type(error).__name__}: {first_line}")
"""

INDENTED = "\n    "


def _by_mask(program: str) -> str:
    for old, new in _BY_MASK:
        program = program.replace(old, new)
    return program


_TEMPLATES = {
    "writes": in_this_release(_FORWARD + _WRITES + _FIRST_MASK),
    "writes by mask": in_this_release(_by_mask(_FORWARD + _WRITES) + _EACH_MASK),
    "no backward": in_this_release(_FORWARD + _NO_BACKWARD),
}


def templates(depth: str) -> dict[str, str]:
    """Return the templates of the programs: at depth `history` they try the first mask alone."""
    left_out = "writes" if depth == FULL else "writes by mask"
    return {name: text for name, text in _TEMPLATES.items() if name != left_out}


def shown_masks(tried: Json) -> list[Mask]:
    """Return the first mask, and those under which some write ends otherwise than under it."""
    first = {trial["target"]: _verdicts(trial) for trial in tried["trials"] if 0 in trial["masks"]}
    others = {
        place
        for trial in tried["trials"]
        if _verdicts(trial) != first.get(trial["target"])
        for place in trial["masks"]
    }
    return [tuple(tried["masks"][place]) for place in (0, *sorted(others))]


def _verdicts(trial: Json) -> list[Any]:
    return [trial.get(field) for field in ("plain", "hooked", "on_cpu")]


def _tuple(mask: Mask) -> str:
    return "(" + ", ".join(f'"{name}"' for name in mask) + ("," if len(mask) == 1 else "") + ")"


def program_parts(tried: Json) -> dict[str, str]:
    """Return what the templates ask for, all of which follows from the record of the writes."""
    names = [one["name"] for one in tried["arguments"] if one.get("shape") is not None]
    masks = shown_masks(tried) if "trials" in tried else []
    able = dict.fromkeys(name for mask in masks for name in mask)
    return {
        "given": ", ".join(f'"{name}": {name}' for name in able),
        "masks": ", ".join(_tuple(mask) for mask in masks),
        "setup": tried["setup"].replace("\n", INDENTED),
        "leaves": ", ".join(tried["masks"][0] if tried["masks"] else ()),
        "clones": INDENTED.join(f"{name} = {name}.clone()" for name in names),
        "call": tried["call"],
        "outputs": tried["call"].partition(" = ")[0],
        "arguments": ", ".join(names),
        "names": ", ".join(f'"{name}"' for name in names),
    }

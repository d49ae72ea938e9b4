"""The program that shows what each spelling of an op keeps, for the reference call of the op.

It makes each call anew, walks its graph, and adds up the storages that the graph keeps, and those
of them that nobody else holds. What it finds is compared with what was measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from string import Template
from typing import Any

from generator.probe.programs import ProgramError, new_namespace, run_block
from generator.tape.compat_programs import in_this_release

Json = dict[str, Any]

TEMPLATE = in_this_release("""\
import torch


def flat(value):
    if isinstance(value, torch.Tensor):
        return [value]
    return [one for item in value for one in flat(item)] if isinstance(value, (list, tuple)) else []


def storages(tensors):
    return {one.untyped_storage().data_ptr(): one.untyped_storage().nbytes() for one in tensors}


calls = {
    $calls,
}
found = {}
for name, call in calls.items():
    torch.manual_seed(0)
    $setup
    for leaf in ($leaves,):
        leaf.requires_grad_()
    # autograd refuses to write into a leaf
    $clone
    output = call()
    nodes = [one.grad_fn for one in flat(output) if one.grad_fn is not None]
    saved = []
    for node in nodes:
        for attribute in dir(node):
            if attribute.startswith("_saved_"):
                saved += flat(getattr(node, attribute))
        nodes += [one for one, _ in node.next_functions if one is not None and one not in nodes]
    kept, held = storages(saved), storages([$arguments, *flat(output)])
    extra = sum(size for place, size in kept.items() if place not in held)
    found[name] = sum(kept.values()), extra
    print(f"{name} keeps {found[name][0]} bytes, of which the graph alone holds {extra}")
""")


def spelled(call: str, name: str, spelling: str) -> str | None:
    """Write the reference call of the op `name` in another spelling; None if it cannot be.

    `torch.f(x)` as `torch.Tensor.f_` is `torch.Tensor.f_(x)`, and as `torch.f(inplace=True)` it is
    `torch.f(x, inplace=True)`.
    """
    head = f"output = {name}("
    if not call.startswith(head):
        return None
    base, _, keyword = spelling.partition("(")
    written = f"output = {base}({call[len(head) :]}"
    return f"{written[:-1]}, {keyword}" if keyword else written


def run_program(
    setup: str, mask: Sequence[str], arguments: Sequence[str], made: list[Json]
) -> None:
    """Run the program for all of `made` and record what it printed of each that it contradicts."""
    namespace = new_namespace()
    first = arguments[0]
    parts = {
        "calls": ",\n    ".join(
            f'"{one["name"]}": lambda: {one["call"].partition(" = ")[2]}' for one in made
        ),
        "setup": setup.replace("\n", "\n    "),
        "leaves": ", ".join(mask),
        "clone": f"{first} = {first}.clone()",
        "arguments": ", ".join(arguments),
    }
    try:
        run_block(Template(TEMPLATE).substitute(parts), namespace)
    except ProgramError as error:
        for one in made:
            one["printed"] = str(error)
        return
    for one in made:
        found, measured = namespace["found"][one["name"]], one["measurement"]
        if found != (measured["storage_bytes"], measured["extra_bytes"]):
            one["printed"] = f"keeps {found[0]} bytes, of which the graph alone holds {found[1]}"

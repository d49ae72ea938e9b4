"""The program that shows what each spelling of an op keeps, for the reference call of the op.

It makes each call anew, walks its graph, and adds up the storages that the graph keeps, and those
of them that nobody else holds. What it finds is compared with what was measured. Where the call was
measured under several grad masks, the program makes it under each.
"""

from __future__ import annotations

from collections.abc import Sequence
from string import Template
from typing import Any

from generator.probe.depth import FULL
from generator.probe.programs import ProgramError, new_namespace, run_block
from generator.tape.compat_programs import in_this_release

Json = dict[str, Any]
Mask = Sequence[str]

ONE_MASK = "spellings"
EACH_MASK = "spellings under each mask"
NO_GRAPH = "makes no graph"

_CALLS = """\
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
"""

_GRAPH = """\
    nodes = [one.grad_fn for one in flat(output) if one.grad_fn is not None]
    saved = []
    for node in nodes:
        for attribute in dir(node):
            if attribute.startswith("_saved_"):
                saved += flat(getattr(node, attribute))
        nodes += [one for one, _ in node.next_functions if one is not None and one not in nodes]
    kept, held = storages(saved), storages([$arguments, *flat(output)])
    extra = sum(size for place, size in kept.items() if place not in held)
"""

# No name here is one that a reference program assigns.
_TEMPLATES = {
    ONE_MASK: f"""\
{_CALLS}found = {{}}
for name, call in calls.items():
    torch.manual_seed(0)
    $setup
    for leaf in ($leaves,):
        leaf.requires_grad_()
    # autograd refuses to write into a leaf
    $clone
    output = call()
{_GRAPH}    found[name] = sum(kept.values()), extra
    print(f"{{name}} keeps {{found[name][0]}} bytes, of which the graph alone holds {{extra}}")
""",
    EACH_MASK: f"""\
{_CALLS}masks = {{
    $masks,
}}
found = {{name: {{}} for name in calls}}
for name, under in [(name, under) for name in calls for under in masks]:
    torch.manual_seed(0)
    $setup
    for leaf in masks[under]():
        leaf.requires_grad_()
    # autograd refuses to write into a leaf
    $clone
    try:
        output = calls[name]()
    except Exception as error:
        reason = f"{{type(error).__name__}}: {{error}}".splitlines()[0]
        found[name].setdefault(f"raises {{reason}}", []).append(under)
        continue
{_GRAPH}    answer = f"keeps {{sum(kept.values())}} bytes, of which the graph alone holds {{extra}}"
    found[name].setdefault(answer if nodes else "{NO_GRAPH}", []).append(under)
for name, answers in found.items():
    for answer, some in answers.items():
        where = "under every mask" if len(answers) == 1 else f"with grad of {{', or '.join(some)}}"
        print(f"{{name}} {{answer}}, {{where}}")
""",
}


def templates(depth: str) -> dict[str, str]:
    """Return the programs' texts by their names: the second is for what depth full measures."""
    names = (ONE_MASK, EACH_MASK) if depth == FULL else (ONE_MASK,)
    return {name: in_this_release(_TEMPLATES[name]) for name in names}


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
    setup: str, masks: Sequence[Mask], arguments: Sequence[str], made: list[Json]
) -> None:
    """Run the program for all of `made` and record what it printed of each that it contradicts.

    Each of `made` was measured under all `masks`, in their order.
    """
    namespace = new_namespace()
    first = arguments[0]
    parts = {
        "calls": ",\n    ".join(
            f'"{one["name"]}": lambda: {one["call"].partition(" = ")[2]}' for one in made
        ),
        "setup": setup.replace("\n", "\n    "),
        "clone": f"{first} = {first}.clone()",
        "arguments": ", ".join(arguments),
        "leaves": ", ".join(masks[0]),
        "masks": ",\n    ".join(
            f'"{" + ".join(mask)}": lambda: [{", ".join(mask)}]' for mask in masks
        ),
    }
    name = ONE_MASK if len(masks) == 1 else EACH_MASK
    try:
        run_block(Template(templates(FULL)[name]).substitute(parts), namespace)
    except ProgramError as error:
        for one in made:
            one["printed"] = str(error)
        return
    for one in made:
        found = namespace["found"][one["name"]]
        if name == ONE_MASK:
            if found != _bytes(one["measurement"]):
                one["printed"] = _keeps(found)
        elif found != _by_answer([one["measurement"], *one["further"]]):
            one["printed"] = "; ".join(f"{said} ({found[said]})" for said in found)


def _by_answer(rows: list[Json]) -> dict[str, list[str]]:
    """File the masks of some measurements under what the program says of them."""
    found: dict[str, list[str]] = {}
    for row in rows:
        state = row.get("state", "measured")
        if state == "measured":
            answer = _keeps(_bytes(row))
        else:
            answer = NO_GRAPH if state == "not differentiable" else f"raises {row['reason']}"
        found.setdefault(answer, []).append(" + ".join(row["mask"]))
    return found


def _bytes(row: Json) -> tuple[int, int]:
    return row["storage_bytes"], row["extra_bytes"]


def _keeps(found: tuple[int, int]) -> str:
    return f"keeps {found[0]} bytes, of which the graph alone holds {found[1]}"

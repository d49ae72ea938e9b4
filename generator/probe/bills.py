"""Make the record of one block: its bill in train and eval mode under each grad mask.

What is billed is the program that the block's page prints: setup, who requires grad, the call.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from string import Template
from typing import Any, NamedTuple

import torch
from torch import Tensor

from generator.probe.bill_program import NAME, TEMPLATE, held_text, output_roles
from generator.probe.calls import first_line
from generator.probe.guard import Guard, StepEndedError
from generator.probe.measure import NotDifferentiableError
from generator.probe.program_calls import assigned_names
from generator.probe.programs import new_namespace, run_block
from generator.probe.references.blocks import BLOCKS, Block
from generator.probe.seeds import seed_generators
from generator.tape.bill import Bill, Item, Keeper, itemize
from generator.tape.places import placed_nodes
from generator.tape.roles import Holder
from generator.tape.storages import logical_bytes

Json = dict[str, Any]
Mask = tuple[str, ...]

NO_GRAPH = "no output requires grad"
# Which parameters a mask means, by their names; `parameters` means all of them.
GROUPS = {"biases": "bias", "adapters": "lora"}


class Setting(NamedTuple):
    """One way to run a block: the mode, the grad mask, whether under autocast, and its lines."""

    mode: str
    mask: Mask
    require: str
    call: str
    autocast: bool = False


class _Ran(NamedTuple):
    bill: Bill
    facts: Json


def block_record(name: str, guard: Guard) -> Json:
    """Return the record of the block `name`."""
    return billed(name, BLOCKS[name], guard)


def billed(name: str, block: Block, guard: Guard) -> Json:
    """Return the record of a block: a bill for each of its settings, and what the first prints."""
    described: Json = {
        "kind": "block",
        "name": name,
        "title": block.title,
        "words": block.words,
        "modules": [f"torch.nn.{module}" for module in block.modules],
        "setup": block.setup,
        "call": block.call,
        "template": NAME,
    }
    try:
        module, inputs = guard.step(partial(_built, block))
    except StepEndedError as error:
        return {**described, **error.as_fields()}
    except Exception as error:
        # A release may lack a layer that the block is made of.
        return {**described, "state": "raised", "reason": first_line(error)}
    runs = list(settings(block, module, inputs))
    interned = _Interned()
    bills: dict[str, Json] = {}
    facts: Json = {}
    for setting in runs:
        row: Json = {"mask": setting.mask, "autocast": setting.autocast}
        try:
            ran = guard.step(partial(_run, block, setting, list(inputs)))
        except NotDifferentiableError:
            row.update({"state": "not differentiable", "reason": NO_GRAPH})
        except StepEndedError as error:
            row.update(error.as_fields())
        except Exception as error:
            row.update({"state": "raised", "reason": first_line(error)})
        else:
            facts = ran.facts
            row.update(interned.bill(ran.bill))
        row["require"] = setting.require
        # In both modes alike is one bill.
        key = json.dumps(row)
        bills.setdefault(key, {"modes": [], **row})["modes"].append(setting.mode)
    return {
        **described,
        **_state(list(bills.values())),
        **facts,
        "printed": _printed(block, runs[0], facts) if facts else "",
        **interned.as_fields(),
        "bills": list(bills.values()),
    }


def settings(block: Block, module: torch.nn.Module, inputs: dict[str, Tensor]) -> Iterator[Setting]:
    """Yield how a block is run: first as it is trained, then with less requiring grad."""
    names = [name for name, _ in module.named_parameters()]
    able = [name for name, tensor in inputs.items() if tensor.is_floating_point()]
    masks: list[Mask] = [("parameters",)]
    if able:
        # As the first block of a network, in the midst of it, and as a frozen part of it.
        masks += [("inputs", "parameters"), ("inputs",)]
    for group, word in GROUPS.items():
        if 0 < sum(word in name for name in names) < len(names):
            masks.append((group,))
    if ("adapters",) in masks and able:
        masks.append(("inputs", "adapters"))
    for mode in ("train", "eval"):
        for mask in masks:
            yield Setting(mode, mask, _require(mask, able), block.call)
    autocast = f'with torch.autocast("cpu", dtype=torch.bfloat16):\n    {block.call}'
    yield Setting("train", ("parameters",), "", autocast, autocast=True)


def _require(mask: Mask, inputs: Sequence[str]) -> str:
    """Write the lines that make what `mask` names require grad, and nothing else."""
    lines = []
    group = next((name for name in mask if name in GROUPS), None)
    if group is not None:
        lines += [
            "for name, parameter in module.named_parameters():",
            f'    parameter.requires_grad_("{GROUPS[group]}" in name)',
        ]
    elif "parameters" not in mask:
        lines.append("module.requires_grad_(False)")
    if "inputs" in mask:
        lines += [f"{name}.requires_grad_()" for name in inputs]
    return "\n".join(lines)


def _built(block: Block) -> tuple[torch.nn.Module, dict[str, Tensor]]:
    namespace: dict[str, Any] = {"torch": torch}
    seed_generators(0)
    exec(compile(block.setup, "<setup>", "exec"), namespace)  # noqa: S102  # our own programs
    tensors = {name: value for name, value in namespace.items() if isinstance(value, Tensor)}
    return namespace["module"], tensors


def _printed(block: Block, first: Setting, facts: Json) -> str:
    """Run the program of a setting and return what it prints."""
    parts = {"setup": block.setup, "require": first.require, "call": first.call}
    program = Template(TEMPLATE).substitute(parts, held=facts["held"], grad_fns=facts["grad_fns"])
    return run_block(program, new_namespace())


def _run(block: Block, setting: Setting, names: Sequence[str]) -> _Ran:
    namespace: dict[str, Any] = {"torch": torch}
    seed_generators(0)
    mode = "" if setting.mode == "train" else "module.eval()\n"
    setup = f"{block.setup}\n{mode}{setting.require}"
    exec(compile(setup, "<setup>", "exec"), namespace)  # noqa: S102  # our own programs
    module, inputs = namespace["module"], {name: namespace[name] for name in names}
    with placed_nodes(module) as places:
        exec(compile(setting.call, "<call>", "exec"), namespace)  # noqa: S102
    outputs = {
        name: namespace[name]
        for name in assigned_names(setting.call)
        if isinstance(namespace[name], Tensor)
    }
    parameters = dict(module.named_parameters())
    buffers = dict(module.named_buffers())
    held = [
        *(Holder(f"input {name}", tensor) for name, tensor in inputs.items()),
        *(Holder(f"parameter {name}", tensor) for name, tensor in parameters.items()),
        *(Holder(f"buffer {name}", tensor) for name, tensor in buffers.items()),
        *(Holder(role, outputs[name]) for role, name in output_roles(list(outputs)).items()),
    ]
    facts = {
        "held": held_text(list(inputs), list(outputs)),
        "grad_fns": ", ".join(f"{name}.grad_fn" for name in outputs),
        "input_bytes": _bytes(inputs.values()),
        "parameter_bytes": _bytes(parameters.values()),
        "output_bytes": _bytes(outputs.values()),
    }
    if not any(tensor.requires_grad for tensor in outputs.values()):
        raise NotDifferentiableError
    return _Ran(itemize(outputs.values(), held, places), facts)


def _bytes(tensors: Any) -> int:
    return sum(map(logical_bytes, tensors))


def _state(bills: Sequence[Json]) -> Json:
    measured = [bill for bill in bills if bill.get("state", "measured") == "measured"]
    if measured:
        return {"state": "measured"}
    return {"state": bills[0]["state"], "reason": bills[0]["reason"]}


class _Interned:
    """The distinct keepers and items of a record, in the order in which they were first seen."""

    def __init__(self) -> None:
        self._keepers: dict[Keeper, int] = {}
        self._items: dict[str, int] = {}

    def bill(self, bill: Bill) -> Json:
        """Return a bill whose items are positions."""
        return {
            "items": [self._item(one) for one in bill.items],
            "tensors": bill.tensors,
            "nodes": bill.nodes,
            **bill.weight._asdict(),
        }

    def _item(self, item: Item) -> int:
        keepers = [self._keepers.setdefault(one, len(self._keepers)) for one in item.keepers]
        row = [item.role, item.bytes, list(item.shape), item.dtype, keepers, item.times]
        return self._items.setdefault(json.dumps(row), len(self._items))

    def as_fields(self) -> Json:
        """Return the record's `keepers` and `items`."""
        return {
            "keepers": [list(keeper) for keeper in self._keepers],
            "items": [json.loads(item) for item in self._items],
        }

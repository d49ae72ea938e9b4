"""The program that traces a reference call under AOTAutograd, and what of it this release has.

It uses the release's own tracer and partitioners and compiles nothing: the graphs run as traced.
"""

from __future__ import annotations

import importlib

from generator.tape.compat import STORAGE

_TABLE = "torch._inductor.decomposition", "select_decomp_table"
_IMPORT = f"from {_TABLE[0]} import {_TABLE[1]}\n"
_CHOICE = f'    "min-cut, Inductor": (min_cut, {_TABLE[1]}()),\n'

OF_MODULE = "compiled module"

_CHOICES = """\
import operator

import torch
from functorch.compile import aot_function, default_partition, make_boxed_func
from functorch.compile import min_cut_rematerialization_partition as min_cut
%(import)s
torch.manual_seed(0)
$setup
$require

%(function)s
choices = {
    "default": (default_partition, None),
    "min-cut": (min_cut, None),
%(choice)s}
"""

_FUNCTION = """\
def function($takes):
    $call
    return $gives
"""

# What a traced function does not take it cannot be differentiated by, nor write into.
_OF_MODULE = """\
real, weights = module, {**dict(module.named_parameters()), **dict(module.named_buffers())}

def function(weights, $takes):
    def module(*given):
        return functional_call(real, weights, given)

    $call
    return $gives
"""

_LOOK = """
def saver(outputs):
    nodes = [t.grad_fn for t in outputs if t.grad_fn is not None]
    for node in nodes:
        if hasattr(node, "saved_tensors"):
            return node
        nodes += [n for n, _ in node.next_functions if n is not None and n not in nodes]

def maker(node):
    if node.target is operator.getitem:
        return f"{node.args[0].target}[{node.args[1]}]"
    return str(node.target) if node.op == "call_function" else node.op

def saved(node, graph):
    found = list(getattr(node, "saved_tensors", ()))
    found += getattr(node, "_tensors_no_vc_check", ())
    handed = next(n for n in graph.graph.nodes if n.op == "output").args[0]
    handed = handed[len(handed) - len(found) - sizes(node) :]
    return [(t, maker(made)) for t, made in zip(found, handed)]

def sizes(node):
    return len(getattr(node, "symints", ()))

def address(t):
    return t.untyped_storage().data_ptr()

held, savers, kept, extra = {}, {}, {}, {}
for choice, (partition, decompositions) in choices.items():
    graphs = []

    def keep(graph, inputs):
        graphs.append(graph)
        return make_boxed_func(graph.forward)

    options = {"fw_compiler": keep, "bw_compiler": keep}
    options.update(partition_fn=partition, decompositions=decompositions)
    $gives = aot_function(function, **options)(%(given)s$takes)
    held[choice] = $held
    savers[choice] = saver(held[choice].values())
    kept[choice] = saved(savers[choice], graphs[0])
    owners = {address(t): owner for owner, t in held[choice].items()}
    alone = {address(t): t.untyped_storage().nbytes() for t, _ in kept[choice]}
    extra[choice] = sum(size for where, size in alone.items() if where not in owners)
    print(f"{choice}: {extra[choice]} extra bytes")
    for t, made in kept[choice]:
        print("   ", tuple(t.shape), t.dtype, owners.get(address(t), made))
"""


def _missing(module: str, *names: str) -> str | None:
    """Say what of a module this release does not have; None where all is there."""
    try:
        found = importlib.import_module(module)
    except Exception as error:
        return f"{module} cannot be imported: {type(error).__name__}: {error}".splitlines()[0]
    absent = [name for name in names if not hasattr(found, name)]
    return f"{module} has no {absent[0]}" if absent else None


UNAVAILABLE = _missing(
    "functorch.compile",
    *("aot_function", "make_boxed_func"),
    *("default_partition", "min_cut_rematerialization_partition"),
)
WITHOUT_INDUCTOR = UNAVAILABLE or _missing(*_TABLE)
_CALL = "from torch.func import functional_call\n"
WITHOUT_CALL = UNAVAILABLE or _missing("torch.func", "functional_call")


def _templates() -> dict[str, str]:
    if UNAVAILABLE is not None:
        return {}
    known = WITHOUT_INDUCTOR is None
    inductor = {"import": _IMPORT if known else "", "choice": _CHOICE if known else ""}
    program = _CHOICES + _LOOK
    made = {"compiled": program % {**inductor, "function": _FUNCTION, "given": ""}}
    if WITHOUT_CALL is None:
        inductor["import"] += _CALL
        made[OF_MODULE] = program % {
            **inductor,
            "function": _OF_MODULE,
            "given": "weights, ",
        }
    return {name: text.replace("untyped_storage", STORAGE) for name, text in made.items()}


TEMPLATES = _templates()

"""The programs that pages show around a recipe: they find its node and print what that saved."""

from __future__ import annotations

from generator.probe.recipes.stub import STUB
from generator.tape.compat_programs import in_this_release

_MADE = """\
import torch

torch.manual_seed(0)
$recipe
"""

_STUBBED = f"""\
import torch
{STUB}
# Values mean nothing over a stub; which attributes are set, and to whose tensors, does.
torch.manual_seed(0)
$recipe
"""

_PACKED = """\
import torch

packed = []

def pack(tensor):
    packed.append(tensor.detach())
    return packed[-1]

torch.manual_seed(0)
with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
$indented
"""

_FIND = """
def find(name, nodes):
    for node in nodes:
        if hasattr(node, "next_functions"):
            if name in (type(node).__name__, node.name()):
                return node
            nodes += [behind for behind, _ in node.next_functions if behind not in nodes]

def show(value):
    if isinstance(value, torch.Tensor):
        shape = "nested" if value.is_nested else tuple(value.shape)
        layout = "" if value.layout == torch.strided else value.layout
        return f"{shape} {value.dtype} {layout}".replace("torch.", "").strip()
    return [show(item) for item in value] if isinstance(value, tuple) else value

outputs = output if isinstance(output, (list, tuple)) else [output]
node = find("$type", [getattr(one, "grad_fn", one) for one in outputs])
print(node.name())
"""

_ATTRIBUTES = """\
for attribute in dir(node):
    if attribute.startswith("_saved_"):
        print("   ", attribute, "=", show(getattr(node, attribute)))
"""

_PACKS = """\
for tensor in packed:
    print("    packed:", show(tensor))
"""

RECIPE = "recipe"
STUBBED = "recipe over a stub"
PACKED = "recipe under hooks"

TEMPLATES = {
    RECIPE: in_this_release(_MADE + _FIND + _ATTRIBUTES),
    STUBBED: in_this_release(_STUBBED + _FIND + _ATTRIBUTES),
    PACKED: in_this_release(_PACKED + _FIND + _PACKS),
}

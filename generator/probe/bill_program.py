"""The program that a block's page prints: plain PyTorch that adds up what a forward pass keeps."""

from __future__ import annotations

from collections.abc import Sequence

from generator.tape.compat_programs import in_this_release

NAME = "bill"
TEMPLATE = in_this_release("""\
from collections import Counter

import torch

torch.manual_seed(0)
$setup
$require
$call

held = {
    $held
    **{f"parameter {n}": p for n, p in module.named_parameters()},
    **{f"buffer {n}": b for n, b in module.named_buffers()},
}
owners = {t.untyped_storage().data_ptr(): name for name, t in held.items()}

kept, seen, nodes = {}, set(), [$grad_fns]
while nodes:
    node = nodes.pop()
    for attribute in dir(node):
        if attribute.startswith("_saved_"):
            value = getattr(node, attribute)
            for t in value if isinstance(value, (tuple, list)) else [value]:
                if isinstance(t, torch.Tensor):
                    storage = t.untyped_storage()
                    kept[storage.data_ptr()] = storage.nbytes()
    fresh = {n for n, _ in node.next_functions if n is not None} - seen
    seen |= fresh
    nodes += fresh

alike = Counter((size, owners.get(address, "the graph alone")) for address, size in kept.items())
for (size, owner), times in sorted(alike.items(), reverse=True):
    print(f"{times:4} × {size:11,} bytes  {owner}")
extra = sum(size for address, size in kept.items() if address not in owners)
print(f"{sum(kept.values()):,} storage bytes, of which the graph alone holds {extra:,}")
""")


def held_text(inputs: Sequence[str], outputs: Sequence[str]) -> str:
    """Write the entries of `held` for tensors that go by these names."""
    entries = [f'"input {name}": {name},' for name in inputs]
    entries += [f'"{role}": {name},' for role, name in output_roles(outputs).items()]
    return "\n    ".join(entries)


def output_roles(names: Sequence[str]) -> dict[str, str]:
    """Map the role of each output to its name in the program."""
    if len(names) == 1:
        return {"output": names[0]}
    return {f"output {position}": name for position, name in enumerate(names)}

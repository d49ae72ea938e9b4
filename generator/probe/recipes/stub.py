"""Put a stub below an autograd kernel, where the build has no kernel that could run there.

The autograd kernel above it is the release's own: it makes its node and saves what it always
saves. What the stub returns is made up, so gradients and saved results mean nothing as numbers.
"""

from __future__ import annotations

STUB = '''\
from contextlib import contextmanager

@contextmanager
def stub(op, dispatch="Default"):
    """Below autograd, replace the kernel of `op` by one that computes nothing: it returns zeros."""
    zeros = {"Tensor": lambda: torch.zeros(3), "List[Tensor]": lambda: [torch.zeros(3)]}
    made = tuple(zeros.get(str(one.type), int)() for one in op._schema.returns)
    library = torch.library.Library("aten", "IMPL")
    name = op._schema.name.split("::")[1]
    if op._schema.overload_name:
        name += "." + op._schema.overload_name
    kernel = lambda *args, **kwargs: made[0] if len(made) == 1 else made
    library.impl(name, kernel, "CPU")
    if dispatch == "Default":
        yield
        return
    backend = dispatch.replace("Autograd", "").replace("NestedTensor", "NestedTensorCPU")
    library.impl(name, kernel, backend)
    key = getattr(torch._C.DispatchKey, dispatch)
    with torch._C._IncludeDispatchKeyGuard(key):  # as if the tensors were on that backend
        yield
'''


def over_stub(program: str, dispatch: str) -> str:
    """Return a synthesized program whose last line, the call, is made over a stub."""
    *setup, call = program.split("\n")
    op = call[len("output = ") : call.index("(")]
    key = "" if dispatch == "Default" else f', "{dispatch}"'
    return "\n".join([*setup, f"with stub({op}{key}):", f"    {call}"])

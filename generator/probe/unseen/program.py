"""What a program about one kind of write is made of, and the tensors that most start from."""

from __future__ import annotations

from typing import NamedTuple


class UnseenWrite(NamedTuple):
    """One kind of write: what a graph keeps, as code, and the write to it, as code.

    `made` assigns `tensor`, whose memory is kept, `output`, a scalar, and `leaf`, of which the
    gradient is taken; `write` writes. `imports` are lines that the program needs besides torch.
    What leaves something behind in its process is run `apart`, in one of its own.
    """

    family: str
    write: str
    made: str
    imports: str = ""
    apart: bool = False


# The gradient of a square is made of the tensor itself, which is saved as an input.
SAVED_INPUT = """\
leaf = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
tensor = leaf.clone()
output = tensor.square().sum()"""

# That of the exponential is made of what it returned.
SAVED_OUTPUT = """\
leaf = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
tensor = leaf.exp()
output = tensor.sum()"""

# A parameter is a leaf, and is saved where its gradient is needed.
PARAMETER = """\
leaf = tensor = torch.nn.Parameter(torch.tensor([1.0, 2.0, 3.0]))
output = tensor.square().sum()"""


def saved_input(family: str, write: str, imports: str = "") -> UnseenWrite:
    """Write to a tensor that its square has saved."""
    return UnseenWrite(family, write, SAVED_INPUT, imports)


def parameter(family: str, write: str) -> UnseenWrite:
    """Write to a parameter that its square has saved."""
    return UnseenWrite(family, write, PARAMETER)

"""Provoke autograd's in-place check with a tensor that a given node made, and keep its words."""

from __future__ import annotations

import torch
from torch import Tensor

CHECK = "modified by an inplace operation"


def check_message(output: Tensor) -> str | None:
    """Return the message when `output` was saved by a later op and then overwritten.

    The write is made under `no_grad`, so that the tensor keeps the `grad_fn` that the message
    names, and changes no value, since the memory may be an argument's. None where such a write is
    refused or the check does not fire.
    """
    try:
        product = output * output
        with torch.no_grad():
            output.mul_(1)
        torch.autograd.backward(product, torch.ones_like(product))
    except RuntimeError as error:
        message = str(error).splitlines()[0]
        return message if CHECK in message else None
    return None

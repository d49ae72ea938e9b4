"""What the programs that write after a call have in common: functions in plain PyTorch."""

from __future__ import annotations

FLAT = """\
def flat(value):
    if isinstance(value, torch.Tensor):
        return [value]
    return [one for item in value for one in flat(item)] if isinstance(value, (list, tuple)) else []


"""

RANDOM_LIKE = """\
def random_like(start):
    if start.layout == torch.strided:
        return torch.randn_like(start)
    dense = torch.randn(start.shape, dtype=start.dtype)
    coordinates = start.layout == torch.sparse_coo
    return dense.to_sparse() if coordinates else dense.to_sparse(layout=start.layout)


"""

VALUES_AND_WRITES = '''\
def other_values(tensor):
    """Other valid values: near, of other signs and order, and near zero."""
    if tensor.numel() == 0:
        return []
    if tensor.dtype == torch.bool:
        return [tensor.logical_not()]
    if not (tensor.is_floating_point() or tensor.is_complex()):
        moved = tensor.flatten().roll(1).reshape(tensor.shape)
        lowest = torch.full_like(tensor, int(tensor.min()))
        return [] if torch.equal(moved, tensor) else [moved, lowest]
    near = tensor * 1.5
    if tensor.layout == torch.strided:
        step = torch.arange(1, tensor.numel() + 1, dtype=torch.float64) / tensor.numel()
        near = near + step.to(tensor.dtype).reshape(tensor.shape)
    return [near, -near, near * 0.015625]


def in_place(tensor, values):
    tensor.copy_(values)


def through_view(tensor, values):
    tensor.view_as(tensor).copy_(values)


def under_no_grad(tensor, values):
    with torch.no_grad():
        tensor.copy_(values)


def through_data(tensor, values):
    tensor.data.copy_(values)


'''

RELATIVE_ERROR = '''\
def relative_error(got, right):
    """The largest of all gradients; None where one is infinite, not a number, or missing."""
    largest = 0.0
    for one, other in zip(got, right):
        if one is None or other is None:
            if one is not other:
                return None
            continue
        one, other = one.to_dense(), other.to_dense()
        if torch.allclose(one, other, rtol=0, atol=0, equal_nan=True):
            continue
        error = (one - other).abs().max() / (other.abs().max().item() or 1)
        if not error.isfinite():
            return None
        largest = max(largest, float(f"{error.item():.3g}"))
    return largest


def reached(tensor, values):
    """The .data of a sparse tensor is another tensor, which is given indices and values anew."""
    strided = tensor.layout == torch.strided
    return strided or torch.equal(tensor.detach().to_dense(), values.to_dense())


'''

SAID = """\
def said(error):
    lines = str(error).splitlines() or [""]
    return f"{type(error).__name__}: {lines[0]}".split(" Hint:")[0]
"""

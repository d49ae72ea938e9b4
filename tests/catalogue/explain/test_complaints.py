"""Complaints that sound alike are told apart, in the words of live torch, whole and in part."""

from collections.abc import Callable
from functools import partial

import pytest
import torch
from torch import Tensor
from torch.autograd.function import FunctionCtx

from generator.catalogue.explain.complaints import Complaint, complaint


class Flat(torch.autograd.Function):
    @staticmethod
    def forward(_: FunctionCtx, x: Tensor) -> Tensor:
        return x.view(-1)

    @staticmethod
    def backward(_: FunctionCtx, gradient: Tensor) -> Tensor:
        return gradient.view(8, 16)


class AsItWas(torch.autograd.Function):
    @staticmethod
    def forward(_: FunctionCtx, x: Tensor) -> Tensor:
        return x

    @staticmethod
    def backward(_: FunctionCtx, gradient: Tensor) -> Tensor:
        return gradient


class Short(torch.autograd.Function):
    @staticmethod
    def forward(_: FunctionCtx, x: Tensor) -> Tensor:
        return x * 2

    @staticmethod
    def backward(_: FunctionCtx, gradient: Tensor) -> Tensor:
        return gradient[:1]


def without_grad(base: Tensor) -> Tensor:
    with torch.no_grad():
        return base[:2]


def in_inference(base: Tensor) -> Tensor:
    with torch.inference_mode():
        return base[:2]


# How a view is made, and words that only what is said of such a view has.
VIEWS: dict[str, tuple[Callable[[Tensor], Tensor], str]] = {
    "chunk": (lambda base: base.chunk(2)[0], "among several (split"),
    "unbind": (lambda base: base.unbind()[3], "among several (split"),
    "view in a Function": (Flat.apply, "Function returned the view"),
    "argument of a Function": (AsItWas.apply, "Function returned the view"),
    "no_grad": (without_grad, "made under no_grad"),
    "inference_mode": (in_inference, "made under no_grad or inference_mode"),
}


def double(tensor: Tensor) -> None:
    tensor.mul_(2)


def doubled_silently(tensor: Tensor) -> None:
    with torch.no_grad():
        tensor.mul_(2)


def raised(act: Callable[[], object]) -> str:
    with pytest.raises(RuntimeError) as error:
        act()
    return str(error.value)


def understood(text: str) -> Complaint:
    found = complaint(text)
    assert found is not None, text
    return found


def made(name: str) -> tuple[Tensor, Tensor]:
    base = torch.randn(8, 16, requires_grad=True).clone()
    return base, VIEWS[name][0](base)


@pytest.mark.parametrize("name", VIEWS)
def test_a_write_that_is_refused_has_not_happened(name: str) -> None:
    base, view = made(name)
    before = base.detach().clone()
    found = understood(raised(lambda: double(view)))
    assert torch.equal(base, before)
    assert found.meaning.startswith("the write itself is refused")
    assert VIEWS[name][1] in found.meaning


@pytest.mark.parametrize("name", VIEWS)
def test_after_a_write_to_the_base_it_is_the_use_that_is_refused(name: str) -> None:
    base, view = made(name)
    before = base.detach().clone()
    double(base)
    assert torch.equal(base, before * 2)
    found = understood(raised(view.sum))
    assert found.meaning.startswith("the write has happened, and using the view")
    assert VIEWS[name][1] in found.meaning


@pytest.mark.parametrize("name", ["chunk", "unbind", "view in a Function"])
def test_a_write_to_the_view_under_no_grad_is_refused_at_its_use(name: str) -> None:
    _, view = made(name)
    doubled_silently(view)
    found = understood(raised(view.sum))
    assert found.meaning.startswith("the write has happened, and using the view")
    assert VIEWS[name][1] in found.meaning


@pytest.mark.parametrize("name", ["chunk", "view in a Function"])
def test_the_first_sentence_alone_says_when_and_not_whose_view(name: str) -> None:
    base, view = made(name)
    written = raised(lambda: double(view)).partition(". ")[0]
    double(base)
    used = raised(view.sum).partition(". ")[0]
    assert understood(written).meaning.startswith("the write itself is refused")
    assert understood(used).meaning.startswith("the write has happened")
    for sentence in (written, used):
        assert "among several" in understood(sentence).meaning
        assert "custom torch.autograd.Function" in understood(sentence).meaning


@pytest.mark.parametrize("name", ["chunk", "view in a Function"])
def test_the_rest_alone_says_whose_view_and_not_when(name: str) -> None:
    _, view = made(name)
    rest = raised(lambda: double(view)).partition(". ")[2]
    assert understood(rest).meaning.startswith("a write to the view is refused, or its use")
    assert VIEWS[name][1] in understood(rest).meaning


def test_a_missing_derivative_is_of_an_op_or_of_one_argument() -> None:
    x, y = torch.ones(2, requires_grad=True), torch.ones(2)
    assert torch.autograd.grad(torch.igamma(y, x).sum(), x)
    of_one = understood(raised(lambda: torch.autograd.grad(torch.igamma(x, y).sum(), x)))
    assert "the argument that is named after the colon" in of_one.meaning
    of_all = understood(raised(lambda: torch.autograd.grad(torch.histogram(x, 4).hist.sum(), x)))
    assert "has no backward" in of_all.meaning


@pytest.mark.parametrize(
    "call",
    [
        lambda x: torch.nn.functional.scaled_dot_product_attention(x, x, x),
        lambda x: torch.cdist(x, 2 * x),
    ],
    ids=["attention", "cdist"],
)
def test_a_missing_second_derivative_is_not_a_missing_derivative(
    call: Callable[[Tensor], Tensor],
) -> None:
    x = torch.randn(1, 1, 3, 4, requires_grad=True)
    (slope,) = torch.autograd.grad(call(x).sum(), x, create_graph=True)
    found = understood(raised(lambda: torch.autograd.grad(slope.sum(), x)))
    assert found.meaning.startswith("a second derivative was asked for")


def test_hooks_on_what_is_not_saved_are_told_from_hooks_on_what_is_freed() -> None:
    x = torch.ones(2, requires_grad=True)
    factor, root = (x * torch.ones(2)).grad_fn, x.sqrt()
    never, freed = (
        getattr(*one) for one in ((factor, "_raw_saved_self"), (root.grad_fn, "_raw_saved_result"))
    )
    torch.autograd.grad(root.sum(), x)
    said = [
        understood(raised(partial(one.register_hooks, abs, abs))).meaning for one in (never, freed)
    ]
    assert "did not save" in said[0]
    assert "has freed" in said[1]


def test_a_warning_of_anomaly_detection_gives_way_to_the_error_behind_it() -> None:
    warning = "Error detected in MulBackward0. Traceback of forward call that caused the error:"
    assert "anomaly detection names the node" in understood(warning).meaning
    error = "one of the variables needed for gradient computation has been modified by an inplace"
    assert complaint(f"{warning} {error} operation") is None


def test_a_gradient_of_another_shape_is_known() -> None:
    make: Callable[[Tensor], Tensor] = Short.apply
    x = torch.ones(3, requires_grad=True)
    text = raised(lambda: torch.autograd.grad(make(x).sum(), x))
    assert "not of its argument's shape" in understood(text).meaning


def test_words_that_only_a_gpu_says_are_known() -> None:
    assert (
        "eval mode" in understood("cudnn RNN backward can only be called in training mode").meaning
    )


@pytest.mark.parametrize("write", [str.upper, str.lower])
def test_upper_and_lower_case_do_not_matter(write: Callable[[str], str]) -> None:
    for name in VIEWS:
        _, view = made(name)
        text = raised(partial(double, view))
        assert complaint(write(text)) is complaint(text)

"""Find the call of an op inside the function of its own through which OpInfo calls it.

Such a function may give the arguments another order, copy them or compute others from them first:
`lambda a, b: torch.linalg.pinv(a @ b.mT)`. What it computes is no part of the op.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any, Callable, NamedTuple

import torch

from generator.tape.compat import FUNCTION_MODE


class Inner(NamedTuple):
    """The call that was found: its positional arguments and its keywords less the defaults."""

    arguments: tuple[Any, ...]
    keywords: dict[str, Any]


class _FoundError(Exception):
    """Ends the wrapper where the call would be made."""

    def __init__(self, inner: Inner) -> None:
        super().__init__()
        self.inner = inner


def inner_call(
    wrapper: Callable[..., Any],
    public: Callable[..., Any] | None,
    arguments: Sequence[Any],
    keywords: dict[str, Any],
) -> Inner | None:
    """Return the first call of `public` that `wrapper` comes to; it is not made.

    None where there is none, where the wrapper raises before it, or where the release cannot tell.
    """
    if public is None:
        return None
    made = partial(wrapper, *arguments, **keywords)
    found = _found(_overridable(public), made) if FUNCTION_MODE is not None else None
    return found or _found(_python(public), made)


def _found(watching: AbstractContextManager[None], made: Callable[[], Any]) -> Inner | None:
    try:
        with watching:
            made()
    except _FoundError as found:
        return found.inner
    except Exception:  # the wrapper's own call is tried later, and says so
        return None
    return None


@contextmanager
def _overridable(public: Callable[..., Any]) -> Iterator[None]:
    """Watch what PyTorch lets a mode override: all but some functions written in Python."""

    class Watch(FUNCTION_MODE):  # type: ignore[misc]
        def __torch_function__(
            self, function: Any, _types: Any, arguments: Any = (), keywords: Any = None
        ) -> Any:
            if function is public:
                raise _FoundError(Inner(tuple(arguments), _given(public, keywords or {})))
            return function(*arguments, **(keywords or {}))

    with Watch():
        yield


@contextmanager
def _python(public: Callable[..., Any]) -> Iterator[None]:
    """Watch the frames of a function that is written in Python."""
    code = getattr(public, "__code__", None)

    def watch(frame: Any, event: str, _: Any) -> None:
        if event == "call" and code is not None and frame.f_code is code:
            raise _FoundError(_of_frame(public, frame))

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        yield
    finally:
        sys.setprofile(before)


def _of_frame(public: Callable[..., Any], frame: Any) -> Inner:
    names, rest, more, values = inspect.getargvalues(frame)
    keywords = dict(values[more]) if more else {}
    if rest:  # what comes before `*args` can be given by position alone
        return Inner((*(values[name] for name in names), *values[rest]), keywords)
    return Inner((), _given(public, {**{name: values[name] for name in names}, **keywords}))


def _given(public: Callable[..., Any], keywords: dict[str, Any]) -> dict[str, Any]:
    """Leave out the keywords that say what the function would take anyway."""
    if not inspect.isfunction(public):
        return keywords
    defaults = {one.name: one.default for one in inspect.signature(public).parameters.values()}
    return {
        name: value
        for name, value in keywords.items()
        if name not in defaults or not _same(defaults[name], value)
    }


def _same(default: Any, value: Any) -> bool:
    return type(default) is type(value) and not isinstance(value, torch.Tensor) and default == value

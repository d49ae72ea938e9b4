"""Tell how long each layer of the probe takes, and how much of that PyTorch itself does.

Stopwatches are put around the functions that make a layer and around those that run PyTorch, for as
long as `timing` lasts. Both are read in the same run, so that their ratio depends on no machine.
"""

from __future__ import annotations

import builtins
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any, Callable, Optional

Function = Callable[..., Any]
Moment = Optional[tuple[str, bool]]


class Stopwatch:
    """Processor seconds by layer: `full` in all of it, `bare` of these in PyTorch's own calls."""

    def __init__(self) -> None:
        self.full: dict[str, float] = {}
        self.bare: dict[str, float] = {}
        self._now: Moment = None
        self._since = time.process_time()

    def layer(self, name: str, function: Function) -> Function:
        """Return `function`, whose time counts as that of layer `name`, not of one around it."""
        return self._counted(function, lambda _: (name, False))

    def pytorch(self, function: Function) -> Function:
        """Return `function`, whose time counts as PyTorch's own in the layer that calls it."""
        return self._counted(function, lambda around: around and (around[0], True))

    def _counted(self, function: Function, moment: Callable[[Moment], Moment]) -> Function:
        @wraps(function)
        def counted(*arguments: Any, **keywords: Any) -> Any:
            around = self._now
            self._turn(moment(around))
            try:
                return function(*arguments, **keywords)
            finally:
                self._turn(around)

        return counted

    def _turn(self, to: Moment) -> None:
        """Count the seconds since the last turn as those of the moment that ends now."""
        time_now = time.process_time()
        if self._now is not None:
            layer, is_bare = self._now
            spent = time_now - self._since
            self.full[layer] = self.full.get(layer, 0.0) + spent
            self.bare[layer] = self.bare.get(layer, 0.0) + (spent if is_bare else 0.0)
        self._now, self._since = to, time_now


@contextmanager
def timing(
    layers: Mapping[str, Sequence[Function]], pytorch: Sequence[Function]
) -> Iterator[Stopwatch]:
    """Put stopwatches around functions of the probe's modules and classes, and take them off.

    A function is replaced wherever the probe's modules refer to it, a method in its class.
    """
    watch = Stopwatch()
    counted = {one: watch.layer(name, one) for name, several in layers.items() for one in several}
    counted.update({one: watch.pytorch(one) for one in pytorch})
    replaced = [
        (place, name, value)
        for place in _places()
        for name, value in list(vars(place).items())
        if _is_function(value) and value in counted
    ]
    for place, name, value in replaced:
        setattr(place, name, counted[value])
    try:
        yield watch
    finally:
        for place, name, value in replaced:
            setattr(place, name, value)


def _places() -> list[Any]:
    """Return the probe's modules and their classes, and the builtins, which hold `exec`."""
    package = __name__.rpartition(".")[0]
    modules = [module for name, module in sys.modules.items() if name.startswith(package)]
    classes = {
        id(value): value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__.startswith(package)
    }
    return [builtins, sys.modules["torch.autograd"], *modules, *classes.values()]


def _is_function(value: Any) -> bool:
    return callable(value) and not isinstance(value, type) and hasattr(value, "__name__")

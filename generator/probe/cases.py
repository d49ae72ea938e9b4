"""Build the body of one record: group calls into cases, and measure representatives in full."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Callable, NamedTuple

from generator.probe.calls import Call, CallRaisedError
from generator.probe.double_backward import backward_graphs
from generator.probe.guard import Guard, StepEndedError
from generator.probe.measure import (
    NotDifferentiableError,
    Observed,
    arguments,
    observe,
    outputs,
    two_ways,
)
from generator.probe.policies import Group, Interned, group_of
from generator.probe.sightings import Sightings
from generator.probe.writes.overwrite import check_message
from generator.tape.compat import WITHOUT_HOOKS
from generator.tape.walk import type_name

Json = dict[str, Any]
Mask = tuple[str, ...]


class _Case(NamedTuple):
    entry: str
    modes: set[str | None]
    call: Call
    mask: Mask
    samples: dict[str, int]
    ways: dict[str, int]
    roomiest: list[Call]


class RecordBody:
    """Collects what one op's or module's record says about its calls.

    `layer` is the name of the layer under which its graphs count as sightings: `op` or `module`;
    `masks` gives the grad masks under which a call is measured. `guard` makes each step of it.
    """

    def __init__(
        self,
        name: str,
        layer: str,
        masks: Callable[[Call], list[Mask]],
        guard: Guard | None = None,
    ) -> None:
        self.name = name
        self.guard = guard or Guard()
        self.sightings = Sightings()
        self._layer = layer
        self._masks = masks
        self._policies = Interned()
        self._cases: dict[tuple[str, Group], _Case] = {}
        self._backward_types: list[str] = []

    def add_sample(self, entry: str, dtype: str, call: Call, mask: Mask, mode: str | None) -> None:
        """Make one sample's call under the mask that it asks for, and count it into its case.

        Raises NotDifferentiableError and CallRaisedError.
        """
        observed = observe(call, mask)
        self.sightings.add(f"{self._layer} sample", self.name, observed.sightings)
        self._provoke_check(observed)
        key = (entry, group_of(observed.policy))
        if key not in self._cases:
            self._cases[key] = _Case(entry, set(), call, mask, {}, {}, [])
        case = self._cases[key]
        case.modes.add(mode)
        case.samples[dtype] = case.samples.get(dtype, 0) + 1
        # Of one dtype, that of its first sample, and of the arguments that its masks are of.
        if len(case.samples) == 1 and _names(call) >= _names(case.call):
            case.roomiest[:] = [max([*case.roomiest, call], key=_room)]
        if WITHOUT_HOOKS is None:
            # Some calls raise under hooks, or the second time; they were measured all the same.
            with suppress(CallRaisedError):
                for way in two_ways(call, mask):
                    case.ways[way] = case.ways.get(way, 0) + 1

    def measurement(self, layer: str, call: Call, mask: Sequence[str]) -> Json:
        """Measure one call under one mask; an error or a call without a graph is a state."""
        try:
            observed = self.guard.step(lambda: observe(call, mask))
        except StepEndedError as error:
            return {"mask": list(mask), **error.as_fields()}
        except NotDifferentiableError:
            reason = "no output requires grad"
            return {"mask": list(mask), "state": "not differentiable", "reason": reason}
        except CallRaisedError as error:
            return {"mask": list(mask), "state": "raised", "reason": str(error)}
        return self.row(layer, mask, observed)

    def row(self, layer: str, mask: Sequence[str], observed: Observed) -> Json:
        """Write down one call under one mask as it was observed."""
        self.sightings.add(layer, self.name, observed.sightings)
        position = self._policies.position(observed.policy)
        return {"mask": list(mask), "policy": position, **observed.figures}

    def all_masks(self, layer: str, call: Call, masks: Sequence[Mask]) -> Json:
        """Measure a call under each mask: the fields that a case and a reference share.

        Raises NotDifferentiableError or CallRaisedError if the first mask gives no graph.
        """
        first = observe(call, masks[0])
        rows = [self.row(layer, masks[0], first)]
        rows += [self.measurement(layer, call, mask) for mask in masks[1:]]
        return {
            "arguments": arguments(call),
            "outputs": outputs(first.run),
            "measurements": rows,
            "edges": first.edges,
            "values": first.values,
        }

    def cases(self) -> list[Json]:
        """Return the cases, most samples first, each with its representative's measurements."""
        return [self._finish(case) for case in self._ordered()]

    def roomiest(self) -> list[Call]:
        """Return of each case the sample of which most sizes could be others, in their order.

        It is of the dtype of the case's first sample and has all arguments of that.
        """
        return [call for case in self._ordered() for call in case.roomiest]

    def masks_of(self, case: int) -> list[Mask]:
        """Return the masks of a case by its position: the sample's own first, then the others."""
        return self._masks_of(self._ordered()[case])

    def policies(self) -> Json:
        """Return the fields `nodes` and `policies`; call it after everything else was measured."""
        return self._policies.as_fields()

    def backward_types(self) -> list[str]:
        """Return the node types met in the graphs of backward itself, sorted."""
        return sorted(set(self._backward_types))

    def _ordered(self) -> list[_Case]:
        return sorted(self._cases.values(), key=lambda case: -sum(case.samples.values()))

    def _masks_of(self, case: _Case) -> list[Mask]:
        others = [mask for mask in self._masks(case.call) if set(mask) != set(case.mask)]
        return [case.mask, *others]

    def _finish(self, case: _Case) -> Json:
        layer = f"{self._layer} sample"
        measured = self.all_masks(layer, case.call, self._masks_of(case))
        self._differentiate_twice(case)
        first, *rest = measured["measurements"]
        (mode, *other_modes) = sorted(case.modes, key=str)
        return {
            "entry": case.entry,
            "mode": None if other_modes else mode,
            "samples": case.samples,
            "call": case.call.text,
            "arguments": [
                one for one in measured["arguments"] if one.get("source", "input") == "input"
            ],
            "outputs": measured["outputs"],
            # A sample is small and odd: under its other masks, roles and sums say enough.
            "measurements": [first, *({**row, "tensors": []} for row in rest)],
            "two_ways": case.ways,
        }

    def _differentiate_twice(self, case: _Case) -> None:
        try:
            graphs = self.guard.step(lambda: backward_graphs(case.call.run(case.mask)))
        except StepEndedError:
            return
        for graph in graphs:
            self.sightings.add(f"{self._layer} double backward", self.name, graph)
            self._backward_types += [type_name(node) for node, _ in graph]

    def _provoke_check(self, observed: Observed) -> None:
        # Read every `grad_fn` first: after a write, those of sibling views raise.
        made = [(output, output.grad_fn) for output in observed.run.outputs]
        for output, node in made:
            if node is None or not output.is_floating_point() or not self.sightings.knows(node):
                continue
            if not self.sightings.has_error(node):
                message = check_message(output)
                if message is not None:
                    self.sightings.set_error(node, message)


def _names(call: Call) -> set[str]:
    return {named.name for named in call.tensors}


def _room(call: Call) -> int:
    """Return how many sizes of a call's tensors are more than 1; 0 where a tensor is empty."""
    sizes = [size for named in call.tensors for size in named.tensor.shape]
    return 0 if 0 in sizes else sum(size > 1 for size in sizes)

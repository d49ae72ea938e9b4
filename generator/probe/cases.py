"""Build the body of one record: group calls into cases, and measure representatives in full."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Sequence, Tuple

from generator.probe.calls import Call, Run
from generator.probe.double_backward import backward_graphs
from generator.probe.measure import (
    NotDifferentiable,
    Observed,
    arguments,
    observe,
    outputs,
    two_ways,
)
from generator.probe.overwrite import check_message
from generator.probe.policies import Group, Interned, group_of
from generator.probe.sightings import Sightings

Json = Dict[str, Any]
Mask = Tuple[str, ...]


class _Case(NamedTuple):
    entry: str
    mode: Any
    call: Call
    mask: Mask
    masks: List[Mask]
    samples: Dict[str, int]
    ways: Dict[str, int]


class RecordBody:
    """Collects what one op's or module's record says about its calls.

    `layer` is the name of the layer under which its graphs count as sightings: `op` or `module`.
    """

    def __init__(self, name: str, layer: str) -> None:
        self.name = name
        self.sightings = Sightings()
        self._layer = layer
        self._policies = Interned()
        self._cases: Dict[Tuple[str, Any, Group], _Case] = {}
        self._backward_types: List[str] = []

    def add_sample(
        self, entry: str, mode: Any, dtype: str, call: Call, mask: Sequence[str], masks: List[Mask]
    ) -> None:
        """Make one sample's call and count it into the case that it belongs to.

        `masks` are those to measure if the sample becomes its case's representative. Raises
        NotDifferentiable and whatever the call raises.
        """
        observed = observe(call, mask)
        self.sightings.add(f"{self._layer} sample", self.name, observed.sightings)
        self._provoke_check(observed)
        key = (entry, mode, group_of(observed.policy))
        if key not in self._cases:
            others = [other for other in masks if set(other) != set(mask)]
            self._cases[key] = _Case(entry, mode, call, tuple(mask), others, {}, {})
        case = self._cases[key]
        case.samples[dtype] = case.samples.get(dtype, 0) + 1
        way = two_ways(call, mask)
        case.ways[way] = case.ways.get(way, 0) + 1

    def measurement(self, layer: str, call: Call, mask: Sequence[str]) -> Json:
        """Measure one call under one mask; an error or a call without a graph is a state."""
        return self._measured(layer, call, mask)[0]

    def all_masks(self, layer: str, call: Call, masks: Sequence[Mask]) -> Tuple[List[Json], Run]:
        """Measure a call under each mask; the run returned is the first one's.

        Raises NotDifferentiable or the call's own error if the first mask gives no graph.
        """
        first = observe(call, masks[0])
        self.sightings.add(layer, self.name, first.sightings)
        rows = [self._row(masks[0], first)]
        rows += [self._measured(layer, call, mask)[0] for mask in masks[1:]]
        return rows, first.run

    def cases(self) -> List[Json]:
        """Return the cases, most samples first, each with its representative's measurements."""
        ordered = sorted(
            enumerate(self._cases.values()), key=lambda item: (-sum(item[1].samples.values()), item[0])
        )
        return [self._finish(case) for _, case in ordered]

    def policies(self) -> List[Json]:
        """Return the interned policies; call it after everything else was measured."""
        return self._policies.as_list()

    def backward_types(self) -> List[str]:
        """Return the node types met in the graphs of backward itself, sorted."""
        return sorted(set(self._backward_types))

    def _finish(self, case: _Case) -> Json:
        layer = f"{self._layer} sample"
        rows, run = self.all_masks(layer, case.call, [case.mask, *case.masks])
        self._differentiate_twice(case)
        return {
            "entry": case.entry,
            "mode": case.mode,
            "samples": case.samples,
            "call": case.call.text,
            "arguments": arguments(case.call),
            "outputs": outputs(run),
            "measurements": rows,
            "two_ways": case.ways,
        }

    def _measured(self, layer: str, call: Call, mask: Sequence[str]) -> Tuple[Json, Any]:
        try:
            observed = observe(call, mask)
        except NotDifferentiable:
            reason = "no output requires grad"
            return {"mask": list(mask), "state": "not differentiable", "reason": reason}, None
        except Exception as error:  # the error of a sample is its result
            return {"mask": list(mask), "state": "raised", "reason": first_line(error)}, None
        self.sightings.add(layer, self.name, observed.sightings)
        return self._row(mask, observed), observed

    def _row(self, mask: Sequence[str], observed: Observed) -> Json:
        position = self._policies.position(observed.policy)
        return {"mask": list(mask), "policy": position, **observed.figures}

    def _differentiate_twice(self, case: _Case) -> None:
        try:
            graphs = backward_graphs(case.call.run(case.mask))
        except Exception:
            # Not every backward is differentiable; its error says nothing about what is kept.
            return
        for graph in graphs:
            self.sightings.add(f"{self._layer} double backward", self.name, graph.sightings)
            self._backward_types += [node["type"] for node in graph.policy]

    def _provoke_check(self, observed: Observed) -> None:
        for output in observed.run.outputs:
            node = output.grad_fn
            if node is None or not output.is_floating_point() or not self.sightings.knows(node):
                continue
            if not self.sightings.has_error(node):
                message = check_message(output)
                if message is not None:
                    self.sightings.set_error(node, message)


def first_line(error: BaseException) -> str:
    """Return an error as its type and the first line of its message."""
    lines = str(error).splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__

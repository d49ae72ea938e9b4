"""Records of ops drawn at random, against a second probe that is written here in plain torch.

It shares nothing with the first: it takes OpInfo's own samples, collects what a pack hook sees,
and tells storages apart by their addresses.
"""

import random
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

import pytest
import torch
from torch import Tensor

from generator.probe import opinfo
from generator.probe.ops import op_record

Json = dict[str, Any]
DRAWN = 40
MOST_SAMPLES = 25
SEED = 20_130

pytestmark = pytest.mark.filterwarnings("ignore")  # samples of OpInfo warn of what they try


class Seen(NamedTuple):
    """What the second probe finds for one sample."""

    shapes: tuple[tuple[int, ...], ...]
    outputs: tuple[tuple[int, ...], ...]
    logical: int
    storage: int
    extra: int


def tensors_in(value: Any) -> list[Tensor]:
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, (list, tuple)):
        return [tensor for item in value for tensor in tensors_in(item)]
    return []


def by_address(tensors: list[Tensor]) -> dict[int, int]:
    storages = [tensor.untyped_storage() for tensor in tensors]
    return {storage.data_ptr(): storage.nbytes() for storage in storages if storage.nbytes()}


def look(entry: Any, sample: Any) -> Seen | None:
    """Call one sample under pack hooks; None where there is nothing to differentiate."""
    packed: list[Tensor] = []

    def pack(tensor: Tensor) -> Tensor:
        packed.append(tensor.detach())
        return packed[-1]

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        outputs = tensors_in(entry.op(sample.input, *sample.args, **sample.kwargs))
    if not any(output.requires_grad for output in outputs):
        return None
    given = tensors_in([sample.input, list(sample.args), list(sample.kwargs.values())])
    distinct = list({id(tensor): tensor for tensor in given}.values())
    saved, held = by_address(packed), by_address(distinct + outputs)
    return Seen(
        shapes=tuple(tuple(tensor.shape) for tensor in distinct),
        outputs=tuple(tuple(tensor.shape) for tensor in outputs),
        logical=sum(tensor.numel() * tensor.itemsize for tensor in packed),
        storage=sum(saved.values()),
        extra=sum(size for address, size in saved.items() if address not in held),
    )


def samples_of(entry: Any) -> list[Any]:
    made = entry.sample_inputs("cpu", torch.float32, requires_grad=True)
    return list(islice(made, MOST_SAMPLES + 1))


@cache
def drawn() -> dict[str, list[Any]]:
    """Draw ops with few samples, so that many different ones can be drawn."""
    everything = opinfo.ops()
    names = sorted(everything)
    random.Random(SEED).shuffle(names)  # noqa: S311 - to draw, not to hide
    chosen: dict[str, list[Any]] = {}
    for name in names:
        entries = everything[name]
        if name.endswith("_") or not all(entry.supports_autograd for entry in entries):
            continue
        if any(torch.float32 not in e.supported_backward_dtypes("cpu") for e in entries):
            continue
        samples = [sample for entry in entries for sample in samples_of(entry)]
        dense = all(t.layout == torch.strided for s in samples for t in tensors_in(s.input))
        if dense and len(samples) <= MOST_SAMPLES:
            chosen[name] = entries
        if len(chosen) == DRAWN:
            break
    return chosen


@pytest.fixture(autouse=True)
def _float32_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opinfo, "DTYPES", [torch.float32])


def hook_figures(record: Json, row: Json) -> tuple[int, int, int]:
    """Take from a measurement's figures the Python numbers, which no hook sees."""
    nodes = [record["nodes"][place] for place in record["policies"][row["policy"]]]
    roles = [role for node in nodes for _, _, its in node["saved"] for role in its]
    numbers = sum(
        tensor[2]
        for role, tensor in zip(roles, row["tensors"], strict=True)
        if role == "wrapped number"
    )
    return (
        row["logical_bytes"] - numbers,
        row["storage_bytes"] - numbers,
        row["extra_bytes"] - numbers,
    )


def test_forty_ops_are_drawn() -> None:
    assert len(drawn()) == DRAWN


@pytest.mark.parametrize("position", range(DRAWN))
def test_a_record_agrees_with_the_second_probe(position: int) -> None:
    name, entries = list(drawn().items())[position]
    record, _ = op_record(name, entries, "cpu")
    compared = 0
    for entry in entries:
        seen = [look(entry, sample) for sample in samples_of(entry)]
        found = [one for one in seen if one is not None]
        label = opinfo.entry_name(entry)
        (described,) = [one for one in record["entries"] if one["name"] == label]
        assert described["samples"].get("float32", 0) == len(found), label
        for case in record["cases"]:
            if case["entry"] != label:
                continue
            shapes = tuple(tuple(a["shape"]) for a in case["arguments"] if "shape" in a)
            outputs = tuple(tuple(output["shape"]) for output in case["outputs"])
            alike = [one for one in found if (one.shapes, one.outputs) == (shapes, outputs)]
            assert alike, case["call"]
            logical, storage, extra = hook_figures(record, case["measurements"][0])
            figures = {(one.storage, one.extra) for one in alike}
            if "hooks_only" in case["two_ways"]:
                # a branch that no output leads to is packed, but not in the graph
                assert any(storage <= most and extra <= more for most, more in figures)
            else:
                assert (storage, extra) in figures, (case["call"], figures)
                assert logical in {one.logical for one in alike}, case["call"]
            compared += 1
    assert compared >= 1

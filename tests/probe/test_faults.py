"""An op whose samples kill, hang, bomb or corrupt the probe, for real: each costs itself alone."""

import faulthandler
import os
import signal
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import msgspec
import pytest
import torch
from torch import Tensor

from generator.catalogue import codec
from generator.catalogue.model.records import ModuleRecord, OpRecord
from generator.probe.guard import Guard
from generator.probe.opinfo import modules, ops
from generator.probe.pool import Limits, Outcome, run_tasks
from generator.probe.tasks import Task, make

Json = dict[str, Any]
pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # samples of OpInfo warn of what they try
]


def _die(number: signal.Signals) -> None:
    faulthandler.disable()
    os.kill(os.getpid(), number)


def _allocate() -> None:
    kept = [torch.empty(2**26) for _ in range(1000)]
    raise AssertionError(len(kept))


def _sleep_deaf() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals) - {signal.SIGKILL})
    time.sleep(3600)


def _raise() -> None:
    raise ValueError("eight is one too many")


# What the op does with a tensor of so many elements; with any other it is `exp`.
BEHAVIOUR = {
    2: partial(_die, signal.SIGSEGV),
    3: partial(_die, signal.SIGABRT),
    4: _sleep_deaf,
    6: partial(torch.set_default_dtype, torch.float64),
    7: _allocate,
    8: _raise,
}
COUNTS = [5, 2, 3, 4, 6, 7, 8, 2, 0, 9, 10]


def exp_or_worse(tensor: Tensor) -> Tensor:
    BEHAVIOUR.get(tensor.numel(), int)()
    return tensor.exp()


def samples(_entry: Any, device: str, dtype: torch.dtype, **options: Any) -> Iterator[Any]:
    from torch.testing._internal.opinfo.core import SampleInput

    for count in COUNTS:
        values = torch.full((count,), float("nan") if count == 9 else 1.0)
        yield SampleInput(values.to(device, dtype).requires_grad_(options["requires_grad"]))


def entry(sample_inputs: Any = samples) -> Any:
    from torch.testing._internal.opinfo.core import OpInfo

    return OpInfo(
        "exp",
        op=exp_or_worse,
        aten_name="exp",
        dtypes={torch.float32},
        sample_inputs_func=sample_inputs,
    )


def measured(tasks: list[Task], **limits: float) -> list[Outcome]:
    found = run_tasks(partial(make, device="cpu"), tasks, 2, Limits(**limits))
    return sorted(found, key=lambda outcome: outcome.task)


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    """The op among two that behave, of which the second is begun after it by the same pool."""
    return measured(
        [
            Task("op", "torch.sigmoid", ops()["torch.sigmoid"]),
            Task("op", "torch.exp", [entry()]),
            Task("op", "torch.tanh", ops()["torch.tanh"]),
        ],
        step_seconds=10.0,
    )


@pytest.fixture(scope="module")
def record(outcomes: list[Outcome]) -> Json:
    (made,) = outcomes[1].result.records
    return made


def test_each_sample_that_ends_otherwise_is_counted_with_its_reason(record: Json) -> None:
    (described,) = record["entries"]
    failures = {
        (failure["state"], failure["reason"]): failure["samples"]
        for failure in described["failures"]
    }
    (bomb,) = [reason for _, reason in failures if "allocate memory" in reason]
    assert failures == {
        ("crashed", "the process was ended by SIGSEGV"): 2,
        ("crashed", "the process was ended by SIGABRT"): 1,
        ("timed out", "took longer than 10 seconds"): 1,
        ("corrupted", "it left the default dtype changed"): 1,
        ("raised", bomb): 1,
        ("raised", "ValueError: eight is one too many"): 1,
    }


def test_the_other_samples_are_measured_empty_ones_and_nan_among_them(record: Json) -> None:
    assert record["state"] == "measured"
    assert record["entries"][0]["samples"] == {"float32": 4}
    (case,) = record["cases"]
    (first,) = case["measurements"]
    assert first["storage_bytes"] == 5 * 4
    assert record["references"]
    assert record["writes"]["trials"]


def test_the_ops_around_it_are_measured_as_ever(outcomes: list[Outcome]) -> None:
    assert [outcome.state for outcome in outcomes] == [None, None, None]
    for place, name in ((0, "torch.sigmoid"), (2, "torch.tanh")):
        alone = make(Task("op", name, ops()[name]), Guard(), "cpu")
        assert outcomes[place].result == alone


def kill(*_: Any, **__: Any) -> None:
    _die(signal.SIGSEGV)


# What makes each part of a record, where the record's own module refers to it.
PARTS = [
    "variants.run_program",
    "ops.reference",
    "ops.writes_after",
    "ops.conditions",
    "ops.second_order_of_call",
    "ops.second_order",
    "ops.compiled",
    "formulas.cases.price_sample",
    "formulas.cases.price_program",
    "cases.backward_graphs",
    "modules.reference",
    "modules.module_conditions",
    "modules.second_order_of_module",
    "modules.compiled",
]


@pytest.mark.parametrize("with_reference", [True, False])
def test_a_part_that_dies_costs_itself_alone(
    *, with_reference: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for part in PARTS:
        if not (with_reference and part.endswith(".reference")):
            monkeypatch.setattr(f"generator.probe.{part}", kill)
    tasks = [
        Task("op", "torch.sigmoid", ops()["torch.sigmoid"]),
        Task("module", "torch.nn.ReLU", modules()["torch.nn.ReLU"]),
    ]
    died = {"state": "crashed", "reason": "the process was ended by SIGSEGV"}
    for outcome in measured(tasks):
        assert outcome.state is None, outcome
        (record,) = outcome.result.records
        read = msgspec.convert(record, codec.MeasuredRecord)
        assert isinstance(read, OpRecord | ModuleRecord)
        assert (read.state, bool(read.cases)) == ("measured", True)
        assert bool(read.references) == with_reference
        if with_reference:
            parts = ("conditions", "second_order", "compiled")
            assert {part: record[part] for part in parts} == dict.fromkeys(parts, died)
        else:
            assert "the process was ended by SIGSEGV" in str(read.unreferenced)


def test_samples_that_cannot_be_made_are_a_failure_of_their_own() -> None:
    def broken(*given: Any, **options: Any) -> Iterator[Any]:
        yield next(samples(*given, **options))
        _die(signal.SIGSEGV)

    def silent(*_: Any, **__: Any) -> Iterator[Any]:
        _die(signal.SIGSEGV)
        yield None

    # At full depth the sample that could be made is priced at other sizes, and one of them hangs.
    tasks = [Task("op", "torch.exp", [entry(one)], depth="history") for one in (broken, silent)]
    first, second = [outcome.result.records[0] for outcome in measured(tasks)]
    reason = "float32 samples: the process was ended by SIGSEGV"
    assert first["entries"][0]["samples"] == {"float32": 1}
    assert first["entries"][0]["failures"] == [{"state": "crashed", "reason": reason, "samples": 1}]
    (silenced,) = second["entries"]
    assert (silenced["state"], silenced["reason"]) == ("crashed", reason)
    assert second["state"] == "measured"  # by its reference call, which is no sample

import time

import pytest
import torch

from generator.probe import calls, program_calls
from generator.probe.calls import Call, sample_call
from generator.probe.stopwatch import Stopwatch, timing


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Processor time as a test sets it."""
    now = [0.0]
    monkeypatch.setattr(time, "process_time", lambda: now[0])
    return now


def test_time_counts_for_the_innermost_layer_and_pytorchs_own_for_both(clock: list[float]) -> None:
    watch = Stopwatch()

    def passes(seconds: float) -> None:
        clock[0] += seconds

    torchs = watch.pytorch(passes)
    inner = watch.layer("inner", lambda: (passes(1), torchs(2)))

    def work() -> None:
        passes(4)
        inner()
        torchs(8)
        passes(16)

    passes(100)
    torchs(200)
    watch.layer("outer", work)()
    passes(400)
    assert watch.full == {"outer": 28.0, "inner": 3.0}
    assert watch.bare == {"outer": 8.0, "inner": 2.0}


def test_an_error_ends_a_layer_too(clock: list[float]) -> None:
    watch = Stopwatch()

    def fail() -> None:
        clock[0] += 1
        raise ValueError

    with pytest.raises(ValueError, match=r"^$"):
        watch.layer("failing", fail)()
    clock[0] += 5
    watch.layer("other", lambda: None)()
    assert watch.full == {"failing": 1.0, "other": 0.0}


def test_stopwatches_are_put_on_wherever_a_function_is_known_and_taken_off_again() -> None:
    run, made = Call.run, calls.sample_call
    layer = program_calls.program_call
    with timing({"programs": [layer]}, [Call.run]) as watch:
        assert program_calls.program_call is not layer
        call = program_calls.program_call("x = torch.ones(3)", "y = x.exp()", 0)
        before = dict(watch.full)
        call.run(["x"])  # in no layer
        assert watch.full == before
    assert watch.full.keys() == {"programs"}
    assert (Call.run, calls.sample_call, program_calls.program_call) == (run, made, layer)
    assert sample_call(torch.exp, "exp(x)", {"x": torch.ones(2)}, {}, seed=0).run([])

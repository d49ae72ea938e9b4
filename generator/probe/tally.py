"""Count the samples of one OpInfo or ModuleInfo entry: those measured, and those that were not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from generator.probe.calls import Call, CallRaisedError, first_line
from generator.probe.cases import RecordBody
from generator.probe.guard import UNSURVIVED, StepEndedError
from generator.probe.measure import NotDifferentiableError

Json = dict[str, Any]
Mask = tuple[str, ...]
Sample = TypeVar("Sample")


def draw(samples: Iterator[Sample]) -> Sample:
    """Let the release make its next sample; raises StopIteration after the last."""
    return next(samples)


class Tally:
    """The samples of one entry of a record, tried one by one."""

    def __init__(self, body: RecordBody, entry: str) -> None:
        self.entry = entry
        self.samples: dict[str, int] = {}
        self._body = body
        self._failures: dict[tuple[str, str], int] = {}

    def try_sample(self, dtype: str, call: Call, mask: Mask, mode: str | None = None) -> bool:
        """Count one sample under the mask it asks for, and tell whether it could be measured."""
        if not mask:
            self.fail("not differentiable", "the sample has no argument that requires grad")
            return False
        try:
            self._body.guard.step(
                lambda: self._body.add_sample(self.entry, dtype, call, mask, mode)
            )
        except StepEndedError as error:
            self.fail(*error.ended)
            return False
        except NotDifferentiableError:
            self.fail("not differentiable", "no output requires grad")
            return False
        except CallRaisedError as error:
            self.fail("raised", str(error))
            return False
        self.samples[dtype] = self.samples.get(dtype, 0) + 1
        return True

    def each(self, samples: Iterator[Sample], dtype: str) -> Iterator[Sample]:
        """Yield the samples; where the release fails to make one, count that and end."""
        while True:
            try:
                sample = self._body.guard.step(lambda: draw(samples))
            except StopIteration:
                return
            except StepEndedError as error:
                self.fail(error.ended.state, f"{dtype} samples: {error.ended.reason}")
                return
            except Exception as error:  # the release's own code, not ours
                self.fail("raised", f"{dtype} samples: {first_line(error)}")
                return
            yield sample

    def fail(self, state: str, reason: str) -> None:
        """Count a sample that could not be measured, by the reason."""
        key = (state, reason)
        self._failures[key] = self._failures.get(key, 0) + 1

    def state(self) -> Json:
        """Return the entry's state, with its reason unless it was measured."""
        if self.samples:
            return {"state": "measured"}
        for failed in ("raised", *UNSURVIVED):
            reasons = sorted(reason for state, reason in self._failures if state == failed)
            if reasons:
                return {"state": failed, "reason": reasons[0]}
        tried = sum(self._failures.values())
        reason = f"no output of its {tried} samples requires grad"
        return {"state": "not differentiable", "reason": reason}

    def as_entry(self, state: Json) -> Json:
        """Return the entry's part of the record, in the given `state`."""
        return {
            "name": self.entry,
            **state,
            "samples": self.samples,
            "failures": [
                {"state": failed, "reason": reason, "samples": count}
                for (failed, reason), count in sorted(self._failures.items())
            ],
        }

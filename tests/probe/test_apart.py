"""Calls in a process of their own: their answer, or how the process ended."""

import os
import signal
import time

from generator.probe.apart import afresh, apart, forks_run_backward


def test_the_answer_comes_back_from_another_process() -> None:
    made = apart(lambda: {"process": os.getpid(), "text": "x" * 200_000})
    assert made["process"] != os.getpid()
    assert len(made["text"]) == 200_000


def test_a_process_that_dies_says_by_what() -> None:
    made = apart(lambda: os.kill(os.getpid(), signal.SIGKILL) or {})
    assert made == {"state": "crashed", "reason": "the process was ended by SIGKILL"}


def test_a_process_that_raises_gives_no_answer() -> None:
    made = apart(lambda: {"nothing": 1 // 0})
    assert made == {"state": "crashed", "reason": "the process ended with exit code 0"}


def test_a_process_that_hangs_is_ended() -> None:
    made = apart(lambda: time.sleep(60) or {}, limit=0.2)
    assert made == {"state": "timed out", "reason": "took longer than 0.2 seconds"}


def test_a_process_that_it_leaves_behind_is_not_waited_for() -> None:
    def leave() -> dict[str, int]:
        child = os.fork()
        if child == 0:
            time.sleep(60)
            os._exit(0)
        return {"left": child}

    os.kill(apart(leave, limit=20.0)["left"], signal.SIGKILL)


def test_a_new_interpreter_answers_with_its_first_line() -> None:
    made = afresh("generator.probe.unseen.trial", "tensor.data", limit=60.0)
    assert made["state"] == "measured"
    assert made["plain"][0] == "silently wrong"


def test_a_new_interpreter_that_raises_says_with_which_code() -> None:
    made = afresh("generator.probe.unseen.trial", "no such kind of write", limit=60.0)
    assert made == {"state": "crashed", "reason": "the process ended with exit code 1"}


def test_a_new_interpreter_that_takes_too_long_is_ended() -> None:
    made = afresh("generator.probe.unseen.trial", "tensor.data", limit=0.01)
    assert made == {"state": "timed out", "reason": "took longer than 0.01 seconds"}


def test_a_fork_of_this_release_runs_backward() -> None:
    assert forks_run_backward()

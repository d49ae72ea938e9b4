"""Answers read off trials, whose verdicts follow from the derivatives of the ops they stand for."""

import pytest

from generator.catalogue.model.measurement import Argument
from generator.catalogue.model.unseen import Verdict
from generator.catalogue.model.writes import Verdicts, Writes, WriteTrial
from generator.catalogue.writes import Answer, answers, condition, ending

THREE = (("a", "b", "c"), ("a",), ("b",), ("c",), ("a", "b"), ("a", "c"), ("b", "c"))
TWO = (("input", "other"), ("input",), ("other",))


def verdicts(in_place: Verdict, through_data: Verdict) -> Verdicts:
    return Verdicts(
        in_place=in_place,
        through_view=in_place,
        under_no_grad=in_place,
        through_data=through_data,
    )


CORRECT = verdicts("correct", "correct")
RAISES = verdicts("raises", "silently wrong")
ALARM = verdicts("raises", "correct")


def trial(target: str, masks: tuple[int, ...], plain: Verdicts) -> WriteTrial:
    return WriteTrial(
        target=target,
        masks=masks,
        saved=plain.in_place == "raises",
        plain=plain,
        hooked=verdicts(plain.through_data, plain.through_data),
    )


def writes(*trials: WriteTrial, masks: tuple[tuple[str, ...], ...] = TWO) -> Writes:
    return Writes(
        call="torch.mul(input, other)",
        arguments=tuple(Argument(name=name, shape=(2,), dtype="float32") for name in masks[0]),
        masks=masks,
        trials=trials,
    )


def test_a_factor_may_be_written_while_the_other_needs_no_gradient() -> None:
    # d(xy)/dy = x: x is kept for the gradient of y alone.
    said = answers(
        writes(
            trial("input input", (0, 2), RAISES),
            trial("input other", (0, 1), RAISES),
            trial("output", (0, 1, 2), CORRECT),
            trial("input input", (1,), CORRECT),
            trial("input other", (2,), CORRECT),
        )
    )
    assert said == (
        Answer(
            targets=("input input",),
            ending="backward raises",
            remarks=("fine while `other` does not require grad",),
            hooked="silently wrong",
            on_cpu=None,
        ),
        Answer(
            targets=("input other",),
            ending="backward raises",
            remarks=("fine while `input` does not require grad",),
            hooked="silently wrong",
            on_cpu=None,
        ),
        Answer(targets=("output",), ending="fine", remarks=(), hooked="fine", on_cpu=None),
    )


def test_tensors_that_end_alike_share_an_answer() -> None:
    said = answers(
        writes(
            trial("input input", (0,), CORRECT),
            trial("output 0", (0,), RAISES),
            trial("output 1", (0,), CORRECT),
            masks=(("input",),),
        )
    )
    assert [one.targets for one in said] == [("input input", "output 1"), ("output 0",)]


def test_a_false_alarm_is_an_error_that_need_not_be() -> None:
    (said,) = answers(writes(trial("output", (0,), ALARM), masks=(("input",),)))
    assert (said.word, said.ending) == ("backward raises", "false alarm")
    assert said.remarks == ("although the gradient would be the same: a false alarm",)


def test_other_masks_may_make_or_end_a_false_alarm() -> None:
    (ended,) = answers(writes(trial("output", (0, 1), RAISES), trial("output", (2,), ALARM)))
    assert ended.remarks == ("a false alarm while `input` does not require grad",)
    (began,) = answers(writes(trial("output", (0, 1), ALARM), trial("output", (2,), RAISES)))
    assert began.remarks[1:] == ("no false alarm while `input` does not require grad",)


def test_a_refused_write_says_whether_no_grad_lets_it_through() -> None:
    view = Verdicts(
        in_place="refused",
        through_view="refused",
        under_no_grad="correct",
        through_data="correct",
    )
    never = verdicts("refused", "refused")
    (let,) = answers(writes(trial("output 0", (0,), view), masks=(("input",),)))
    (kept_out,) = answers(writes(trial("output", (0,), never), masks=(("input",),)))
    assert (let.word, let.remarks) == ("refused", ("under `no_grad` fine",))
    assert (kept_out.word, kept_out.remarks) == ("refused", ())


@pytest.mark.parametrize(
    ("plain", "named"),
    [
        (CORRECT, "fine"),
        (RAISES, "backward raises"),
        (ALARM, "false alarm"),
        (verdicts("silently wrong", "silently wrong"), "silently wrong"),
        (verdicts("refused", "correct"), "refused"),
        (verdicts("not tried", "not tried"), "not tried"),
    ],
)
def test_endings(plain: Verdicts, named: str) -> None:
    assert ending(trial("output", (0,), plain)) == named


@pytest.mark.parametrize(
    ("positions", "masks", "said"),
    [
        ((1,), TWO, "while `other` does not require grad"),
        ((1, 2), TWO, "unless everything requires grad"),
        ((2, 3, 6), THREE, "while `a` does not require grad"),
        ((3,), THREE, "while neither `a` nor `b` requires grad"),
        ((1, 2, 3, 5, 6), THREE, "unless both `a` and `b` require grad"),
        ((4,), THREE, "when grad is required by `a` and `b` alone"),
        ((1, 6), THREE, "when grad is required by `a` alone or `b` and `c` alone"),
        ((1, 2, 6), THREE, "under 3 of 7 masks"),
    ],
)
def test_conditions(
    positions: tuple[int, ...], masks: tuple[tuple[str, ...], ...], said: str
) -> None:
    assert condition(positions, masks) == said

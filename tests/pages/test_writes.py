"""What the pages say of writes, on the small catalogue and on trials that are made up for it."""

import pytest
from msgspec.structs import replace

from generator.catalogue.model.records import Catalogue, OpRecord
from generator.catalogue.model.writes import Writes, WriteTrial
from generator.pages.mismatches_page import mismatches_page
from generator.pages.writes import WritesView, writes_view
from generator.pages.writes_page import writes_page
from tests.fixtures import tiny_hookless

ROOT = "../../"


def view(small: Catalogue, op: OpRecord) -> WritesView:
    found = writes_view(small.header, op, ROOT)
    assert found is not None
    return found


def with_trials(op: OpRecord, *trials: WriteTrial) -> OpRecord:
    assert op.writes is not None
    return replace(op, writes=replace(op.writes, trials=trials))


def trial(op: OpRecord, target: str) -> WriteTrial:
    assert op.writes is not None
    return next(one for one in op.writes.trials if one.target == target)


def test_each_tensor_has_its_answer(small: Catalogue) -> None:
    rows = view(small, small.ops["torch.mul"]).answers
    assert [
        ([chip.text for chip in row.chips], row.word.text, [str(one) for one in row.remarks])
        for row in rows
    ] == [
        (
            ["input"],
            "backward raises",
            ["fine while <code>other</code> does not require grad"],
        ),
        (
            ["input other"],
            "backward raises",
            ["fine while <code>input</code> does not require grad"],
        ),
        (["output"], "fine", []),
    ]


def test_hooks_take_a_second_line_only_where_they_change_something(small: Catalogue) -> None:
    rows = {row.chips[0].text: row for row in view(small, small.ops["torch.exp"]).rows}
    assert [line.hooks for line in rows["input"].lines] == ["either way"]
    plain, hooked = rows["output"].lines
    assert [one.text for one in plain.words] == [*["raises"] * 3, "silently wrong"]
    assert {one.text for one in hooked.words} == {"silently wrong"}
    assert rows["output"].span == 2


def test_the_error_of_a_group_is_the_largest_known(small: Catalogue) -> None:
    op = small.ops["torch.exp"]
    wrong = trial(op, "output")
    (row,) = view(
        small,
        with_trials(
            op,
            replace(wrong, target="output 0", relative_error=0.5),
            replace(wrong, target="output 1", relative_error=2.0),
        ),
    ).rows
    assert [chip.text for chip in row.chips] == ["output 0", "output 1"]
    assert row.error == "2"
    (unknown,) = view(small, with_trials(op, replace(wrong, relative_error=None))).rows
    assert unknown.error == "infinite, or not a number"


def test_a_saved_output_is_named_and_a_saved_input_is_not(small: Catalogue) -> None:
    (of_exp,) = view(small, small.ops["torch.exp"]).messages
    assert [saver.node.text for saver in of_exp.kept[0].savers] == ["ExpBackward0"]
    assert of_exp.named == "The message names the node that saved it, as <code>Exp</code>."
    (of_mul,) = view(small, small.ops["torch.mul"]).messages
    assert [
        (group.chips[0].text, [saver.attribute.text for saver in group.savers])
        for group in of_mul.kept
    ] == [("input", ["_saved_self"]), ("input other", ["_saved_other"])]
    assert of_mul.named == (
        "The message names <code>torch::autograd::CopyBackwards</code> instead, "
        "which did not save it."
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("which is output 0 of ExpBackward0, is at version 1", "as <code>ExpBackward0</code>"),
        ("[torch.FloatTensor [5, 5]] is at version 1", "The message names no node."),
        ("which is output 0 of Exp1, is at version 1", "<code>Exp1</code> instead"),
    ],
)
def test_whom_a_message_names(small: Catalogue, words: str, said: str) -> None:
    op = small.ops["torch.exp"]
    (message,) = view(small, with_trials(op, replace(trial(op, "output"), message=words))).messages
    assert said in message.named


def test_errors_that_differ_in_the_number_of_an_output_are_shown_once(small: Catalogue) -> None:
    op = small.ops["torch.exp"]
    one = trial(op, "output")
    (message,) = view(
        small,
        with_trials(
            op,
            replace(one, target="output 0", message="Output 0 of Unbind is a view"),
            replace(one, target="output 1", message="Output 1 of Unbind is a view"),
        ),
    ).messages
    assert message.text == "Output 0 of Unbind is a view"
    assert [chip.text for group in message.kept for chip in group.chips] == ["output 0", "output 1"]


def test_nothing_is_said_of_ops_that_were_not_measured(small: Catalogue) -> None:
    assert writes_view(small.header, small.ops["torch.argmax"], ROOT) is None


def test_an_op_without_a_backward_gives_its_reason(small: Catalogue) -> None:
    op = small.ops["torch.exp"]
    reason = "backward raises without any write: RuntimeError: not implemented"
    untried = replace(op, writes=Writes(call="f(x)", arguments=(), masks=(("x",),), reason=reason))
    assert (view(small, untried).reason, view(small, untried).answers) == (reason, ())
    page = writes_page(replace(small, ops={op.name: untried}))
    assert [(one.link.text, one.reason) for one in page.untried] == [(op.name, reason)]
    assert page.rows == ()


def test_the_page_has_a_row_for_each_op_that_was_tried(small: Catalogue) -> None:
    page = writes_page(small)
    rows = {row.link.text: row for row in page.rows}
    assert list(rows) == ["torch.exp", "torch.mul", "torch.nn.functional.softsign"]
    (whole,) = rows["torch.exp"].inputs
    assert (whole.word.text, whole.names) == ("fine", "")
    assert [piece.names for piece in rows["torch.mul"].inputs] == ["input", "other"]
    assert (rows["torch.exp"].inputs_key, rows["torch.exp"].outputs_key) == (
        "fine",
        "backward raises",
    )


def test_what_the_mask_decides_is_listed(small: Catalogue) -> None:
    page = writes_page(small)
    assert [(one.link.text, one.chips[0].text) for one in page.by_mask] == [
        ("torch.mul", "input"),
        ("torch.mul", "input other"),
    ]
    assert page.by_mask_count == "1 op"


def test_a_false_alarm_is_found_under_both_words(small: Catalogue) -> None:
    op = small.ops["torch.exp"]
    wrong = trial(op, "output")
    alarm = replace(wrong, plain=replace(wrong.plain, through_data="correct"))
    page = writes_page(replace(small, ops={op.name: with_trials(op, alarm)}))
    assert page.rows[0].outputs_key == "backward raises|false alarm"
    assert [(one.chips[0].text, one.said) for one in page.alarms] == [
        ("output", "under every mask")
    ]


def test_a_write_that_ends_against_the_rule_is_an_exception(small: Catalogue) -> None:
    assert writes_page(small).exceptions == ()
    op = small.ops["torch.exp"]
    quiet = replace(trial(op, "output"), plain=trial(op, "output").hooked)
    page = writes_page(replace(small, ops={op.name: with_trials(op, quiet)}))
    assert [str(one.said) for one in page.exceptions] == ["kept; silently wrong"]
    assert page.agreement.startswith("Of 1 trial in place whose write was done, 0 raised")


def test_every_trial_is_counted_once_for_each_kind_of_write(small: Catalogue) -> None:
    page = writes_page(small)
    assert len(page.totals) == 12
    trials = sum(
        len(one.masks) for op in small.ops.values() if op.writes for one in op.writes.trials
    )
    sums = {(row.hooks, sum(int(number) for number in row.counts)) for row in page.totals}
    # Of the small catalogue's ops, exp alone was tried under save_on_cpu: into input and output.
    assert sums == {("no hooks", trials), ("identity hooks", trials), ("save_on_cpu", 2)}
    by_row = {
        (row.kind, row.hooks): dict(zip(page.verdicts, row.counts, strict=True))
        for row in page.totals
    }
    assert by_row["in place", "no hooks"]["silently wrong"] == "0"
    assert by_row["through .data", "no hooks"]["raises"] == "0"


def test_without_hooks_nothing_is_said_of_them() -> None:
    bare = tiny_hookless.catalogue()
    shown = view(bare, bare.ops["torch.exp"])
    assert shown.hooks_note.startswith("This release has no saved-tensor hooks")
    assert {line.hooks for row in shown.rows for line in row.lines} == {"no hooks"}
    page = writes_page(bare)
    assert {row.hooks for row in page.totals} == {"no hooks"}
    assert page.on_cpu.startswith("This release has no saved-tensor hooks")
    assert "no saved-tensor hooks" in mismatches_page(bare, ()).summary

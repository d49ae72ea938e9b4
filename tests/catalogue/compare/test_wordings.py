"""Messages as releases write them, and whether they are worded alike."""

import pytest

from generator.catalogue.compare.wordings import rewordings, said_node

SAID = (
    "RuntimeError: one of the variables needed for gradient computation has been modified by an"
    " inplace operation: [torch.FloatTensor {shape}], which is output {number} of {node}, is at"
    " version {version}; expected version 0 instead.{hint}"
)
HINT = " Hint: enable anomaly detection, with torch.autograd.set_detect_anomaly({how})."
TYPES = {"ExpBackward0", "MulBackward0"}


def message(
    node: str, shape: str = "[20]", *, number: int = 0, version: int = 1, hint: str = ""
) -> str:
    return SAID.format(shape=shape, number=number, node=node, version=version, hint=hint)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (message("ExpBackward0"), message("ExpBackward0", "[4, 3, 8]")),
        (message("ExpBackward0"), message("ExpBackward0", "[]", version=7)),
        (message("ExpBackward0"), message("ExpBackward0").removeprefix("RuntimeError: ")),
        (message("ExpBackward0"), message("MulBackward0")),
        (message("ExpBackward0"), message("Exp", number=1)),
        (message("ExpBackward0"), message("Mul")),
        (message("ExpBackward0"), message("torch::autograd::CopyBackwards")),
        (message("Exp"), message("Exp", hint=HINT.format(how="True"))),
    ],
)
def test_another_tensor_version_or_node_is_no_other_wording(old: str, new: str) -> None:
    assert rewordings(old, new, TYPES, TYPES) == ()


def test_a_node_by_the_name_of_its_op_is_another_wording() -> None:
    ((old, new),) = rewordings(message("ExpBackward0"), message("Exp", "[5]"), TYPES, TYPES)
    assert "output <N> of <node type>, is" in old
    assert "output <N> of <name of the forward op>, is" in new
    assert "<tensor>" in old


def test_what_is_said_and_its_hint_are_two_wordings() -> None:
    old = message("ExpBackward0", hint=HINT.format(how="True"))
    new = message("Exp", hint=HINT.format(how="True, check_nan=False"))
    said, hint = rewordings(old, new, TYPES, TYPES)
    assert "Hint" not in said[0] + said[1]
    assert hint[0].endswith("set_detect_anomaly(True).")
    assert hint[1].endswith("set_detect_anomaly(True, check_nan=False).")


def test_which_output_it_is_makes_no_other_wording() -> None:
    ((old, new),) = rewordings(message("ExpBackward0"), message("Exp"), TYPES, TYPES)
    second = rewordings(message("MulBackward0", number=1), message("Mul", number=1), TYPES, TYPES)
    assert second == ((old, new),)
    view = "Output 0 of {} is a view and is being modified inplace."
    ((_, now),) = rewordings(view.format("ExpBackward0"), view.format("Exp"), TYPES, TYPES)
    assert now.startswith("Output <N> of <name of the forward op> is a view")


def test_a_message_names_a_node_or_none() -> None:
    assert said_node(message("Exp")) == "output 0 of Exp"
    assert said_node("RuntimeError: a leaf Variable that requires grad") is None

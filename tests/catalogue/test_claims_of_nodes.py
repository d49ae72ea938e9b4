"""What a node type saves in words, against sentences written by hand."""

import pytest

from generator.catalogue.claims import claim
from generator.catalogue.model.records import Declaration, DeclaredValue, NodeRecord
from tests.fixtures.tiny_claims import node, seen

DECLARED = Declaration(overload="aten::neg", dispatch="Default", formulas=())


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (
            node("witnessed", seen("_saved_result", "tensor", output=3)),
            "saves its `result` (the output)",
        ),
        (
            node("witnessed", seen("_saved_self", "tensor", input=3, intermediate=9)),
            "saves `self` (an input or an intermediate)",
        ),
        (
            node(
                "witnessed",
                seen("_saved_self", "tensor", view_of_input=1),
                seen("_saved_dim", "scalar"),
            ),
            "saves `self` (a view of an input), and the size or scalar `dim`",
        ),
        (
            node(
                "witnessed",
                seen("_saved_result", "tensor", intermediate=9, view_of_output=7, output=2),
            ),
            "saves `result` (the output or an intermediate)",
        ),
        (node("witnessed", seen("_saved_dim", "scalar")), "saves no tensor, only `dim`"),
        (node("witnessed"), "exposes no saved attribute"),
        (
            node("witnessed", packed=("input weight",)),
            "exposes no saved attribute; in its recipe it keeps an input, as hooks show",
        ),
        (node("witnessed", declared=(DECLARED,)), "saves nothing"),
        (
            node("stubbed", seen("_saved_result", "tensor", output=1)),
            "over a stub, saves its `result` (the output)",
        ),
        (
            node("unregistered"),
            "exposes no saved attribute; it is not in the release's registry",
        ),
        (
            node(
                "declared",
                reason="CUDA only",
                declared=(
                    Declaration(
                        overload="aten::some",
                        dispatch="Default",
                        formulas=(),
                        saved_inputs=(DeclaredValue(name="hx", type="at::Tensor"),),
                        saved_outputs=(DeclaredValue(name="result0", type="at::Tensor"),),
                    ),
                ),
            ),
            "declared only: CUDA only; declares that it saves `hx` and `result0`",
        ),
    ],
)
def test_nodes(record: NodeRecord, expected: str) -> None:
    assert claim(record) == expected

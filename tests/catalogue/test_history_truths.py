"""What the committed catalogues must say of the releases, known from elsewhere.

Each truth was seen in the releases themselves with a few lines of PyTorch, on float32, before any
catalogue was measured.
"""

from collections.abc import Iterable, Iterator

import pytest
from packaging.version import Version

from generator.catalogue.model import Catalogue, ModuleRecord, OpRecord

RELEASES = (
    *("1.13.1", "2.0.1", "2.1.2", "2.2.2", "2.3.1", "2.4.1"),
    *("2.5.1", "2.6.0", "2.7.1", "2.8.0", "2.9.1", "2.10.0", "2.11.0", "2.12.1", "2.13.0"),
    *("2.14.1", "2.15.0"),
)
Catalogues = dict[str, Catalogue]


def between(first: str, last: str) -> list[str]:
    return [one for one in RELEASES if Version(first) <= Version(one) <= Version(last)]


def roles(record: OpRecord | ModuleRecord, node: str) -> set[frozenset[str]]:
    """Return, for each way in which a node of this type was seen, the roles of what it kept."""
    return {
        frozenset(role for value in one.saved for role in value.roles)
        for one in record.nodes
        if one.type == node
    }


def types(record: OpRecord | ModuleRecord) -> set[str]:
    return {one.type for one in record.nodes}


def test_every_release_is_there(catalogues: Catalogues) -> None:
    assert list(catalogues) == list(RELEASES)


@pytest.mark.parametrize(
    ("op", "node", "spans"),
    [
        (
            "torch.mean",
            "MeanBackward0",
            [("1.13.1", "1.13.1", ""), ("2.0.1", "2.1.2", "input"), ("2.2.2", "2.15.0", "")],
        ),
        (
            "torch.nn.functional.embedding",
            "EmbeddingBackward0",
            [("1.13.1", "1.13.1", "input weight"), ("2.0.1", "2.15.0", "input")],
        ),
    ],
)
def test_an_op_keeps_an_argument_in_some_releases(
    catalogues: Catalogues, op: str, node: str, spans: Iterable[tuple[str, str, str]]
) -> None:
    for first, last, arguments in spans:
        for release in between(first, last):
            kept = roles(catalogues[release].ops[op], node)
            assert kept == {frozenset(f"input {one}" for one in arguments.split())}, release


def test_relu_keeps_its_input_in_1_9_and_then_its_output(catalogues: Catalogues) -> None:
    for release, catalogue in catalogues.items():
        kept = {"input input"} if release == "1.9.1" else {"output"}
        assert roles(catalogue.ops["torch.nn.functional.relu"], "ReluBackward0") == {
            frozenset(kept)
        }, release


def test_softmax_keeps_its_input_too_up_to_1_10(catalogues: Catalogues) -> None:
    for release, catalogue in catalogues.items():
        both = release in {"1.9.1", "1.10.2"}
        kept = frozenset({"input input", "output"} if both else {"output"})
        assert kept in roles(catalogue.ops["torch.softmax"], "SoftmaxBackward0"), release


@pytest.mark.parametrize("op", ["torch.nn.functional.hardtanh", "torch.nn.functional.relu6"])
def test_in_place_spellings_keep_a_hidden_clone_from_1_10_on(
    catalogues: Catalogues, op: str
) -> None:
    for release, catalogue in catalogues.items():
        extra = {
            variant.measurement.extra_bytes > 0
            for variant in catalogue.ops[op].variants
            if variant.relation == "in-place" and variant.measurement is not None
        }
        assert extra == {release != "1.9.1"}, release


def test_the_attribute_of_attention_is_spelled_right_from_2_2_on(catalogues: Catalogues) -> None:
    for release in between("2.0.1", "2.15.0"):
        node = catalogues[release].nodes["ScaledDotProductFlashAttentionBackward0"]
        spelled = "_saved_ouput" if Version(release) < Version("2.2.2") else "_saved_output"
        assert {one for one in node.attributes if one.startswith("_saved_ou")} == {spelled}, release


def test_attention_on_cpu_has_a_node_of_its_own_from_2_3_on(catalogues: Catalogues) -> None:
    name = "torch.nn.functional.scaled_dot_product_attention"
    for release in between("2.0.1", "2.15.0"):
        fused = "ScaledDotProductFlashAttentionForCpuBackward0" in types(
            catalogues[release].ops[name]
        )
        assert fused == (Version(release) >= Version("2.3.1")), release


def test_lstm_is_one_node_from_2_0_on(catalogues: Catalogues) -> None:
    for release, catalogue in catalogues.items():
        fused = "MkldnnRnnLayerBackward0" in types(catalogue.modules["torch.nn.LSTM"])
        assert fused == (Version(release) >= Version("2.0")), release


def test_the_workspace_of_lstm_shrinks_in_2_11(catalogues: Catalogues) -> None:
    """Seen on a processor with AVX2, as that on which the catalogues were measured."""
    before, after = (
        catalogues[release].modules["torch.nn.LSTM"].references[0].measurements[0].extra_bytes
        for release in ("2.10.0", "2.11.0")
    )
    assert after < before


def test_errors_name_a_node_as_its_release_does(catalogues: Catalogues) -> None:
    for release, error in errors(catalogues, "ExpBackward0"):
        short = Version(release) >= Version("2.13.0")
        assert ("output 0 of Exp," in error) == short, release
        assert ("output 0 of ExpBackward0," in error) == (not short), release


def errors(catalogues: Catalogues, node: str) -> Iterator[tuple[str, str]]:
    for release, catalogue in catalogues.items():
        error = catalogue.nodes[node].error
        assert error is not None, release
        yield release, error

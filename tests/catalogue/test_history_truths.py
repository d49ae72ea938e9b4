"""What the committed catalogues must say of the releases, known from elsewhere.

Each truth was seen in the releases themselves with a few lines of PyTorch, on float32, before any
catalogue was measured.
"""

from collections.abc import Iterable, Iterator

import pytest
from packaging.version import Version

from generator.catalogue.model.records import Catalogue, ModuleRecord, OpRecord

RELEASES = (
    *("1.9.1", "1.10.2", "1.11.0", "1.12.1", "1.13.1", "2.0.1", "2.1.2", "2.2.2", "2.3.1", "2.4.1"),
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


def numbered(stem: str, release: str) -> str:
    """Return the name of the one node type of a stem: it is numbered since 1.10."""
    return stem if Version(release) < Version("1.10") else f"{stem}0"


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
            [
                ("1.10.2", "1.12.1", "input"),
                ("1.13.1", "1.13.1", "input weight"),
                ("2.0.1", "2.15.0", "input"),
            ],
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
        relu = catalogue.ops["torch.nn.functional.relu"]
        assert roles(relu, "ReluBackward0") == {frozenset(kept)}, release


def test_softmax_keeps_its_input_too_up_to_1_10(catalogues: Catalogues) -> None:
    for release, catalogue in catalogues.items():
        both = release in {"1.9.1", "1.10.2"}
        kept = frozenset({"input input", "output"} if both else {"output"})
        node = numbered("SoftmaxBackward", release)
        assert kept in roles(catalogue.ops["torch.softmax"], node), release


@pytest.mark.parametrize("op", ["torch.nn.functional.hardtanh", "torch.nn.functional.relu6"])
def test_in_place_spellings_keep_a_hidden_clone_from_1_10_on(
    catalogues: Catalogues, op: str
) -> None:
    for release, catalogue in catalogues.items():
        # In 1.9 no test of PyTorch's own has relu6, so that no other spelling of it is known.
        unlisted = release == "1.9.1" and op.endswith("relu6")
        extra = {
            variant.measurement.extra_bytes > 0
            for variant in catalogue.ops[op].variants
            if variant.relation == "in-place" and variant.measurement is not None
        }
        assert extra == (set() if unlisted else {release != "1.9.1"}), release


def test_in_place_hardtanh_keeps_its_output_in_1_9(catalogues: Catalogues) -> None:
    op = catalogues["1.9.1"].ops["torch.nn.functional.hardtanh"]
    assert roles(op, "HardtanhBackward1") == {frozenset({"output"})}


def test_node_types_are_numbered_from_1_10_on(catalogues: Catalogues) -> None:
    for release, catalogue in catalogues.items():
        types = {"ExpBackward", "ExpBackward0"} & catalogue.nodes.keys()
        assert types == {numbered("ExpBackward", release)}, release


def test_one_release_alone_has_no_hooks(catalogues: Catalogues) -> None:
    without = [
        release
        for release, catalogue in catalogues.items()
        if catalogue.header.build.without_hooks is not None
    ]
    assert without == ["1.9.1"]


def test_collectives_are_seen_by_no_release(catalogues: Catalogues) -> None:
    for release, catalogue in catalogues.items():
        kind = catalogue.writes["torch.distributed.broadcast"]
        assert kind.plain is not None, release
        assert kind.plain.verdict == "silently wrong", release


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
    for release, error in errors(catalogues, "ExpBackward"):
        name = "Exp" if Version(release) >= Version("2.13.0") else numbered("ExpBackward", release)
        assert f"output 0 of {name}," in error, release


def errors(catalogues: Catalogues, stem: str) -> Iterator[tuple[str, str]]:
    for release, catalogue in catalogues.items():
        error = catalogue.nodes[numbered(stem, release)].error
        assert error is not None, release
        yield release, error

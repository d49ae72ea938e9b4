"""An attribute is followed over releases, under the names that node types have now."""

from pathlib import Path

from generator.catalogue import store
from generator.catalogue.history.attributes import AttributeSpan, attribute_spans
from generator.catalogue.model.records import NodeRecord
from generator.catalogue.shelf import Shelf, open_shelf
from tests.fixtures.tiny_releases import released


def node(name: str, *attributes: str) -> NodeRecord:
    return NodeRecord(name=name, state="declared", attributes=attributes)


def shelf(root: Path, **releases: NodeRecord) -> Shelf:
    (root / "mkdocs.yml").write_text("site_name: x\n")
    for place, one in enumerate(releases.values()):
        release = f"2.{place}.0"
        store.save(store.path_of(root, release, "cpu"), released(release, one))
    return open_shelf(root, "cpu")


def test_a_renamed_attribute_says_what_is_in_its_place(tmp_path: Path) -> None:
    held = shelf(
        tmp_path,
        first=node("AddBackward", "_saved_a", "_saved_sizes"),
        then=node("AddBackward0", "_saved_a", "_saved_sizes"),
        last=node("AddBackward0", "_saved_a", "_saved_sym_sizes"),
    )
    old = AttributeSpan("AddBackward0", "2.0.0", "2.1.0", None, "_saved_sym_sizes")
    assert attribute_spans(held, "_saved_sizes") == (old,)
    new = AttributeSpan("AddBackward0", "2.2.0", "2.2.0", "_saved_sizes", None)
    assert attribute_spans(held, "_saved_sym_sizes") == (new,)
    kept = AttributeSpan("AddBackward0", "2.0.0", "2.2.0", None, None)
    assert attribute_spans(held, "_saved_a") == (kept,)
    assert attribute_spans(held, "_saved_b") == ()


def test_an_attribute_that_goes_and_comes_back_has_two_spans(tmp_path: Path) -> None:
    held = shelf(
        tmp_path,
        first=node("AddBackward0", "_saved_a"),
        then=node("AddBackward0", "_saved_b", "_saved_c"),
        last=node("AddBackward0", "_saved_a"),
    )
    # Two came where one went: none is in its place.
    assert attribute_spans(held, "_saved_a") == (
        AttributeSpan("AddBackward0", "2.0.0", "2.0.0", None, None),
        AttributeSpan("AddBackward0", "2.2.0", "2.2.0", None, None),
    )


def test_the_misspelt_output_of_attention_is_mended_in_2_2(root: Path) -> None:
    (one,) = attribute_spans(open_shelf(root, "cpu"), "_saved_ouput")
    assert one.node == "ScaledDotProductFlashAttentionBackward0"
    assert (one.since, one.until, one.instead) == ("2.0.1", "2.1.2", "_saved_output")

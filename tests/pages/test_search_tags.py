"""Tags of pages: the words by which the search finds a record before longer names."""

import re
from pathlib import Path

from generator.catalogue.model.records import Catalogue
from generator.pages.search_tags import LAST, NODE, last_word_tags, name_tag, node_tags, op_tags


def test_a_name_is_one_word_however_it_is_written() -> None:
    assert name_tag("torch.nn.LayerNorm") == name_tag("torch.nn.functional.layer_norm")
    assert name_tag("torch.Tensor.__getitem__") == "getitem"


def test_an_op_leaves_its_name_to_a_plainer_one(committed: Catalogue) -> None:
    assert op_tags(committed, committed.ops["torch.mean"]) == ("mean",)
    assert op_tags(committed, committed.ops["torch.masked.mean"]) == ()
    assert "relu" in op_tags(committed, committed.ops["torch.nn.functional.relu"])
    assert "maximum" not in op_tags(committed, committed.ops["torch.max"])


def test_a_spelling_finds_its_op(committed: Catalogue) -> None:
    assert {"acosh", "arccosh"} <= set(op_tags(committed, committed.ops["torch.acosh"]))
    assert "gammainc" in op_tags(committed, committed.ops["torch.igamma"])


def test_what_writes_to_a_part_is_found_by_its_method(committed: Catalogue) -> None:
    assert "setitem" in op_tags(committed, committed.ops["torch.index_put"])
    assert "setitem" in node_tags(committed.nodes["CopySlices"])
    assert "getitem" in op_tags(committed, committed.ops["torch.Tensor.__getitem__"])


def test_a_node_is_not_found_by_the_name_of_its_op(committed: Catalogue) -> None:
    assert node_tags(committed.nodes["DivBackward1"]) == ("n0divbackward",)


def test_the_script_asks_for_the_same_tags(root: Path) -> None:
    script = (root / "docs/assets/search.js").read_text()
    assert dict(re.findall(r'(NODE|LAST) = "(\w+)"', script)) == {"NODE": NODE, "LAST": LAST}


def test_a_name_of_several_words_is_found_by_the_last() -> None:
    for name, last in (
        ("torch.nn.functional.scaled_dot_product_attention", "attention"),
        ("torch.nn.MultiheadAttention", "attention"),
        ("torch.nn.BatchNorm1d", "norm"),
        ("torch.nn.functional.max_pool2d", "pool"),
        ("torch.nn.functional.cross_entropy", "entropy"),
    ):
        assert last_word_tags(name) == (f"w0{last}",)
    for name in ("torch.mean", "torch.nn.LSTM", "torch.nn.Linear", "torch.nn.functional.conv2d"):
        assert last_word_tags(name) == ()

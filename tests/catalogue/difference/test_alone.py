"""What differs of some records alone is what the difference of everything says of them."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from generator.catalogue import store
from generator.catalogue.difference.alone import difference_alone
from generator.catalogue.difference.told import difference
from generator.catalogue.model.records import Catalogue
from generator.catalogue.shelf import open_shelf
from tests.fixtures.tiny_releases import INPUT, NEW, OLD, node, op, released, type_of


def check(root: Path, old: Catalogue, new: Catalogue, only: Sequence[str]) -> None:
    releases = [one.header.release for one in (old, new)]
    alone = difference_alone(
        open_shelf(root, "cpu", releases), *releases, only=only, with_changes=True
    )
    assert alone == difference(old, new, only=only, with_changes=True)


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("2.1.2", "2.2.2", ["torch.mean"]),  # another policy
        ("2.1.2", "2.2.2", ["torch.nn.functional.scaled_dot_product_attention"]),  # renamed
        ("1.9.1", "2.15.0", ["torch.nn.functional.layer_norm", "torch.exp"]),  # types renamed
        ("1.13.1", "2.0.1", ["torch.nn.LSTM"]),  # a module, whose graph is another
        ("1.9.1", "1.10.2", ["AddmmBackward", "AddmmBackward0"]),  # a type and its other name
        ("2.12.1", "2.13.0", ["torch.exp"]),  # a wording, and what one side alone measured
        ("2.13.0", "2.12.1", ["torch.exp"]),  # the other way around
        ("2.13.0", "2.13.0", ["torch.exp"]),
    ],
)
def test_committed_records(
    root: Path, catalogues: dict[str, Catalogue], old: str, new: str, names: list[str]
) -> None:
    check(root, catalogues[old], catalogues[new], names)


@pytest.mark.parametrize("third", [False, True], ids=["renamed", "in doubt"])
def test_a_type_that_only_other_calls_show_to_be_renamed(tmp_path: Path, *, third: bool) -> None:
    before = [op(node("OldBackward", INPUT)), op(node("OldBackward", INPUT), name="torch.exp")]
    other = node("Third" if third else "NewBackward", INPUT)
    after = [op(node("NewBackward", INPUT)), op(other, name="torch.exp")]
    old = released(OLD, *before, type_of("OldBackward", "_saved_self"))
    new = released(NEW, *after, type_of("NewBackward", "_saved_self"), type_of("Third"))
    for one in (old, new):
        store.save(store.path_of(tmp_path, one.header.release, "cpu"), one)
    check(tmp_path, old, new, ["torch.mean"])

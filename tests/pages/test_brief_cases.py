"""Pages of many calls: a part of them in full, the rest in a line each, and none left out."""

import pytest

from generator.catalogue.model.records import Catalogue, ModuleRecord, OpRecord
from generator.pages.brief_cases import in_full
from generator.pages.calls import call_views, case_views

HEAVIEST = ["torch.nn.functional.linear_cross_entropy", "torch.nn.Transformer", "torch.nn.LSTM"]


def record_of(catalogue: Catalogue, name: str) -> OpRecord | ModuleRecord:
    return catalogue.ops.get(name) or catalogue.modules[name]


@pytest.mark.parametrize("name", HEAVIEST)
def test_every_case_is_there_and_what_has_most_samples_is_in_full(
    committed: Catalogue, name: str
) -> None:
    record = record_of(committed, name)
    view = case_views(record)
    assert view.full
    assert view.brief
    assert len(view.full) + len(view.brief) == len(record.cases)
    most = max(sum(one.samples.values()) for one in record.cases)
    assert view.full[0].samples.startswith(f"{most:,} sample")


def test_a_line_says_what_is_kept_and_how_many_bytes(committed: Catalogue) -> None:
    record = committed.modules["torch.nn.LSTM"]
    view = case_views(record)
    known = {f"{one.measurements[0].storage_bytes:,}" for one in record.cases if one.measurements}
    assert all(one.keeps.startswith("keeps ") for one in view.brief)
    assert {one.storage for one in view.brief} <= known


@pytest.mark.parametrize("name", ["torch.exp", "torch.nn.functional.layer_norm", "torch.nn.ReLU"])
def test_a_page_of_few_calls_has_them_all_in_full(committed: Catalogue, name: str) -> None:
    record = record_of(committed, name)
    assert case_views(record).brief == ()
    assert all(view.others or not view.masks for view in call_views(record, "../../"))


def test_one_case_is_always_in_full(committed: Catalogue) -> None:
    rows = [case_views(committed.modules["torch.nn.Transformer"]).full[0].rows * 50]
    assert in_full(rows) == 1


def test_other_masks_of_a_large_graph_are_a_row_each(committed: Catalogue) -> None:
    record = committed.modules["torch.nn.Transformer"]
    for view in call_views(record, "../../"):
        shown = {mask for row in view.masks for mask in row.masks} | set(view.first.masks)
        assert view.others == ()
        assert shown == {", ".join(one.mask) for one in record.references[0].measurements}

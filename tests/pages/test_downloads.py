import gzip
import io
import json
from pathlib import Path

import pandas as pd

from generator.catalogue.model.records import Catalogue
from generator.pages.downloads import RECORD_COLUMNS, SAVED_COLUMNS, downloads


def table(small: Catalogue, name: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """One table, read back from both formats."""
    made = {Path(one.name).name: one for one in downloads(small)}
    stem = f"torch-2.13.0-cpu-{name}"
    (csv,) = (one for one in made if one.startswith(f"{stem}.csv"))
    text = made[csv].content
    plain = gzip.decompress(text) if csv.endswith(".gz") else text
    as_csv = pd.read_csv(io.BytesIO(plain), keep_default_na=False)
    as_parquet = pd.read_parquet(io.BytesIO(made[f"{stem}.parquet"].content))
    return as_csv, as_parquet


def test_both_formats_hold_the_same(small: Catalogue) -> None:
    for name, columns in (("records", RECORD_COLUMNS), ("saved", SAVED_COLUMNS)):
        as_csv, as_parquet = table(small, name)
        assert list(as_csv.columns) == [one.name for one in columns]
        assert as_csv.astype(str).equals(as_parquet.astype(str))


def test_the_table_of_records_has_a_row_for_each(small: Catalogue) -> None:
    records, _ = table(small, "records")
    assert len(records) == 17
    row = records[records["name"] == "torch.exp"].iloc[0]
    assert row["keeps"] == "output"
    assert row["page"] == "https://tapekept.github.io/2.13.0/ops/torch.exp/"


def test_the_table_of_saved_tensors_adds_up(small: Catalogue) -> None:
    saved, _ = table(small, "saved")
    softsign = saved[
        (saved["name"] == "torch.nn.functional.softsign") & (saved["source"] == "reference")
    ]
    assert softsign["bytes"].sum() == 3 * 524_288
    assert set(softsign["call_logical_bytes"]) == {3 * 524_288}
    assert softsign.groupby("storage")["bytes"].max().sum() == 2 * 524_288
    assert list(softsign["node"]) == ["DivBackward0", "DivBackward0", "AbsBackward0"]


def test_the_catalogue_itself_is_there_whole(small: Catalogue) -> None:
    catalogue = downloads(small)[0]
    assert catalogue.name == "torch-2.13.0-cpu.jsonl.gz"
    lines = gzip.decompress(catalogue.content).splitlines()
    records = [json.loads(line) for line in lines]
    assert records[0]["kind"] == "header"
    assert {one["name"] for one in records if one["kind"] == "op"} == set(small.ops)
    assert catalogue.holds == f"the catalogue itself, JSON Lines, {len(lines)} records"


def test_downloads_are_the_same_each_time(small: Catalogue) -> None:
    assert downloads(small) == downloads(small)

"""What every committed catalogue must keep to. The default release's is always among them."""

import json
from collections import Counter
from pathlib import Path

import pytest
from jsonschema_rs import Draft202012Validator

from generator.catalogue import checks, codec, schema, sharing, store
from generator.catalogue.compare.catalogues import compare
from generator.catalogue.mismatches import mismatches
from generator.catalogue.model.records import Catalogue

ROOT = Path(__file__).resolve().parent.parent.parent
DEFAULT = store.path_of(ROOT, "2.13.0", "cpu")
COMMITTED = sorted({DEFAULT, *(ROOT / store.DATA).glob("*.jsonl")})


@pytest.fixture(scope="module", params=COMMITTED, ids=lambda path: path.stem)
def path(request: pytest.FixtureRequest) -> Path:
    return Path(request.param)


@pytest.fixture(scope="module")
def catalogue(path: Path) -> Catalogue:
    return store.load(path)


def test_it_is_listed_as_a_release(catalogue: Catalogue) -> None:
    assert (catalogue.header.release, catalogue.header.build.device) in store.releases(ROOT)


def test_all_bytes_are_canonical(catalogues: dict[str, Catalogue]) -> None:
    shared = sharing.share({release: codec.encode(one) for release, one in catalogues.items()})
    for release, data in shared.items():
        assert data == store.path_of(ROOT, release, "cpu").read_bytes(), release


def test_each_line_satisfies_the_published_schema(catalogue: Catalogue) -> None:
    validator = Draft202012Validator(json.loads(schema.path_of(ROOT).read_bytes()))
    for line in codec.encode(catalogue).splitlines():
        validator.validate(json.loads(line))


def test_all_catalogues_together_stay_small() -> None:
    assert sum(path.stat().st_size for path in COMMITTED) < 50_000_000


def test_it_does_not_contradict_itself(catalogue: Catalogue) -> None:
    assert checks.violations(catalogue) == []


def test_no_record_is_empty_through_a_fault_of_the_probe(catalogue: Catalogue) -> None:
    records = {**catalogue.ops, **catalogue.modules}
    faults = [name for name, one in records.items() if "the probe failed" in (one.reason or "")]
    assert faults == []


def test_it_equals_itself(catalogue: Catalogue) -> None:
    assert compare(catalogue, codec.decode(codec.encode(catalogue))) == []


def test_no_mismatch_is_left_unexplained(catalogue: Catalogue) -> None:
    assert [one for one in mismatches(catalogue) if one.explanation == "unexplained"] == []


def test_nearly_the_whole_registry_of_the_default_release_was_seen_live() -> None:
    nodes = store.load(DEFAULT).nodes.values()
    states = Counter(node.state for node in nodes)
    assert states["witnessed"] >= 595
    assert states["witnessed"] + states["stubbed"] >= 653
    assert states["unregistered"] >= 61
    assert [node.name for node in nodes if node.state == "stubbed" and node.recipe is None] == []
    without = [node.name for node in nodes if node.state == "witnessed" and node.recipe is None]
    assert without == []


def test_it_names_no_folder_of_the_machine(path: Path) -> None:
    data = path.read_bytes()
    for folder in (b"site-packages", b"/home/", b"/root/", b"/tmp/", b"/Users/"):
        assert folder not in data


def test_all_together_are_small_enough_to_commit() -> None:
    assert sum(path.stat().st_size for path in COMMITTED) < 50_000_000

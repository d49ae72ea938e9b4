import json
from pathlib import Path

import pytest
from jsonschema_rs import Draft202012Validator, meta

from generator.catalogue import codec, schema
from generator.catalogue.model.records import Catalogue


@pytest.fixture
def validator() -> Draft202012Validator:
    return Draft202012Validator(schema.json_schema())


def test_it_is_a_json_schema() -> None:
    meta.validate(schema.json_schema())


def test_the_published_schema_is_the_model_s(root: Path) -> None:
    published = schema.path_of(root).read_bytes()
    assert published == schema.encode(), "run `python -m generator.catalogue.schema`"


def test_it_speaks_of_every_kind_with_a_description() -> None:
    definitions = schema.json_schema()["$defs"]
    assert {"Header", "OpRecord", "ModuleRecord", "NodeRecord"} <= definitions.keys()
    assert all(definition["description"] for definition in definitions.values())


def test_an_independent_validator_accepts_what_is_written(
    small: Catalogue, validator: Draft202012Validator
) -> None:
    for line in codec.encode(small).splitlines():
        validator.validate(json.loads(line))


@pytest.mark.parametrize(
    "change",
    [{"state": "guessed"}, {"colour": "red"}, {"policies": 3}, {"kind": "operator"}],
)
def test_an_independent_validator_refuses_what_decode_refuses(
    small: Catalogue, validator: Draft202012Validator, change: dict[str, object]
) -> None:
    line = codec.encode(small).splitlines()[2]
    assert not validator.is_valid({**json.loads(line), **change})

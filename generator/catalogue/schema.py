"""The JSON Schema of a catalogue's lines, generated from the model and published beside the data.

`python -m generator.catalogue.schema` writes it anew after the model has changed.
"""

from pathlib import Path
from typing import Any

import msgspec

from generator.catalogue import store
from generator.catalogue.model.records import SCHEMA_VERSION, Record

FILE_NAME = "schema.json"


def json_schema() -> dict[str, Any]:
    """Return the schema that each line of a catalogue satisfies (JSON Schema 2020-12)."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"One line of a Tapekept catalogue, schema version {SCHEMA_VERSION}",
        "description": (
            "A catalogue is a text file of JSON records, one a line: a Header, then OpRecord, "
            "ModuleRecord, NodeRecord, BlockRecord and WriteRecord, each kind sorted by name. "
            "Fields that hold their default are left out. In the repository, a line of a release "
            "measured for its history may have a field `as_in`, which names the fields that it has "
            "in common with another release's line of that kind and name; each site publishes its "
            "own release's catalogue whole. All byte figures are bytes, all shapes "
            "are in elements."
        ),
        **msgspec.json.schema(Record),
    }


def encode() -> bytes:
    """Return the bytes of the published file."""
    return msgspec.json.format(msgspec.json.encode(json_schema()), indent=2) + b"\n"


def path_of(root: Path) -> Path:
    """Return where the schema belongs in the project at `root`."""
    return root / store.DATA / FILE_NAME


if __name__ == "__main__":
    store.replace(path_of(Path()), encode())

"""Read the lines that a probe left behind into a catalogue, if they are complete."""

from pathlib import Path

import msgspec

from generator.catalogue import codec
from generator.catalogue.model.bills import BlockRecord
from generator.catalogue.model.records import (
    Build,
    Catalogue,
    Depth,
    ModuleRecord,
    NodeRecord,
    OpRecord,
)
from generator.catalogue.model.unseen import WriteRecord
from generator.errors import ProbeError


class First(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="build"):
    """The first line: what was measured, the templates of the programs that show it, and the run.

    Runs that could continue each other are named alike.
    """

    release: str
    build: Build
    depth: Depth
    evidence: dict[str, str]
    run: str


class Done(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="done"):
    """The line that closes a task, with what the probe itself needs to know of it."""

    task: str
    sightings: msgspec.Raw


class Last(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="end"):
    """The last line: how many records there should be."""

    records: int


Line = First | Done | Last | OpRecord | ModuleRecord | NodeRecord | BlockRecord | WriteRecord


def read_transcript(path: Path, release: str) -> Catalogue:
    """Return the catalogue of what the probe wrote to `path` for `release`.

    Raises:
        ProbeError: the file is missing, cut short, damaged, or about another release.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise ProbeError(f"the probe left no records at {path}: {error.strerror}") from error
    decoded = [decode(number, line) for number, line in enumerate(lines, start=1)]
    read = [line for line in decoded if not isinstance(line, Done)]
    match read:
        case [First() as first, *records, Last(records=count)] if len(records) == count:
            pass
        case _:
            raise ProbeError(
                f"the probe's records in {path} are incomplete; run the same command again"
            )
    if first.release != release:
        raise ProbeError(f"the probe measured torch {first.release} instead of {release}")
    measured = [one for one in records if isinstance(one, codec.MeasuredRecord)]
    return codec.assemble(first.release, first.build, measured, first.evidence, first.depth)


def decode(number: int, line: bytes) -> Line:
    """Decode one line of the transcript.

    Raises:
        ProbeError: the line is not one that a probe writes.
    """
    try:
        return msgspec.json.decode(line, type=Line)
    except msgspec.DecodeError as error:
        raise ProbeError(f"line {number} of the probe's records is damaged ({error})") from error

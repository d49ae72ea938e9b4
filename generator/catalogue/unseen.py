"""Put together the program of one kind of write, what it printed, and what that comes to."""

from collections.abc import Iterator
from string import Template

from generator.catalogue.model.records import Header
from generator.catalogue.model.unseen import WriteEnd, WriteRecord

TEMPLATE = "write"


def write_program(header: Header, record: WriteRecord) -> str:
    """Return the program as it was run."""
    return Template(header.evidence[TEMPLATE]).substitute(
        imports="".join(f"{line}\n" for line in record.imports.splitlines()),
        made=record.made.replace("\n", "\n    "),
        write=record.write.replace("\n", "\n        "),
    )


def write_printed(record: WriteRecord) -> str:
    """Return what the program printed, or the error that ended it."""
    if record.versions is None or record.plain is None:
        return f"{record.reason}\n"
    before, after = record.versions
    lines = [f"version counter: {before} before the write, {after} after it"]
    for hooks, end in (("no hooks", record.plain), ("identity hooks", record.hooked)):
        if end is not None:
            lines += [f"{hooks}: {end.verdict}", *_details(end)]
    return "\n".join(lines) + "\n"


def is_unseen(record: WriteRecord) -> bool:
    """Tell whether the write was made and nothing raised, neither it nor backward."""
    return record.plain is not None and record.plain.verdict not in ("raises", "refused")


def _details(end: WriteEnd) -> Iterator[str]:
    if end.message is not None:
        yield f"    {end.message}"
    if end.relative_error is not None:
        yield f"    largest relative error: {end.relative_error:g}"

"""Put together the program that reads the outputs after a write, and what it prints.

All of it follows from the record, unless that holds another output (see `write_evidence`).
"""

from string import Template

from generator.catalogue.model.reads import Reads, ReadTrial
from generator.catalogue.model.records import Header, OpRecord
from generator.catalogue.reads import written
from generator.catalogue.write_evidence import bare, program_parts

READS = "reads"
_KINDS = "outputs read after a write in place, through a view, under no_grad, through .data"


def reads_program(header: Header, op: OpRecord) -> str | None:
    """Return the program as it was run under the first mask; None where there is none."""
    template = header.evidence.get(READS)
    if template is None or op.writes is None or op.writes.setup is None:
        return None
    if op.reads is None or not op.reads.trials:
        return None
    targets = ", ".join(f'"{bare(one.target)}"' for one in _first(op.reads))
    return Template(template).substitute(program_parts(op.writes), targets=targets)


def reads_printed(reads: Reads) -> str:
    """Return what the program printed."""
    if reads.printed is not None:
        return reads.printed
    lines = [_KINDS]
    for one in _first(reads):
        lines.append(f"{bare(one.target)}: {', '.join(written(one.ended))}")
        if one.message is not None:
            lines.append(f"    {one.message}")
        if one.relative_error is not None:
            lines.append(f"    largest relative error: {one.relative_error:g}")
    return "\n".join(lines) + "\n"


def _first(reads: Reads) -> list[ReadTrial]:
    return [one for one in reads.trials if 0 in one.masks]

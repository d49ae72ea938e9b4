"""What a page in plain text says of outputs as they are read after a write."""

from collections.abc import Iterator

from generator.catalogue.kept import spoken_role
from generator.catalogue.model.records import OpRecord
from generator.catalogue.reads import read_otherwise

Fact = tuple[str, str]

_BEFORE = "what backward does from what was made of the outputs before the write"


def read_facts(op: OpRecord) -> Iterator[Fact]:
    """Quote each error of reading outputs after a write that the write's verdict does not tell."""
    said: dict[str, list[str]] = {}
    for _, read in read_otherwise(op):
        if read.message is not None:
            said.setdefault(read.message, []).append(spoken_role(read.target))
    for message, targets in said.items():
        named = ", ".join(dict.fromkeys(targets))
        yield "outputs read after a write", f"written to {named}: {message}"
    if op.reads is not None and op.reads.reason is not None:
        yield "no output read after a write", op.reads.reason


def then_means(op: OpRecord) -> str:
    """Say what the column `then` tells, and whether reading outputs after the write is in it."""
    if op.reads is None or op.reads.reason is not None:
        return f"{_BEFORE}; reading them after it was not measured"
    if any(read_otherwise(op)):
        return f"{_BEFORE}; what follows but, from outputs read after it"
    return f"{_BEFORE}; begun at outputs read after it, nothing else raised or was wrong"

"""The errors that this project raises on purpose, under one base class.

Each message is one sentence that says what is wrong and what to do about it;
`generator.cli` catches the base class once, prints the sentence and exits with code 2. What a
person typed goes into such a sentence by `quoted`.
"""

import errno
import os

QUOTED = 80
FULL = (errno.ENOSPC, errno.EDQUOT)
FULL_WORDS = tuple(os.strerror(one) for one in FULL)


def quoted(text: str) -> str:
    """Quote `text` in one line: shortened, and with escapes for what a terminal would obey."""
    return repr(text if len(text) <= QUOTED else f"{text[: QUOTED - 1]}…")


class TapekeptError(Exception):
    """Base of every error whose message is meant for the user."""


class FullDiskError(TapekeptError):
    """A disk is full: nothing can go on before there is space, and the same command does then."""

    def __init__(self, undone: str) -> None:
        super().__init__(
            f"the disk is full, so {undone}; free some space and run the same command again"
        )


class CatalogueError(TapekeptError):
    """A catalogue file is missing, damaged, or of a schema version that is not understood."""


class BesideError(CatalogueError):
    """The file of another catalogue, with which the one that is read shares fields, is no use."""


class DamagedBesideError(BesideError):
    """The file of another catalogue is damaged."""

    def __init__(self, release: str) -> None:
        super().__init__(
            f"it has fields in common with the catalogue of torch {release}, which is damaged;"
            f" measure that one again (`make catalog TORCH={release}`)"
        )


class NewerSchemaError(CatalogueError):
    """A catalogue file was made by a newer tapekept: this one must leave it as it is."""


class UnknownNameError(TapekeptError):
    """A name is neither an op, a node type, a module nor an overload of the catalogue."""


class SizesError(TapekeptError):
    """Sizes or a dtype for which no bytes can be given."""


class ReleaseError(TapekeptError):
    """An environment for a release could not be made, or does not hold that release."""


class ProbeError(TapekeptError):
    """The probe of a release ended without a complete set of records."""


class EvidenceError(TapekeptError):
    """A program printed on a page no longer prints what the page says it prints."""

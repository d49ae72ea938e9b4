"""What reading an output after a write adds to "may I write into it?", in words.

A verdict on a write holds for what was made of the outputs before it. Where reading them after it
ends otherwise, that is said besides, for pages and terminal alike.
"""

from collections.abc import Iterator

from generator.catalogue.model.reads import ReadEnd, ReadEnds, Reads, ReadTrial
from generator.catalogue.model.records import OpRecord
from generator.catalogue.model.unseen import Verdict
from generator.catalogue.model.writes import Verdicts, WriteTrial

READ_RAISES = "reading an output afterwards raises"
RAISES_AFTER = "backward from an output read afterwards raises"
WRONG_AFTER = "silently wrong from an output read afterwards"
RIGHT_AFTER = "right from an output read afterwards"
RUNS_AFTER = "backward from an output read afterwards runs"
NOT_READ = "no output was read afterwards"
READ_ENDINGS = (READ_RAISES, RAISES_AFTER, WRONG_AFTER, RIGHT_AFTER, RUNS_AFTER, NOT_READ)

_WORDS: dict[ReadEnd, str] = {
    "read raises": READ_RAISES,
    "raises": RAISES_AFTER,
    "silently wrong": WRONG_AFTER,
    "correct": RIGHT_AFTER,
    "runs": RUNS_AFTER,
    "not read": NOT_READ,
}
# What says no more than the verdict: of gradients that nobody compared, or after no write.
_ALIKE: dict[Verdict, tuple[ReadEnd, ...]] = {
    "correct": ("correct", "runs"),
    "silently wrong": ("silently wrong", "runs"),
    "raises": ("raises",),
    "refused": ("not read",),
    "not tried": ("not read",),
}


def written(ended: ReadEnds) -> tuple[ReadEnd, ...]:
    """Return how reading ended, in the order of the kinds of write."""
    return ended.in_place, ended.through_view, ended.under_no_grad, ended.through_data


def read_words(verdict: Verdict, end: ReadEnd) -> str | None:
    """Say how reading ended where that is another end than the verdict's; None where it is not."""
    return None if end in _ALIKE[verdict] else _WORDS[end]


def read_after(reads: Reads | None, write: WriteTrial) -> ReadTrial | None:
    """Return what reading did after a write, under the first of its masks; None if not tried."""
    found = () if reads is None else reads.trials
    wanted = (one for one in found if one.target == write.target and write.masks[0] in one.masks)
    return next(wanted, None)


def differs(write: Verdicts, read: ReadEnds) -> bool:
    """Tell whether reading ended otherwise than the verdicts say, after any kind of write."""
    verdicts = (write.in_place, write.through_view, write.under_no_grad, write.through_data)
    pairs = zip(verdicts, written(read), strict=True)
    return any(read_words(verdict, end) is not None for verdict, end in pairs)


def read_otherwise(op: OpRecord) -> Iterator[tuple[WriteTrial, ReadTrial]]:
    """Yield the writes after which reading ends otherwise than they do, in the call's order."""
    for write in op.writes.trials if op.writes else ():
        read = read_after(op.reads, write)
        if read is not None and differs(write.plain, read.ended):
            yield write, read

"""Mend the search's worker, whose index takes one set of word endings for another.

Where it shares the endings of words, it tells them apart by a text of labels and numbers with
nothing between: a `1` before number 23 reads like a `12` before number 3. Words with digits, such
as `i0` and `k1`, are then looked up where they are not, and a query that comes there finds nothing
at all. With a comma behind each number no two texts are alike.
"""

import re
from pathlib import Path

WORKERS = "assets/javascripts/workers/search.*.js"
_TOLD_APART = re.compile(r"(?P<text>\w)=(?P=text)\+(?P<label>\w)\+(?P<node>\w)\.id\}")


def mend_search(folder: Path) -> None:
    """Mend the worker in a built site; one that is written otherwise stays as it is."""
    for path in folder.glob(WORKERS):
        path.write_text(mended(path.read_text(encoding="utf-8")), encoding="utf-8")


def mended(script: str) -> str:
    """Return a worker's script with a comma behind the number of each node."""
    return _TOLD_APART.sub(r'\g<text>=\g<text>+\g<label>+\g<node>.id+","}', script)

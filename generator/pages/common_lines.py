"""Lines that many programs of a site have in common, written once and put back by a script.

The program that tries every write to an op's tensors is 6 KB on each page, of which a few lines are
about that op. In a program that is shown on demand, a long run of lines that many pages share is a
link to a file with these lines; `lines.js` puts them in its place when the program is opened.
Without a script the lines of the page's own and the link can be read.
"""

import hashlib
import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby
from pathlib import Path

# A run of so many lines that so many pages have is worth a link.
PAGES = 20
LINES = 8
# As `lean` leaves them; a program is text alone.
_PROGRAM = re.compile(
    r"(?P<before><details\b[^>]*><summary>[^<]*</summary><pre><code>)(?P<program>[^<]*)(?=</code>)"
)


def share_lines(pages: Iterable[Path], folder: Path) -> None:
    """Rewrite the pages of a built site with links in the place of lines that many of them share.

    The files are below `folder`, named after what they hold.
    """
    read = {path: path.read_text(encoding="utf-8") for path in pages}
    programs = [list(dict.fromkeys(_programs(page))) for page in read.values()]
    lines = Counter(line for each in programs for line in _lines_of(each))
    common = {line for line, count in lines.items() if count >= PAGES}
    runs = Counter(run for each in programs for run in _runs_of(each, common))
    shared = {run for run, count in runs.items() if count >= PAGES}
    for run in shared:
        path = folder / _file(run)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html.unescape(run), encoding="utf-8")
    for path, page in read.items():
        up = "../" * len(path.parent.relative_to(folder).parts)
        links = {run: _link(run, up) for run in shared}
        made = _PROGRAM.sub(partial(_shorter, common=common, links=links), page)
        if made != page:
            path.write_text(made, encoding="utf-8")


def _shorter(found: re.Match[str], common: set[str], links: Mapping[str, str]) -> str:
    pieces = _pieces(found["program"], common)
    return found["before"] + "".join(links.get(piece, piece) for piece in pieces)


def _programs(page: str) -> Iterator[str]:
    return (found["program"] for found in _PROGRAM.finditer(page))


def _lines_of(programs: Iterable[str]) -> set[str]:
    return {line for program in programs for line in program.splitlines(keepends=True)}


def _runs_of(programs: Iterable[str], common: set[str]) -> set[str]:
    pieces = (piece for program in programs for piece in _pieces(program, common))
    return {piece for piece in pieces if piece.count("\n") >= LINES}


def _pieces(program: str, common: set[str]) -> Iterator[str]:
    """Split a program where common lines begin and end."""
    for _, lines in groupby(program.splitlines(keepends=True), common.__contains__):
        yield "".join(lines)


def _file(lines: str) -> str:
    return f"assets/lines-{hashlib.sha256(lines.encode()).hexdigest()[:8]}.txt"


def _link(lines: str, up: str) -> str:
    said = f"# {len(lines.splitlines())} lines that many programs here share\n"
    return f"<a class=tk-lines href={up}{_file(lines)}>{said}</a>"

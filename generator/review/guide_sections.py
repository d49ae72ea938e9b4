"""Find the sections of guides that are about a word which is no record: `save_on_cpu`, `no_grad`.

A section is about a word that its heading names, or that it writes as code.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

HEADING = re.compile(r"^(?P<marks>#{1,3}) (?P<title>.*?)(?: \{: #(?P<anchor>[\w-]+) \})?$")
# `with torch.no_grad():`, `x.requires_grad_(True)`, `retain_graph=True` are about one name in them.
AROUND = re.compile(r"^(?:async )?with |\(.*|:$|\s*=.*", re.DOTALL)
MOST = 2
IN_HEADING = 20


def sections_about(folder: Path, word: str) -> tuple[str, ...]:
    """Return the addresses of up to two sections, `guides/checkpointing/#offload`, the best first.

    `folder` holds the guides; `word` is looked for by its last dotted part.
    """
    whole = _whole(word)
    if whole is None:
        return ()
    weighed = [
        (weight, address)
        for path in sorted(folder.glob("*.md"))
        for address, title, text in _sections(path)
        if (weight := _weight(whole, title, text))
    ]
    best = sorted(weighed, key=lambda one: -one[0])[:MOST]
    return tuple(address for _, address in best)


def writes_about(kinds: Iterable[str], word: str) -> tuple[str, ...]:
    """Return the address of the page of all kinds of write, if the name of one has the word."""
    whole = _whole(word)
    return ("writes/unseen/",) if whole is not None and any(map(whole.search, kinds)) else ()


def _whole(word: str) -> re.Pattern[str] | None:
    last = AROUND.sub("", word.strip().strip("`@")).rpartition(".")[2]
    if not re.fullmatch(r"\w{3,}", last):
        return None
    return re.compile(rf"(?<!\w){re.escape(last)}(?!\w)", re.IGNORECASE)


def _weight(whole: re.Pattern[str], title: str, text: str) -> int:
    in_code = sum(len(whole.findall(code)) for code in re.findall(r"`+[^`]+`+", text))
    return IN_HEADING * bool(whole.search(title)) + in_code


def _sections(path: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the address, the title and the text of each section, the head of the page first."""
    address, title, lines = f"guides/{path.stem}/", "", list[str]()
    fenced = False
    for line in path.read_text(encoding="utf-8").splitlines():
        fenced ^= line.startswith("```")
        heading = None if fenced else HEADING.match(line)
        if heading is None:
            lines.append(line)
            continue
        yield address, title, "\n".join(lines)
        lines = []
        title = heading["title"]
        anchor = f"#{heading['anchor']}" if heading["anchor"] else ""
        address = f"guides/{path.stem}/{anchor}"
    yield address, title, "\n".join(lines)

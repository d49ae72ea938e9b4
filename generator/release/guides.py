"""Keep the guides true: what a guide shows as output is what its code printed in the release.

Markdown goes in; the code of its Python blocks goes, by file, to one process of the release's
interpreter; what each block printed comes back and is held against the output shown beneath it,
or replaces it there.
"""

import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from generator.catalogue import store
from generator.errors import EvidenceError
from generator.release.build import last_line
from generator.release.run import ending

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 300
UPDATE = "run `tapekept guides --update` and look at the diff"

FENCE = "```"
CODE = "```python"
OUTPUT = '``` { .text .output title="Output" }'


@dataclass(frozen=True)
class Block:
    """A Python block: its code, the output shown beneath it, and where they stand.

    `line` is the file's line of the first line of code, counted from 1. `shown` is None where no
    output is shown. `start` and `end` are the lines, counted from 0, that the output takes, blank
    lines before it included; without one, both are the line behind the code.
    """

    line: int
    code: str
    shown: str | None
    start: int
    end: int


@dataclass(frozen=True)
class Guide:
    """One file: its lines and its Python blocks, in order."""

    path: Path
    lines: tuple[str, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class GuideReport:
    """What was checked: the numbers of guides and of blocks, and the files that were rewritten."""

    guides: int
    blocks: int
    rewritten: tuple[Path, ...] = ()


def check_guides(python: Path, folder: Path, update: bool) -> GuideReport:
    """Run the guides of `folder` with the interpreter `python`, and compare or rewrite outputs.

    Raises:
        EvidenceError: a block raised; or, without `update`, an output differs from what was
            printed, is missing, or is one too many; or a fence stands where it is not understood.
    """
    guides = [read_guide(path) for path in sorted(folder.glob("*.md"))]
    printed = _run(python, guides)
    rewritten = []
    for guide, outputs in zip(guides, printed, strict=True):
        if not update:
            compare(guide, outputs)
        elif rewrite(guide, outputs):
            rewritten.append(guide.path)
    return GuideReport(len(guides), sum(len(guide.blocks) for guide in guides), tuple(rewritten))


def read_guide(path: Path) -> Guide:
    """Read one guide.

    Raises:
        EvidenceError: a fence is indented, unknown or never closed, or an output stands alone.
    """
    lines = path.read_text(encoding="utf-8").split("\n")
    blocks: list[Block] = []
    at = 0
    while at < len(lines):
        if not lines[at].lstrip().startswith((FENCE, "~~~")):
            at += 1
        elif lines[at] == CODE:
            close = _closing(path, lines, at)
            code = "\n".join(lines[at + 1 : close]) + "\n"
            shown, end = _output_behind(path, lines, close + 1)
            blocks.append(Block(at + 2, code, shown, close + 1, end))
            at = end
        else:
            raise EvidenceError(
                f"{_place(path, at + 1)}: this fence would not be checked; a guide holds"
                f" {CODE} blocks at the left margin, each with its output directly beneath it"
            )
    return Guide(path, tuple(lines), tuple(blocks))


def compare(guide: Guide, outputs: list[str]) -> None:
    """Hold a guide to the `outputs` of its blocks.

    Raises:
        EvidenceError: an output differs from what is shown, is missing, or is one too many.
    """
    for block, output in zip(guide.blocks, outputs, strict=True):
        printed = _as_shown(output)
        if printed == block.shown:
            continue
        if block.shown is None:
            what = "what the block prints is not shown"
        elif printed is None:
            what = "an output is shown, but the block prints nothing"
        else:
            what = _difference(block.shown, printed)
        raise EvidenceError(f"{_place(guide.path, block.line)}: {what}; {UPDATE}")


def rewrite(guide: Guide, outputs: list[str]) -> bool:
    """Put `outputs` into the guide's file where they differ; say whether the file changed."""
    lines = list(guide.lines)
    for block, output in reversed(list(zip(guide.blocks, outputs, strict=True))):
        printed = _as_shown(output)
        if printed != block.shown:
            new = [] if printed is None else ["", OUTPUT, *printed.splitlines(), FENCE]
            lines[block.start : block.end] = new
    if tuple(lines) == guide.lines:
        return False
    store.replace(guide.path, "\n".join(lines).encode())
    return True


def _closing(path: Path, lines: list[str], opening: int) -> int:
    for at in range(opening + 1, len(lines)):
        if lines[at] == FENCE:
            return at
    raise EvidenceError(f"{_place(path, opening + 1)}: this fence is never closed; close it")


def _output_behind(path: Path, lines: list[str], behind: int) -> tuple[str | None, int]:
    """Return the output whose block follows line `behind`, blank lines apart, and its end."""
    at = behind
    while at < len(lines) and not lines[at]:
        at += 1
    if at == len(lines) or lines[at] != OUTPUT:
        return None, behind
    close = _closing(path, lines, at)
    return "\n".join(lines[at + 1 : close]) + "\n", close + 1


def _run(python: Path, guides: list[Guide]) -> list[list[str]]:
    """Run all guides in one process of the release; return what each block printed."""
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "pages.json"), Path(folder, "printed.json")
        pages = [[block.code for block in guide.blocks] for guide in guides]
        source.write_text(json.dumps(pages), encoding="utf-8")
        command = [str(python), "-m", "generator.probe.programs", str(source), str(target)]
        try:
            ran = subprocess.run(
                command,
                cwd=ROOT,
                env=environment,
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise EvidenceError(f"the guides could not be run: {error}") from error
        if ran.returncode:
            raise EvidenceError(
                f"the guides could not be run ({ending(ran.returncode)}): {last_line(ran.stderr)}"
            )
        results = json.loads(target.read_text(encoding="utf-8"))
    for guide, result in zip(guides, results, strict=True):
        failure = result["error"]
        if failure is not None:
            line = guide.blocks[failure["block"]].line + failure["line"] - 1
            raise EvidenceError(
                f"{_place(guide.path, line)}: the block raised {failure['message']}; mend it,"
                " or let it catch and print the error if that is what the guide shows"
            )
    return [result["outputs"] for result in results]


def _difference(shown: str, printed: str) -> str:
    """Quote the first line in which the output shown and the one printed differ."""
    olds, news = shown.splitlines(), printed.splitlines()
    for old, new in zip(olds, news, strict=False):
        if old != new:
            return f"the block prints “{new}” where the guide shows “{old}”"
    return f"the block prints {len(news)} lines where the guide shows {len(olds)}"


def _as_shown(output: str) -> str | None:
    """Return how a guide shows an output: not at all if it is empty, else ending its last line."""
    return output.rstrip("\n") + "\n" if output.strip("\n") else None


def _place(path: Path, line: int) -> str:
    shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    return f"{shown} line {line}"

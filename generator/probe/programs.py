"""Runs the programs that pages show, inside the release that the page speaks of.

Guides and evidence snippets are plain PyTorch. Here their code goes in and what it printed comes
out; as a process, `python -m generator.probe.programs IN.json OUT.json` does so for many pages.
IN holds a list of pages, each a list of code blocks that share one namespace. OUT holds one
object a page: `outputs`, what each block printed, and `error`, None or the `block` that failed
(counted from 0), the `line` in it (counted from 1) and the `message`, after which the page ends.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import traceback
from pathlib import Path
from typing import Any

import torch

from generator.errors import EvidenceError

_SOURCE_NAME = "<shown program>"


class ProgramError(EvidenceError):
    """A shown program raised; `line` counts its lines from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line} of the program raised {message}")
        self.line = line
        self.message = message


def new_namespace() -> dict[str, Any]:
    """Make the namespace that a program starts from, as a script would."""
    return {"__name__": "__main__"}


def run_block(code: str, namespace: dict[str, Any]) -> str:
    """Run `code` in `namespace`, which it changes, and return what it printed to stdout.

    Raises ProgramError, with the line, when the code does not parse or an exception escapes it.
    """
    try:
        program = compile(code, _SOURCE_NAME, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise ProgramError(error.lineno or 1, f"SyntaxError: {error.msg}") from error
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(program, namespace)  # noqa: S102 - running our own pages is the purpose
    except Exception as error:
        raise ProgramError(_statement_of(error), _first_line(error)) from error
    return printed.getvalue()


def run_page(blocks: list[str]) -> dict[str, Any]:
    """Run the blocks of one page from a clean start; see the module docstring for the result."""
    torch.manual_seed(0)
    torch.set_default_dtype(torch.float32)
    torch.set_grad_enabled(True)
    namespace = new_namespace()
    outputs: list[str] = []
    try:
        for block in blocks:
            outputs.append(run_block(block, namespace))  # noqa: PERF401 - kept if a block raises
    except ProgramError as error:
        failure = {"block": len(outputs), "line": error.line, "message": error.message}
        return {"outputs": outputs, "error": failure}
    return {"outputs": outputs, "error": None}


def _statement_of(error: Exception) -> int:
    """Return the line of the statement of this block, not of a function of an earlier block."""
    frames = traceback.extract_tb(error.__traceback__)
    return next(frame.lineno or 1 for frame in frames if frame.filename == _SOURCE_NAME)


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0]


def main(arguments: list[str]) -> int:
    """Run the pages in the first file and write what they printed to the second."""
    source, target = arguments
    pages = json.loads(Path(source).read_text(encoding="utf-8"))
    results = [run_page(blocks) for blocks in pages]
    Path(target).write_text(json.dumps(results), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The reference programs as this release can run them."""

from __future__ import annotations

from generator.probe import references
from generator.probe.references.program import Program
from generator.tape.compat_programs import in_this_release

__all__ = ["MODULES", "OPS", "Program"]


def _adapted(programs: dict[str, Program]) -> dict[str, Program]:
    return {
        name: one._replace(setup=in_this_release(one.setup), call=in_this_release(one.call))
        for name, one in programs.items()
    }


OPS = _adapted(references.OPS)
MODULES = _adapted(references.MODULES)

"""The reference call of an op with fewer elements in it, for what is tried many times over.

The numbers of a reference program stand in ratios to each other (8 heads of 64 are 512), which the
smaller ones keep, so that the same call is made and the same nodes record it.
"""

from __future__ import annotations

import re

from generator.probe.references import Program

# Each number of at least 8 in a reference program, and what stands for it.
SMALLER = {
    8: 2,
    16: 4,
    32: 4,
    64: 8,
    128: 4,
    129: 17,
    256: 8,
    257: 9,
    512: 16,
    513: 17,
    1000: 10,
    1024: 16,
    1536: 48,
    4096: 64,
    16384: 64,
    65536: 16,
}
_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")


def smaller(program: Program) -> Program:
    """Return the program with the smaller number in place of each number that has one."""
    return program._replace(setup=_smaller(program.setup), call=_smaller(program.call))


def _smaller(text: str) -> str:
    return _NUMBER.sub(lambda found: str(SMALLER.get(int(found[0]), found[0])), text)

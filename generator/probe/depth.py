"""How deep a release is measured.

At depth `history`, ops are measured without reads after writes, conditions, partitioners and
formulas, their other spellings under one grad mask alone, and blocks not at all: together these
take more than all that the history of an op rests on.
"""

from __future__ import annotations

FULL = "full"
HISTORY = "history"
DEPTHS = (FULL, HISTORY)

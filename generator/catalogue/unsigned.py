"""Say how a negative number that a node saved reads in Python, where PyTorch reads it unsigned.

The catalogue holds the number that is meant, `-1` for a last dimension. Whoever reads the
attribute is given 2**64 - 1, and so is the program that the page prints: what it printed shows it.
"""

import re

NEGATIVE = re.compile(r"(?<![\w.])-\d+(?![\w.])")
RANGE = 2**64


def read_as(value: str, printed: str | None) -> str | None:
    """Return `value` as it reads in the evidence, which printed it; None where it reads so.

    `value` is a number or a list of numbers in text, `printed` all that the evidence printed.
    """

    def unsigned(found: re.Match[str]) -> str:
        number = str(RANGE + int(found[0]))
        return number if number in (printed or "") else found[0]

    read = NEGATIVE.sub(unsigned, value)
    return None if read == value else read

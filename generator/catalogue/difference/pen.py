"""What writes names and code in the words of a difference: as the terminal or a page needs them."""

from typing import Protocol

ARROW = "->"


class Pen(Protocol):
    """Writes what is no plain prose."""

    def name(self, subject: str, name: str, *, old: bool = False) -> str:
        """Write the name of a record, which only the old side has if `old`."""

    def code(self, text: str) -> str:
        """Write code, such as a call."""

    def quote(self, text: str) -> str:
        """Write what a message says."""

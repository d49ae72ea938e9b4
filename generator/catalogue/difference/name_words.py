"""How it is worded that something has another name now: a node type, an attribute, in an error."""

from generator.catalogue.compare.wordings import FORWARD, NODE, said_node
from generator.catalogue.difference.findings import Attributes, Numbered, Renames, Wording
from generator.catalogue.difference.pen import Pen

BASES = {
    "declaration": "both declare the same overload",
    "calls": "in the same place of the same calls",
    "spelling": "by the spelling",
}


def wording_words(finding: Wording, pen: Pen) -> str:
    """Say what errors said and say now."""
    named = _named_otherwise(finding)
    old, new = named or (finding.old, finding.new)
    return f"errors that said {pen.quote(old)} now say {pen.quote(new)}"


def reworded_among_others(finding: Wording, pen: Pen) -> str:
    """Word a finding for the page of any of its records: what is an example says whose it is."""
    named = _named_otherwise(finding)
    if named is None:
        return wording_words(finding, pen)
    return (
        "errors name the forward op where they named the node type; that of"
        f" {pen.code(finding.example.name)} said {pen.quote(named[0])}"
        f" and now says {pen.quote(named[1])}"
    )


def _named_otherwise(finding: Wording) -> tuple[str, str] | None:
    """Return how the example named its node, where that alone is worded otherwise."""
    old, new = said_node(finding.old_example), said_node(finding.new_example)
    if old and new and finding.old.replace(NODE, FORWARD) == finding.new.replace(NODE, FORWARD):
        return old, new
    return None


def _known(finding: Renames | Numbered) -> str:
    """Say what makes it certain that something goes by another name."""
    calls = (
        f"the one stands for the other in {finding.calls:,} call{'' if finding.calls == 1 else 's'}"
        if finding.calls
        else ("in no call that both measured")
    )
    return ", ".join([*(BASES[one] for one in finding.basis), calls])


def rename_words(finding: Renames | Numbered, pen: Pen) -> str:
    """Say what is called otherwise, and what makes that certain."""
    known = _known(finding)
    if isinstance(finding, Renames):
        what = "node type" if finding.what == "node type" else "attribute"
        old, new = pen.code(finding.old), pen.code(finding.new)
        return f"{what} {old} is now called {new} ({known})"
    first = finding.nodes[0]
    return (
        f"{len(finding.nodes)} node types have a 0 behind their name now, as"
        f" {pen.code(first)} that was called {pen.code(first[:-1])} ({known})"
    )


def attribute_words(finding: Attributes, pen: Pen) -> str:
    """Say which attributes a class of nodes has lost and gained."""
    parts = [
        f"{verb} {', '.join(map(pen.code, names))}"
        for verb, names in (("no longer has", finding.lost), ("now has", finding.gained))
        if names
    ]
    return "; ".join(parts)

"""How bytes of two releases are worded, and of which call they are."""

from generator.catalogue.compare.changes import Bytes
from generator.catalogue.difference.findings import Backward, Formulas, KeptIn, Weighed
from generator.catalogue.difference.pen import ARROW, Pen
from generator.catalogue.difference.shift_words import listed

# Letters of a call that a line has room for.
LONGEST = 90


def weighs(one: KeptIn, pen: Pen) -> str:
    """Say what a call weighs, and which call that is where it is not the reference."""
    parts = [figures(one.old, one.new)]
    # Of a spelling, what it clones depends on the mask.
    if one.among or one.call.kind == "variant":
        parts.append(f"with {listed(one.mask)} requiring grad")
    if one.call.kind not in ("reference", "bill"):
        parts.append(f"{one.call.kind} {pen.code(_shortened(one.call.text))}")
    elif one.call.kind == "bill":
        parts.append(", ".join(filter(None, (one.call.text, one.call.filed))))
    if one.call.mode is not None:
        parts.append(f"{one.call.mode} mode")
    if one.otherwise:
        parts.append(f"{one.otherwise} more calls and masks differ in other ways")
    return "; ".join(parts)


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def figures(old: Bytes | None, new: Bytes | None) -> str:
    """Say the extra and the storage bytes of both sides."""
    if old is None or new is None:
        return "the same bytes"
    if (old.extra, old.storage) == (new.extra, new.storage):
        return (
            f"logical bytes {old.logical:,} {ARROW} {new.logical:,},"
            f" the same {new.extra:,} extra bytes and {new.storage:,} of storage"
        )
    return (
        f"extra bytes {old.extra:,} {ARROW} {new.extra:,},"
        f" storage {old.storage:,} {ARROW} {new.storage:,}"
    )


def formula_words(finding: Formulas, pen: Pen) -> str:
    """Say which byte formulas are others now."""
    what = ("logical", "storage", "extra")
    parts = [
        f"{name} bytes {pen.code(old)} {ARROW} {pen.code(new)}"
        for name, old, new in zip(what, finding.old, finding.new, strict=True)
        if old != new
    ]
    return f"in terms of sizes: {', '.join(reversed(parts))}"


def backward_words(finding: Backward) -> str:
    """Say what the graph of gradients, or a compiled one, keeps on either side."""
    by = "; ".join(finding.partitioners)
    what = f"compiled ({by})" if by else "double backward"
    return f"{what}: {_weighed(finding.old)} {ARROW} {_weighed(finding.new)}"


def _weighed(found: Weighed) -> str:
    if found.state not in ("measured", "traced"):
        return found.state
    said = (
        f"{found.tensors} tensor{'' if found.tensors == 1 else 's'},"
        f" {found.bytes.extra:,} extra bytes, {found.bytes.storage:,} of storage"
    )
    return f"{said}, and a third backward raises" if found.raises else said

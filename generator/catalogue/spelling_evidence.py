"""Put together the program that shows what the spellings of an op keep, and what it printed."""

from collections.abc import Sequence
from string import Template

from generator.catalogue.model.measurement import Measurement
from generator.catalogue.model.records import Header, OpRecord, Variant
from generator.catalogue.policies import under_each_mask

ONE_MASK = "spellings"
EACH_MASK = "spellings under each mask"
EVERY = "under every mask"

Mask = tuple[str, ...]


def shown_spellings(op: OpRecord) -> tuple[Variant, ...]:
    """List the spellings that were measured on the reference call, which a program can show."""
    return tuple(one for one in op.variants if one.call is not None and op.references)


def spellings_program(header: Header, op: OpRecord) -> str | None:
    """Return the program as it was run; None where no spelling can be shown by one."""
    shown = shown_spellings(op)
    masks = _masks(shown)
    name = EACH_MASK if len(masks) > 1 else ONE_MASK
    if not masks or name not in header.evidence:
        return None
    reference = op.references[0]
    arguments = [one.name for one in reference.arguments if one.shape is not None]
    calls = (f'"{one.name}": lambda: {str(one.call).partition(" = ")[2]}' for one in shown)
    return Template(header.evidence[name]).substitute(
        calls=",\n    ".join(calls),
        setup=reference.setup.replace("\n", "\n    "),
        leaves=", ".join(masks[0]),
        masks=",\n    ".join(f'"{_label(mask)}": lambda: [{", ".join(mask)}]' for mask in masks),
        clone=f"{arguments[0]} = {arguments[0]}.clone()",
        arguments=", ".join(arguments),
    )


def spellings_printed(op: OpRecord) -> str:
    """Return what the program printed."""
    shown = shown_spellings(op)
    several = len(_masks(shown)) > 1
    return "".join(f"{line}\n" for one in shown for line in _lines(one, several=several))


def _masks(shown: Sequence[Variant]) -> list[Mask]:
    """Return the masks that spellings were measured under, which are the same for all of them."""
    return [row.mask for one in shown[:1] for row in under_each_mask(one)]


def _lines(variant: Variant, *, several: bool) -> list[str]:
    if variant.printed is not None:
        return [f"{variant.name} {variant.printed}"]
    said: dict[str, list[str]] = {}
    for one in under_each_mask(variant):
        said.setdefault(_answer(one), []).append(_label(one.mask))
    if not said:
        return [f"{variant.name} was not measured"]
    if not several:
        return [f"{variant.name} {answer}" for answer in said]
    if len(said) == 1:
        return [f"{variant.name} {answer}, {EVERY}" for answer in said]
    return [
        f"{variant.name} {answer}, with grad of {', or '.join(masks)}"
        for answer, masks in said.items()
    ]


def _label(mask: Mask) -> str:
    return " + ".join(mask)


def _answer(one: Measurement) -> str:
    if one.policy is not None:
        return f"keeps {one.storage_bytes} bytes, of which the graph alone holds {one.extra_bytes}"
    return "makes no graph" if one.state == "not differentiable" else f"raises {one.reason}"

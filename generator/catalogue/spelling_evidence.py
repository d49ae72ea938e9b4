"""Put together the program that shows what the spellings of an op keep, and what it printed."""

from string import Template

from generator.catalogue.model.records import Header, OpRecord, Variant

TEMPLATE = "spellings"


def shown_spellings(op: OpRecord) -> tuple[Variant, ...]:
    """List the spellings that were measured on the reference call, which a program can show."""
    return tuple(one for one in op.variants if one.call is not None and op.references)


def spellings_program(header: Header, op: OpRecord) -> str | None:
    """Return the program as it was run; None where no spelling can be shown by one."""
    shown = shown_spellings(op)
    measured = [one.measurement for one in shown if one.measurement is not None]
    if not measured or TEMPLATE not in header.evidence:
        return None
    reference = op.references[0]
    arguments = [one.name for one in reference.arguments if one.shape is not None]
    calls = (f'"{one.name}": lambda: {str(one.call).partition(" = ")[2]}' for one in shown)
    return Template(header.evidence[TEMPLATE]).substitute(
        calls=",\n    ".join(calls),
        setup=reference.setup.replace("\n", "\n    "),
        leaves=", ".join(measured[0].mask),
        clone=f"{arguments[0]} = {arguments[0]}.clone()",
        arguments=", ".join(arguments),
    )


def spellings_printed(op: OpRecord) -> str:
    """Return what the program printed."""
    return "".join(f"{one.name} {one.printed or _bytes(one)}\n" for one in shown_spellings(op))


def _bytes(variant: Variant) -> str:
    one = variant.measurement
    if one is None:
        return "was not measured"
    return f"keeps {one.storage_bytes} bytes, of which the graph alone holds {one.extra_bytes}"

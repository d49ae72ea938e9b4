"""Put together the program that shows what writes after a call do, and what it prints.

All that is filled into the program follows from the record, and so does what it prints: the probe
ran it and found that it says what the trials say, unless the record holds another output.
"""

from string import Template

from generator.catalogue.kept import role_class
from generator.catalogue.model import Header, Verdicts, Writes, WriteTrial

_INDENTED = "\n    "
_KINDS = "written in place, through a view, under no_grad, through .data"


def writes_program(header: Header, writes: Writes) -> str | None:
    """Return the program as it was run; None where the call's arguments are known by value alone.

    It tries every kind of write to every tensor of the call under the first mask.
    """
    template = header.evidence.get("writes" if writes.trials else "no backward")
    if writes.setup is None or template is None:
        return None
    names = [one.name for one in writes.arguments if one.shape is not None]
    return Template(template).substitute(
        setup=writes.setup.replace("\n", _INDENTED),
        leaves=", ".join(writes.masks[0] if writes.masks else ()),
        clones=_INDENTED.join(f"{name} = {name}.clone()" for name in names),
        call=writes.call,
        outputs=writes.call.partition(" = ")[0],
        arguments=", ".join(names),
        names=", ".join(f'"{name}"' for name in names),
    )


def writes_printed(writes: Writes) -> str:
    """Return what the program printed."""
    if writes.printed is not None:
        return writes.printed
    if writes.reason is not None:
        return f"{writes.reason}\n"
    lines = [_KINDS]
    for trial in writes.trials:
        if 0 in trial.masks:
            lines += _lines(trial)
    return "\n".join(lines) + "\n"


def _lines(trial: WriteTrial) -> list[str]:
    hooks = {
        "no hooks": trial.plain,
        "identity hooks": trial.hooked,
        "save_on_cpu": trial.on_cpu or trial.hooked,
    }
    lines = [f"{kind}: {', '.join(every(one))}" for kind, one in hooks.items() if one is not None]
    if trial.message is not None:
        lines.append(trial.message)
    if trial.relative_error is not None:
        lines.append(f"largest relative error: {trial.relative_error:g}")
    return [_name(trial.target), *(f"    {line}" for line in lines)]


def every(verdicts: Verdicts) -> tuple[str, ...]:
    """Return the four verdicts, in the order in which the program tries the kinds of write."""
    return (
        verdicts.in_place,
        verdicts.through_view,
        verdicts.under_no_grad,
        verdicts.through_data,
    )


def _name(target: str) -> str:
    return target if role_class(target) == "output" else target.partition(" ")[2]

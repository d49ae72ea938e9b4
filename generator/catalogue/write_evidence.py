"""Put together the program that shows what writes after a call do, and what it prints.

All that is filled into the program follows from the record, and so does what it prints: the probe
ran it and found that it says what the trials say, unless the record holds another output.
"""

from string import Template

from generator.catalogue.kept import role_class
from generator.catalogue.model.records import Header
from generator.catalogue.model.writes import Verdicts, Writes, WriteTrial
from generator.catalogue.writes import each_kind

BY_MASK = "writes by mask"
_INDENTED = "\n    "
_KINDS = "written in place, through a view, under no_grad, through .data"


def writes_program(header: Header, writes: Writes) -> str | None:
    """Return the program as it was run; None where the call's arguments are known by value alone.

    It tries every kind of write to every tensor of the call: under the first mask, and where the
    header has such a template under each mask under which some write ends otherwise.
    """
    by_mask = BY_MASK if BY_MASK in header.evidence else "writes"
    template = header.evidence.get(by_mask if writes.trials else "no backward")
    if writes.setup is None or template is None:
        return None
    return Template(template).substitute(program_parts(writes))


def program_parts(writes: Writes) -> dict[str, str]:
    """Return what the templates of programs about these writes ask for."""
    names = [one.name for one in writes.arguments if one.shape is not None]
    masks = [writes.masks[place] for place in _shown(writes)] if writes.trials else []
    able = dict.fromkeys(name for mask in masks for name in mask)
    return {
        "setup": (writes.setup or "").replace("\n", _INDENTED),
        "leaves": ", ".join(writes.masks[0] if writes.masks else ()),
        "given": ", ".join(f'"{name}": {name}' for name in able),
        "masks": ", ".join(map(_tuple, masks)),
        "clones": _INDENTED.join(f"{name} = {name}.clone()" for name in names),
        "call": writes.call,
        "outputs": writes.call.partition(" = ")[0],
        "arguments": ", ".join(names),
        "names": ", ".join(f'"{name}"' for name in names),
    }


def writes_printed(header: Header, writes: Writes) -> str:
    """Return what the program printed.

    Under masks after the first it tells of tensors to which writing ends otherwise, in verdicts.
    """
    if writes.printed is not None:
        return writes.printed
    if writes.reason is not None:
        return f"{writes.reason}\n"
    if BY_MASK not in header.evidence:
        first = [line for one in _under(writes, 0) for line in (bare(one.target), *_lines(one))]
        return "\n".join([_KINDS, *first]) + "\n"
    lines = [_KINDS]
    before = {one.target: one for one in _under(writes, 0)}
    for place in _shown(writes):
        lines.append(f"requires grad: {', '.join(writes.masks[place])}")
        for one in _under(writes, place):
            if place == 0:
                lines += [f"  {bare(one.target)}", *_lines(one)]
            elif _ended(one) != _ended(before[one.target]):
                lines += [f"  {bare(one.target)}", *_verdict_lines(one)]
    return "\n".join(lines) + "\n"


def _shown(writes: Writes) -> list[int]:
    """Return the first mask's position, and those under which some write ends otherwise."""
    first = {one.target: _ended(one) for one in _under(writes, 0)}
    others = {
        place
        for one in writes.trials
        if _ended(one) != first.get(one.target)
        for place in one.masks
    }
    return [0, *sorted(others)]


def _under(writes: Writes, place: int) -> list[WriteTrial]:
    """Return the trials under one mask, in the order of the tensors of the call."""
    order = {one.target: position for position, one in enumerate(writes.trials) if 0 in one.masks}
    found = [one for one in writes.trials if place in one.masks]
    return sorted(found, key=lambda one: order[one.target])


def _ended(trial: WriteTrial) -> tuple[Verdicts | None, ...]:
    return trial.plain, trial.hooked, trial.on_cpu


def _tuple(mask: tuple[str, ...]) -> str:
    names = ", ".join(f'"{name}"' for name in mask)
    return f"({names},)" if len(mask) == 1 else f"({names})"


def _verdict_lines(trial: WriteTrial) -> list[str]:
    hooks = {
        "no hooks": trial.plain,
        "identity hooks": trial.hooked,
        "save_on_cpu": trial.on_cpu or trial.hooked,
    }
    return [
        f"    {kind}: {', '.join(each_kind(one))}" for kind, one in hooks.items() if one is not None
    ]


def _lines(trial: WriteTrial) -> list[str]:
    lines = _verdict_lines(trial)
    if trial.message is not None:
        lines.append(f"    {trial.message}")
    if trial.relative_error is not None:
        lines.append(f"    largest relative error: {trial.relative_error:g}")
    return lines


def bare(target: str) -> str:
    """Return the name of a tensor as the programs have it: `input` for the role `input input`."""
    return target if role_class(target) == "output" else target.partition(" ")[2]

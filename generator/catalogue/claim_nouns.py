"""What a call keeps as noun phrases: an argument by its name, outputs and parameters together."""

from collections.abc import Sequence

from generator.catalogue.kept import CLONE, VIEW, Call, Kept


def counted_intermediates(each: Sequence[Kept], size: str) -> str:
    """Count intermediates in words: one number, or the fewest and the most where masks differ.

    Where there is one alone, `size` is said of it.
    """
    counts = [max(found.intermediates, 1) for found in each if "intermediate" in found.roles]
    if len(set(counts)) < 2:
        if counts[:1] == [1]:
            return f"1 intermediate{size}"
        return f"{counts[0]} intermediates" if counts else ""
    return f"{from_to(counts)} intermediates (by what requires grad)"


def from_to(counts: Sequence[int]) -> str:
    """Give the fewest and the most of some counts: `2`, `2 or 3`, `2 to 5`."""
    fewest, most = min(counts), max(counts)
    if fewest == most:
        return f"{most}"
    return f"{fewest} {'or' if most - fewest == 1 else 'to'} {most}"


def noun_phrases(roles: Sequence[str], intermediates: str, call: Call) -> list[str]:
    """Turn roles into noun phrases; outputs, parameters and members of a list are put together."""
    phrases: dict[str, None] = {}
    lists = {one.name.split("[")[0] for one in call.arguments if "[" in one.name}
    outputs = [role for role in roles if role.startswith("output ")]
    parameters = [role for role in roles if role.startswith("parameter ")]
    views = [role for role in roles if role.startswith(f"{VIEW}parameter ")]
    for role in roles:
        name = role.partition(" ")[2]
        stem = name.split("[")[0]
        if role in outputs:
            phrases[_outputs(outputs, len(call.outputs))] = None
        elif role in parameters and len(parameters) > 2:
            phrases[_parameters(parameters, call)] = None
        elif role in views and len(views) > 2:
            phrases[f"views of {_parameters(views, call)}"] = None
        elif "[" in name and stem in lists and not role.startswith(VIEW):
            phrases[_members(stem, roles, call)] = None
        else:
            phrases[_noun(role, intermediates)] = None
    return list(phrases)


def _parameters(roles: Sequence[str], call: Call) -> str:
    total = sum(one.source == "parameter" for one in call.arguments)
    return (
        f"all its {total} parameters" if len(roles) == total else f"{len(roles)} of its parameters"
    )


def _noun(role: str, intermediates: str) -> str:
    if role == "output":
        return "its output"
    if role == "intermediate":
        return intermediates
    if role == CLONE:
        return "a hidden clone of what it overwrites"
    if role.startswith(VIEW):
        return f"a view of {_noun(role[len(VIEW) :], 'an intermediate')}"
    source, _, name = role.partition(" ")
    if source == "output":
        return f"its output {name}"
    return f"`{name}`" if source == "input" else f"its {source} `{name}`"


def _outputs(roles: Sequence[str], total: int) -> str:
    if len(roles) == total > 1:
        return "both outputs" if total == 2 else f"all {total} outputs"
    numbers = [role.partition(" ")[2] for role in roles]
    return f"its output{'s' if len(numbers) > 1 else ''} {join(numbers)}"


def _members(stem: str, roles: Sequence[str], call: Call) -> str:
    members = [one.name for one in call.arguments if one.name.startswith(f"{stem}[")]
    held = [name for name in members if f"input {name}" in roles]
    if len(held) == len(members):
        return f"every tensor of `{stem}`"
    if len(held) <= 2:
        return join([f"`{name}`" for name in held])
    return f"{len(held)} of the {len(members)} tensors of `{stem}`"


def join(words: Sequence[str], last: str = "and") -> str:
    """List words: `a`, `a and b`, `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"

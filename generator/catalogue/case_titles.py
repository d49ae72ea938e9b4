"""Name the cases of a record so that no two are called alike.

Many samples are written as the same text with other arguments: what tells such cases apart is
said beside the call, the sizes of their arguments first, else the values of the others, else the
nodes that they make, else the entry of the test database that they are from.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping

from generator.catalogue.model.measurement import Argument
from generator.catalogue.model.records import Case, ModuleRecord, OpRecord
from generator.catalogue.policies import measured_nodes

MOST = 3  # parts of what is said of one case
Parts = Mapping[str, str]


def case_marks(record: OpRecord | ModuleRecord) -> tuple[str, ...]:
    """Return for each case what sets it apart from others of the same call and mode.

    Empty where nothing needs to, or where nothing does that could be said in a few words.
    """
    marks = ["" for _ in record.cases]
    tellers: tuple[tuple[Callable[[Case], Parts], str], ...] = (
        (_sizes, ""),
        (_values, ""),
        (lambda case: _nodes(record, case), "no {}"),
        (lambda case: {"entry": f"entry {case.entry}"}, ""),
    )
    for tell, absent in tellers:
        groups: dict[tuple[str, str | None, str], list[int]] = defaultdict(list)
        for place, (case, mark) in enumerate(zip(record.cases, marks, strict=True)):
            groups[case.call, case.mode, mark].append(place)
        for places in groups.values():
            told = _apart([tell(record.cases[place]) for place in places], absent)
            for place, said in zip(places, told, strict=True):
                marks[place] = "; ".join(one for one in (marks[place], said) if one)
    return tuple(marks)


def _apart(each: list[Parts], absent: str) -> list[str]:
    """Say of each the parts in which they are not all alike."""
    names = dict.fromkeys(name for parts in each for name in parts)
    differing = [name for name in names if len({parts.get(name) for parts in each}) > 1]
    return [_listed([parts.get(one, absent.format(one)) for one in differing]) for parts in each]


def _listed(parts: list[str]) -> str:
    said = [one for one in parts if one]
    rest = len(said) - MOST
    return ", ".join([*said[:MOST], *([f"and {rest} more"] if rest > 0 else [])])


def _sizes(case: Case) -> Parts:
    shaped = (one for one in case.arguments if one.shape is not None)
    return {one.name: f"{one.name} {sizes_of(one)} {one.dtype}" for one in shaped}


def sizes_of(argument: Argument) -> str:
    """Write the sizes of a tensor: `3 × 4`, and `()` where it has no dimension."""
    return " × ".join(map(str, argument.shape or ())) or "()"


def _values(case: Case) -> Parts:
    return {one.name: f"{one.name} = {one.literal}" for one in case.arguments if one.shape is None}


def _nodes(record: OpRecord | ModuleRecord, case: Case) -> Parts:
    types = Counter(
        node.type for one in case.measurements[:1] for node in measured_nodes(record, one)
    )
    return {name: f"{number} {name}" if number > 1 else name for name, number in types.items()}

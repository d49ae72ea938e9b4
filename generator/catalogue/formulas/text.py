"""Write what a formula says as people read it: `4·N·C + 4·C·D`, `N = 192, C = 256`."""

from collections.abc import Iterable, Iterator, Sequence

from generator.catalogue.formulas.evaluation import FOLLOWING, dimensions, itemsize, leading_name
from generator.catalogue.formulas.expressions import factors, shown
from generator.catalogue.model.formulas import ByteFormula, Pricing
from generator.catalogue.model.measurement import Measurement

_LARGEST = 6
TAKEN = "For the rest it is taken for granted that the call accepts these sizes."


def byte_texts(
    formula: ByteFormula, dtype: str | None, kept: Sequence[int]
) -> tuple[str, str, str]:
    """Write logical, storage and extra bytes in a call of `dtype` that keeps these tensors."""
    logical, storage, extra = [], [], []
    counted = set()
    for place in kept:
        tensor = formula.tensors[place]
        item = itemsize(tensor, dtype)
        logical.append((item, tensor.elements))
        if tensor.storage in counted:
            continue
        counted.add(tensor.storage)
        behind = formula.storages[tensor.storage]
        storage.append((item, behind.elements))
        if behind.extra:
            extra.append((item, behind.elements))
    return sum_text(logical), sum_text(storage), sum_text(extra)


def sum_text(terms: Iterable[tuple[int, str]]) -> str:
    """Write a sum of bytes, each a number of bytes an element and how many elements."""
    added: dict[tuple[str, ...], int] = {}
    for item, elements in terms:
        product = factors(elements)
        number, names = product or (1, (f"({shown(elements)})",))
        added[names] = added.get(names, 0) + item * number
    parts = [
        "·".join([f"{number:,}", *names]) for names, number in added.items() if number and names
    ]
    constant = added.get((), 0)
    return " + ".join(parts + ([f"{constant:,}"] if constant or not parts else []))


def elements_text(elements: str) -> str:
    """Write a number of elements: `N·C`."""
    return shown(elements)


def dtype_text(rule: str) -> str:
    """Say what dtype a saved tensor has."""
    words = {
        "same": "the call's",
        "real": "the real part's",
        "complex": "the complex one of the call's",
        "float32 at least": "the call's, at least float32",
    }
    return words[rule] if rule in FOLLOWING else rule


def origin(pricing: Pricing) -> str:
    """Say where a formula comes from."""
    if pricing.state == "symbolic":
        return "Derived by making the call with fake tensors whose sizes are symbols"
    return "Fitted to real calls at several sizes, since fake tensors cannot make this call"


def limits(formula: ByteFormula) -> list[str]:
    """Say at which sizes a formula does not hold, and that it does not tell which are accepted."""
    said = [f"It holds where {shown(text)}." for text in formula.where]
    if formula.wrong_at_one:
        said.append(f"It does not hold where {' or '.join(formula.wrong_at_one)} is 1.")
    if formula.refused_at_one:
        said.append(f"No call was found in which {' or '.join(formula.refused_at_one)} could be 1.")
    said += [f"The call raises unless {shown(one.condition)}." for one in formula.refuses]
    return [*said, *ranks(formula)]


def ranks(formula: ByteFormula) -> Iterator[str]:
    """Say for how many dimensions of its arguments a formula was confirmed."""
    name = leading_name(formula)
    if name is None:
        yield "It was confirmed for arguments of these numbers of dimensions alone."
        return
    parts = ["be left out"] if 0 in formula.leading else []
    several = [str(one) for one in formula.leading if one]
    if several:
        parts.append(f"stand for {' or '.join(several)} dimensions, of which it is the product")
    yield f"{name} may {' or '.join(parts)}: calls with arguments of these ranks confirmed it too."


def unknown(formula: ByteFormula, place: int, measured: Measurement) -> str:
    """Say why it is not known what is kept under a mask, by its place among the measurements."""
    if measured.state != "measured":
        return measured.reason or measured.state
    return next((one.reason for one in formula.unconfirmed if one.mask == place), "not confirmed")


def checked(formula: ByteFormula) -> str:
    """Say at which sizes real calls kept exactly what the formula says."""
    points = [f"({', '.join(map(str, sizes))})" for sizes in formula.held_out[:_LARGEST]]
    more = len(formula.held_out) - len(points)
    named = f"({', '.join(dimensions(formula))})"
    also = f" and {more} more" if more > 0 else ""
    return f"real calls kept exactly these bytes at {named} = {', '.join(points)}{also}"

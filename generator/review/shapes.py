"""Read the shapes that were typed after `--shape`, and give every argument of a formula one."""

from generator.catalogue.formulas.evaluation import leading_in, leading_name, shape_of, shapes_of
from generator.catalogue.model.formulas import ByteFormula, Shape
from generator.errors import CatalogueError, SizesError, quoted

DIGITS = 12
SEPARATOR = "x"
EVERY = ""

Shapes = dict[str, tuple[int, ...]]


def read_shapes(text: str) -> Shapes:
    """Read what was typed after `--shape`; one shape alone is filed under the empty name."""
    if not text.strip():
        raise SizesError("no shape was given: write 8x128, or () for a tensor without dimensions")
    parts = text.split(",")
    if "=" not in text:
        if len(parts) > 1:
            raise SizesError(
                f"{quoted(text)} is no shape: write 8x128, or input=8x128,weight=64x128"
            )
        return {EVERY: _shape(text)}
    shapes: Shapes = {}
    for part in parts:
        name, equals, shape = part.partition("=")
        if not equals or not name.strip():
            raise SizesError(f"{quoted(part)} is no argument with a shape: write input=8x128")
        if name.strip() in shapes:
            raise SizesError(f"{quoted(name.strip())} has two shapes")
        shapes[name.strip()] = _shape(shape)
    return shapes


def assigned(formula: ByteFormula, given: Shapes) -> Shapes:
    """Give every argument of the formula a shape.

    One shape alone is that of every argument of its rank; what the shapes leave open is worked
    out where all its dimensions are known. Raises CatalogueError.
    """
    arguments = shapes_of(formula)
    unknown = given.keys() - {EVERY} - arguments.keys()
    if unknown:
        raise CatalogueError(f"it has no argument {quoted(min(unknown))}")
    shapes = dict(given)
    if EVERY in shapes:
        shapes = _everywhere(formula, arguments, shapes.pop(EVERY))
    known, leading = _known(formula, arguments, shapes)
    for name, named in arguments.items():
        if name not in shapes:
            begins = leading is not None and named[:1] == (leading_name(formula),)
            rest = named[1:] if begins else named
            known |= {size: size for size in rest if isinstance(size, int)}
            if not known.keys() >= set(rest):
                raise CatalogueError(f"{name} ({shape_of(named)}) needs a shape: give {name}=… too")
            before = leading if begins and leading is not None else ()
            shapes[name] = (*before, *(known[size] for size in rest))
    return shapes


def _shape(text: str) -> tuple[int, ...]:
    if text.strip() in ("", "()"):
        return ()
    sizes = []
    for part in text.strip().lower().split(SEPARATOR):
        if not (part.isascii() and part.isdigit() and len(part) <= DIGITS and int(part) > 0):
            raise SizesError(
                f"{quoted(part)} in {quoted(text)} is no size: "
                "sizes are whole numbers above 0 of 12 digits at most, written 8x128"
            )
        sizes.append(int(part))
    return tuple(sizes)


def _everywhere(
    formula: ByteFormula, arguments: dict[str, Shape], every: tuple[int, ...]
) -> Shapes:
    exact = {name: every for name, one in arguments.items() if len(one) == len(every)}
    if exact:
        return exact
    folded = {
        name: every
        for name, one in arguments.items()
        if len(every) - len(one) + 1 in leading_in(formula, one)
    }
    if not folded:
        number = len(every)
        raise CatalogueError(f"no argument has {number} dimension{'' if number == 1 else 's'}")
    return folded


def _known(
    formula: ByteFormula, arguments: dict[str, Shape], shapes: Shapes
) -> tuple[dict[int | str, int], tuple[int, ...] | None]:
    """Return the dimensions that the shapes give, and those that the first one stands for."""
    known: dict[int | str, int] = {}
    leading: tuple[int, ...] | None = None
    for name, shape in shapes.items():
        named = arguments[name]
        more = len(shape) - len(named)
        if more == 0:
            known |= dict(zip(named, shape, strict=True))
        elif more + 1 in leading_in(formula, named):
            leading = shape[: more + 1]
            known |= dict(zip(named[1:], shape[more + 1 :], strict=True))
    return known, leading

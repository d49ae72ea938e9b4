"""Say what a call keeps at sizes that the reader names, from its formula and without torch."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from generator.catalogue.expressions import evaluate, shown
from generator.catalogue.formula_text import (
    byte_texts,
    checked,
    limits,
    origin,
    shape_of,
)
from generator.catalogue.formulas import (
    ITEMSIZES,
    all_sizes,
    broken_conditions,
    cost,
    kept_under,
    saved_dtype,
    shapes_of,
    sizes_from,
)
from generator.catalogue.kept import spoken_role
from generator.catalogue.model import Case, Header, OpRecord, Reference
from generator.catalogue.model_formulas import ByteFormula, Pricing
from generator.catalogue.policies import measured_nodes
from generator.errors import CatalogueError, SizesError, quoted
from generator.review.page import FIGURES, Row, Table, TextPage, source

DIGITS = 12
SAVED = ("node", "attribute", "role or value", "elements", "dtype", "bytes")
BY_MASK = ("requires grad", *(name for name, _ in FIGURES))
SEPARATOR = "x"
EVERY = ""

Shapes = dict[str, tuple[int, ...]]


def sizes_page(header: Header, record: OpRecord, shape: str, dtype: str | None) -> TextPage:
    """Lay out what the op keeps for arguments of these shapes, in the build of that header.

    `shape` is one shape, `8x128`, or one for each argument, `input=8x128,weight=64x128`. Raises
    SizesError where no formula speaks of such arguments.
    """
    given = read_shapes(shape)
    pricing, formula, sizes = _choose(record, given)
    chosen = _dtype(record, formula, dtype)
    broken = broken_conditions(formula, sizes)
    if broken:
        raise SizesError(
            f"the formula of {record.name} holds only where {' and '.join(map(shown, broken))}"
        )
    page = _page(record, pricing, formula, sizes, chosen)
    return replace(page, facts=(*page.facts, *source(header, record)))


def read_shapes(text: str) -> Shapes:
    """Read what was typed after `--shape`; one shape alone is filed under the empty name."""
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


def _choose(record: OpRecord, given: Shapes) -> tuple[Pricing, ByteFormula, dict[str, int]]:
    """Find the first formula of the op whose arguments can have these shapes."""
    priced = [(one, one.formula) for one in record.formulas if one.formula is not None]
    if not priced:
        reason = next((one.reason for one in record.formulas if one.reason), record.reason)
        raise SizesError(f"{record.name} has no byte formula: {reason or 'none was looked for'}")
    failed = ""
    for pricing, formula in priced:
        try:
            return pricing, formula, sizes_from(formula, _assigned(formula, given))
        except CatalogueError as error:
            failed = failed or str(error)
    arguments = ", ".join(f"{one.name} {shape_of(one.shape)}" for one in priced[0][1].arguments)
    raise SizesError(f"{record.name} has a formula for {arguments}, but {failed}")


def _assigned(formula: ByteFormula, given: Shapes) -> Shapes:
    """Give every argument of the formula a shape.

    One shape alone is that of every argument of its rank; what the shapes leave open is worked
    out where all its dimensions are known.
    """
    arguments = shapes_of(formula)
    unknown = given.keys() - {EVERY} - arguments.keys()
    if unknown:
        raise CatalogueError(f"it has no argument {quoted(min(unknown))}")
    shapes = dict(given)
    if EVERY in shapes:
        every = shapes.pop(EVERY)
        shapes = {name: every for name, one in arguments.items() if len(one) == len(every)}
        if not shapes:
            raise CatalogueError(f"no argument has {len(every)} dimensions")
    known: dict[int | str, int] = {}
    for name, shape in shapes.items():
        if len(shape) == len(arguments[name]):
            known |= dict(zip(arguments[name], shape, strict=True))
    for name, named in arguments.items():
        if name not in shapes:
            known |= {size: size for size in named if isinstance(size, int)}
            if not known.keys() >= set(named):
                raise CatalogueError(f"{name} ({shape_of(named)}) needs a shape: give {name}=… too")
            shapes[name] = tuple(known[size] for size in named)
    return shapes


def _dtype(record: OpRecord, formula: ByteFormula, dtype: str | None) -> str | None:
    if dtype is None:
        return formula.dtypes[0] if formula.dtypes else None
    name = dtype.removeprefix("torch.")
    if name not in ITEMSIZES:
        raise SizesError(f"{quoted(dtype)} is no dtype; try {', '.join(formula.dtypes)}")
    if name not in formula.dtypes:
        confirmed = ", ".join(formula.dtypes) or "the dtypes of its reference call alone"
        raise SizesError(
            f"the formula of {record.name} was confirmed for {confirmed}, but not for {name}"
        )
    return name


def _page(
    record: OpRecord,
    pricing: Pricing,
    formula: ByteFormula,
    sizes: Mapping[str, int],
    dtype: str | None,
) -> TextPage:
    call = record.references[0] if pricing.case is None else record.cases[pricing.case]
    kept = cost(formula, sizes, dtype, kept_under(formula, 0))
    known = all_sizes(formula, sizes)
    shapes = [
        f"{name} {' × '.join(str(known.get(str(size), size)) for size in shape) or 'one number'}"
        for name, shape in shapes_of(formula).items()
    ]
    tables = [_saved(record, call, formula, known, dtype)]
    if formula.masks is not None:
        tables.append(_masks(call, formula, sizes, dtype))
    return TextPage(
        title=record.name,
        claim=(
            f"Keeps {kept.storage:,} bytes, of which {kept.extra:,} are extra,"
            f" for {', '.join(shapes)}{f' in {dtype}' if dtype else ''}."
        ),
        facts=(
            ("call", (pricing.call or call.call).removeprefix("output = ")),
            *_first_mask(pricing, call),
            *_formulas(formula, dtype),
            ("known from", f"{origin(pricing)}; {checked(formula)}."),
            *(("limit", text) for text in limits(formula)),
        ),
        tables=tuple(table for table in tables if table.rows),
        legend=FIGURES,
    )


def _first_mask(pricing: Pricing, call: Reference | Case) -> Iterator[tuple[str, str]]:
    """Name the mask that the figures of a case are for; those of its others may not be known."""
    if pricing.case is not None:
        yield "requires grad", ", ".join(call.measurements[0].mask)


def _formulas(formula: ByteFormula, dtype: str | None) -> Iterator[tuple[str, str]]:
    shapes = (f"{one.name} {shape_of(one.shape)}" for one in formula.arguments)
    yield "dimensions", ", ".join(shapes)
    for name, text in formula.computed.items():
        yield name, shown(text)
    texts = byte_texts(formula, dtype, kept_under(formula, 0) or ())
    for (label, _), text in zip(FIGURES, texts, strict=True):
        yield label, text


def _saved(
    record: OpRecord,
    call: Reference | Case,
    formula: ByteFormula,
    known: Mapping[str, int],
    dtype: str | None,
) -> Table:
    """List the saved tensors under the first mask of the call."""
    places = (
        (node.type, saved.attribute, spoken_role(role))
        for node in measured_nodes(record, call.measurements[0])
        for saved in node.saved
        for role in saved.roles
    )
    rows: list[Row] = []
    for place, tensor in zip(places, formula.tensors, strict=True):
        saved = saved_dtype(tensor.dtype, dtype)
        size = evaluate(tensor.elements, known) * ITEMSIZES[saved]
        rows.append((*place, shown(tensor.elements), saved, f"{size:,}"))
    return Table("Saved tensors", SAVED, tuple(rows))


def _masks(
    call: Reference | Case, formula: ByteFormula, sizes: Mapping[str, int], dtype: str | None
) -> Table:
    rows: list[Row] = []
    for place, measured in enumerate(call.measurements):
        kept = kept_under(formula, place)
        if kept is None:
            figures = ("not confirmed",) * len(FIGURES)
        else:
            found = cost(formula, sizes, dtype, kept)
            figures = (f"{found.logical:,}", f"{found.storage:,}", f"{found.extra:,}")
        rows.append((", ".join(measured.mask), *figures))
    return Table("By what requires grad", BY_MASK, tuple(rows))

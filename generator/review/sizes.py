"""Say what a call keeps at sizes that the reader names, from its formula and without torch."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from generator.catalogue.formulas.broadcast import broadcast
from generator.catalogue.formulas.evaluation import (
    ITEMSIZES,
    all_sizes,
    broken_conditions,
    cost,
    kept_under,
    refusal_at,
    saved_dtype,
    shape_of,
    shapes_of,
    sizes_from,
)
from generator.catalogue.formulas.expressions import evaluate, shown
from generator.catalogue.formulas.text import (
    TAKEN,
    byte_texts,
    checked,
    limits,
    origin,
    unknown,
)
from generator.catalogue.kept import spoken_role
from generator.catalogue.model.formulas import ByteFormula, Pricing
from generator.catalogue.model.records import Case, Header, OpRecord, Reference, Variant
from generator.catalogue.policies import measured_nodes
from generator.catalogue.spellings import speaks_for_itself
from generator.errors import CatalogueError, SizesError, quoted
from generator.review.layout import FIGURES, Row, Table, TextPage
from generator.review.page import source
from generator.review.shapes import Shapes, assigned, read_shapes
from generator.review.spelling import spelling_facts

SAVED = ("node", "attribute", "role or value", "elements", "dtype", "bytes")
BY_MASK = ("requires grad", *(name for name, _ in FIGURES))
NAMED = 6  # calls that an error lists


@dataclass(frozen=True)
class Priced:
    """A formula of an op that takes the reader's shapes, their dimensions, and the dtype.

    `broadcast` names the arguments that are; then the formula is written from that of the pricing.
    """

    pricing: Pricing
    formula: ByteFormula
    shapes: Shapes
    sizes: dict[str, int]
    dtype: str | None
    broadcast: tuple[str, ...] = ()


def choose(record: OpRecord, shape: str, dtype: str | None, call: str | None) -> Priced:
    """Find the first formula of an op that speaks of such arguments: the reference's, then cases'.

    Before both come those of calls with just the arguments that are named.
    `shape` is one shape, `8x128`, or one for each argument, `input=8x128,weight=64x128`. `call` is
    a part of the call that is meant. Raises SizesError where no formula speaks of them; the
    message is that of the formula which came closest.
    """
    given = read_shapes(shape)
    failed: list[tuple[int, str]] = []
    named = given.keys()
    for pricing, formula in sorted(
        _asked(record, call), key=lambda one: shapes_of(one[1]).keys() != named
    ):
        try:
            shapes = assigned(formula, given)
            sizes = sizes_from(formula, shapes)
        except CatalogueError as error:
            arguments = ", ".join(f"{one.name} {shape_of(one.shape)}" for one in formula.arguments)
            failed.append((0, f"{record.name} has a formula for {arguments}, but {error}"))
            continue
        try:
            chosen = _dtype(record, formula, dtype)
            _accepts(record, formula, sizes)
        except SizesError as error:
            failed.append((1, str(error)))
            continue
        return Priced(pricing, formula, shapes, sizes, chosen)
    for pricing, formula in _asked(record, call):
        if pricing.case is not None:  # which was not called with one row
            continue
        found = broadcast(record, pricing, formula, given)
        if found is not None:
            chosen = _dtype(record, formula, dtype)
            return Priced(pricing, found.formula, given, found.sizes, chosen, found.names)
    raise SizesError(max(failed, key=lambda one: one[0])[1])


def sizes_page(
    header: Header,
    record: OpRecord,
    priced: Priced,
    accepted: str | None = None,
    spelling: Variant | None = None,
) -> TextPage:
    """Lay out what the op keeps for arguments of these shapes, in the build of that header.

    `accepted` says how it is known that the op accepts them, where it is. Where a `spelling` of the
    op was asked for, the page says first how it is known to keep the same.
    """
    page = _page(record, priced, accepted)
    own = () if spelling is None else tuple(spelling_facts(record, spelling))
    title = spelling.name if spelling and speaks_for_itself(record, spelling) else record.name
    return replace(page, title=title, facts=(*own, *page.facts, *source(header, record)))


def call_of(record: OpRecord, pricing: Pricing) -> str:
    """Return the call that a formula is of, as it is written where sizes vary."""
    call = record.references[0] if pricing.case is None else record.cases[pricing.case]
    return (pricing.call or call.call).removeprefix("output = ")


def _asked(record: OpRecord, call: str | None) -> list[tuple[Pricing, ByteFormula]]:
    priced = [(one, one.formula) for one in record.formulas if one.formula is not None]
    if not priced:
        reason = next((one.reason for one in record.formulas if one.reason), record.reason)
        raise SizesError(f"{record.name} has no byte formula: {reason or 'none was looked for'}")
    if call is None:
        return priced
    wanted = "".join(call.split())
    if not wanted:
        raise SizesError(f"no part of a call of {record.name} was given with --call")
    found = [one for one in priced if wanted in "".join(call_of(record, one[0]).split())]
    if not found:
        calls = list(dict.fromkeys(call_of(record, one) for one, _ in priced))
        more = f" and {len(calls) - NAMED} more" if len(calls) > NAMED else ""
        raise SizesError(
            f"no call of {record.name} that has a formula reads {quoted(call)};"
            f" there are {'; '.join(calls[:NAMED])}{more}"
        )
    return found


def _accepts(record: OpRecord, formula: ByteFormula, sizes: Mapping[str, int]) -> None:
    broken = broken_conditions(formula, sizes)
    if broken:
        raise SizesError(
            f"the formula of {record.name} holds only where {' and '.join(map(shown, broken))}"
        )
    refusal = refusal_at(formula, sizes)
    if refusal is not None:
        raise SizesError(
            f"{record.name} raises unless {shown(refusal.condition)}; it said, at other sizes,"
            f" {quoted(refusal.error)}"
        )
    negative = [name for name, size in all_sizes(formula, sizes).items() if size < 0]
    if negative:
        raise SizesError(f"{record.name} has no such call: {negative[0]} would be below 0")


def _dtype(record: OpRecord, formula: ByteFormula, dtype: str | None) -> str | None:
    if dtype is None:
        return formula.dtypes[0] if formula.dtypes else None
    name = dtype.removeprefix("torch.")
    if name not in ITEMSIZES:
        raise SizesError(f"{quoted(dtype)} is no dtype; try {', '.join(formula.dtypes)}")
    if name not in formula.dtypes:
        confirmed = ", ".join(formula.dtypes) or "the dtypes of its own call alone"
        raise SizesError(
            f"the formula of {record.name} was confirmed for {confirmed}, but not for {name}"
        )
    return name


def _page(record: OpRecord, priced: Priced, accepted: str | None) -> TextPage:
    pricing, formula, sizes, dtype = priced.pricing, priced.formula, priced.sizes, priced.dtype
    call = record.references[0] if pricing.case is None else record.cases[pricing.case]
    first = kept_under(formula, 0) or ()
    kept = cost(formula, sizes, dtype, first)
    shapes = [
        f"{name} {' × '.join(map(str, shape)) or 'one number'}"
        for name, shape in priced.shapes.items()
    ]
    tables = [_saved(record, call, formula, all_sizes(formula, sizes), dtype)]
    if formula.masks is not None:
        tables.append(_masks(call, formula, sizes, dtype))
    known = [("accepted", accepted)] if accepted else [("limit", TAKEN)]
    return TextPage(
        title=record.name,
        claim=(
            f"Keeps {kept.storage:,} bytes, of which {kept.extra:,} are extra,"
            f" for {', '.join(shapes)}{f' in {dtype}' if dtype else ''}."
        ),
        facts=(
            ("call", call_of(record, pricing)),
            *_others(record, priced),
            *_first_mask(pricing, call),
            *_formulas(formula, dtype),
            ("known from", f"{origin(pricing)}; {checked(pricing.formula or formula)}."),
            *(("limit", text) for text in limits(pricing.formula or formula)),
            *_broadcast(priced),
            *known,
        ),
        tables=tuple(table for table in tables if table.rows),
        legend=FIGURES,
    )


def _others(record: OpRecord, priced: Priced) -> Iterator[tuple[str, str]]:
    """Name the other calls that take such arguments and keep another number of bytes."""
    own = cost(priced.formula, priced.sizes, priced.dtype, kept_under(priced.formula, 0))
    calls = []
    for pricing in record.formulas:
        formula = pricing.formula
        if formula is None or pricing is priced.pricing:
            continue
        with suppress(CatalogueError, SizesError):
            sizes = sizes_from(formula, priced.shapes)
            _accepts(record, formula, sizes)
            if priced.dtype in (formula.dtypes or (None,)):
                other = cost(formula, sizes, priced.dtype, kept_under(formula, 0))
                if (other.logical, other.storage, other.extra) != (
                    own.logical,
                    own.storage,
                    own.extra,
                ):
                    calls.append(f"{call_of(record, pricing)} ({other.storage:,} bytes)")
    for text in list(dict.fromkeys(calls))[:NAMED]:
        yield "not so with --call", text


def _first_mask(pricing: Pricing, call: Reference | Case) -> Iterator[tuple[str, str]]:
    """Name the mask that the figures of a case are for; those of its others may not be known."""
    if pricing.case is not None:
        yield "requires grad", ", ".join(call.measurements[0].mask)


def _broadcast(priced: Priced) -> Iterator[tuple[str, str]]:
    for name in priced.broadcast:
        yield (
            "broadcast",
            f"a call with one row of {name} kept the same, but for what {name} weighs itself",
        )


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
    # What only other masks keep comes last.
    for place, tensor in zip(places, formula.tensors, strict=False):
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
            figures = (unknown(formula, place, measured), *("–",) * (len(FIGURES) - 1))
        else:
            found = cost(formula, sizes, dtype, kept)
            figures = (f"{found.logical:,}", f"{found.storage:,}", f"{found.extra:,}")
        rows.append((", ".join(measured.mask), *figures))
    return Table("By what requires grad", BY_MASK, tuple(rows))

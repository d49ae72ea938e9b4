"""The structs of byte formulas: what a call keeps in terms of its arguments' dimensions.

Expressions are text: whole numbers, names of dimensions, + - * // % **, min(), max() and, in
conditions, comparisons (see `formulas.expressions`). They count elements, so that the dtype can
vary: bytes are elements × itemsize.
"""

from typing import Literal

import msgspec

from generator.catalogue.model.frozen import Frozen

Shape = tuple[int | str, ...]


class FormulaTensor(Frozen, frozen=True, array_like=True):
    """One saved tensor: its elements, its dtype, and the number of the storage behind it.

    `dtype` is `same` as the call's, the `real` one of a complex call, the `complex` one of a real
    call, `float32 at least`, or a dtype that does not follow.
    """

    elements: str
    dtype: str
    storage: int


class FormulaStorage(Frozen, frozen=True, array_like=True):
    """One storage: its elements, of the dtype of its first tensor, and whether it is extra."""

    elements: str
    extra: bool


class FormulaArgument(Frozen, frozen=True, array_like=True):
    """A tensor argument and its shape, of names of dimensions and of fixed sizes."""

    name: str
    shape: Shape


class Refusal(Frozen, frozen=True, array_like=True):
    """A condition on sizes, and the first line of the error that calls raise where it fails."""

    condition: str
    error: str


class Unconfirmed(Frozen, frozen=True, array_like=True):
    """A mask, by its position among the measurements, of which a formula says nothing, and why."""

    mask: int
    reason: str


class ByteFormula(Frozen, frozen=True, kw_only=True):
    """What a call keeps, as real calls confirmed it.

    `arguments` has the tensor arguments in the order of the call, `computed` defines the sizes
    that the call computes from theirs and keeps tensors of. `masks` gives, for each measurement of
    the reference or the case, the positions of the tensors kept under its mask, and None where
    that was not confirmed: `unconfirmed` has the reasons. It is None where every mask of the
    reference keeps them all, and where a case has a single mask. What only further masks keep comes
    after what the first one keeps, in `tensors` and in `storages`. `dtypes` are those of the
    arguments of floating point for which the formula was confirmed, `where` the conditions that
    sizes must meet.

    `held_out` lists the sizes at which real calls confirmed it, none of which it was made from,
    in the order in which the dimensions first appear in `arguments`. The call raises where a
    dimension of `refused_at_one` is 1, and keeps something else where one of `wrong_at_one` is.
    `refuses` has further conditions that calls broke and raised.

    The ranks are those of `arguments`. `leading` lists for how many dimensions, besides one, the
    first may stand, wherever it comes: for none, or for the product of so many. Two real calls
    with arguments of these ranks confirmed each.
    """

    arguments: tuple[FormulaArgument, ...]
    computed: dict[str, str] = msgspec.field(default_factory=dict)
    tensors: tuple[FormulaTensor, ...] = ()
    storages: tuple[FormulaStorage, ...] = ()
    masks: tuple[tuple[int, ...] | None, ...] | None = None
    dtypes: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    held_out: tuple[tuple[int, ...], ...]
    refused_at_one: tuple[str, ...] = ()
    wrong_at_one: tuple[str, ...] = ()
    unconfirmed: tuple[Unconfirmed, ...] = ()
    leading: tuple[int, ...] = ()
    refuses: tuple[Refusal, ...] = ()


class Pricing(Frozen, frozen=True, kw_only=True):
    """The formula of one call of an op, or the reason why there is none.

    `case` is the position of the case whose call it is, None for the reference. `call` is how the
    call is written where its sizes vary with its arguments and it is written otherwise there.
    A formula is `symbolic` if it was derived from fake tensors, and `fitted` if from measurements.
    """

    case: int | None = None
    call: str | None = None
    state: Literal["symbolic", "fitted", "none"]
    reason: str | None = None
    formula: ByteFormula | None = None

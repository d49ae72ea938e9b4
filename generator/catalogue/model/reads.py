"""Structs of what became of the outputs of a call after a write into its tensors."""

from typing import Literal

from generator.catalogue.model.frozen import Frozen

ReadEnd = Literal["correct", "silently wrong", "runs", "raises", "read raises", "not read"]


class ReadEnds(Frozen, frozen=True, array_like=True):
    """How it ended after each kind of write, which are those of `Verdicts`.

    The write was made, then each differentiable output was cloned as it was by then, and backward
    began at these clones. `read raises` where cloning one raised, `raises` where backward did.
    `correct` and `silently wrong` compare the gradients with those of the program with the write in
    it: of the same call unwritten, with every output element that lies in the memory written to
    replaced by a constant out of place. They are told of tracked writes, the first two kinds.
    `runs` says that nothing raised, and nothing of the gradients: of the others, and where elements
    have no place in memory of their own, as in sparse layouts. `not read` where the write was
    refused or none is known to be valid.
    """

    in_place: ReadEnd
    through_view: ReadEnd
    under_no_grad: ReadEnd
    through_data: ReadEnd


class ReadTrial(Frozen, frozen=True, kw_only=True):
    """What reading the outputs after writing into one tensor of the call did, without hooks.

    `target` and `masks` are as in `WriteTrial`. `message` is the first error among the kinds of
    write up to its hint, and `relative_error` the largest of the silently wrong gradients where it
    is defined: both under the first of the masks.
    """

    target: str
    masks: tuple[int, ...]
    ended: ReadEnds
    message: str | None = None
    relative_error: float | None = None


class Reads(Frozen, frozen=True, kw_only=True):
    """Reads of the outputs after writes into the tensors of the call that `OpRecord.writes` is of.

    A tensor has a trial under each mask under which a differentiable output shares its storage. No
    write to another one reaches what an output is made of, so that nothing was tried there.
    `reason` says why nothing was tried at all. `printed` is what the evidence program printed where
    that is not what the trials say, and None where it is, or where there is no program.
    """

    trials: tuple[ReadTrial, ...] = ()
    reason: str | None = None
    printed: str | None = None

"""Structs of what writes into the tensors of an op's call did to backward."""

from generator.catalogue.model.frozen import Frozen
from generator.catalogue.model.measurement import Argument
from generator.catalogue.model.unseen import Verdict


class Verdicts(Frozen, frozen=True, array_like=True):
    """What each kind of write did: by an in-place op, through a view, under no_grad, by `.data`."""

    in_place: Verdict
    through_view: Verdict
    under_no_grad: Verdict
    through_data: Verdict


class WriteTrial(Frozen, frozen=True, kw_only=True):
    """What writing into one tensor of a call, after the call, does to backward.

    `target` is the tensor's role, and `masks` are positions of those masks of the call under which
    writing to it ended alike. `saved` says whether its storage is among those that the graph keeps,
    `savers` names who keeps it, as `MulBackward0._saved_other`, and `uncounted` says that they
    count their versions apart, so that no write is noticed. `plain` and `hooked` give the verdicts
    without hooks and under identity `saved_tensors_hooks`, None where the build has no such hooks;
    `on_cpu` those under `save_on_cpu`, and is None where they are those under identity hooks.
    Under the first of the masks, `message` is the error of an in-place write up to its hint, and
    `relative_error` the largest of the silently wrong gradients, where it is defined.
    """

    target: str
    masks: tuple[int, ...]
    saved: bool
    savers: tuple[str, ...] = ()
    uncounted: bool = False
    plain: Verdicts
    hooked: Verdicts | None = None
    on_cpu: Verdicts | None = None
    message: str | None = None
    relative_error: float | None = None


class Writes(Frozen, frozen=True, kw_only=True):
    """Writes into the tensors of one call of an op; `reason` says why nothing was tried.

    `setup` makes the arguments of `call`: both are the reference program with fewer elements, or as
    it is where it cannot have fewer. It is None where the call is a sample of PyTorch's own, which
    has its arguments by value: the first whose tensors all have two elements or more, where there
    is one. `masks` are the grad masks under which writes were tried, the widest first, or the one
    that the sample asks for; `left_out` says why others were not. `on_cpu` says whether they were
    tried under `save_on_cpu` too.

    `printed` is what the evidence program printed where that is not what the trials say, and None
    where it is (see `catalogue.write_evidence`), or where there is no program for want of a setup.
    """

    setup: str | None = None
    call: str
    arguments: tuple[Argument, ...]
    masks: tuple[tuple[str, ...], ...]
    trials: tuple[WriteTrial, ...] = ()
    on_cpu: bool = False
    reason: str | None = None
    left_out: str | None = None
    printed: str | None = None

"""Rules about writes: what a write does to backward must agree with what the graph keeps.

A rule takes a catalogue and yields a finding for each place that breaks it.
"""

from collections.abc import Iterator

from generator.catalogue.model.records import Catalogue
from generator.catalogue.model.writes import Verdicts, Writes, WriteTrial
from generator.catalogue.rules.calls import Finding
from generator.catalogue.writes import each_kind

# What ends so says nothing of what backward makes of other values.
_UNTOLD = {"refused", "not tried"}


def writes(catalogue: Catalogue) -> Iterator[tuple[str, Writes]]:
    """Yield the writes of every op that has them, with how findings speak of it."""
    for op in catalogue.ops.values():
        if op.writes is not None:
            yield f"op {op.name}", op.writes


def trials(catalogue: Catalogue) -> Iterator[tuple[str, WriteTrial]]:
    """Yield every trial, with how findings speak of its op."""
    for label, tried in writes(catalogue):
        for trial in tried.trials:
            yield label, trial


def writes_exactly_where_measured(catalogue: Catalogue) -> Iterator[Finding]:
    """A measured op has writes, and any other has none; they were tried, or a reason says why not.

    Some tensor is tried under each mask.
    """
    for op in catalogue.ops.values():
        if (op.state == "measured") != (op.writes is not None):
            yield f"op {op.name}", f"is {op.state} {'with' if op.writes else 'without'} writes"
    for label, tried in writes(catalogue):
        if bool(tried.trials) == bool(tried.reason):
            yield label, f"tried {len(tried.trials)} writes, for which the reason is {tried.reason}"
        untried = {*range(len(tried.masks))} - {mask for one in tried.trials for mask in one.masks}
        if tried.trials and untried:
            yield label, f"tried no write under {[tried.masks[mask] for mask in sorted(untried)]}"


def trials_name_what_is_there(catalogue: Catalogue) -> Iterator[Finding]:
    """A target is an argument or an output, under masks of the call, each of them once."""
    for label, tried in writes(catalogue):
        arguments = {f"{one.source} {one.name}" for one in tried.arguments if one.shape is not None}
        names = {one.name for one in tried.arguments if one.shape is not None}
        for mask in tried.masks:
            if not names.issuperset(mask):
                yield label, f"tries writes under the mask {mask}, which its call does not have"
        pairs: set[tuple[str, int]] = set()
        for trial in tried.trials:
            if trial.target not in arguments and trial.target.split()[0] != "output":
                yield label, f"writes to {trial.target!r}, which its call does not have"
            if not trial.masks or not 0 <= min(trial.masks) <= max(trial.masks) < len(tried.masks):
                yield label, f"writes to {trial.target!r} under no mask of its call: {trial.masks}"
            twice = pairs & {(trial.target, mask) for mask in trial.masks}
            if twice:
                yield label, f"writes to {trial.target!r} twice under one mask"
            pairs |= {(trial.target, mask) for mask in trial.masks}


def tracked_writes_raise_exactly_where_noticed(catalogue: Catalogue) -> Iterator[Finding]:
    """A tracked write raises exactly where the storage is kept by a tensor that counts it.

    Hence it is silently wrong only where those who keep the storage count versions of their own.
    """
    for label, trial in trials(catalogue):
        expected: tuple[str, ...]
        if trial.uncounted:
            kept, expected = "though it is kept uncounted", ("correct", "silently wrong")
        elif trial.saved:
            kept, expected = "though it is kept", ("raises",)
        else:
            kept, expected = "though it is not kept", ("correct",)
        for how, verdict in tracked(trial.plain).items():
            if verdict not in (*expected, "refused", "not tried"):
                yield label, f"says {verdict!r} of a write {how} to {trial.target!r}, {kept}"


def uncounted_where_saved(catalogue: Catalogue) -> Iterator[Finding]:
    """Only what is saved can be saved without counting."""
    for label, trial in trials(catalogue):
        if trial.uncounted and not trial.saved:
            yield label, f"does not count writes to {trial.target!r}, which it does not keep"


def savers_where_saved(catalogue: Catalogue) -> Iterator[Finding]:
    """Only what the graph keeps has savers, each a node type and one of its attributes."""
    for label, trial in trials(catalogue):
        if trial.savers and not trial.saved:
            yield label, f"does not keep {trial.target!r} and names {trial.savers} as its savers"
        for saver in trial.savers:
            if "._saved_" not in saver and not saver.endswith(".saved_tensors"):
                yield label, f"names no attribute in {saver!r}, which saved {trial.target!r}"


def on_cpu_where_tried(catalogue: Catalogue) -> Iterator[Finding]:
    """Verdicts under `save_on_cpu` are told where it was tried and changes something."""
    for label, tried in writes(catalogue):
        for trial in tried.trials:
            if trial.on_cpu is not None and not tried.on_cpu:
                yield label, f"has verdicts under save_on_cpu for {trial.target!r}, untried"
            if trial.on_cpu is not None and trial.on_cpu == trial.hooked:
                yield label, f"repeats the verdicts under hooks for {trial.target!r}"


def programs_say_what_was_measured(catalogue: Catalogue) -> Iterator[Finding]:
    """The evidence programs came to the verdicts of the trials, and to the bytes of spellings."""
    for op in catalogue.ops.values():
        for variant in op.variants:
            if variant.printed is not None:
                yield f"op {op.name}", f"has a program that says otherwise of {variant.name}"
    for label, tried in writes(catalogue):
        if tried.printed is not None:
            yield label, "has an evidence program that says otherwise than its trials"


def unseen_writes_end_alike(catalogue: Catalogue) -> Iterator[Finding]:
    """A write by `.data` ends alike with and without hooks, and as a tracked one under hooks.

    Neither is noticed, so that both show whether the gradient depends on what was written over.
    """
    for label, trial in trials(catalogue):
        if trial.hooked is None:
            continue
        by_data = trial.plain.through_data
        if by_data != trial.hooked.through_data:
            yield label, f"{by_data} by .data to {trial.target!r}, under hooks otherwise"
        for how, verdict in tracked(trial.hooked).items():
            if not _UNTOLD & {by_data, verdict} and verdict != by_data:
                yield label, f"{by_data} by .data to {trial.target!r}, {verdict} {how} under hooks"


def hooks_where_the_build_has_them(catalogue: Catalogue) -> Iterator[Finding]:
    """Writes were tried under hooks exactly where the build has any."""
    lacks = catalogue.header.build.without_hooks is not None
    for label, trial in trials(catalogue):
        if (trial.hooked is None) != lacks:
            yield label, f"has {trial.hooked} under hooks for {trial.target!r}"
    for record in catalogue.writes.values():
        if record.state == "measured" and (record.hooked is None) != lacks:
            yield f"write {record.name}", f"ended with {record.hooked} under hooks"


def messages_where_something_was_said(catalogue: Catalogue) -> Iterator[Finding]:
    """There is a message exactly where an in-place write was refused or made backward raise."""
    for label, trial in trials(catalogue):
        said = trial.plain.in_place in ("raises", "refused")
        if said != bool(trial.message):
            with_or_without = "with" if trial.message else "without"
            yield label, f"{trial.plain.in_place} {with_or_without} words for {trial.target!r}"


def errors_where_silently_wrong(catalogue: Catalogue) -> Iterator[Finding]:
    """Only a silently wrong gradient has a relative error, and it is above zero."""
    for label, trial in trials(catalogue):
        if trial.relative_error is None:
            continue
        tried = (trial.plain, trial.hooked, trial.on_cpu)
        ended = [verdict for one in tried if one is not None for verdict in each_kind(one)]
        if "silently wrong" not in ended:
            yield label, f"is {trial.relative_error} wrong after no write to {trial.target!r}"
        if trial.relative_error <= 0:
            yield label, f"is {trial.relative_error} wrong after a write to {trial.target!r}"


def tracked(verdicts: Verdicts) -> dict[str, str]:
    """Return the verdicts of the writes that count a version, by how they are made."""
    return {
        "in place": verdicts.in_place,
        "through a view": verdicts.through_view,
        "under no_grad": verdicts.under_no_grad,
    }


def every_mask_of_the_call_was_tried(catalogue: Catalogue) -> Iterator[Finding]:
    """Writes were tried under each mask that the reference call makes a graph under, or say why."""
    for op in catalogue.ops.values():
        tried = op.writes
        # The call of a sample may have other masks than any call that was measured under all.
        if tried is None or tried.setup is None or tried.left_out or not tried.trials:
            continue
        for call in op.references[:1]:
            known = [one.mask for one in call.measurements if one.policy is not None]
            for mask in (one for one in known if one not in tried.masks):
                yield f"op {op.name}", f"tried no write with grad of {', '.join(mask)}"


RULES = (
    every_mask_of_the_call_was_tried,
    writes_exactly_where_measured,
    trials_name_what_is_there,
    tracked_writes_raise_exactly_where_noticed,
    uncounted_where_saved,
    savers_where_saved,
    on_cpu_where_tried,
    programs_say_what_was_measured,
    unseen_writes_end_alike,
    hooks_where_the_build_has_them,
    messages_where_something_was_said,
    errors_where_silently_wrong,
)

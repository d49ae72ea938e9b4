"""The one-sentence answer of each record, and the short label it is filtered by.

Everything is read off the measurements, and nothing is looked up by name. Where other calls of the
record keep other classes of tensor, the claim names its own call. Sentences start in lower
case, carry no full stop, and put names in backticks.
"""

from collections.abc import Iterable, Sequence

from generator.catalogue.bills import block_claim
from generator.catalogue.claim_nouns import join
from generator.catalogue.claims_of_calls import call_claim, size_of_one
from generator.catalogue.claims_of_nodes import node_claim
from generator.catalogue.claims_of_others import differing, readable
from generator.catalogue.kept import (
    CLASSES,
    Call,
    kept,
    measured,
    other_cases,
    principal_calls,
    role_class,
)
from generator.catalogue.model.bills import BlockRecord
from generator.catalogue.model.records import ModuleRecord, NodeRecord, OpRecord, Reference
from generator.catalogue.undifferentiable import arguments_without, has_no_backward

_CLASS_NOUNS = {
    "input": ("input", "inputs"),
    "parameter": ("parameter", "parameters"),
    "buffer": ("buffer", "buffers"),
    "output": ("output", "outputs"),
    "intermediate": ("intermediate", "intermediates"),
}


def claim(record: OpRecord | ModuleRecord | NodeRecord | BlockRecord) -> str:
    """Say in one sentence what the record keeps, as measured; or why it was not measured."""
    if isinstance(record, BlockRecord):
        return block_claim(record)
    if isinstance(record, NodeRecord):
        return node_claim(record)
    if record.state != "measured":
        return _unmeasured(record.state, record.reason)
    calls = principal_calls(record)
    if not calls:
        return "not measured: no sample ran"
    said = _over_modes(record, calls)
    cut = isinstance(record, OpRecord) and has_no_backward(record)
    others = other_cases(record)
    without = arguments_without(record) if isinstance(record, OpRecord) else ""
    said = f"{said}; {without}" if without else said
    if not others:
        return f"its backward is not implemented; the call itself {said}" if cut else said
    named = _own_call(calls[0])
    if cut:
        said = f"backward of {named or 'its reference call'} is not implemented; the call {said}"
    else:
        said = f"{named} {said}" if named else f"in its reference call {said}"
    return f"{said}; {differing(record, calls[0], named, others)}"


def _over_modes(record: OpRecord | ModuleRecord, calls: Sequence[Call]) -> str:
    """Put the claims of a module's modes together; an op has no mode."""
    sentences = {call.mode: call_claim(record, call, size_of_one(record, call)) for call in calls}
    mode, sentence = next(iter(sentences.items()))
    if isinstance(record, OpRecord):
        return sentence
    if mode is None:
        return f"{sentence}, in train and in eval mode alike"
    if len(sentences) > 1 and len(set(sentences.values())) == 1:
        alike = len({_weights(call) for call in calls}) == 1
        how = "alike" if alike else "but not the same bytes"
        return f"{sentence}, in train and in eval mode {how}"
    return "; ".join(f"in {mode} mode {sentence}" for mode, sentence in sentences.items())


def _weights(call: Call) -> tuple[tuple[int, int, int], ...]:
    return tuple((one.logical_bytes, one.storage_bytes, one.extra_bytes) for one in measured(call))


def _own_call(call: Call) -> str:
    """Write the call that a claim is about, in backticks; empty where that is too long to read.

    A module's reference is named by how the module was built.
    """
    text = call.call.removeprefix("output = ")
    if isinstance(call, Reference) and text.startswith("module("):
        built = [line for line in call.setup.splitlines() if line.startswith("module = ")]
        text = built[0].removeprefix("module = ") if built else ""
        text = text if text.endswith(")") else ""
    return f"`{text}`" if text and readable(text) else ""


def classes(record: OpRecord | ModuleRecord | NodeRecord) -> tuple[str, ...]:
    """Name the classes of tensor that the record keeps, in the order of `CLASSES`."""
    if isinstance(record, NodeRecord):
        roles: Iterable[str] = (role for seen in record.observed for role in seen.roles)
    elif record.state == "measured":
        roles = (role for call in principal_calls(record) for role in kept(record, call).roles)
    else:
        roles = ()
    found = {role_class(role) for role in roles}
    return tuple(name for name in CLASSES if name in found)


def label(record: OpRecord | ModuleRecord | NodeRecord) -> str:
    """Give the short label that records are filtered by, such as `input and output`."""
    if isinstance(record, NodeRecord):
        if record.state == "declared":
            return "not measured"
        values = any(kind != "none" for seen in record.observed for kind in seen.kinds)
    elif record.state != "measured" or not principal_calls(record):
        return "not measured"
    else:
        calls = [kept(record, call) for call in principal_calls(record)]
        values = any(call.kinds or call.numbers for call in calls)
    names = classes(record)
    if names:
        return join([_CLASS_NOUNS[name][0 if name in ("input", "output") else 1] for name in names])
    return "sizes and scalars only" if values else "nothing"


def _unmeasured(state: str, reason: str | None) -> str:
    known = "not differentiable" if state == "not differentiable" else f"not measured ({state})"
    return f"{known}: {reason.removesuffix('.')}" if reason else known

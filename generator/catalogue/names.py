"""Find the record that a person means: by op, alias, method, node, module, overload or short name.

A text is looked up in tiers, the most literal spelling first, and the first tier that knows it
decides. Within the short names the one that is closest to `torch` wins (`norm` is `torch.norm`
before `torch.linalg.norm`); any other tie is the user's to break. In an error message only nodes
are looked for.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice

from generator.catalogue.code.statements import several, written
from generator.catalogue.explain.messages import compound_names, node_said
from generator.catalogue.links import Paged
from generator.catalogue.model.records import Catalogue, OpRecord, Variant
from generator.catalogue.name_tiers import FOLDED, IN_PLACE, Index, Tier, in_place_of, index
from generator.catalogue.unknown_names import listed, unknown, unknown_code
from generator.errors import UnknownNameError, quoted

# The fields of ops and modules that they are found by, besides their names.
NAMED_BY = ("overloads", "variants")
OLD = "Backward"
OWNED = re.compile(r"(?:torch|nn|F|Tensor)\.(?:\w+\.)*(?=\w+(?:\(\))?$)")
ATEN = re.compile(r"(?:torch\.ops\.)?aten(?:\.|::)")
INPLACE = re.compile(r"\((?:[^()]*,)?\s*inplace\s*=\s*True\s*\)$")


@dataclass(frozen=True)
class Resolution:
    """The record that a text names, and the names of others that it may also mean.

    `spelling` is the variant of an op that the text names; None where it names the op itself.
    `decided` says, of code, what decides which of them it is. `nearest` says that no record is
    called so: another release may have one.
    """

    record: Paged
    others: tuple[str, ...] = ()
    spelling: Variant | None = None
    decided: str = ""
    nearest: bool = False


def resolve(catalogue: Catalogue, text: str) -> Resolution:
    """Return the record that `text` names, and raise UnknownNameError, as `find` does."""
    return find(index(catalogue), text)


def find(known: Index, text: str) -> Resolution:
    """Return the record that `text` names; a text that quotes an error message names a node.

    Raises:
        UnknownNameError: nothing is called so (the sentence suggests what is called nearly so), or
            several are and none of them is the plainest (the sentence lists them).
    """
    said = node_said(text)
    if said is not None:
        return _node(known, said)
    found = _looked_up(known, text)
    if found is not None:
        return found
    for word in compound_names(text):
        if word in known.catalogue.nodes or (word.endswith(OLD) and word in known.said[-1]):
            return _node(known, word)
    return _block(known, text) or _coded(known, text)


def _block(known: Index, text: str) -> Resolution | None:
    """Find the block that has a word in its name: `LoRA` is lora-linear."""
    word = text.strip().casefold()
    if any(word == spelling.casefold() for tier in known.tiers for spelling in tier):
        return None  # a name in other letters is not one of its words
    blocks = known.catalogue.blocks.values()
    found = [one for one in blocks if len(word) > 2 and word in one.name.split("-")]
    return Resolution(_only(found, text)) if found else None


def _looked_up(known: Index, text: str) -> Resolution | None:
    found = [match for tier in known.tiers if (match := _matches(tier, text))]
    if not found:
        return _less_literal(known, text)
    best = _only(found[0], text)
    others = dict.fromkeys(record.name for match in found for record in match)
    also = tuple(name for name in others if name != best.name)
    return Resolution(best, also, _spelling(best, text))


def _less_literal(known: Index, text: str) -> Resolution | None:
    """Find what no spelling is: in other letters, by a recipe, by its end, by a declaration."""
    for reading in _readings(text):
        if (word := reading.casefold()) in known.folded:
            best = _only(known.folded[word], text)
            return Resolution(best, spelling=_spelling(best, text), nearest=True)
    if made := _matches(known.recipes, text):
        return Resolution(_only(made, text))
    owned = OWNED.match(text)
    if owned and (ended := _matches(known.ends, last := text[owned.end() :])):
        best, why = _only(ended, text), f"{quoted(text)} has no record of its own; this ends so"
        return Resolution(best, spelling=_spelling(best, last), decided=why, nearest=True)
    if declared := _matches(known.declared, text):
        best, *others = declared
        release = known.catalogue.header.release
        why = f"the node that torch {release} declares for it; no op is catalogued by that name"
        return Resolution(best, tuple(one.name for one in others), decided=why, nearest=True)
    return None


def _coded(known: Index, text: str) -> Resolution:
    """Find what a piece of code stands for; what the release lacks of it is left out."""
    plain = text.strip().strip("`")
    code = written(plain)
    if code is None:
        told = unknown_code(known, plain, _called_by(known, plain))
        raise UnknownNameError(told or unknown(known, text, text))
    found = [*_all_of(known, code.names)]
    if not found:
        raise UnknownNameError(unknown(known, text, code.names[0]))
    if not code.decided:
        return replace(found[0], others=())
    called = (one.spelling.name if one.spelling else one.record.name for one in found)
    _, *others = dict.fromkeys(called)
    return replace(found[0], others=tuple(others), decided=code.decided)


def _called_by(known: Index, text: str) -> list[str] | None:
    """Name the records of all that a piece of code calls; None where a text is no code."""
    calls = several(text)
    if calls is None:
        return None
    likeliest = (one for names in calls for one in islice(_all_of(known, names), 1))
    return [*dict.fromkeys(one.record.name for one in likeliest)]


def _all_of(known: Index, names: Sequence[str]) -> Iterator[Resolution]:
    """Yield what each of some names means, but for those that mean nothing or several."""
    for name in names:
        with suppress(UnknownNameError):
            if found := _looked_up(known, name):
                yield found


def _node(known: Index, said: str) -> Resolution:
    """Find the node that a message calls `said`.

    1.9 wrote `SelectBackward` for what later messages call `Select`; newer ones mean the node
    `SelectBackwardBackward0` by it, and the other is told.
    """
    for tier in known.said:
        if said in tier:
            best = _only(tier[said], said)
            older = known.said[0].get(f"{said}0", ()) if said.endswith(OLD) else ()
            return Resolution(best, tuple(one.name for one in older if one is not best))
    release = known.catalogue.header.release
    raise UnknownNameError(
        f"torch {release} has no node type that its messages call {quoted(said)};"
        " it may be a torch.autograd.Function of your own code"
    )


def _only(found: Sequence[Paged], text: str) -> Paged:
    if len(found) > 1:
        names = listed([record.name for record in found], "or")
        raise UnknownNameError(f"{quoted(text)} may mean {names}; name one of them in full")
    return found[0]


def _spelling(record: Paged, text: str) -> Variant | None:
    """Return the variant of a record that `text` names; None where its own name is as near."""
    if not isinstance(record, OpRecord):
        return None
    spelled = {one.name: one for one in record.variants}
    for reading in _readings(text):
        named = [
            name
            for name in (record.name, *spelled)
            if name == reading or name.endswith(f".{reading}")
        ]
        if named:
            parts = min(name.count(".") for name in named)
            nearest = [name for name in named if name.count(".") == parts]
            # Two spellings that are as near are named by neither.
            own = record.name in nearest or len(nearest) > 1
            return None if own else spelled[nearest[0]]
        if reading.startswith(FOLDED):
            in_place = (one for one in record.variants if one.name.endswith(IN_PLACE))
            return next((one for one in in_place if in_place_of(one.name) == reading), None)
    return None


def _matches(tier: Tier, text: str) -> list[Paged]:
    """Look up each reading of `text`; a record that is found by several counts once."""
    for reading in _readings(text):
        if reading in tier:
            return list({id(record): record for record in tier[reading]}.values())
    return []


def _readings(text: str) -> Iterator[str]:
    """Yield what `text` may stand for, as it is first."""
    plain = INPLACE.sub(IN_PLACE, text.strip().strip("`")).removesuffix("()")
    yield plain
    if plain.endswith(IN_PLACE):
        yield in_place_of(plain)
    if " " in plain:
        yield plain.replace(" ", "_")
    if plain.endswith(OLD):  # as 1.9 wrote it
        yield f"{plain}0"
    if plain.startswith(("F.", "f.")):
        yield "torch.nn.functional." + plain[2:]
    if ATEN.match(plain):
        overload = ATEN.sub("aten::", plain).removesuffix(".default")
        yield overload
        if overload.partition(".")[0].endswith("_"):
            yield overload.removeprefix("aten::").partition(".")[0]
    if plain.endswith("_"):
        yield f"{plain[:-1]}(inplace=True)"

"""Find the record that a person means: by op, alias, method, node, module, overload or short name.

A text is looked up in tiers, the most literal spelling first, and the first tier that knows it
decides. Within the short names the one that is closest to `torch` wins (`norm` is `torch.norm`
before `torch.linalg.norm`); any other tie is the user's to break. In an error message only nodes
are looked for.
"""

import difflib
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from generator.catalogue.explain.messages import by_forward_name, by_stem, compound_names, node_said
from generator.catalogue.links import Paged, attribute_path, release_url
from generator.catalogue.model.records import Catalogue, OpRecord, Variant
from generator.catalogue.operators import is_code, is_deletion, is_hidden_write, written
from generator.errors import UnknownNameError, quoted

Tier = Mapping[str, Sequence[Paged]]
Growing = dict[str, list[Paged]]

# The fields of ops and modules that they are found by, besides their names.
NAMED_BY = ("overloads", "variants")
OLD = "Backward"
A_SENTENCE = 5  # words
ATEN = re.compile(r"(?:torch\.ops\.)?aten(?:\.|::)")
METHOD = re.compile(r"(?<!torch)\.(\w+)\(")
INPLACE = re.compile(r"\((?:[^()]*,)?\s*inplace\s*=\s*True\s*\)$")
IN_PLACE = "(inplace=True)"
FOLDED = "in place: "


@dataclass(frozen=True)
class Resolution:
    """The record that a text names, and the names of others that it may also mean.

    `spelling` is the variant of an op that the text names; None where it names the op itself.
    `decided` says, of code, what decides which of them it is.
    """

    record: Paged
    others: tuple[str, ...] = ()
    spelling: Variant | None = None
    decided: str = ""


@dataclass(frozen=True)
class Index:
    """A catalogue and what its records are called, the most literal spellings first.

    `tiers` serve names that a person types, `said` the names that error messages give to nodes.
    """

    catalogue: Catalogue
    tiers: tuple[Tier, ...]
    said: tuple[Tier, ...]


def index(catalogue: Catalogue) -> Index:
    """Collect what the records of a catalogue are called, for many calls of `find`."""
    nodes = catalogue.nodes.values()
    messages = (by_forward_name(nodes), by_stem(nodes))
    tiers = (
        _by_name(catalogue),
        _by_variant(catalogue),
        _by_overload(catalogue),
        _by_short_name(catalogue),
        _by_module_in_place(catalogue),
        *messages,
        _by_recipe(catalogue),
    )
    return Index(catalogue, tiers, ({node.name: [node] for node in nodes}, *messages))


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
        return None
    best = _only(found[0], text)
    others = dict.fromkeys(record.name for match in found for record in match)
    also = tuple(name for name in others if name != best.name)
    return Resolution(best, also, _spelling(best, text))


def _coded(known: Index, text: str) -> Resolution:
    """Find what a piece of code stands for; what the release lacks of it is left out."""
    plain = text.strip().strip("`")
    code = written(plain)
    if code is None:
        raise UnknownNameError(_unknown_code(known, plain) or _unknown(known, text, text))
    found: list[Resolution] = []
    for name in code.names:
        with suppress(UnknownNameError):  # what may mean several is no name of this one
            found += filter(None, [_looked_up(known, name)])
    if not found:
        raise UnknownNameError(_unknown(known, text, code.names[0]))
    if not code.decided:
        return replace(found[0], others=())
    called = (one.spelling.name if one.spelling else one.record.name for one in found)
    _, *others = dict.fromkeys(called)
    return replace(found[0], others=tuple(others), decided=code.decided)


def _unknown_code(known: Index, text: str) -> str | None:
    """Say of code that is no call of one op what it is; None where a text is no code."""
    header = known.catalogue.header
    if is_deletion(text):
        return (
            f"{quoted(text)} is no op: it drops a name, and what a graph keeps stays with the"
            f" graph; see {release_url(header.release)}guides/memory-that-grows/"
        )
    if is_hidden_write(text):
        return (
            f"{quoted(text)} writes through .data, which autograd does not see;"
            f" see {release_url(header.release)}writes/unseen/"
        )
    return f"{quoted(text)} is not one op; name the op that is meant" if is_code(text) else None


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
        names = _listed([record.name for record in found], "or")
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
            return next((one for one in in_place if _in_place(one.name) == reading), None)
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
        yield _in_place(plain)
    if " " in plain:
        yield plain.replace(" ", "_")
    if plain.endswith(OLD):  # as 1.9 wrote it
        yield f"{plain}0"
    if plain.startswith("F."):
        yield "torch.nn.functional." + plain.removeprefix("F.")
    if ATEN.match(plain):
        overload = ATEN.sub("aten::", plain).removesuffix(".default")
        yield overload
        if overload.partition(".")[0].endswith("_"):
            yield overload.removeprefix("aten::").partition(".")[0]
    if plain.endswith("_"):
        yield f"{plain[:-1]}(inplace=True)"


def _by_name(catalogue: Catalogue) -> Tier:
    return {record.name: [record] for record in _records(catalogue)}


def _by_variant(catalogue: Catalogue) -> Tier:
    """Spellings by their name; where ops share one, the op that is called so owns it."""
    claims: dict[str, list[OpRecord]] = defaultdict(list)
    for op in catalogue.ops.values():
        for variant in op.variants:
            if variant.name not in catalogue.ops:
                claims[variant.name].append(op)
    return {name: _owners(ops, name.split(".")[-1]) for name, ops in claims.items()}


def _owners(ops: list[OpRecord], base: str) -> list[OpRecord]:
    """Return those of `ops` that bear the name `base` themselves, or else all."""
    return [op for op in ops if op.name.split(".")[-1] == base] or ops


def _by_overload(catalogue: Catalogue) -> Tier:
    """Overloads by their ATen name; the op that is called like the overload owns it."""
    claims: dict[str, list[OpRecord]] = defaultdict(list)
    for op in catalogue.ops.values():
        for overload in op.overloads:
            for spelling in {overload, _base(overload)}:
                claims[spelling].append(op)
    tier: Growing = defaultdict(list)
    for overload, ops in claims.items():
        tier[overload].extend(_owners(ops, _base(overload)[len("aten::") :]))
    for node in catalogue.nodes.values():
        for declaration in node.declared:
            if declaration.overload not in claims:
                tier[declaration.overload].append(node)
    return tier


def _by_short_name(catalogue: Catalogue) -> Tier:
    """Every dotted ending of a name or variant, held by those with the fewest parts in all."""
    spelled = [(record.name, record) for record in _records(catalogue)]
    spelled += [(one.name, op) for op in catalogue.ops.values() for one in op.variants]
    shortest: dict[str, int] = {}
    tier: Growing = {}
    for name, record in spelled:
        parts = name.split(".")
        for start in range(1, len(parts)):
            ending = ".".join(parts[start:])
            if len(parts) < shortest.get(ending, len(parts) + 1):
                shortest[ending] = len(parts)
                tier[ending] = []
            if len(parts) == shortest[ending]:
                tier[ending].append(record)
    return tier


def _by_module_in_place(catalogue: Catalogue) -> Tier:
    """Spellings with `inplace=True` by the name of the module that makes them: `nn.ReLU6`."""
    tier: Growing = {}
    for op in catalogue.ops.values():
        for variant in op.variants:
            if variant.name.endswith(IN_PLACE):
                tier.setdefault(_in_place(variant.name), []).append(op)
    return tier


def _in_place(name: str) -> str:
    """Write `F.leaky_relu(inplace=True)` and `nn.LeakyReLU(inplace=True)` alike."""
    last = name.removesuffix(IN_PLACE).rpartition(".")[2]
    return FOLDED + last.replace("_", "").casefold()


def _by_recipe(catalogue: Catalogue) -> Tier:
    """Calls that no record is called by, such as `copy_`, by the node whose recipe makes them."""
    tier: Growing = {}
    for node in catalogue.nodes.values():
        if node.recipe is not None:
            last = node.recipe.program.strip().splitlines()[-1]
            for called in METHOD.findall(last):
                for spelling in (called, f"torch.Tensor.{called}", f"Tensor.{called}"):
                    tier.setdefault(spelling, []).append(node)
    return tier


def _records(catalogue: Catalogue) -> Iterator[Paged]:
    yield from catalogue.ops.values()
    yield from catalogue.modules.values()
    yield from catalogue.nodes.values()
    yield from catalogue.blocks.values()


def _base(overload: str) -> str:
    return overload.partition(".")[0]


def _unknown(known: Index, text: str, name: str) -> str:
    """Say that nothing is called `text`, and what has nearly the `name` that it stands for."""
    catalogue = known.catalogue
    site = release_url(catalogue.header.release)
    holders = [node for node in catalogue.nodes.values() if text in node.attributes]
    if holders:
        return (
            f"{text} is an attribute, of {holders[0].name} and {len(holders) - 1} other node types;"
            f" see {site}{attribute_path(text)}"
        )
    release = catalogue.header.release
    said = f"torch {release} has no op, module, node or overload called {quoted(text)}"
    if len(text.split()) >= A_SENTENCE:
        return f"{said}; if it is an error, look it up at {site}guides/saved-variable-checks/"
    near = _near(name, known.tiers)
    if near:
        return f"{said}; did you mean {_listed(near, 'or')}?"
    return f"{said}; all names are listed at {site}catalogue/"


def _near(text: str, tiers: tuple[Tier, ...]) -> list[str]:
    """Name up to three records that are spelled nearly like `text`, upper and lower case alike."""
    folded: dict[str, Sequence[Paged]] = {}
    for tier in tiers:
        for spelling, records in tier.items():
            folded.setdefault(spelling.casefold(), records)
    plain = next(_readings(text)).partition("(")[0].casefold()
    close = difflib.get_close_matches(plain, folded, n=6, cutoff=0.6)
    names = dict.fromkeys(record.name for spelling in close for record in folded[spelling])
    return list(names)[:3]


def _listed(names: list[str], last: str) -> str:
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} {last} {names[-1]}"

"""What the records of a catalogue are called: tiers of spellings, each with those that bear it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from generator.catalogue.code.expressions import method_of
from generator.catalogue.explain.messages import by_forward_name, by_stem
from generator.catalogue.links import Paged
from generator.catalogue.model.records import Catalogue, OpRecord

Tier = Mapping[str, Sequence[Paged]]
Growing = dict[str, list[Paged]]

IN_PLACE = "(inplace=True)"
FOLDED = "in place: "
ATEN = "aten::"
CALLED_BY = ("", "torch.", "torch.Tensor.", "Tensor.")


@dataclass(frozen=True)
class Index:
    """A catalogue and what its records are called, the most literal spellings first.

    `tiers` serve names that a person types, `said` the names that error messages give to nodes.
    Where none of the tiers knows a text, it may be one of their names in other letters, `folded`; a
    call that a node's `recipes` make; another owner's name of something that `ends` so; or a name
    that the release has `declared` a node for.
    """

    catalogue: Catalogue
    tiers: tuple[Tier, ...]
    said: tuple[Tier, ...]
    folded: Tier
    recipes: Tier
    ends: Tier
    declared: Tier


def index(catalogue: Catalogue) -> Index:
    """Collect what the records of a catalogue are called, for many calls of `find`."""
    nodes = catalogue.nodes.values()
    messages = (by_forward_name(nodes), by_stem(nodes))
    short = by_short_name(catalogue)
    tiers = (
        by_name(catalogue),
        by_variant(catalogue),
        by_overload(catalogue),
        short,
        by_module_in_place(catalogue),
        *messages,
    )
    return Index(
        catalogue,
        tiers,
        said=({node.name: [node] for node in nodes}, *messages),
        folded=folded(tiers),
        recipes=by_recipe(catalogue),
        ends=short,
        declared=by_declared(catalogue),
    )


def by_name(catalogue: Catalogue) -> Tier:
    """Records by their own names."""
    return {record.name: [record] for record in _records(catalogue)}


def by_variant(catalogue: Catalogue) -> Tier:
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


def by_overload(catalogue: Catalogue) -> Tier:
    """Overloads by their ATen name; the op that is called like the overload owns it."""
    claims: dict[str, list[OpRecord]] = defaultdict(list)
    for op in catalogue.ops.values():
        for overload in op.overloads:
            for spelling in {overload, _base(overload)}:
                claims[spelling].append(op)
    tier: Growing = defaultdict(list)
    for overload, ops in claims.items():
        tier[overload].extend(_owners(ops, _base(overload)[len(ATEN) :]))
    for node in catalogue.nodes.values():
        for declaration in node.declared:
            if declaration.overload not in claims:
                tier[declaration.overload].append(node)
    return tier


def by_short_name(catalogue: Catalogue) -> Tier:
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


def by_module_in_place(catalogue: Catalogue) -> Tier:
    """Spellings with `inplace=True` by the name of the module that makes them: `nn.ReLU6`."""
    tier: Growing = {}
    for op in catalogue.ops.values():
        for variant in op.variants:
            if variant.name.endswith(IN_PLACE):
                tier.setdefault(in_place_of(variant.name), []).append(op)
    return tier


def in_place_of(name: str) -> str:
    """Write `F.leaky_relu(inplace=True)` and `nn.LeakyReLU(inplace=True)` alike."""
    last = name.removesuffix(IN_PLACE).rpartition(".")[2]
    return FOLDED + last.replace("_", "").casefold()


def by_recipe(catalogue: Catalogue) -> Tier:
    """Calls that no record is called by, such as `copy_`, by the node whose recipe makes them."""
    tier: Growing = {}
    for node in catalogue.nodes.values():
        if node.recipe is not None:
            called = method_of(node.recipe.program.strip().splitlines()[-1])
            if called is not None:
                for spelling in (called, f"torch.Tensor.{called}", f"Tensor.{called}"):
                    tier.setdefault(spelling, []).append(node)
    return tier


def by_declared(catalogue: Catalogue) -> Tier:
    """Overloads of which no op has one, by the name that a call of them would have.

    They lead to the nodes that the release declares for them: `unsafe_split_with_sizes`.
    """
    called = {_base(overload) for op in catalogue.ops.values() for overload in op.overloads}
    tier: Growing = {}
    for node in catalogue.nodes.values():
        for base in dict.fromkeys(_base(one.overload) for one in node.declared):
            if base.startswith(ATEN) and base not in called:
                for owner in CALLED_BY:
                    tier.setdefault(owner + base.removeprefix(ATEN), []).append(node)
    return tier


def folded(tiers: Iterable[Tier]) -> Tier:
    """Spellings in small letters, as the first tier that has them; what is written so comes first.

    `RELU` is the op `relu`, not the module `ReLU`.
    """
    found: dict[str, Sequence[Paged]] = {}
    for tier in tiers:
        for spelling in sorted(tier, key=lambda one: (one != one.casefold(), one)):
            found.setdefault(spelling.casefold(), tier[spelling])
    return found


def _records(catalogue: Catalogue) -> Iterator[Paged]:
    yield from catalogue.ops.values()
    yield from catalogue.modules.values()
    yield from catalogue.nodes.values()
    yield from catalogue.blocks.values()


def _base(overload: str) -> str:
    return overload.partition(".")[0]

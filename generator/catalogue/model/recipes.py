"""The part of the model that says how a node type was made live: its recipe, and in which layer."""

from typing import Literal

from generator.catalogue.model.frozen import Frozen

Layer = Literal[
    "op sample",
    "op double backward",
    "op variant",
    "module sample",
    "module double backward",
    "reference",
    "recipe",
    "synthesized call",
    "stub",
]


class Recipe(Frozen, frozen=True, kw_only=True):
    """The shortest known program whose graph holds a node of the type.

    `program` is run after `import torch` and a seed, and ends in `output`. The whole program that
    finds the node and shows what it saved is made by `catalogue.evidence.recipe_program`; `printed`
    is what it printed in this build.
    """

    program: str
    printed: str

"""Recipes: for every node type, the shortest program that is known to make it live.

They are where to begin, and no claim: the probe runs each in the release that it measures and
records the type as seen only if it was there. Where a release makes none of a type by its recipe,
a program is searched for (`search`).
"""

from __future__ import annotations

from generator.probe.recipes.fields import FIELDS
from generator.probe.recipes.gradients import GRADIENTS
from generator.probe.recipes.in_place import IN_PLACE
from generator.probe.recipes.layouts import LAYOUTS
from generator.probe.recipes.lists import LISTS
from generator.probe.recipes.one_tensor import ONE_TENSOR
from generator.probe.recipes.one_tensor_more import ONE_TENSOR_MORE
from generator.probe.recipes.several_tensors import SEVERAL_TENSORS
from generator.probe.recipes.several_tensors_more import SEVERAL_TENSORS_MORE
from generator.probe.recipes.singular import SINGULAR
from generator.probe.recipes.twice import TWICE

RECIPES: dict[str, str] = {
    **FIELDS,
    **GRADIENTS,
    **IN_PLACE,
    **LAYOUTS,
    **LISTS,
    **ONE_TENSOR,
    **ONE_TENSOR_MORE,
    **SEVERAL_TENSORS,
    **SEVERAL_TENSORS_MORE,
    **SINGULAR,
    **TWICE,
}

"""Find what makes a node type live in this release: its recipe, or a program made for it.

First the recipe that is written down, then calls of the overload that the release declares for the
type, or of those that it is named after, with arguments made from its schema; then, where no real
kernel of this build makes it, the same call over a stub. What was tried in vain is the reason that
the record gives.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from generator.probe.calls import first_line
from generator.probe.guard import Guard, StepEndedError
from generator.probe.programs import ProgramError
from generator.probe.recipes import RECIPES
from generator.probe.recipes.stub import over_stub
from generator.probe.recipes.synthesis import PLACES, synthesized
from generator.probe.recipes.trial import Live, OtherNodesError, run_recipe
from generator.tape.compat import STUBS
from generator.tape.compat_programs import in_this_release

Json = dict[str, Any]

# A stub takes whatever it is given: only arguments that must not require grad are in its way.
STUB_TRIES = 10
TRIES = 140
_NO_GRAD = re.compile(r"not differentiable with respect to argument '(\w+)'")
_NO_KERNEL = "NotImplementedError: Could not run "
_OTHER = "it makes other nodes: "
_NEVER = re.compile(r"NotImplementedError|not implemented|not support|Cannot access")
_RAISED = re.compile(r"line \d+ of the program raised ")
LONGEST = 160


class Found(NamedTuple):
    """A program whose graph holds the node type, what it saved, and the layer that found it."""

    layer: str
    program: str
    live: Live


class Searched(NamedTuple):
    """What a search came to: what was found, if anything, and why no real kernel made the type."""

    found: Found | None
    reason: str | None


def search(name: str, declared: list[Json], guard: Guard) -> Searched:
    """Look for a program that makes the node type `name`, whose declarations are `declared`."""
    failures: list[str] = []
    recipe = _recipe_of(name)
    if recipe is not None:
        live = _try(name, recipe, guard, failures)
        if live is not None:
            return Searched(Found("recipe", recipe, live), None)
    for one in declared:
        for program in _limited(one, TRIES):
            found = _settle(name, program, guard, failures, stubbed=False)
            if found is not None:
                return Searched(Found("synthesized call", *found), None)
            if _NO_KERNEL in failures[-1]:
                break
    reason = _most_telling(failures)
    for one in declared if STUBS else ():
        for program in _limited(one, STUB_TRIES):
            stubbed = over_stub(program, one["dispatch"])
            found = _settle(name, stubbed, guard, failures, stubbed=True)
            if found is not None:
                return Searched(Found("stub", *found), reason)
    return Searched(None, reason)


def _recipe_of(name: str) -> str | None:
    """Return the recipe of a type; where one type alone has its stem, it may go unnumbered."""
    recipe = RECIPES.get(name, RECIPES.get(f"{name}0"))
    return None if recipe is None else in_this_release(recipe)


def _limited(one: Json, tries: int) -> Iterator[str]:
    try:
        yield from (text for _, text in zip(range(tries), synthesized(*_call_of(one))))
    except AttributeError:  # declared, but not there to call
        return


def _call_of(one: Json) -> tuple[str, str]:
    return one["overload"], one["dispatch"]


def _settle(
    name: str, program: str, guard: Guard, failures: list[str], *, stubbed: bool
) -> tuple[str, Live] | None:
    """Try a program, as often as its error names an argument that must not require grad."""
    while True:
        live = _try(name, program, guard, failures, stubbed)
        if live is not None:
            return program, live
        freed = without_refused(program, failures[-1])
        if freed is None:
            return None
        program = freed


def without_refused(program: str, failure: str) -> str | None:
    """Return a synthesized program without the grad that its error refuses, if it names one."""
    refused = _NO_GRAD.search(failure)
    if refused is None:
        return None
    place = PLACES.get(refused[1], refused[1])
    pattern = rf"^({place} = .*), requires_grad=True(.*)$"
    freed = re.sub(pattern, r"\1\2", program, flags=re.MULTILINE)
    return None if freed == program else freed


def _try(
    name: str, program: str, guard: Guard, failures: list[str], stubbed: bool = False
) -> Live | None:
    try:
        return guard.step(lambda: run_recipe(name, program, stubbed))
    except OtherNodesError as other:
        failures.append(f"{_OTHER}{other}" if str(other) else "it makes no node")
    except StepEndedError as error:
        failures.append(f"{error.ended.state}: {error.ended.reason}")
    except ProgramError as error:
        failures.append(_shortened(error))
    return None


def _most_telling(failures: list[str]) -> str | None:
    """Choose a failure that better arguments would not mend: a call that ran, then a refusal."""
    if not failures:
        return None
    counted = Counter(failures)
    order = {text: place for place, text in enumerate(counted)}
    return min(
        counted,
        key=lambda text: (
            not text.startswith(_OTHER),
            not _NEVER.search(text),
            -counted[text],
            order[text],
        ),
    )


def _shortened(error: ProgramError) -> str:
    """Return the error that a program raised: its type and its first sentence."""
    raised = _RAISED.sub("it raises ", first_line(error).partition(": ")[2])
    sentence = re.split(r"(?<=[a-z'\)])\. ", raised)[0]
    return sentence if len(sentence) <= LONGEST else f"{sentence[: LONGEST - 1]}…"

"""Tell whether this release makes a call of tensors of given shapes, without allocating any.

`python -m generator.probe.meta_call` reads one JSON object from its input: the `setup` and the
`call` of a program, and what to put in the place of its arguments, once of sizes that real calls
accepted (`known`) and once of those that are `asked` for. Either has `sizes`, numbers by name, and
`tensors` by name, each with its `shape`, its `dtype` and whether it `requires` grad.
It writes one JSON object: `refused` has the error of the call that is asked for, and is null
where it was made; `untold` says why meta tensors tell nothing of this call.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

import torch

Json = dict[str, Any]


def answer(question: Json) -> Json:
    """Make both calls of meta tensors."""
    known = _error(question, question["known"])
    if known is not None:
        return {"refused": None, "untold": known}
    return {"refused": _error(question, question["asked"]), "untold": None}


def _error(question: Json, given: Json) -> str | None:
    namespace: dict[str, Any] = {"torch": torch, **given["sizes"]}
    try:
        with torch.device("meta"):
            exec(question["setup"], namespace)  # noqa: S102 - a program of the catalogue
            for name, tensor in given["tensors"].items():
                _put(namespace, name, _made(tensor))
            exec(question["call"], namespace)  # noqa: S102 - likewise
    except Exception as error:
        lines = str(error).splitlines()
        return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
    return None


def _made(tensor: Json) -> torch.Tensor:
    dtype = getattr(torch, tensor["dtype"])
    made = torch.empty(tensor["shape"], dtype=dtype)
    return made.requires_grad_(tensor["requires"])


def _put(namespace: dict[str, Any], name: str, tensor: torch.Tensor) -> None:
    """Give a tensor its name: `input`, or its place in a list, `tensors[0]` or `tensors[0][1]`."""
    first, *places = re.findall(r"\w+", name)
    if not places:
        namespace[first] = tensor
        return
    held = namespace.setdefault(first, [])
    for place in map(int, places[:-1]):
        held.extend([] for _ in range(place + 1 - len(held)))
        held = held[place]
    place = int(places[-1])
    held.extend(None for _ in range(place + 1 - len(held)))
    held[place] = tensor


if __name__ == "__main__":
    json.dump(answer(json.load(sys.stdin)), sys.stdout)

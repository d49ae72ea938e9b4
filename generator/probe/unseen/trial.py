"""Try one kind of write after the call, in a program of plain PyTorch, and record what it did.

The program makes a tensor that a graph keeps, writes to its memory in one particular way, and runs
backward, without hooks and under identity hooks. It prints what it finds and is recorded with it.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from string import Template
from typing import Any, NoReturn

import torch

from generator.probe.apart import afresh, apart, forks_run_backward
from generator.probe.programs import ProgramError, new_namespace, run_block
from generator.probe.unseen.memory import MEMORY_WRITES
from generator.probe.unseen.program import UnseenWrite
from generator.probe.unseen.records import RECORD_WRITES
from generator.probe.unseen.training import TRAINING_WRITES
from generator.tape.compat_programs import in_this_release

Json = dict[str, Any]

KINDS: dict[str, UnseenWrite] = {**MEMORY_WRITES, **RECORD_WRITES, **TRAINING_WRITES}

TEMPLATE = in_this_release('''\
import torch
from contextlib import nullcontext
from torch.autograd.graph import saved_tensors_hooks
$imports

def made():
    $made

    def write():
        $write

    return tensor, output, leaf, write


def identity():
    return saved_tensors_hooks(lambda one: one, lambda one: one)


def said(error):
    return f"{type(error).__name__}: {str(error).splitlines()[0]}".split(" Hint:")[0]


def backward(output, leaf):
    leaf.grad = None
    output.backward()
    return leaf.grad


def outcome(hooks):
    """Write, run backward, and compare the gradient with the one without the write."""
    torch.manual_seed(0)
    with hooks():
        tensor, output, leaf, write = made()
    right = backward(output, leaf)
    torch.manual_seed(0)
    with hooks():
        tensor, output, leaf, write = made()
    versions.append(tensor._version)
    try:
        write()
    except RuntimeError as error:
        return "refused", said(error), None
    finally:
        versions.append(tensor._version)
    try:
        got = backward(output, leaf)
    except RuntimeError as error:
        return "raises", said(error), None
    if torch.equal(got, right):
        return "correct", None, None
    error = ((got - right).abs().max() / right.abs().max()).item()
    return "silently wrong", None, float(f"{error:.3g}")


versions = []
found = {"no hooks": outcome(nullcontext), "identity hooks": outcome(identity)}
before, after = versions[:2]
print(f"version counter: {before} before the write, {after} after it")
for hooks, (verdict, message, error) in found.items():
    print(f"{hooks}: {verdict}")
    if message is not None:
        print(f"    {message}")
    if error is not None:
        print(f"    largest relative error: {error:g}")
''')


def write_record(name: str) -> Json:
    """Return the record of the kind of write `name`; where its program raises, that is its state.

    A release may lack what the program calls.
    """
    kind = KINDS[name]
    if not kind.apart:
        ended = _ended(kind)
    elif forks_run_backward():
        ended = apart(lambda: _ended(kind))
    else:
        ended = afresh(__name__, name)
    return {
        "kind": "write",
        "name": name,
        "family": kind.family,
        "imports": kind.imports,
        "made": in_this_release(kind.made),
        "write": in_this_release(kind.write),
        **ended,
    }


def _ended(kind: UnseenWrite) -> Json:
    namespace = new_namespace()
    try:
        run_block(program(kind), namespace)
    except ProgramError as error:
        return {"state": "raised", "reason": error.message}
    hooked = namespace["found"].get("identity hooks")
    return {
        "state": "measured",
        "versions": namespace["versions"][:2],
        "plain": list(namespace["found"]["no hooks"]),
        **({"hooked": list(hooked)} if hooked is not None else {}),
    }


def program(kind: UnseenWrite) -> str:
    """Return the program that tries a kind of write."""
    return Template(TEMPLATE).substitute(
        imports="".join(f"{line}\n" for line in kind.imports.splitlines()),
        made=in_this_release(kind.made).replace("\n", "\n    "),
        write=in_this_release(kind.write).replace("\n", "\n        "),
    )


def main(arguments: list[str]) -> NoReturn:
    """Print how one kind of write ended, from a process that has run no backward yet."""
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    sys.stdout.write(json.dumps(_ended(KINDS[arguments[0]])) + "\n")
    sys.stdout.flush()
    # Threads that the program has left behind may keep an interpreter from ending.
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])

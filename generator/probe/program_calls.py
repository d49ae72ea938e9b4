"""Make a call from a reference program, and one that carries what a module holds as arguments."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any, Callable

import torch

from generator.probe.calls import (
    Call,
    CallRaisedError,
    Named,
    OtherInputsError,
    Written,
    accepting_grad,
    differentiable,
    first_line,
    sample_call,
)
from generator.probe.seeds import seed_generators


def with_module(call: Call, module: torch.nn.Module) -> Call:
    """Make a call that runs `module` carry its parameters and buffers as arguments.

    Its mask names the groups `parameters`, `biases` and `inputs`, each wholly or not at all.
    """
    inputs = _Inputs(call)
    if any(isinstance(one, torch.nn.UninitializedParameter) for one in module.parameters()):
        inputs.accepting()  # a run is what gives a lazy module its parameters

    def given(mask: Sequence[str], names: Sequence[str]) -> tuple[list[Named], Callable[[], Any]]:
        for name, parameter in module.named_parameters():
            wanted = "parameters" in mask or ("biases" in mask and is_bias(name))
            parameter.requires_grad_(wanted)
        fresh, make = call.prepare(names)
        return fresh + module_tensors(module), make

    def prepare(mask: Sequence[str]) -> tuple[list[Named], Callable[[], Any]]:
        return given(mask, inputs.accepting() if "inputs" in mask else [])

    def attempt(mask: Sequence[str]) -> tuple[list[Named], Callable[[], Any]]:
        if "inputs" not in mask or inputs.known is not None:
            return prepare(mask)
        fresh, make = given(mask, inputs.able)
        return fresh, lambda: inputs.tried(make)

    return call._replace(
        tensors=call.tensors + module_tensors(module),
        prepare=prepare,
        remake=lambda others: with_module(call.remake(others), module),
        attempt=attempt,
    )


class _Inputs:
    """Which inputs of a module's call may require grad, as `accepting_grad` says: `known` or not.

    A run with all that are `able` shows that all may, so that none need be made to find out.
    """

    def __init__(self, call: Call) -> None:
        self.able = [named.name for named in call.tensors if differentiable(named)]
        self.known: list[str] | None = None
        self._call = call

    def accepting(self) -> list[str]:
        """Return the inputs that may require grad, by runs of their own where none has told."""
        if self.known is None:
            self.known = accepting_grad(self._call, self.able)
        return self.known

    def tried(self, make: Callable[[], Any]) -> Any:
        """Return `make()`, a call in which all that are able require grad.

        Raises OtherInputsError where it raises and not all of them may.
        """
        try:
            made = make()
        except Exception:
            if self.accepting() != self.able:
                raise OtherInputsError from None
            raise
        self.known = self.able
        return made


def is_bias(name: str) -> bool:
    """Tell by its name whether a parameter of a module is a bias: `linear.bias`, `bias_ih_l0`."""
    return "bias" in name.rpartition(".")[2]


def module_tensors(module: torch.nn.Module) -> list[Named]:
    """Return a module's parameters and buffers by name."""
    parameters = [Named(name, "parameter", item) for name, item in module.named_parameters()]
    return parameters + [Named(name, "buffer", item) for name, item in module.named_buffers()]


def program_call(setup: str, call: str, seed: int, written: Written = "nothing") -> Call:
    """Make a call from a program: `setup` assigns the arguments, `call` the outputs.

    A setup that makes a `module` gives a call as `with_module` describes it. Raises
    CallRaisedError when the setup raises.
    """
    namespace: dict[str, Any] = {"torch": torch}
    seed_generators(seed)
    try:
        exec(compile(setup, "<setup>", "exec"), namespace)  # noqa: S102  # our own programs
    except Exception as error:
        raise CallRaisedError(first_line(error)) from error
    targets = assigned_names(call)
    module: torch.nn.Module | None = namespace.get("module")
    given = {
        name: value
        for name, value in namespace.items()
        if not name.startswith("__") and name not in ("torch", "module")
    }
    code = compile(call, "<call>", "exec")

    def function(**values: Any) -> Any:
        local = {**namespace, **values}
        exec(code, local)  # noqa: S102  # our own programs
        return [local[name] for name in targets]

    made = sample_call(function, call, {}, given, seed=seed, written=written)
    return made if module is None else with_module(made, module)


def assigned_names(call: str) -> list[str]:
    """Return the names that a program's call assigns, in order."""
    statement = ast.parse(call).body[-1]
    if isinstance(statement, ast.With):
        statement = statement.body[-1]
    if not isinstance(statement, ast.Assign):
        raise TypeError(f"the call assigns no output: {call}")
    return [node.id for node in ast.walk(statement.targets[0]) if isinstance(node, ast.Name)]

"""The reference programs against torch itself: complete, runnable, differentiable, comparable."""

import ast
import builtins
import re
import subprocess
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from generator.probe.names import canonical_name
from generator.probe.references import MODULES, OPS, Program
from generator.probe.references.more_modules import MORE_MODULES
from generator.probe.references.no_gradient import NO_GRADIENT

ROOT = Path(__file__).parents[2]
PROGRAMS = {**OPS, **MODULES}
MEBIBYTE = 2**20
REFUSED = re.compile(r"not differentiable with respect to argument '(\w+)'")


@cache
def op_db() -> list[Any]:
    from torch.testing._internal.common_methods_invocations import op_db as entries

    return entries


def tensors_in(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors_in(item)


def run(code: str, namespace: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecated and experimental ops are catalogued too
        exec(code, namespace)  # noqa: S102 - a program is text


def arguments_of(program: Program) -> dict[str, Any]:
    torch.manual_seed(0)
    namespace: dict[str, Any] = {"torch": torch}
    run(program.setup, namespace)
    return {
        name: value for name, value in namespace.items() if name not in {"torch", "__builtins__"}
    }


def call_requiring_grad(program: Program, mode: str) -> tuple[dict[str, Any], list[Tensor]]:
    """Make the call with every argument requiring grad for which autograd accepts that."""
    refused: set[str] = set()
    while True:
        arguments = arguments_of(program)
        if "module" in arguments:
            arguments["module"].train(mode == "train")
        for name in arguments.keys() - refused:
            for tensor in tensors_in(arguments[name]):
                tensor.requires_grad_(tensor.is_floating_point() or tensor.is_complex())
        namespace = {"torch": torch, **arguments}
        try:
            run(program.call, namespace)
        except RuntimeError as error:
            refusal = REFUSED.search(str(error))
            if refusal is None or refusal[1] in refused:
                raise
            refused.add(refusal[1])
        else:
            return arguments, list(tensors_in(namespace["output"]))


def test_every_differentiable_op_of_this_release_has_a_program_and_no_other() -> None:
    names = {
        canonical_name(entry.name)
        for entry in op_db()
        if entry.supports_autograd and entry.supported_dtypes("cpu")
    }
    assert set(OPS) - set(NO_GRADIENT) == names
    # OpInfo calls these not differentiable, and they make a node all the same.
    assert not names & set(NO_GRADIENT)


def test_every_module_of_module_db_has_a_program_and_others_exist() -> None:
    from torch.testing._internal.common_modules import module_db

    listed = {f"torch.{entry.name}" for entry in module_db}
    assert listed <= set(MODULES)
    assert all(hasattr(torch.nn, name.split(".")[-1]) for name in MODULES)
    assert set(MORE_MODULES) == set(MODULES) - listed


@pytest.mark.parametrize("name", sorted(OPS))
def test_op_program_records_a_graph(name: str) -> None:
    arguments, outputs = call_requiring_grad(OPS[name], mode="train")
    given = {id(tensor) for value in arguments.values() for tensor in tensors_in(value)}
    made = [tensor for tensor in outputs if id(tensor) not in given]
    if name == "torch.positive":  # the one op that returns its argument
        assert not made
    elif name == "torch.nn.functional.one_hot":  # the one op that takes and gives integers only
        assert not any(tensor.requires_grad for tensor in outputs)
    else:
        assert any(tensor.grad_fn is not None for tensor in made)


@pytest.mark.parametrize("mode", ["train", "eval"])
@pytest.mark.parametrize("name", sorted(MODULES))
def test_module_program_records_a_graph(name: str, mode: str) -> None:
    arguments, outputs = call_requiring_grad(MODULES[name], mode)
    assert f"torch.nn.{type(arguments['module']).__name__}" == name.replace("Lazy", "")
    # Dropout in eval mode, for one, returns its argument and adds no node.
    assert any(tensor.requires_grad for tensor in outputs)


@cache
def tensors_made() -> list[tuple[str, str, list[Tensor]]]:
    """Return (program name, argument name, its tensors without their memory) of every setup."""
    return [
        (name, argument, [tensor.to("meta") for tensor in tensors_in(value)])
        for name, program in PROGRAMS.items()
        for argument, value in arguments_of(program).items()
    ]


def test_arguments_start_without_grad_and_stay_below_sixteen_mebibytes() -> None:
    weights: Counter[str] = Counter()
    for name, argument, tensors in tensors_made():
        assert not any(tensor.requires_grad for tensor in tensors), (name, argument)
        weights[name] += sum(tensor.numel() * tensor.itemsize for tensor in tensors)
    assert {name: size for name, size in weights.items() if size > 16 * MEBIBYTE} == {}


def test_arguments_of_the_same_name_have_the_same_shape_throughout_a_family() -> None:
    shapes: defaultdict[tuple[str, str], set[tuple[torch.Size, ...]]] = defaultdict(set)
    for name, argument, tensors in tensors_made():
        if tensors:
            shapes[PROGRAMS[name].family, argument].add(tuple(tensor.shape for tensor in tensors))
    assert {place: found for place, found in shapes.items() if len(found) > 1} == {}


@pytest.mark.parametrize(
    ("name", "argument", "shape"),
    [
        ("torch.exp", "input", (256, 512)),
        ("torch.add", "other", (256, 512)),
        ("torch.sum", "input", (256, 512)),
        ("torch.nn.functional.linear", "weight", (512, 512)),
        ("torch.nn.functional.conv2d", "input", (8, 16, 64, 64)),
        ("torch.nn.functional.layer_norm", "input", (8, 128, 512)),
        ("torch.nn.functional.cross_entropy", "input", (256, 512)),
        ("torch.nn.functional.scaled_dot_product_attention", "query", (8, 8, 128, 64)),
        ("torch.nn.ReLU", "input", (256, 512)),
        ("torch.nn.MaxPool2d", "input", (8, 16, 64, 64)),
    ],
)
def test_sizes_are_those_that_the_catalogue_promises(
    name: str, argument: str, shape: tuple[int, ...]
) -> None:
    tensor = arguments_of(PROGRAMS[name])[argument]
    assert tuple(tensor.shape) == shape
    assert tensor.dtype in {torch.float32, torch.int64}


def test_programs_use_torch_and_every_argument_that_they_make_and_nothing_else() -> None:
    for name, program in PROGRAMS.items():
        setup, call = ast.parse(program.setup), ast.parse(program.call)
        steps = [ast.unparse(line) for line in setup.body if not isinstance(line, ast.Assign)]
        assert steps == (["module(input)"] if name.startswith("torch.nn.Lazy") else []), name
        made, _ = names_in(setup)
        assigned, used = names_in(call)
        assert made <= used, f"{name} makes an argument that its call does not take"
        assert assigned == {"output"}, name
        assert len(call.body) == len(program.call.splitlines()) == 1, name
        assert names_in(setup)[1] | used <= made | {"torch"} | set(dir(builtins)), name


def names_in(tree: ast.Module) -> tuple[set[str], set[str]]:
    """Return the names that a program assigns and those that it reads."""
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    stored = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    return stored, {node.id for node in names if isinstance(node.ctx, ast.Load)}


def test_tables_can_be_read_where_torch_is_missing(tmp_path: Path) -> None:
    poison = tmp_path / "torch.py"
    poison.write_text("raise ImportError('the tables are text')\n", encoding="utf-8")
    code = "from generator.probe.references import MODULES, OPS; print(len(OPS), len(MODULES))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [str(len(OPS)), str(len(MODULES))]

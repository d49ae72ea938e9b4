import json
import subprocess
import sys
from pathlib import Path

import pytest

from generator.errors import TapekeptError
from generator.probe.programs import ProgramError, new_namespace, run_block


def test_returns_what_was_printed_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    printed = run_block("print('to the page')\n'an expression'\n", new_namespace())
    assert printed == "to the page\n"
    assert capsys.readouterr().out == ""


def test_blocks_share_the_namespace_they_are_given() -> None:
    namespace = new_namespace()
    assert run_block("x = 3\n", namespace) == ""
    assert run_block("print(x + 1, __name__)\n", namespace) == "4 __main__\n"


def test_an_exception_names_its_line_and_itself() -> None:
    with pytest.raises(ProgramError, match="line 3 of the program raised ValueError: no") as caught:
        run_block("x = 1\n\nraise ValueError('no')\n", new_namespace())
    assert caught.value.line == 3
    assert isinstance(caught.value, TapekeptError)


def test_an_exception_in_an_earlier_blocks_function_names_the_line_that_called_it() -> None:
    namespace = new_namespace()
    run_block("def fail():\n\n\n\n    raise KeyError('deep')\n", namespace)
    with pytest.raises(ProgramError, match="line 2 of the program raised KeyError: 'deep'"):
        run_block("x = 1\nfail()\n", namespace)


def test_code_that_does_not_parse_names_its_line() -> None:
    with pytest.raises(ProgramError, match="line 2 of the program raised SyntaxError"):
        run_block("x = 1\nx = = 2\n", new_namespace())


def test_only_the_first_line_of_a_long_message_is_quoted() -> None:
    with pytest.raises(ProgramError) as caught:
        run_block("raise RuntimeError('first\\nsecond')\n", new_namespace())
    assert str(caught.value) == "line 1 of the program raised RuntimeError: first"


def run_pages(pages: list[list[str]], folder: Path, root: Path) -> list[dict[str, object]]:
    source, target = folder / "in.json", folder / "out.json"
    source.write_text(json.dumps(pages), encoding="utf-8")
    command = [sys.executable, "-m", "generator.probe.programs", str(source), str(target)]
    subprocess.run(command, cwd=root, check=True)
    results: list[dict[str, object]] = json.loads(target.read_text(encoding="utf-8"))
    return results


def test_each_page_starts_afresh(tmp_path: Path, root: Path) -> None:
    leave_a_mess = [
        "import torch\n",
        "first = torch.rand(1).item()\nprint(first)\n",
        "torch.set_default_dtype(torch.float64)\ntorch.set_grad_enabled(False)\n",
    ]
    look = [
        "import torch\nprint(torch.rand(1).item())\n",
        "print('first' in globals(), torch.tensor(1.0).dtype, torch.is_grad_enabled())\n",
    ]
    first, second = run_pages([leave_a_mess, look], tmp_path, root)
    assert first["error"] is None
    assert second["error"] is None
    assert first["outputs"][1] == second["outputs"][0]
    assert second["outputs"][1] == "False torch.float32 True\n"


def test_a_failure_ends_its_page_and_no_other(tmp_path: Path, root: Path) -> None:
    pages = [["print(1)\n", "x = 1\n1 / 0\n", "print(3)\n"], ["print('still here')\n"]]
    failed, sound = run_pages(pages, tmp_path, root)
    message = "ZeroDivisionError: division by zero"
    assert failed == {"outputs": ["1\n"], "error": {"block": 1, "line": 2, "message": message}}
    assert sound == {"outputs": ["still here\n"], "error": None}

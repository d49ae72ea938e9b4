"""The workflows: what GitHub would refuse, what they may do, and that each step is run here."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".github" / "workflows"
ACTIONLINT = Path(sys.executable).with_name("actionlint")
WORKFLOWS = sorted(FOLDER.glob("*.yml"))

# Each command of a step, and the test that runs what its target calls.
RUN = {
    ".ci/run": "tests/test_house.py::test_ci_runs_what_a_developer_runs",
    "make upcoming": "tests/test_cli_workflows.py::test_upcoming_prints_and_tells_the_next_step",
    "make add": "tests/test_cli_workflows.py::test_add_writes_the_release_into_the_table",
    "make catalog": "tests/test_pipeline.py::test_each_stage_once_and_in_order",
    "make unmeasured": "tests/test_cli_workflows.py::test_unmeasured_is_a_list_for_a_matrix",
    "make collect": "tests/test_cli_workflows.py::test_collect_takes_over_each_folder",
    "make propose": "tests/test_cli_workflows.py::test_propose_opens_a_request_with_the_difference",
    "make fetch": "tests/test_cli_workflows.py::test_what_is_published_comes_back_byte_for_byte",
    "make sites": "tests/test_sites.py::test_only_what_is_out_of_date_is_built",
    "make publish": "tests/test_cli_workflows.py::test_what_is_published_comes_back_byte_for_byte",
}
# Every action, and the version whose runtime GitHub still runs.
ACTIONS = {
    "actions/checkout@v7",
    "actions/setup-python@v7",
    "actions/upload-artifact@v7",
    "actions/download-artifact@v8",
}


def jobs(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(path.read_text())["jobs"]
    return found


def steps(path: Path) -> list[dict[str, Any]]:
    return [step for job in jobs(path).values() for step in job["steps"]]


def test_actionlint_finds_nothing() -> None:
    done = subprocess.run(
        [ACTIONLINT],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_actionlint_finds_a_mistake(tmp_path: Path) -> None:
    broken = tmp_path / "broken.yml"
    text = (FOLDER / "deploy.yml").read_text()
    broken.write_text(text.replace("runs-on: ubuntu-latest", "runs-on: ${{ matrix.none }}"))
    done = subprocess.run([ACTIONLINT, broken], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "matrix" in done.stdout


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_each_command_is_one_that_a_test_runs(path: Path) -> None:
    commands = {step["run"] for step in steps(path) if "run" in step}
    assert commands
    assert commands <= RUN.keys()


def test_each_of_those_tests_is_there() -> None:
    for test in RUN.values():
        name, _, function = test.partition("::")
        assert re.search(rf"^def {function}\(", (ROOT / name).read_text(), re.MULTILINE), test


def test_every_command_is_a_target() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = [command.removeprefix("make ") for command in RUN if command.startswith("make ")]
    assert [one for one in targets if not re.search(rf"^{one}:", makefile, re.MULTILINE)] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_only_known_actions_are_used(path: Path) -> None:
    assert {step["uses"] for step in steps(path) if "uses" in step} <= ACTIONS


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_job_may_write_only_where_it_proposes_or_publishes(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text())
    assert workflow["permissions"] in ({}, {"contents": "read"})
    for job in jobs(path).values():
        commands = {step.get("run") for step in job["steps"]}
        wanted = {"contents": "read"}
        if "make propose" in commands:
            wanted = {"contents": "write", "pull-requests": "write"}
        elif "make publish" in commands:
            wanted = {"contents": "write"}
        assert job.get("permissions", workflow["permissions"]) == wanted


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_no_command_is_made_of_what_others_wrote(path: Path) -> None:
    assert not [step for step in steps(path) if "${{" in step.get("run", "")]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_job_ends(path: Path) -> None:
    assert all(job["timeout-minutes"] <= 120 for job in jobs(path).values())


def test_what_proposes_may_also_be_started_by_hand() -> None:
    for path in WORKFLOWS:
        text = path.read_text()
        assert "make propose" not in text or "workflow_dispatch" in text

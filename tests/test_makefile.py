"""What each target would run, as Make itself prints it."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TAPEKEPT = ".venv/bin/tapekept"
# `make test` runs these tests: without what it passes on, the Make under test is not its child.
ALONE = {
    name: value
    for name, value in os.environ.items()
    if not name.startswith("MAKE") and name != "MFLAGS"
}


def commands(*arguments: str) -> list[str]:
    """The commands that `make` would run, set-up first; nothing is run."""
    done = subprocess.run(
        ["make", "--dry-run", "--always-make", *arguments],
        cwd=ROOT,
        env=ALONE,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (("catalog",), f"{TAPEKEPT} catalog --torch 2.13.0 --device cpu"),
        (
            ("catalog", "TORCH=2.6.0", "DEVICE=cuda"),
            f"{TAPEKEPT} catalog --torch 2.6.0 --device cuda",
        ),
        (("catalogs",), f'{TAPEKEPT} catalogs --releases "" --device cpu'),
        (
            ("catalogs", "RELEASES=2.6.0 1.9.1"),
            f'{TAPEKEPT} catalogs --releases "2.6.0 1.9.1" --device cpu',
        ),
        (("site",), f"{TAPEKEPT} site --torch 2.13.0 --device cpu"),
        (("sites",), f"{TAPEKEPT} site --all --device cpu"),
        (
            ("upcoming", "INDEX=https://index/json", "GITHUB_OUTPUT=/o"),
            f"{TAPEKEPT} upcoming --index=https://index/json --output /o",
        ),
        (
            ("add", "TORCH=2.16.0", "INDEX=https://index/json"),
            f"{TAPEKEPT} add 2.16.0 --index=https://index/json",
        ),
        (
            ("unmeasured", "RELEASES=2.6.0 2.5.1", "GITHUB_OUTPUT=/o"),
            f"{TAPEKEPT} unmeasured 2.6.0 2.5.1 --device cpu --output /o",
        ),
        (("collect", "FOLDER=here"), f"{TAPEKEPT} collect here --device cpu"),
        (("propose", "RELEASES=2.16.0"), f"{TAPEKEPT} propose 2.16.0 --device cpu"),
        (("fetch",), f"{TAPEKEPT} fetch-sites"),
        (("publish",), f"{TAPEKEPT} publish-sites"),
        (("serve", "PORT=9000"), f"{TAPEKEPT} serve --port 9000"),
        (("verify",), f"{TAPEKEPT} verify --torch 2.13.0 --device cpu"),
        (("bench",), f"{TAPEKEPT} bench --torch 2.13.0 --device cpu"),
    ],
)
def test_a_target_is_set_up_and_one_command(arguments: tuple[str, ...], wanted: str) -> None:
    set_up, command = commands(*arguments)
    assert re.fullmatch(r"python3 generator/bootstrap\.py \.venv/ready-\w+", set_up)
    assert command == wanted


def test_the_site_needs_no_torch_and_the_tests_do() -> None:
    assert commands("site")[0].endswith("ready-site")
    assert commands("test")[0].endswith("ready-test")


def test_test_lints_checks_types_and_tests() -> None:
    assert commands("test")[1:] == [
        ".venv/bin/ruff check",
        ".venv/bin/ruff format --check",
        ".venv/bin/mypy",
        ".venv/bin/actionlint",
        ".venv/bin/pytest",
    ]


def test_the_live_truths_are_told_their_releases() -> None:
    set_up, command = commands("test-releases", "RELEASES=1.13.1 2.6.0")
    assert set_up.endswith("ready-test")
    assert command == '.venv/bin/pytest tests/release/live_truths.py --releases "1.13.1 2.6.0"'


def test_golden_makes_what_the_tests_compare_with() -> None:
    assert commands("golden")[1:] == [
        ".venv/bin/python -m generator.catalogue.schema",
        ".venv/bin/pytest tests/pages --golden",
    ]


def test_clean_needs_no_set_up() -> None:
    assert commands("clean") == ["python3 generator/cleaning.py"]


def test_help_lists_every_target() -> None:
    said = subprocess.check_output(["make"], cwd=ROOT, env=ALONE, text=True)
    makefile = (ROOT / "Makefile").read_text()
    targets = re.search(r"^\.PHONY: ((?:.*\\\n)*.*)$", makefile, re.MULTILINE)
    assert targets is not None
    assert [line.split()[1] for line in said.splitlines()] == targets[1].replace("\\", " ").split()


def test_no_recipe_decides_anything() -> None:
    recipes = [line for line in (ROOT / "Makefile").read_text().splitlines() if line[:1] == "\t"]
    words = {word for line in recipes for word in re.findall(r"\w+|&&|\|\||;", line)}
    assert not words & {"if", "then", "for", "while", "case", "&&", "||"}

"""Sentences made of what pip prints: each text below is pip's own wording, of the version named."""

import pytest
from packaging.specifiers import SpecifierSet

from generator.release.refusals import explain, explain_missing, is_missing, yanked
from generator.release.releases import Release

RELEASE = Release("1.9.1", SpecifierSet(">=3.9"), ("torch==1.9.1",))
NOT_FOUND = """\
ERROR: Could not find a version that satisfies the requirement torch==1.9.1 (from versions: {})
ERROR: No matching distribution found for torch==1.9.1
"""
TAGS = (  # pip 23.2
    "  Skipping link: none of the wheel's tags (cp36-cp36m-manylinux1_x86_64) are compatible"
    " (run pip debug --verbose to show compatible tags):"
    " https://example.org/packages/9a/torch-{}-cp36-cp36m-manylinux1_x86_64.whl"
    " (from https://example.org/simple/torch/)\n"
)
PYTHON = (  # pip 23.2
    "  Link requires a different Python (3.11.2 not in: '>=3.12'):"
    " https://example.org/packages/9a/torch-{}-py3-none-any.whl"
    " (from https://example.org/simple/torch/) (requires-python:>=3.12)\n"
)
YANKED = """\
WARNING: The candidate selected for download or install is a yanked version: \
{name!r} candidate (version 1.9.1 at https://example.org/{name}-1.9.1-py3-none-any.whl)
Reason for being yanked: {reason}
"""


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("ERROR: Could not install: [Errno 28] No space left on device\n", "the disk is full"),
        ("OSError: [Errno 122] Disk quota exceeded\n", "the disk is full"),
        ("ERROR: one\nERROR: Failed to build numpy.\n", "could not be installed: Failed to build"),
        ("", "no reason was given"),
    ],
)
def test_every_failed_install_is_explained(output: str, said: str) -> None:
    assert said in explain(RELEASE, output)


def test_only_torch_itself_is_missing() -> None:
    assert is_missing(RELEASE, NOT_FOUND.format("none"))
    assert not is_missing(RELEASE, NOT_FOUND.replace("torch==1.9.1", "torch==1.9.10"))
    assert not is_missing(RELEASE, NOT_FOUND.replace("torch==1.9.1", "numpy==1.9.1"))


@pytest.mark.parametrize("passed_over", [TAGS, PYTHON])
@pytest.mark.parametrize("file", ["1.9.1", "1.9.1+cpu", "1.9.1%2Bcu111"])
def test_a_wheel_that_was_passed_over_shows_that_the_version_exists(
    passed_over: str, file: str
) -> None:
    said = explain_missing(RELEASE, passed_over.format(file) + NOT_FOUND.format("2.0.1"), "3.11.2")
    assert said.startswith("torch 1.9.1 has no wheel for Python 3.11.2 on ")


@pytest.mark.parametrize("file", ["1.9.10", "1.9.0", "11.9.1"])
def test_wheels_of_other_versions_show_nothing(file: str) -> None:
    said = explain_missing(RELEASE, TAGS.format(file) + NOT_FOUND.format("2.0, 2.1"), "3.11.2")
    assert said == (
        "there is no torch 1.9.1 on the package index;"
        " the newest one for this Python and platform is 2.1"
    )


def test_an_index_without_torch_names_no_newest() -> None:
    said = explain_missing(RELEASE, NOT_FOUND.format("none"), "3.11.2")
    assert said == "there is no torch 1.9.1 on the package index"


@pytest.mark.parametrize(
    ("reason", "said"),
    [("Wrong gradients.", "Wrong gradients"), ("<none given>", "no reason was given")],
)
def test_a_yanked_torch_has_a_reason(reason: str, said: str) -> None:
    assert yanked(YANKED.format(name="torch", reason=reason)) == said


def test_another_package_that_was_yanked_is_no_reason() -> None:
    assert yanked(YANKED.format(name="numpy", reason="broken")) is None
    assert yanked("Successfully installed torch-1.9.1\n") is None

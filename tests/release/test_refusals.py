"""Sentences made of what pip prints: each text below is pip's own wording, of the version named."""

import pytest
from packaging.specifiers import SpecifierSet

from generator.errors import FullDiskError, ReleaseError
from generator.release.refusals import failure, why_not_offered, yanked, yanked_and_installed
from generator.release.releases import Release

RELEASE = Release("1.9.1", SpecifierSet(">=3.9"), ("torch==1.9.1",))
NOT_FOUND = "ERROR: No matching distribution found for torch\n"
OFFERED = "torch (2.1)\nAvailable versions: 2.1, 2.0\n  LATEST:    2.1\n"
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
YANKED = (  # pip 23.2
    "  Skipping link: yanked for reason: {}:"
    " https://example.org/packages/9a/torch-{}-py3-none-any.whl"
    " (from https://example.org/simple/torch/)\n"
)
YANKED_INSTALL = """\
WARNING: The candidate selected for download or install is a yanked version: \
{name!r} candidate (version 1.9.1 at https://example.org/{name}-1.9.1-py3-none-any.whl)
Reason for being yanked: {reason}
"""
REFUSED = "Could not fetch URL https://example.org/simple/torch/: {} - skipping\n"
NO_NEWEST = "there is no torch 1.9.1 on the package index"
NEWEST = f"{NO_NEWEST}; the newest one for this Python and platform is 2.1"


def refusal(listing: str) -> str | None:
    return why_not_offered(RELEASE, listing, "3.11.2")


@pytest.mark.parametrize(
    ("output", "kind", "said"),
    [
        (
            "ERROR: Could not install: [Errno 28] No space left on device\n",
            FullDiskError,
            "the disk is full, so torch 1.9.1 could not be installed; free some space",
        ),
        ("OSError: [Errno 122] Disk quota exceeded\n", FullDiskError, "the disk is full"),
        (
            "ERROR: one\nERROR: Failed to build numpy.\n",
            ReleaseError,
            "could not be installed: Failed to build",
        ),
        ("WARNING: Retrying after NewConnectionError", ReleaseError, "index cannot be reached"),
        ("", ReleaseError, "no reason was given"),
    ],
)
def test_every_failed_install_is_explained(output: str, kind: type, said: str) -> None:
    means = failure(RELEASE, output)
    assert isinstance(means, kind)
    assert said in str(means)


@pytest.mark.parametrize("offered", ["1.9.1", "2.1, 1.9.1+cpu, 1.8.0", "2.1, 1.9.1"])
def test_what_is_offered_is_not_refused(offered: str) -> None:
    passed_over = TAGS.format("1.9.1") + YANKED.format("one build is broken", "1.9.1")
    assert refusal(f"{passed_over}torch (2.1)\nAvailable versions: {offered}\n") is None


def test_a_pip_that_cannot_list_what_is_offered_refuses_nothing() -> None:
    assert refusal('ERROR: unknown command "index"\n') is None


@pytest.mark.parametrize("passed_over", [TAGS, PYTHON])
@pytest.mark.parametrize("file", ["1.9.1", "1.9.1+cpu", "1.9.1%2Bcu111"])
@pytest.mark.parametrize("rest", [NOT_FOUND, OFFERED])
def test_a_wheel_that_was_passed_over_shows_that_the_version_exists(
    passed_over: str, file: str, rest: str
) -> None:
    said = refusal(passed_over.format(file) + rest)
    assert said is not None
    assert said.startswith("torch 1.9.1 has no wheel for Python 3.11.2 on ")


@pytest.mark.parametrize("file", ["1.9.10", "1.9.0", "11.9.1"])
def test_wheels_of_other_versions_show_nothing(file: str) -> None:
    assert refusal(TAGS.format(file) + OFFERED) == NEWEST
    assert refusal(YANKED.format("broken", file) + OFFERED) == NEWEST


def test_an_index_without_torch_names_no_newest() -> None:
    assert refusal(NOT_FOUND) == NO_NEWEST


@pytest.mark.parametrize(
    ("reason", "wanted"),
    [
        ("503 Server Error: Busy for url: https://example.org/simple/torch/", "cannot be reached"),
        ("There was a problem confirming the ssl certificate: no", "cannot be reached"),
        ("404 Client Error: Not Found for url: https://example.org/simple/torch/", NO_NEWEST),
    ],
)
def test_an_index_that_does_not_answer_is_not_one_without_torch(reason: str, wanted: str) -> None:
    assert wanted in str(refusal(REFUSED.format(reason) + NOT_FOUND))


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("Wrong gradients.", "Wrong gradients"),
        ("<none given>", "no reason was given"),
        (
            "see: https://example.org/x: wrong\n  gradients",
            "see: https://example.org/x: wrong grad",
        ),
    ],
)
@pytest.mark.parametrize("file", ["1.9.1", "1.9.1%2Bcu111"])
def test_a_yanked_torch_has_a_reason(reason: str, said: str, file: str) -> None:
    listing = YANKED.format("of another", "1.9.0") + YANKED.format(reason, file) + OFFERED
    assert str(refusal(listing)).startswith(f"torch 1.9.1 was yanked by its publishers ({said}")
    installed = yanked_and_installed(YANKED_INSTALL.format(name="torch", reason="Why."))
    assert installed is not None
    assert "publishers (Why);" in yanked(RELEASE, installed)


def test_another_package_that_was_yanked_is_no_reason() -> None:
    assert yanked_and_installed(YANKED_INSTALL.format(name="numpy", reason="broken")) is None
    assert yanked_and_installed("Successfully installed torch-1.9.1\n") is None

import pytest

from generator.errors import ReleaseError
from generator.release.releases import default_release, find_release


def test_the_default_release_is_written_out_with_exact_pins() -> None:
    release = find_release(default_release())
    assert release.version == "2.13.0"
    assert all("==" in one for one in release.requires)
    assert release.requires[0] == "torch==2.13.0"
    assert "3.11.2" in release.python
    assert "3.10.13" not in release.python


# PyTorch's own wheels: which Python versions each release was published for, at both ends.
@pytest.mark.parametrize(
    ("version", "fits", "does_not"),
    [
        ("1.9.1", "3.9.18", "3.10.13"),
        ("1.12.1", "3.10.13", "3.11.7"),
        ("1.13.1", "3.11.7", "3.12.1"),
        ("2.1.2", "3.11.7", "3.12.1"),
        ("2.2.2", "3.12.1", "3.13.0"),
        ("2.6.0", "3.13.0", "3.8.18"),
        ("2.15.0", "3.13.0", "3.9.18"),
    ],
)
def test_another_release_gets_the_python_of_its_age(version: str, fits: str, does_not: str) -> None:
    python = find_release(version).python
    assert fits in python
    assert does_not not in python


@pytest.mark.parametrize(
    ("version", "numpy"),
    [
        ("1.13.1", "numpy==1.26.4"),
        ("2.2.2", "numpy==1.26.4"),
        ("2.2.1", "numpy<2"),
        ("2.3.0", "numpy"),
        ("2.3.1", "numpy==2.4.6"),
    ],
)
def test_numpy_2_comes_with_torch_2_3(version: str, numpy: str) -> None:
    assert numpy in find_release(version).requires


# The newest patch of each minor since nodes have `_saved_*` attributes.
@pytest.mark.parametrize(
    "version",
    [
        "1.9.1",
        "1.10.2",
        "1.11.0",
        "1.12.1",
        "1.13.1",
        "2.0.1",
        "2.1.2",
        "2.2.2",
        "2.3.1",
        "2.4.1",
        "2.5.1",
        "2.6.0",
        "2.7.1",
        "2.8.0",
        "2.9.1",
        "2.10.0",
        "2.11.0",
        "2.12.1",
        "2.13.0",
        "2.14.1",
        "2.15.0",
    ],
)
def test_the_newest_patch_of_each_minor_is_pinned(version: str) -> None:
    assert all("==" in one for one in find_release(version).requires)


@pytest.mark.parametrize(
    "version", ["", "latest", "2.13", "2", "v2.13.0", "2.13.0+cpu", "2.13.0rc1", "9" * 5000]
)
def test_what_is_no_release_number_is_refused(version: str) -> None:
    with pytest.raises(ReleaseError, match="is not the number of a PyTorch release"):
        find_release(version)

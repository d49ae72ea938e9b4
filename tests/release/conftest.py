"""The option that names the releases in which `live_truths.py` is run."""

import pytest

SPREAD = "1.13.1 2.6.0 2.15.0"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer `--releases` to a run of this folder."""
    parser.addoption(
        "--releases",
        type=lambda versions: versions or SPREAD,
        default=SPREAD,
        help=f"releases to measure, separated by spaces ({SPREAD})",
    )

"""The option that accepts what the golden tests render now."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--golden", action="store_true", help="write the golden pages anew instead of comparing"
    )


@pytest.fixture
def accept(request: pytest.FixtureRequest) -> bool:
    """Whether golden pages are to be written anew; only a run of this folder has the option."""
    return bool(request.config.getoption("--golden", default=False))

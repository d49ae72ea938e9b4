"""Fixtures that tests of every room share."""

from pathlib import Path

import pytest

from generator.catalogue import store
from generator.catalogue.model import Catalogue
from tests.fixtures import tiny


@pytest.fixture(scope="session")
def root() -> Path:
    return Path(__file__).resolve().parent.parent


@pytest.fixture
def small() -> Catalogue:
    """A fresh copy of the hand-made catalogue of `tests/fixtures/tiny.py`."""
    return tiny.catalogue()


@pytest.fixture(scope="session")
def committed(root: Path) -> Catalogue:
    """The committed catalogue of the default release, as measured."""
    return store.load(store.path_of(root, "2.13.0", "cpu"))

"""The architecture page, built from the header docstring of every module, so that it cannot rot."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from generator.pages.parts import Front

ORDER = ("", "tape", "probe", "release", "catalogue", "pages", "review")


@dataclass(frozen=True)
class ModuleRow:
    """One module, and what its docstring says it is for."""

    name: str
    purpose: str


@dataclass(frozen=True)
class Room:
    """One package: its own docstring, and its modules."""

    name: str
    anchor: str
    purpose: str
    modules: tuple[ModuleRow, ...]


@dataclass(frozen=True)
class ArchitecturePage:
    """All rooms, in the order in which data flows through them."""

    front: Front
    rooms: tuple[Room, ...]


def architecture_page(source: Path) -> ArchitecturePage:
    """Read the docstrings of the package at `source` without importing it."""
    packages = sorted(
        (path.parent for path in source.rglob("__init__.py")),
        key=lambda folder: _rank(folder.relative_to(source).as_posix()),
    )
    return ArchitecturePage(
        front=Front(
            title="Architecture",
            description="The rooms of the generator and what each of their modules is for.",
            section=None,
        ),
        rooms=tuple(_room(source, folder) for folder in packages),
    )


def _rank(relative: str) -> tuple[int, str]:
    first = "" if relative == "." else relative.split("/")[0]
    return (ORDER.index(first) if first in ORDER else len(ORDER), relative)


def _room(source: Path, folder: Path) -> Room:
    name = ".".join([source.name, *folder.relative_to(source).parts])
    return Room(
        name=name,
        anchor=name.replace(".", "-"),
        purpose=_docstring(folder / "__init__.py"),
        modules=tuple(_modules(folder)),
    )


def _modules(folder: Path) -> Iterator[ModuleRow]:
    for path in sorted(folder.glob("*.py")):
        if path.name != "__init__.py":
            yield ModuleRow(path.name, _docstring(path))


def _docstring(path: Path) -> str:
    return ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""

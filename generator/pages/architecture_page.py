"""The architecture and decisions pages, made of module headers and of the notes themselves."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from generator.pages.parts import Front, Link

ORDER = ("", "tape", "probe", "release", "catalogue", "pages", "review")


@dataclass(frozen=True)
class ModuleRow:
    """One module, and what its docstring says it is for, on one line of Markdown."""

    name: str
    purpose: Markup


@dataclass(frozen=True)
class Room:
    """One package: its own docstring as Markdown, and its modules."""

    name: str
    anchor: str
    purpose: Markup
    modules: tuple[ModuleRow, ...]


@dataclass(frozen=True)
class ArchitecturePage:
    """All rooms, in the order in which data flows through them."""

    front: Front
    rooms: tuple[Room, ...]


@dataclass(frozen=True)
class DecisionsPage:
    """The decision notes, by number."""

    front: Front
    notes: tuple[Link, ...]


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
            searched=False,
        ),
        rooms=tuple(_room(source, folder) for folder in packages),
    )


def decisions_page(folder: Path) -> DecisionsPage:
    """List the notes in `folder` by the heading that each begins with."""
    return DecisionsPage(
        front=Front(
            title="Decisions",
            description="Short notes: the context of a choice, the choice, and what it costs.",
            section=None,
            searched=False,
        ),
        notes=tuple(
            Link(_heading(path), f"{folder.name}/{path.name}")
            for path in sorted(folder.glob("*.md"))
        ),
    )


def _heading(path: Path) -> str:
    lines = path.read_text(encoding="utf-8").splitlines()
    return next((line[2:] for line in lines if line.startswith("# ")), path.stem)


def _rank(relative: str) -> tuple[int, str]:
    first = "" if relative == "." else relative.split("/", maxsplit=1)[0]
    return (ORDER.index(first) if first in ORDER else len(ORDER), relative)


def _room(source: Path, folder: Path) -> Room:
    name = ".".join([source.name, *folder.relative_to(source).parts])
    return Room(
        name=name,
        anchor=name.replace(".", "-"),
        purpose=Markup(_docstring(folder / "__init__.py")),  # noqa: S704 - our own source
        modules=tuple(_modules(folder)),
    )


def _modules(folder: Path) -> Iterator[ModuleRow]:
    for path in sorted(folder.glob("*.py")):
        if path.name != "__init__.py":
            purpose = " ".join(_docstring(path).split())
            yield ModuleRow(path.name, Markup(purpose))  # noqa: S704 - our own source


def _docstring(path: Path) -> str:
    return ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""

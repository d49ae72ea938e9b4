"""The rules of which room may import what, held against every import in the source."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "generator"

EVERYWHERE = {"generator.errors"}
TORCH = {"torch", "numpy"}
CATALOGUE = {"generator.catalogue"}

# What each room may import beside the standard library, itself and the errors.
RULES = {
    "tape": TORCH,
    "probe": {*TORCH, "yaml", "torchgen", "generator.tape"},
    "catalogue": {"msgspec", "packaging"},
    "release": {*CATALOGUE, "msgspec", "packaging"},
    "pages": {
        *CATALOGUE,
        "msgspec",
        "jinja2",
        "markupsafe",
        "mkdocs",
        "packaging",
        "pandas",
        "pyarrow",
        "yaml",
    },
    "review": {*CATALOGUE, "rich"},
}

# Modules beside the rooms: they put rooms together, or stand below all of them.
TOP = {
    "__init__": set[str](),
    "__main__": {"generator.cli"},
    "errors": set[str](),
    "bootstrap": set[str](),
    "cleaning": set[str](),
    "console": {"rich"},
    "checkout": set[str](),
    "serve": {"generator.console"},
    "report": {*CATALOGUE, "msgspec"},
    "sites": {
        *CATALOGUE,
        "generator.checkout",
        "generator.console",
        "generator.pages",
        "generator.pipeline",
        "generator.release",
    },
    "pipeline": {
        *CATALOGUE,
        "generator.checkout",
        "generator.console",
        "generator.pages",
        "generator.release",
        "generator.report",
    },
    "sweep": {
        *CATALOGUE,
        "generator.checkout",
        "generator.console",
        "generator.pipeline",
        "generator.release",
    },
    "bench": {
        "msgspec",
        *CATALOGUE,
        "generator.checkout",
        "generator.console",
        "generator.pages",
        "generator.release",
    },
    "verification": {
        *CATALOGUE,
        "generator.checkout",
        "generator.console",
        "generator.release",
        "generator.report",
    },
    "retelling": CATALOGUE,
    "git": set[str](),
    "collection": {
        *CATALOGUE,
        "generator.checkout",
        "generator.console",
        "generator.pipeline",
        "generator.release",
    },
    "proposal": {
        *CATALOGUE,
        "generator.checkout",
        "generator.console",
        "generator.git",
        "generator.review",
    },
    "publication": {
        "generator.checkout",
        "generator.console",
        "generator.git",
        "generator.pages",
        "generator.release",
    },
    "cli_options": {"click", "generator.errors", "generator.release"},
    "cli_lookups": {"click", "msgspec", "generator"},
    "cli_diff": {"click", "generator"},
    "cli_measured": {"generator"},
    "cli_workflows": {"click", "msgspec", "generator"},
    "cli": {"click", "msgspec", "generator"},
}
NO_PLACE = {"util", "utils", "helper", "helpers", "common", "misc"}

MODULES = sorted(PACKAGE.rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    """Yield each imported module in full; `from a import b` counts as `a.b`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import hides which room it crosses into"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_under(module: str, allowed: set[str]) -> bool:
    return any(module == one or module.startswith(f"{one}.") for one in allowed)


def allowed_for(path: Path) -> set[str]:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    if len(parts) == 1:
        return TOP[parts[0]] | EVERYWHERE
    return RULES[parts[0]] | EVERYWHERE | {f"generator.{parts[0]}"}


def forbidden(path: Path) -> list[str]:
    allowed = allowed_for(path)
    return [
        module
        for module in imports(path)
        if module.partition(".")[0] not in sys.stdlib_module_names and not is_under(module, allowed)
    ]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_what_its_room_may(path: Path) -> None:
    assert forbidden(path) == []


def test_a_forbidden_import_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "PACKAGE", tmp_path)
    bad = tmp_path / "catalogue" / "bad.py"
    bad.parent.mkdir()
    bad.write_text("import json\nfrom generator import tape\nimport torch.nn\n")
    assert forbidden(bad) == ["generator.tape", "torch.nn"]


def test_every_folder_is_a_room_with_rules() -> None:
    folders = {path.relative_to(PACKAGE).parts[0] for path in MODULES if path.parent != PACKAGE}
    assert folders == set(RULES)


def test_no_module_is_a_place_for_things_that_belong_nowhere() -> None:
    assert [path for path in MODULES if path.stem in NO_PLACE] == []


def test_the_rooms_are_two_folders_deep_at_most() -> None:
    assert [path for path in MODULES if len(path.relative_to(PACKAGE).parts) > 3] == []

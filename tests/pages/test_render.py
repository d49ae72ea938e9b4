"""What a rendering leaves of the one before it, which was another release's."""

from pathlib import Path

from msgspec.structs import replace

from generator.catalogue.model.history import History
from generator.catalogue.model.records import Catalogue
from generator.pages.render import render_pages


def test_the_pages_and_downloads_of_another_release_are_gone(
    root: Path, tmp_path: Path, small: Catalogue, whole_history: History
) -> None:
    older = replace(small, header=replace(small.header, release="2.12.1"))
    render_pages(older, whole_history, tmp_path, root / "site_templates")
    before = made_in(tmp_path)
    without = replace(
        small, ops={name: op for name, op in small.ops.items() if name != "torch.exp"}
    )
    render_pages(without, whole_history, tmp_path, root / "site_templates")
    after = made_in(tmp_path)
    assert before - after == {"ops/torch.exp.md"} | {
        name for name in before if name.startswith("downloads/torch-2.12.1-")
    }
    assert not [name for name in after if "2.12.1" in name and not name.startswith("releases/")]


def made_in(docs: Path) -> set[str]:
    return {path.relative_to(docs).as_posix() for path in docs.rglob("*") if path.is_file()}

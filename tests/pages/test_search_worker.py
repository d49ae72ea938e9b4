"""The worker of the installed theme is one that can be mended, and is then."""

from importlib.util import find_spec
from pathlib import Path

from generator.pages.search_worker import WORKERS, mend_search, mended


def worker() -> Path:
    spec = find_spec("material")
    assert spec is not None
    assert spec.origin is not None
    (found,) = (Path(spec.origin).parent / "templates").glob(WORKERS)
    return found


def test_the_theme_tells_nodes_apart_by_label_and_number_alone() -> None:
    """Else the theme has mended it, and this can go."""
    assert worker().read_text().count(".id}return") == 1


def test_a_comma_stands_behind_each_number(tmp_path: Path) -> None:
    place = tmp_path / "assets/javascripts/workers" / worker().name
    place.parent.mkdir(parents=True)
    place.write_text(worker().read_text())
    mend_search(tmp_path)
    assert place.read_text().count('.id+","}return') == 1
    assert len(place.read_text()) == len(worker().read_text()) + len('+","')


def test_other_scripts_stay_as_they_are() -> None:
    assert mended("a=b+c.id}") == "a=b+c.id}"

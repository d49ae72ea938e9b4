import re
import sys
from pathlib import Path

import pytest

from generator.errors import EvidenceError
from generator.release.guides import GuideReport, check_guides, compare, read_guide, rewrite

PYTHON = Path(sys.executable)

SHOWN = '\n``` { .text .output title="Output" }\n3\n```\n'
SOUND = f"""# A guide

```python
x = 2
```

Prose between blocks.

```python
print(x + 1)
```
{SHOWN}
More prose.
"""
PRINTED = ["", "3\n"]


def guide(folder: Path, text: str) -> Path:
    path = folder / "a-guide.md"
    path.write_text(text, encoding="utf-8")
    return path


def complaint(folder: Path, text: str, printed: list[str]) -> str:
    path = guide(folder, text)
    with pytest.raises(EvidenceError) as caught:
        compare(read_guide(path), printed)
    assert path.read_text(encoding="utf-8") == text
    return str(caught.value)


def test_a_sound_guide_passes(tmp_path: Path) -> None:
    compare(read_guide(guide(tmp_path, SOUND)), PRINTED)


def test_a_changed_output_names_file_line_and_remedy(tmp_path: Path) -> None:
    said = complaint(tmp_path, SOUND.replace("\n3\n", "\n4\n"), PRINTED)
    assert said.endswith(
        "a-guide.md line 10: the block prints “3” where the guide shows “4”;"
        " run `tapekept guides --update` and look at the diff"
    )


def test_an_output_that_lacks_a_line_is_a_changed_output(tmp_path: Path) -> None:
    said = complaint(tmp_path, SOUND, ["", "3\n2\n"])
    assert "line 10: the block prints 2 lines where the guide shows 1;" in said


def test_an_output_that_is_not_shown_is_missed(tmp_path: Path) -> None:
    said = complaint(tmp_path, SOUND, ["2\n", "3\n"])
    assert "line 4: what the block prints is not shown; run `tapekept guides --update`" in said


def test_an_output_of_a_silent_block_is_one_too_many(tmp_path: Path) -> None:
    said = complaint(tmp_path, SOUND, ["", ""])
    assert "line 10: an output is shown, but the block prints nothing; run" in said


@pytest.mark.parametrize(
    ("stale", "printed", "fresh"),
    [
        (SOUND.replace("\n3\n", "\nold\nlines\n"), PRINTED, SOUND),
        (SOUND.replace(SHOWN, ""), PRINTED, SOUND),
        (SOUND, ["", ""], SOUND.replace(SHOWN, "")),
    ],
    ids=["changed", "missing", "too many"],
)
def test_a_rewritten_guide_passes_and_is_rewritten_once(
    tmp_path: Path, stale: str, printed: list[str], fresh: str
) -> None:
    path = guide(tmp_path, stale)
    assert rewrite(read_guide(path), printed)
    assert path.read_text(encoding="utf-8") == fresh
    compare(read_guide(path), printed)
    assert not rewrite(read_guide(path), printed)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("!!! note\n\n    ```python\n    print(1)\n    ```\n", 3),
        ("~~~python\nprint(1)\n~~~\n", 1),
        ("```py\nprint(1)\n```\n", 1),
        (SHOWN, 2),
        ("Text\n\n```python\nprint(1)\n", 3),
    ],
    ids=["indented", "tildes", "another language", "output alone", "never closed"],
)
def test_a_fence_that_would_not_be_checked_is_refused(tmp_path: Path, text: str, line: int) -> None:
    with pytest.raises(EvidenceError, match=rf"a-guide\.md line {line}: this fence"):
        read_guide(guide(tmp_path, text))


def test_an_update_runs_the_code_and_writes_what_it_printed(tmp_path: Path) -> None:
    path = guide(tmp_path, SOUND.replace("\n3\n", "\n4\n"))
    report = check_guides(PYTHON, tmp_path, update=True)
    assert report == GuideReport(guides=1, blocks=2, rewritten=(path,))
    assert path.read_text(encoding="utf-8") == SOUND


def test_a_block_that_raises_names_its_line_and_nothing_is_written(tmp_path: Path) -> None:
    text = SOUND.replace("print(x + 1)", "x += 1\nprint(x + y)").replace("\n3\n", "\n4\n")
    path = guide(tmp_path, text)
    said = r"a-guide\.md line 11: the block raised NameError: name 'y' is not defined; mend it"
    with pytest.raises(EvidenceError, match=said):
        check_guides(PYTHON, tmp_path, update=True)
    assert path.read_text(encoding="utf-8") == text


def test_a_block_that_kills_the_interpreter_is_reported(tmp_path: Path) -> None:
    guide(tmp_path, SOUND.replace("x = 2", "import os; os._exit(7)"))
    with pytest.raises(EvidenceError, match=r"the guides could not be run \(exit code 7\)"):
        check_guides(PYTHON, tmp_path, update=False)


def test_an_interpreter_that_is_not_there_is_reported(tmp_path: Path) -> None:
    guide(tmp_path, SOUND)
    with pytest.raises(EvidenceError, match=r"the guides could not be run: .*no-python"):
        check_guides(tmp_path / "no-python", tmp_path, update=False)


def test_the_guides_and_their_index_show_what_their_code_prints(root: Path) -> None:
    report = check_guides(PYTHON, root / "docs" / "guides", update=False)
    navigation = (root / "mkdocs.yml").read_text()
    assert report.guides == len(re.findall(r" guides/[\w-]+\.md$", navigation, re.MULTILINE)) > 10
    assert report.rewritten == ()

"""Lines that programs share: each program can be put together again, and short runs stay."""

import html
import re
from pathlib import Path

from generator.pages.common_lines import LINES, PAGES, share_lines

SHARED = [f"    print({number} &lt; 2, &amp;)\n" for number in range(LINES + 1)]
LINK = re.compile(r"<a class=tk-lines href=([^>]+)>(# \d+ lines [^<]*)</a>")


def page(program: str) -> str:
    return (
        "<h1>Op</h1><details class=tk-trials><summary>The program</summary>"
        f"<pre><code>{program}</code></pre><pre><code>printed</code></pre></details>"
    )


def write(folder: Path, number: int, lines: list[str]) -> tuple[Path, str]:
    path = folder / "ops" / str(number) / "index.html"
    path.parent.mkdir(parents=True)
    program = "".join(["import torch\n", f"x = {number}\n", *lines, f"print({number})"])
    path.write_text(page(program))
    return path, program


def test_a_program_can_be_put_together_again(tmp_path: Path) -> None:
    written = dict(write(tmp_path, number, SHARED) for number in range(PAGES))
    share_lines(written, tmp_path)
    (shared,) = (tmp_path / "assets").glob("lines-*.txt")
    lines = shared.read_text()
    assert lines == html.unescape("".join(SHARED))
    for path, program in written.items():
        ((target, said),) = LINK.findall(path.read_text())
        assert said == f"# {len(SHARED)} lines that many programs here share\n"
        assert (path.parent / target).resolve() == shared.resolve()
        whole = LINK.sub(html.escape(lines, quote=False), path.read_text())
        assert whole == page(program)


def test_what_few_pages_have_stays_where_it_is(tmp_path: Path) -> None:
    written = dict(write(tmp_path, number, SHARED) for number in range(PAGES - 1))
    share_lines(written, tmp_path)
    assert [path.read_text() for path in written] == [page(one) for one in written.values()]
    assert not (tmp_path / "assets").exists()


def test_a_few_lines_stay_where_they_are(tmp_path: Path) -> None:
    written = dict(write(tmp_path, number, SHARED[: LINES - 2]) for number in range(PAGES))
    share_lines(written, tmp_path)
    assert [path.read_text() for path in written] == [page(one) for one in written.values()]


def test_code_that_is_always_shown_is_left_alone(tmp_path: Path) -> None:
    code = f"<pre><code>{''.join(SHARED)}</code></pre>"
    for number in range(PAGES):
        (tmp_path / f"{number}.html").write_text(code)
    share_lines(sorted(tmp_path.glob("*.html")), tmp_path)
    assert {one.read_text() for one in tmp_path.glob("*.html")} == {code}

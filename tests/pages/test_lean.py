"""Fewer bytes for the same page: what is left is compared as a reader of HTML sees it."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from generator.pages.lean import lean, make_lean

PAGE = """<!doctype html>
<html lang="en">
  <head><title>A  page</title></head>
  <body>

    <h2 id="kept" data-search-exclude>What it keeps</h2>
    <p>One <code>two</code>
       <em>three</em>, &#34;four&#34; &lt;b&gt; &amp;lt;</p>
    <table>
      <tr><td title="a &#34;b&#34;">1</td><td data-search-exclude></td></tr>
    </table>
<pre><code><span class="n">x</span><span class="w"> </span><span class="o">=</span>  &#39;y  z&#39;
  print(x)
</code></pre>
  </body>
</html>
"""


class Seen(HTMLParser):
    """The text of a page as it is shown: blanks collapsed except in preformatted text."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self.exact = 0
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.exact += tag == "pre"
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        self.exact -= tag == "pre"

    def handle_data(self, data: str) -> None:
        self.text += data if self.exact else re.sub(r"\s+", " ", data)


def seen(page: str) -> Seen:
    parser = Seen()
    parser.feed(page)
    parser.close()
    return parser


def test_a_reader_sees_the_same_text() -> None:
    before, after = seen(PAGE).text, seen(lean(PAGE)).text
    assert after.replace(" ", "").split() == before.replace(" ", "").split()
    for part in ('"four" <b> &lt;', "x =  'y  z'\n  print(x)\n", "One two three"):
        assert part in after


def test_fewer_bytes_and_no_marks_for_the_search() -> None:
    assert len(lean(PAGE)) < 0.7 * len(PAGE)
    assert "data-search-exclude" not in lean(PAGE)
    assert ("title", 'a "b"') in seen(lean(PAGE)).attributes
    assert ("id", "kept") in seen(lean(PAGE)).attributes


def test_a_word_about_the_mark_stays() -> None:
    assert "a data-search-exclude b" in lean("<p>a data-search-exclude b</p>")


@pytest.mark.parametrize("part", ["name", "operator", "punctuation"])
def test_parts_of_code_without_a_span_have_its_colour(root: Path, part: str) -> None:
    style = (root / "docs" / "assets" / "tape.css").read_text()
    of_code = re.findall(r"--md-code-fg-color: (#\w+);", style)
    assert of_code
    assert re.findall(rf"--md-code-hl-{part}-color: (#\w+);", style) == of_code


@pytest.mark.parametrize(
    ("name", "stays"),
    [
        ("assets/javascripts/bundle.js", True),
        ("assets/javascripts/bundle.js.map", False),
        ("assets/javascripts/lunr/min/lunr.de.min.js", False),
        ("sitemap.xml", True),
        ("sitemap.xml.gz", False),
    ],
)
def test_only_what_no_page_asks_for_goes(tmp_path: Path, name: str, *, stays: bool) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    make_lean(tmp_path)
    assert path.exists() is stays


def test_a_script_that_pages_share_is_written_once(tmp_path: Path) -> None:
    where = ("index.html", "ops/torch.exp/index.html", "ops/torch.mul/index.html")
    for name in where:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("<p>a</p><script>go('<p>')</script><script src='x.js'></script>")
    (tmp_path / "404.html").write_text("<script>alone()</script>")
    make_lean(tmp_path)
    (script,) = tmp_path.glob("assets/*.js")
    assert script.read_text() == "go('<p>')"
    for name in where:
        path = tmp_path / name
        (source,) = re.findall(r"<script src=([^'>]+)></script>", path.read_text())
        assert (path.parent / source).resolve() == script
    assert "alone()" in (tmp_path / "404.html").read_text()


def test_the_scripts_of_the_site_are_one_file_in_their_order(tmp_path: Path) -> None:
    where = ("index.html", "ops/torch.exp/index.html")
    for name, text in (("b", "second()"), ("a", "first()")):
        path = tmp_path / f"assets/{name}.js"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    for name in where:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        up = "../" * name.count("/")
        path.write_text(
            f'<p>a</p><script src="{up}assets/javascripts/theme.js"></script>'
            f'<script src="{up}assets/a.js"></script><script src="{up}assets/b.js"></script>'
        )
    make_lean(tmp_path)
    for name in where:
        path = tmp_path / name
        theme, own = re.findall(r'<script src="?([^">]+)"?></script>', path.read_text())
        assert theme.endswith("javascripts/theme.js")
        assert (path.parent / own).resolve().read_text().split() == ["first()", "second()"]


def test_blanks_in_links_of_the_navigation_go() -> None:
    page = '<a href="#x" class="md-nav__link"> <span class="md-ellipsis"> In code </span> </a>'
    assert lean(page) == "<a href=#x class=md-nav__link><span class=md-ellipsis>In code</span></a>"
    assert lean('<p>a <a href="x"> b </a> c</p>') == "<p>a <a href=x> b </a> c</p>"

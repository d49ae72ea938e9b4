"""What mkdocs wrote, made smaller: all releases together have to fit where sites are hosted.

A reader sees the same pages. What goes is blank space between tags, closing tags that HTML does not
need, marks for the search index (which is written by then), the spans of code that is coloured like
plain text, escapes that text does not need, and files that no page asks for.
"""

import re
from pathlib import Path

import minify  # type: ignore[import-untyped]  # it says nothing of its types

# Source maps, other languages than the site's, and a list that is there uncompressed as well.
UNUSED = (
    "assets/**/*.map",
    "assets/javascripts/lunr/**/*",
    "sitemap.xml.gz",
)
_FOR_THE_SEARCH = re.compile(r" data-search-exclude(?=[ >])")
_TAG = re.compile(r"(<[a-z!/][^>]*>)", re.IGNORECASE)
# Names and blanks: `tape.css` gives names in code the colour of the code.
_PLAIN_CODE = re.compile(r'<span class="(?:n|w)">([^<]*)</span>')


def make_lean(folder: Path) -> None:
    """Rewrite the pages of a built site in fewer bytes and remove the files it does not use."""
    for pattern in UNUSED:
        for path in folder.glob(pattern):
            if path.is_file():
                path.unlink()
    for path in folder.rglob("*.html"):
        path.write_text(lean(path.read_text(encoding="utf-8")), encoding="utf-8")


def lean(page: str) -> str:
    """Return the same page of HTML in fewer bytes."""
    pieces = _TAG.split(_PLAIN_CODE.sub(r"\1", page))
    pieces[1::2] = (_FOR_THE_SEARCH.sub("", tag) for tag in pieces[1::2])
    pieces[::2] = (text.replace("&#34;", '"').replace("&#39;", "'") for text in pieces[::2])
    return str(minify.string("text/html", "".join(pieces)))

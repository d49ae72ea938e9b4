"""What mkdocs wrote, made smaller: all releases together have to fit where sites are hosted.

A reader sees the same pages. What goes is blank space beside blocks, closing tags and quotes that
HTML does not need, marks for the search index (which is written by then), the spans of code that is
coloured like plain text, escapes that text does not need, and files that no page asks for. A script
that the theme writes into each page is a file that all of them load, and so is what shows nothing
without a script. Programs leave out the lines that they share.
"""

import hashlib
import re
from functools import lru_cache
from pathlib import Path

from generator.pages.common_lines import share_lines
from generator.pages.scripted import write_by_script

PAGE = "index.html"
# Source maps, other languages than the site's, and a list that is there uncompressed as well.
UNUSED = (
    "assets/**/*.map",
    "assets/javascripts/lunr/**/*",
    "sitemap.xml.gz",
)
# Between the tags of these, blank space is never shown: no style of the site puts them in a line.
BLOCKS = frozenset(
    """
    html head body meta link title style script main header footer nav article aside section div p
    ul ol li dl dt dd table caption colgroup col thead tbody tfoot tr th td h1 h2 h3 h4 h5 h6 hr
    pre blockquote form fieldset details summary figure figcaption option
    """.split()  # noqa: SIM905 - a list of fifty strings reads worse
)
# What may follow a closing tag that HTML then allows to be left out.
IMPLIED = {
    "</li>": ("<li", "</ul", "</ol"),
    "</dt>": ("<dt", "<dd"),
    "</dd>": ("<dt", "<dd", "</dl", "</div"),
    "</td>": ("<td", "<th", "</tr"),
    "</th>": ("<td", "<th", "</tr"),
    "</tr>": ("<tr", "</thead", "</tbody", "</table"),
    "</tbody>": ("</table",),
    "</thead>": ("<tbody",),
}
_VERBATIM = r"<(pre|script|style|textarea|svg)\b.*?</\1>"
_TOKEN = re.compile(rf"{_VERBATIM}|<[a-z/!][^>]*>", re.DOTALL | re.IGNORECASE)
_COMMENT = re.compile(r'<!--.*?-->|<meta name="generator"[^>]*>', re.DOTALL)
_TAG = re.compile(r"</?[a-z][^>]*>", re.IGNORECASE)
_NAME = re.compile(r"</?([a-z][a-z0-9]*)", re.IGNORECASE)
_QUOTED = re.compile(r'=(?:""|"([^\s"\'=<>`]+)")(?=[\s>])')
_SCRIPT = re.compile(r"<script>(.+?)</script>", re.DOTALL)
_BLANK = re.compile(r"\s+")
_FOR_THE_SEARCH = re.compile(r" data-search-exclude(?=[ >])")
# Names, blanks, operators and brackets have the colour of the code around them.
_PLAIN_CODE = re.compile(r'<span class="(?:n|w|o|p)">([^<]*)</span>')
# Links of the navigation are boxes: what is blank at their ends is not shown.
_NAVIGATION = re.compile(
    r"(<a [^>]*class=md-(?:nav|tabs)__link>) ?(<span class=md-ellipsis>)? ?"
    r"([^<]*?) ?(</span>)? ?</a>"
)
# The site's own scripts, which are written into each page one by one.
_OWN = re.compile(r'(?:<script src="(?:\.\./)*assets/[a-z]+\.js"></script>){2,}')
_OWN_NAME = re.compile(r"assets/([a-z]+)\.js")


def make_lean(folder: Path) -> None:
    """Rewrite the pages of a built site in fewer bytes and remove the files it does not use."""
    for pattern in UNUSED:
        for path in folder.glob(pattern):
            if path.is_file():
                path.unlink()
    for path in folder.rglob("*.html"):
        page = lean(path.read_text(encoding="utf-8"))
        if path.name == PAGE:
            page = share_scripts(write_by_script(page), folder, path.parent)
            page = join_scripts(page, folder, path.parent)
        path.write_text(page, encoding="utf-8")
    share_lines(sorted(folder.rglob(PAGE)), folder)


def share_scripts(page: str, folder: Path, here: Path) -> str:
    """Write each script of a page in `here` to a file below `folder` and load it from there."""
    up = "../" * len(here.relative_to(folder).parts)

    def share(script: re.Match[str]) -> str:
        name = f"assets/script-{hashlib.sha256(script[1].encode()).hexdigest()[:8]}.js"
        path = folder / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(script[1], encoding="utf-8")
        return f"<script src={up}{name}></script>"

    return _SCRIPT.sub(share, page)


def join_scripts(page: str, folder: Path, here: Path) -> str:
    """Load the site's own scripts, which stand one after another, as one file below `folder`."""
    up = "../" * len(here.relative_to(folder).parts)

    def join(scripts: re.Match[str]) -> str:
        return f"<script src={up}{_joined(folder, tuple(_OWN_NAME.findall(scripts[0])))}></script>"

    return _OWN.sub(join, page)


@lru_cache(maxsize=8)
def _joined(folder: Path, names: tuple[str, ...]) -> str:
    scripts = [folder.joinpath(f"assets/{name}.js").read_text(encoding="utf-8") for name in names]
    text = "\n".join(scripts)
    name = f"assets/own-{hashlib.sha256(text.encode()).hexdigest()[:8]}.js"
    folder.joinpath(name).write_text(text, encoding="utf-8")
    return name


def lean(page: str) -> str:
    """Return the same page of HTML in fewer bytes."""
    texts, tags = _pieces(_PLAIN_CODE.sub(r"\1", _COMMENT.sub("", page)))
    parts = []
    for place, tag in enumerate(tags):
        parts += [_lean_text(texts[place], tags[place - 1] if place else "", tag), tag]
    parts.append(texts[-1].rstrip())
    shown = [part for part in parts if part]
    after = [*shown[1:], ""]
    kept = (
        part
        for part, following in zip(shown, after, strict=True)
        if not following.startswith(IMPLIED.get(part, ("\0",)))
    )
    return _NAVIGATION.sub(r"\1\2\3\4</a>", "".join(_lean_tag(part) for part in kept))


def _pieces(page: str) -> tuple[list[str], list[str]]:
    """Split a page into texts and, between them, tags; what is verbatim counts as one tag."""
    texts, tags, end = [], [], 0
    for match in _TOKEN.finditer(page):
        texts.append(page[end : match.start()])
        tags.append(match[0])
        end = match.end()
    return [*texts, page[end:]], tags


def _lean_text(text: str, before: str, after: str) -> str:
    if not text:
        return text
    short = _unescaped(_BLANK.sub(" ", text))
    if _is_block(before):
        short = short.lstrip(" ")
    return short.rstrip(" ") if _is_block(after) else short


def _lean_tag(part: str) -> str:
    if not part.startswith("<") or part.startswith(("<script", "<style")):
        return part
    opening, end, rest = part.partition(">")
    short = _short(opening + end)
    return short + (_TAG.sub(lambda tag: _short(tag[0]), _unescaped(rest)) if rest else "")


@lru_cache(maxsize=1 << 16)
def _short(tag: str) -> str:
    return _QUOTED.sub(_unquoted, _FOR_THE_SEARCH.sub("", tag))


def _unquoted(value: re.Match[str]) -> str:
    return f"={value[1]}" if value[1] else ""


def _unescaped(text: str) -> str:
    return text.replace("&#34;", '"').replace("&#39;", "'")


@lru_cache(maxsize=1 << 16)
def _is_block(tag: str) -> bool:
    name = _NAME.match(tag)
    return name is None or name[1].lower() in BLOCKS

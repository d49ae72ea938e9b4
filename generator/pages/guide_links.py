"""A hook of MkDocs: guides in the site of a release other than the one that they were run in.

A guide's programs print what they print in one release. Another release's site says so above the
guide, and where that release has no such page, a link leads to the page of the guide's own.
"""

import re

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

FOLDER = "guides/"
_RECORD = re.compile(r"\[([^\]]+)\]\(\.\./((?:ops|modules|nodes|blocks)/[^)#]+)\.md(#[^)]*)?\)")
_HEADING = re.compile(r"^# .*$", re.MULTILINE)


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Return the text of a guide as the release of this site shows it; of other pages, as it is."""
    own = str(config.extra["guides"])
    shown = str(config.site_url).rstrip("/").rpartition("/")[2]
    if shown == own or not page.file.src_uri.startswith(FOLDER):
        return markdown

    def led(link: re.Match[str]) -> str:
        text, record, anchor = link[1], link[2], link[3] or ""
        there = files.get_file_from_path(f"{record}.md") is not None
        # As HTML, since MkDocs would miss sections that this release's page does not have.
        return f'<a href="{"../../" if there else f"../../../{own}/"}{record}/{anchor}">{text}</a>'

    note = (
        f'!!! note ""\n    The programs on this page were run in torch {own}, and what it says was'
        f" seen there. Its links lead to pages of torch {shown}, or of {own} where that has none."
    )
    return _HEADING.sub(lambda heading: f"{heading[0]}\n\n{note}", _RECORD.sub(led, markdown), 1)

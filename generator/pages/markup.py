"""Text that is safe in Markdown and in HTML, and the strict Jinja environment of all templates.

PyTorch's own strings hold `<`, `|`, `*`, `_` and backticks. In HTML blocks autoescaping is enough;
headings are Markdown, where `md` escapes every character that Markdown could read as markup.
"""

import re
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!])")
_CODE = re.compile(r"`([^`]+)`")


def md(text: str) -> Markup:
    """Escape plain text for a line of Markdown."""
    html = str(escape(text)).replace("&#39;", "'").replace("&#34;", '"')
    return Markup(_MARKDOWN.sub(r"\\\1", html))  # noqa: S704 - escaped just above


def code_spans(sentence: str) -> Markup:
    """Turn a sentence with names in backticks into HTML with `code` elements."""
    pieces = _CODE.split(sentence)
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if place % 2 else escape(piece)
        for place, piece in enumerate(pieces)
    )


def code_fence(text: str, language: str) -> Markup:
    """Fence a block of code so that no line of it can end the fence."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return Markup(f"{fence}{language}\n{text.rstrip()}\n{fence}")  # noqa: S704 - a fence is literal


def environment(templates: Path) -> Environment:
    """Make the environment: undefined names fail, everything is escaped unless marked safe."""
    made = Environment(
        loader=FileSystemLoader(templates),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters["md"] = md
    return made

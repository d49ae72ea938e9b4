from html import unescape
from pathlib import Path

import markdown
import pytest
from jinja2 import UndefinedError

from generator.pages.markup import code_fence, code_spans, environment, md

EXTENSIONS = ["attr_list", "pymdownx.superfences", "tables", "footnotes"]


@pytest.mark.parametrize(
    "text",
    [
        "torch.Tensor.__getitem__",
        "aten::add.Tensor",
        "a | b",
        "*args, **kwargs",
        "<class 'torch.Tensor'>",
        "`x` [y](z) {: #id }",
        "x < y & z > 0",
        "1. not a list",
        "back\\slash ~~x~~ ==y== ^z^",
        "[^1] #heading",
    ],
)
def test_escaped_text_survives_markdown(text: str) -> None:
    html = markdown.markdown(f"# {md(text)}", extensions=EXTENSIONS)
    plain = html.removeprefix("<h1>").removesuffix("</h1>")
    assert "<" not in plain
    assert unescape(plain) == text


def test_names_in_backticks_become_code() -> None:
    assert code_spans("keeps `a<b>` & c") == "keeps <code>a&lt;b&gt;</code> &amp; c"


def test_no_line_of_the_code_ends_its_fence() -> None:
    html = markdown.markdown(code_fence('"""\n```\n"""', "text"), extensions=EXTENSIONS)
    assert html.count("<code") == 1
    assert "```" in html


def test_templates_escape_and_refuse_undefined_names(tmp_path: Path) -> None:
    (tmp_path / "page").write_text("{{ value }}")
    template = environment(tmp_path).get_template("page")
    assert template.render(value="<b>") == "&lt;b&gt;"
    with pytest.raises(UndefinedError):
        template.render()

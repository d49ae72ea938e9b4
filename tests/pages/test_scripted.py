"""What only scripts make use of, written by them: the same page once they have run."""

import json
import re

from generator.pages.scripted import write_by_script

PALETTE = (
    "<form class=md-header__option data-md-component=palette><input name=__palette></form>"
    "<script>var palette = 1</script><div class=md-search>Search</div>"
)
TOP = '<button type=button class="md-top md-icon" hidden>Back to top</button>'
DIALOG = (
    "<div class=md-dialog data-md-component=dialog><div></div></div>"
    '<script id="__config" type="application/json">{"base": "."}</script>'
)
PAGE = (
    f"<header><nav><a href=.>Home</a>{PALETTE}</nav></header><main><p>Kept</p></main>{TOP}"
    f'{DIALOG}<script src="bundle.js"></script>'
)
SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
PUT = re.compile(
    r'document\.currentScript\.insertAdjacentHTML\("beforebegin",("(?:[^"\\]|\\.)*")\);'
)


def run(script: re.Match[str]) -> str:
    """Do what a script does: put markup, run what was a script in it, and go."""
    code = script[1].removesuffix("document.currentScript.remove()")
    assert code != script[1]
    first, *rest = PUT.split(code)
    assert first == ""
    pairs = zip(rest[::2], rest[1::2], strict=True)
    return "".join(
        json.loads(put) + (f"<script>{ran.strip()}</script>" if ran.strip() else "")
        for put, ran in pairs
    )


def test_scripts_put_back_what_they_replace() -> None:
    made = write_by_script(PAGE)
    assert made != PAGE
    assert SCRIPT.sub(run, made) == PAGE


def test_what_needs_no_script_stays() -> None:
    shown = re.sub(r"<script\b.*?</script>", "", write_by_script(PAGE), flags=re.DOTALL)
    assert shown == "<header><nav><a href=.>Home</a></nav></header><main><p>Kept</p></main>"


def test_another_theme_is_left_alone() -> None:
    page = "<header><nav></nav></header><form class=search></form><script>one()</script>"
    assert write_by_script(page) == page

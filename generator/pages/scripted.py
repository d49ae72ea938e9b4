"""What a page shows to scripts alone, written by one script that all pages share.

The theme repeats in each page the search box, the switch of colours, the button that leads back to
the top and its settings: 5 KB of markup that is hidden or does nothing until a script runs. Their
places are taken by scripts that put the same markup there, while the page is read.
"""

import json
import re

# As `lean` leaves them. Where the theme writes something else, the page stays as it is.
_PARTS = re.compile(
    r"<form class=md-header__option data-md-component=palette>.*?(?=</nav></header>)"
    r'|<button type=button class="md-top md-icon".*?</button>'
    r'|<div class=md-dialog .*?(?=<script id="__config")<script id="__config".*?</script>',
    re.DOTALL,
)
_RUN = re.compile(r"<script>(.+?)</script>", re.DOTALL)
_PUT = 'document.currentScript.insertAdjacentHTML("beforebegin",{});'


def write_by_script(page: str) -> str:
    """Return the page with scripts in the place of what only scripts make use of."""
    return _PARTS.sub(lambda part: f"<script>{_putting(part[0])}</script>", page)


def _putting(markup: str) -> str:
    """Return a script that puts markup in its own place, and runs the scripts in it."""
    pieces = _RUN.split(markup)
    put = [_PUT.format(_literal(piece)) if piece else "" for piece in pieces[::2]]
    run = [f"\n{script}\n" for script in pieces[1::2]]
    lines = [one for pair in zip(put, [*run, ""], strict=True) for one in pair]
    return "".join(lines) + "document.currentScript.remove()"


def _literal(markup: str) -> str:
    # A script ends at the first `</script>`, wherever that is written.
    return json.dumps(markup, ensure_ascii=False).replace("</", r"<\/")

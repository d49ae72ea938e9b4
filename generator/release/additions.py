"""Write a release that has just been published into `releases.toml`.

It gets what the newest release there gets, at the depth of releases that are measured for their
history; whoever reviews the change can raise either.
"""

import tomllib
from pathlib import Path

from packaging.version import Version

from generator.catalogue.store import replace
from generator.errors import ReleaseError
from generator.release.upstream import Published

_DEFAULTS = "\n[[defaults]]\n"
_ENTRY = """
[releases."{version}"]
date = {date}
python = "{python}"
requires = [{requires}]
depth = "history"
"""


def add_release(table: Path, published: Published) -> None:
    """Add a release to the file `table`, before its defaults; nothing else in it changes.

    Raises ReleaseError where the file names the release already, CatalogueError where it cannot be
    written.
    """
    text = table.read_text(encoding="utf-8")
    releases = tomllib.loads(text)["releases"]
    if published.version in releases:
        raise ReleaseError(f"{table} names torch {published.version} already")
    like = releases[max(releases, key=Version)]
    entry = _ENTRY.format(
        version=published.version,
        date=published.date.isoformat(),
        python=published.python or like["python"],
        requires=", ".join(f'"{one}"' for one in like["requires"]),
    )
    before, defaults, rest = text.partition(_DEFAULTS)
    replace(table, f"{before}{entry}{defaults}{rest}".encode())

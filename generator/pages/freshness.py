"""Whether the built pages of a release are still what would be built now.

They are made of that release's catalogue, of the code and templates that lay it out, and of the
pages written by hand. A stamp of all that lies in the built site. What other releases say is left
out on purpose: adding one must leave the pages of all others as they are.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from generator.catalogue import codec
from generator.catalogue.model.records import Catalogue
from generator.pages.files import is_generated

STAMP = "stamp.txt"
_SOURCES = ("generator/catalogue/**/*.py", "generator/pages/**/*.py", "site_templates/**/*")
_BY_HAND = ("docs/*.md", "docs/decisions/*.md", "docs/guides/**/*", "docs/assets/**/*")


def stamp(root: Path, catalogue: Catalogue) -> str:
    """Return a digest, in hexadecimal, of what the pages of a catalogue are made of."""
    digest = hashlib.sha256(codec.encode(catalogue))
    for path in _ingredients(root):
        content = path.read_bytes()
        digest.update(f"\0{path.relative_to(root).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def is_fresh(built: Path, wanted: str) -> bool:
    """Say whether the folder of a built release carries the stamp `wanted`."""
    try:
        return (built / STAMP).read_text(encoding="utf-8").strip() == wanted
    except OSError:
        return False


def _ingredients(root: Path) -> Iterator[Path]:
    for pattern in ("mkdocs.yml", *_SOURCES, *_BY_HAND):
        for path in sorted(root.glob(pattern)):
            if path.is_file() and not (path.suffix == ".md" and is_generated(path)):
                yield path

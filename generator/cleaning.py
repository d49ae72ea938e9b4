"""Remove what the build made and can make again; the committed data are never touched.

It runs with any Python, before or without set-up, so it uses the standard library only.
"""

import shutil
import sys
from pathlib import Path

MADE = ("site", ".tapekept", ".venv", ".venv.lock", ".mypy_cache", ".ruff_cache", ".pytest_cache")
PAGES = "/docs/"
KEPT = "docs/data"


def made_paths(root: Path) -> "list[Path]":
    """Return what there is to remove: the build's folders, and the pages made in `docs/`.

    Which pages those are, `.gitignore` says, a line for each.
    """
    lines = (root / ".gitignore").read_text(encoding="utf-8").splitlines()
    pages = [line.strip("/") for line in lines if line.startswith(PAGES)]
    paths = [root / name for name in (*MADE, *pages) if not name.startswith(KEPT)]
    return [path for path in paths if path.exists()]


def remove_made(root: Path) -> "list[Path]":
    """Remove everything that can be made again and return what was removed."""
    paths = made_paths(root)
    for path in paths:
        if path.is_dir():
            shutil.rmtree(str(path))
        else:
            path.unlink()
    return paths


def main() -> None:
    """Clean the checkout that this file lies in; exit 2 with one sentence if that fails."""
    root = Path(__file__).resolve().parent.parent
    try:
        removed = remove_made(root)
    except OSError as error:
        sys.stderr.write(f"tapekept: {error.filename} cannot be removed ({error.strerror}).\n")
        sys.exit(2)
    names = ", ".join(str(path.relative_to(root)) for path in removed)
    print(f"Removed {names}" if names else "There was nothing to remove")


if __name__ == "__main__":
    main()

"""Building: `mkdocs build --strict` as a process, into the folder of one release.

The folder is replaced whole by what was built beside it, so that a build that fails leaves the
pages that were there. What leads to all releases is written after it, beside their folders.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from generator.catalogue import store
from generator.catalogue.links import release_url
from generator.errors import FULL_WORDS, FullDiskError, TapekeptError
from generator.pages.freshness import STAMP
from generator.pages.lean import make_lean
from generator.pages.search_worker import mend_search
from generator.pages.versions import MISSING, write_root

SITE = "site"
TEMPLATES = "site_templates"
UNFINISHED = ".part"
_NOISE = re.compile(r"^(WARNING|ERROR)\s+-\s+")


class SiteError(TapekeptError):
    """The site could not be built without a warning."""


def build_site(root: Path, release: str, stamp: str) -> Path:
    """Build the rendered pages into `site/<release>/` and lead to them from `site/`.

    `stamp` says what they are made of, and lies beside them.

    Raises SiteError, with mkdocs' first warning or error, when the build is not clean;
    FullDiskError when there is no space for it.
    """
    target = root / SITE / release
    part, before = (target.with_name(f".{release}.{one}{UNFINISHED}") for one in ("new", "old"))
    for left in (part, before):  # by a build that was killed
        shutil.rmtree(left, ignore_errors=True)
    done = subprocess.run(  # noqa: S603 - its own interpreter, with arguments of its own
        [
            *(sys.executable, "-m", "mkdocs", "build", "--strict", "--clean"),
            *("--config-file", str(root / "mkdocs.yml"), "--site-dir", str(part)),
        ],
        cwd=root,
        env=_environment(release),
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        if any(words in done.stderr for words in FULL_WORDS):
            raise FullDiskError(f"the site of torch {release} could not be built")
        if done.returncode != 0:
            raise SiteError(f"mkdocs could not build the site: {_first_complaint(done.stderr)}")
        make_lean(part)
        mend_search(part)
        (part / STAMP).write_text(f"{stamp}\n", encoding="utf-8")
        if target.exists():
            target.rename(before)
        part.rename(target)
    finally:
        for left in (part, before):
            shutil.rmtree(left, ignore_errors=True)
    lead_to_releases(root)
    return target


def lead_to_releases(root: Path) -> None:
    """Write what stands beside the folders of the releases, for those whose pages are built."""
    measured = [release for release, _ in store.releases(root)]
    write_root(root / SITE, root / TEMPLATES / "overrides" / MISSING, measured)


def _environment(release: str) -> dict[str, str]:
    """Keep the surroundings, name the address of the release, and silence Material's notice."""
    return os.environ | {"SITE_URL": release_url(release), "NO_MKDOCS_2_WARNING": "true"}


def _first_complaint(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    complaints = [_NOISE.sub("", line) for line in lines if _NOISE.match(line)]
    return (complaints or lines[-1:] or ["it ended without a word"])[0]

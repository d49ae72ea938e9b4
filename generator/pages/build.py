"""Building: `mkdocs build --strict` as a process, then the list of releases beside the site."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from packaging.version import Version

from generator.catalogue.links import release_url
from generator.errors import TapekeptError
from generator.pages.files import RenderReport, write_if_changed

SITE = "site"
_NOISE = re.compile(r"^(WARNING|ERROR)\s+-\s+")

_REDIRECT = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>What the Tape Kept</title>
<meta http-equiv="refresh" content="0; url={release}/">
<link rel="canonical" href="{release}/">
</head>
<body><p><a href="{release}/">What the Tape Kept, PyTorch {release}</a></p></body>
</html>
"""


class SiteError(TapekeptError):
    """The site could not be built without a warning."""


def build_site(root: Path, release: str) -> Path:
    """Build the rendered pages into `site/<release>/` and point `site/index.html` to the newest.

    Raises SiteError, with mkdocs' first warning or error, when the build is not clean.
    """
    target = root / SITE / release
    done = subprocess.run(  # noqa: S603 - its own interpreter, with arguments of its own
        [
            *(sys.executable, "-m", "mkdocs", "build", "--strict", "--clean"),
            *("--config-file", str(root / "mkdocs.yml"), "--site-dir", str(target)),
        ],
        cwd=root,
        env=_environment(release),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise SiteError(f"mkdocs could not build the site: {_first_complaint(done.stderr)}")
    _write_versions(root / SITE)
    return target


def _environment(release: str) -> dict[str, str]:
    """Keep the surroundings, name the address of the release, and silence Material's notice."""
    return os.environ | {"SITE_URL": release_url(release), "NO_MKDOCS_2_WARNING": "true"}


def _first_complaint(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    complaints = [_NOISE.sub("", line) for line in lines if _NOISE.match(line)]
    return (complaints or lines[-1:] or ["it ended without a word"])[0]


def _write_versions(site: Path) -> None:
    """List the releases that are built, newest first, as Material's version selector reads them."""
    built = sorted(
        (path.parent.name for path in site.glob("*/sitemap.xml")), key=Version, reverse=True
    )
    listed = [
        {"version": release, "title": release, "aliases": ["latest"] if place == 0 else []}
        for place, release in enumerate(built)
    ]
    report = RenderReport()
    write_if_changed(site / "versions.json", json.dumps(listed, indent=1).encode(), report)
    write_if_changed(site / "index.html", _REDIRECT.format(release=built[0]).encode(), report)

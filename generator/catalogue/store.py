"""Where catalogues live on disk: one file per release and device in `docs/data/`.

Files are read whole and replaced whole, so that neither a full disk nor an interruption ever
leaves half of one behind.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from packaging.version import InvalidVersion, Version

from generator.catalogue import codec
from generator.catalogue.model import Catalogue
from generator.errors import CatalogueError, NewerSchemaError

DATA = Path("docs") / "data"

_FILE_NAME = re.compile(r"torch-(?P<release>[^-]+)-(?P<device>[^-]+)\.jsonl")


def path_of(root: Path, release: str, device: str) -> Path:
    """Return where the catalogue of that release and device belongs in the project at `root`."""
    return root / DATA / f"torch-{release}-{device}.jsonl"


def releases(root: Path) -> list[tuple[str, str]]:
    """List (release, device) of each catalogue in the project at `root`, oldest release first."""
    found = [named for path in (root / DATA).glob("torch-*.jsonl") if (named := _named(path))]
    return sorted(found, key=lambda pair: (Version(pair[0]), pair[1]))


def load(path: Path) -> Catalogue:
    """Read one catalogue.

    Raises CatalogueError when the file is missing, unreadable, not what `save` would have
    written, or of another release or device than its name says; NewerSchemaError when a newer
    tapekept wrote it, so that measuring again would lose what it holds.
    """
    named = _named(path)
    remedy = f"make catalog TORCH={named[0]} DEVICE={named[1]}" if named else "make catalog"
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise CatalogueError(f"there is no catalogue {path}; `{remedy}` measures it") from error
    except OSError as error:
        raise CatalogueError(f"{path} cannot be read: {error.strerror}") from error
    try:
        catalogue = codec.decode(data)
    except NewerSchemaError as error:
        raise NewerSchemaError(f"{path}: {error}") from error
    except CatalogueError as error:
        raise CatalogueError(f"{path}: {error} (`{remedy}`)") from error
    if named and named != (catalogue.header.release, catalogue.header.build.device):
        raise CatalogueError(
            f"{path} holds the catalogue {catalogue.header.name}; "
            f"rename it, or measure it again (`{remedy}`)"
        )
    return catalogue


def save(path: Path, catalogue: Catalogue) -> None:
    """Write one catalogue in the place of what was there.

    Raises CatalogueError, and leaves what was there as it was, when the catalogue would not
    decode again or the file cannot be written.
    """
    data = codec.encode(catalogue)
    codec.decode(data)
    replace(path, data)


def replace(path: Path, data: bytes) -> None:
    """Put `data` at `path`, wholly or not at all; folders that are missing are made.

    Raises CatalogueError when that fails; whatever stood at `path` then still stands there.
    """
    with _part_of(path) as part:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)


def check_writable(path: Path) -> None:
    """Make sure that something can be put at `path`, before minutes are spent on measuring it.

    Raises CatalogueError as `replace` would.
    """
    with _part_of(path) as part:
        part.touch()


@contextmanager
def _part_of(path: Path) -> Iterator[Path]:
    """Yield a path beside `path` for what is to be put there, and leave nothing at it."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield part
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise CatalogueError(
            f"{path} could not be written: {error.strerror or error}; "
            "what was there before is unchanged"
        ) from error


def _named(path: Path) -> tuple[str, str] | None:
    """Read (release, device) off a file's name; None where the name is not a catalogue's."""
    match = _FILE_NAME.fullmatch(path.name)
    if match is None:
        return None
    try:
        Version(match["release"])
    except InvalidVersion:
        return None
    return match["release"], match["device"]

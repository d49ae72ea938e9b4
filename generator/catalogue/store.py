"""Where catalogues live on disk: one file per release and device in `docs/data/`.

Files are read whole and replaced whole, so that neither a full disk nor an interruption ever
leaves half of one behind. What several catalogues have in common is in one of their files only
(`catalogue.sharing`); whoever loads and saves catalogues here never sees that.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from packaging.version import InvalidVersion, Version

from generator.catalogue import codec, sharing
from generator.catalogue.model.records import Catalogue
from generator.errors import (
    FULL,
    BesideError,
    CatalogueError,
    FullDiskError,
    NewerSchemaError,
)

DATA = Path("docs") / "data"

_FILE_NAME = re.compile(r"torch-(?P<release>[^-]+)-(?P<device>[^-]+)\.jsonl")
Read = Callable[[Path], bytes]
Hold = Callable[[str, Path], sharing.Written]


def path_of(root: Path, release: str, device: str) -> Path:
    """Return where the catalogue of that release and device belongs in the project at `root`."""
    return root / DATA / f"torch-{release}-{device}.jsonl"


def releases(root: Path) -> list[tuple[str, str]]:
    """List (release, device) of each catalogue in the project at `root`, oldest release first."""
    found = [named for path in (root / DATA).glob("torch-*.jsonl") if (named := _named(path))]
    return sorted(found, key=lambda pair: (Version(pair[0]), pair[1]))


def load(path: Path) -> Catalogue:
    """Read one catalogue.

    Raises CatalogueError when the file, or one that it shares with, is missing, unreadable, not
    what `save` would have written, or of another release or device than its name says;
    NewerSchemaError when a newer tapekept wrote it, so that measuring again would lose what it
    holds.
    """
    return _load(path, read_file, _held)


def load_all(root: Path, device: str) -> list[Catalogue]:
    """Read every catalogue of a device, oldest release first; raises what `load` raises."""
    read = cache(read_file)
    hold = cache(lambda release, path: sharing.held(release, read(path)))
    there = [release for release, measured_on in releases(root) if measured_on == device]
    seen: dict[bytes, codec.MeasuredRecord] = {}
    return [_load(path_of(root, release, device), read, hold, seen) for release in there]


def read_file(path: Path) -> bytes:
    """Return what the file of a catalogue holds; raises CatalogueError where it cannot be read."""
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise CatalogueError(
            f"there is no catalogue {path}; `{_remedy(path)}` measures it"
        ) from error
    except OSError as error:
        raise CatalogueError(f"{path} cannot be read: {error.strerror}") from error


def save(path: Path, catalogue: Catalogue) -> None:
    """Write one catalogue in the place of what was there.

    The files of the device's other catalogues are written anew where what they share changes.

    Raises CatalogueError or FullDiskError, and leaves what every catalogue says as it was, when
    this one would not decode again or a file cannot be written.
    """
    data = codec.encode(catalogue)
    codec.decode(data)
    release = catalogue.header.release
    wholes = {**_others(path), release: data}
    shared = sharing.share(wholes)
    paths = {one: path if one == release else _beside(path, one) for one in wholes}
    changed = [one for one in wholes if not _holds(paths[one], shared[one])]
    # In between each can be read as well: what it names is in a file that is whole or stays.
    for one in changed:
        replace(paths[one], wholes[one])
    for one in changed:
        if shared[one] != wholes[one]:
            replace(paths[one], shared[one])


def replace(path: Path, data: bytes) -> None:
    """Put `data` at `path`, wholly or not at all; folders that are missing are made.

    Raises CatalogueError when that fails, FullDiskError when there is no space; whatever stood at
    `path` then still stands there.
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
        if error.errno in FULL:
            raise FullDiskError(f"{path} could not be written and stays as it was") from error
        raise CatalogueError(
            f"{path} could not be written: {error.strerror or error}; "
            "what was there before is unchanged"
        ) from error


def _load(
    path: Path, read: Read, hold: Hold, seen: dict[bytes, codec.MeasuredRecord] | None = None
) -> Catalogue:
    data = read(path)
    try:
        codec.refuse_other_version(data)
        beside = _shared_with(path, data, hold)
        catalogue = codec.decode(sharing.whole(data, beside), seen)
    except NewerSchemaError as error:
        raise NewerSchemaError(f"{path}: {error}") from error
    except BesideError as error:
        raise CatalogueError(f"{path}: {error}") from error
    except CatalogueError as error:
        raise CatalogueError(f"{path}: {error} (`{_remedy(path)}`)") from error
    header = catalogue.header
    if _named(path) not in (None, (header.release, header.build.device)):
        raise CatalogueError(
            f"{path} holds the catalogue {header.name}; "
            f"rename it, or measure it again (`{_remedy(path)}`)"
        )
    return catalogue


def _others(path: Path) -> dict[str, bytes]:
    """Return the whole bytes of a device's other catalogues; one that is damaged is left alone."""
    found = {}
    for other in path.parent.glob("torch-*.jsonl"):
        named = _named(other)
        if other != path and named and _beside(path, named[0]) == other:
            with suppress(CatalogueError):
                data = read_file(other)
                found[named[0]] = sharing.whole(data, _shared_with(other, data, _held))
    return found


def _shared_with(path: Path, data: bytes, hold: Hold) -> dict[str, sharing.Written]:
    """Return what the files hold that the one at `path` shares with, by release.

    Raises BesideError when one of them is missing or cannot be read.
    """
    found = {}
    for release in sorted(sharing.named_in(data)):
        try:
            found[release] = hold(release, _beside(path, release))
        except BesideError:
            raise
        except CatalogueError as error:
            raise BesideError(
                f"it has fields in common with the catalogue of torch {release}, and {error}"
            ) from error
    return found


def _held(release: str, path: Path) -> sharing.Written:
    return sharing.held(release, read_file(path))


def _beside(path: Path, release: str) -> Path:
    """Return where the catalogue of another release on the same device is."""
    _, _, device = path.stem.rpartition("-")
    return path.with_name(f"torch-{release}-{device}.jsonl")


def _holds(path: Path, data: bytes) -> bool:
    with suppress(CatalogueError):
        return read_file(path) == data
    return False


def _remedy(path: Path) -> str:
    named = _named(path)
    return f"make catalog TORCH={named[0]} DEVICE={named[1]}" if named else "make catalog"


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

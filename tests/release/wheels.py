"""Stand-ins for torch and what its releases require, so that installs are real yet quick."""

import zipfile
from pathlib import Path

CODE = """
__version__ = {version!r}

def empty(size, device):
    if device != "cpu":
        raise RuntimeError(f"no kernel for {{device}}.")
"""
METADATA = "Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
WHEEL = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: {tag}\n"
ANY = "py3-none-any"


def write_torch(folder: Path, version: str, code: str = CODE, tag: str = ANY) -> Path:
    """Write `torch-VERSION-TAG.whl`, whose module holds `code`, into a folder."""
    return write_wheel(folder, "torch", version, code.format(version=version), tag)


def write_wheel(folder: Path, name: str, version: str, code: str = "", tag: str = ANY) -> Path:
    """Write a wheel of one module into a folder, which is made if need be."""
    folder.mkdir(parents=True, exist_ok=True)
    info = f"{name}-{version}.dist-info"
    files = {
        f"{name}/__init__.py": code,
        f"{info}/METADATA": METADATA.format(name=name, version=version),
        f"{info}/WHEEL": WHEEL.format(tag=tag),
        f"{info}/RECORD": "",
    }
    path = folder / f"{name}-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for file, text in files.items():
            wheel.writestr(file, text)
    return path


def write_index(folder: Path, version: str, yanked: str) -> str:
    """Write an index that offers torch as yanked for a reason, and return its address."""
    wheel = write_torch(folder / "torch", version)
    link = f'<a href="{wheel.name}" data-yanked="{yanked}">{wheel.name}</a>'
    page = f"<!DOCTYPE html><html><body>{link}</body></html>"
    (folder / "torch" / "index.html").write_text(page)
    return folder.as_uri()

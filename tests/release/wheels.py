"""A stand-in for torch, as a wheel of a few lines, so that installs are real yet quick."""

import zipfile
from pathlib import Path

CODE = """
__version__ = {version!r}

def empty(size, device):
    if device != "cpu":
        raise RuntimeError(f"no kernel for {{device}}.")
"""
METADATA = "Metadata-Version: 2.1\nName: torch\nVersion: {version}\n"
WHEEL = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def write_torch(folder: Path, version: str, code: str = CODE) -> None:
    """Write `torch-VERSION-py3-none-any.whl`, whose module holds `code`, into a folder."""
    name = f"torch-{version}"
    files = {
        "torch/__init__.py": code.format(version=version),
        f"{name}.dist-info/METADATA": METADATA.format(version=version),
        f"{name}.dist-info/WHEEL": WHEEL,
        f"{name}.dist-info/RECORD": "",
    }
    with zipfile.ZipFile(folder / f"{name}-py3-none-any.whl", "w") as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)

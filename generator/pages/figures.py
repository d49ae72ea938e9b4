"""Numbers, shapes and counts as the pages print them: exact, grouped, with their unit."""

from collections.abc import Iterable, Mapping

_UNITS = ("bytes", "KiB", "MiB", "GiB")
_STEP = 1024


def exact(number: int) -> str:
    """Print a whole number with its thousands grouped: `524,288`."""
    return f"{number:,}"


def rounded_bytes(number: int) -> str:
    """Print bytes in the largest unit that leaves at least one: `512 KiB`, `12 bytes`."""
    size = float(number)
    unit = 0
    while size >= _STEP and unit < len(_UNITS) - 1:
        size /= _STEP
        unit += 1
    if unit == 0:
        return plural(number, "byte")
    digits = f"{size:.1f}".removesuffix(".0") if size < 100 else f"{size:.0f}"
    return f"{digits} {_UNITS[unit]}"


def plural(number: int, noun: str) -> str:
    """Print a count with its noun: `1 sample`, `12 samples`, `2 entries`."""
    if number == 1:
        return f"1 {noun}"
    many = f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2] not in "aeiou" else f"{noun}s"
    return f"{exact(number)} {many}"


def shape_text(shape: Iterable[int]) -> str:
    """Print a shape in elements: `256 × 512`, and `()` for a tensor without dimensions."""
    return " × ".join(str(size) for size in shape) or "()"


def by_dtype(samples: Mapping[str, int]) -> str:
    """Print counts of samples by dtype: `float32 5, complex64 2`."""
    return ", ".join(f"{dtype} {exact(count)}" for dtype, count in samples.items())


def percent(part: int, whole: int) -> str:
    """Print a share in whole percent, and never round a part that is there to nothing."""
    if not whole or not part:
        return "0%"
    share = 100 * part / whole
    return "under 1%" if share < 1 else f"{share:.0f}%"

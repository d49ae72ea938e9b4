"""Words that are no record lead to the sections of guides that are about them."""

from pathlib import Path

import pytest

from generator.catalogue.model.records import Catalogue
from generator.review.guide_sections import sections_about, writes_about

GUIDE = """---
title: "One"
---

# One guide

It begins with `alpha`.

## Does `beta` help? {: #does-beta-help }

```python
# gamma is no heading
alpha.gamma(1)
```

## The end {: #the-end }

`gamma`, `gamma` and `gamma` again; delta in prose.
"""


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("beta", ("guides/one/#does-beta-help",)),
        ("torch.some.gamma", ("guides/one/#the-end", "guides/one/#does-beta-help")),
        ("with some.beta():", ("guides/one/#does-beta-help",)),
        ("@beta()", ("guides/one/#does-beta-help",)),
        ("x.beta(1, y=2)", ("guides/one/#does-beta-help",)),
        ("beta=True", ("guides/one/#does-beta-help",)),
        ("alpha", ("guides/one/", "guides/one/#does-beta-help")),
        ("delta", ()),
        ("gamm", ()),
        ("", ()),
        ("+=", ()),
    ],
)
def test_the_section_that_is_most_about_a_word_comes_first(
    tmp_path: Path, word: str, expected: tuple[str, ...]
) -> None:
    (tmp_path / "one.md").write_text(GUIDE, encoding="utf-8")
    assert sections_about(tmp_path, word) == expected


def test_words_of_the_guides_that_are_no_record_are_found(root: Path) -> None:
    guides = root / "docs" / "guides"
    for word, page in {
        "torch.utils.checkpoint": "guides/checkpointing/",
        "save_on_cpu": "guides/hooks-skip-the-check/",
        "autocast": "guides/the-bill/",
        "no_grad": "guides/memory-that-grows/",
        "mark_dirty": "guides/saved-variable-checks/",
        "torch.compile": "guides/under-torch-compile/",
    }.items():
        assert any(found.startswith(page) for found in sections_about(guides, word)), word


def test_without_guides_nothing_is_found(tmp_path: Path) -> None:
    assert sections_about(tmp_path / "none", "checkpoint") == ()


def test_what_writes_is_found_among_the_kinds_of_write(committed: Catalogue) -> None:
    for word in ("torch.optim.Adam", "clip_grad_norm_", "load_state_dict", "numpy"):
        assert writes_about(committed.writes, word) == ("writes/unseen/",), word
    assert writes_about(committed.writes, "softmax") == ()

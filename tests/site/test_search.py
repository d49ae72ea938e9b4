"""What the search finds first, typed into the search box of a real browser."""

from urllib.parse import urlsplit

import pytest

from tests.site.conftest import Visit

FIRST_HITS = [
    ("exp", ("ops/torch.exp/",)),
    ("torch.nn.functional.relu", ("ops/torch.nn.functional.relu/",)),
    ("ReluBackward0", ("nodes/ReluBackward0/",)),
    ("_saved_result", ("attributes/#saved_result",)),
    ("aten::add.Tensor", ("ops/torch.add/",)),
    ("layer norm", ("modules/torch.nn.LayerNorm/", "ops/torch.nn.functional.layer_norm/")),
    ("LayerNorm", ("modules/torch.nn.LayerNorm/", "ops/torch.nn.functional.layer_norm/")),
]


@pytest.mark.parametrize(("query", "wanted"), FIRST_HITS)
def test_first_hit(visit: Visit, query: str, wanted: tuple[str, ...]) -> None:
    page = visit.open("about/")
    page.locator(".md-search__input").click()
    # Filled at once, so that one query is sent; the search listens to keys.
    page.locator(".md-search__input").fill(query)
    page.keyboard.press("End")
    first = page.locator(".md-search-result__item").first
    first.wait_for(timeout=60_000)
    found = [
        _address(str(link.get_attribute("href")), visit) for link in first.get_by_role("link").all()
    ]
    # The first link of a hit is its page; a hit within the page comes second.
    assert set(found[:2] if "#" in wanted[0] else found[:1]) & set(wanted)
    assert visit.foreign == []
    assert visit.complaints == []


def _address(href: str, visit: Visit) -> str:
    """Strip the host and the words to highlight from a search result's link."""
    parts = urlsplit(href)
    return parts.path.removeprefix(urlsplit(visit.base).path) + (
        f"#{parts.fragment}" if parts.fragment else ""
    )

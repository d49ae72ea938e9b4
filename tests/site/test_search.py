"""What the search finds first, typed into the search box of a real browser."""

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
    page.locator(".md-search__input").fill(query)
    first = page.locator(".md-search-result__link").first
    first.wait_for(timeout=60_000)
    page.wait_for_function(
        "!document.querySelector('.md-search-result__meta').textContent.includes('Init')"
    )
    href = str(first.get_attribute("href")).split("?")[0]
    anchor = str(first.get_attribute("href")).partition("#")[2]
    found = href.partition("#")[0].partition(visit.base)[2] + (f"#{anchor}" if anchor else "")
    assert found in wanted
    assert visit.foreign == []
    assert visit.complaints == []

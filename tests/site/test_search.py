"""What the search finds first, typed into the search box of a real browser."""

import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator

from generator.catalogue.model.records import Catalogue
from tests.site.conftest import Visit

FIRST_HITS = [
    ("exp", ("ops/torch.exp/",)),
    ("torch.nn.functional.relu", ("ops/torch.nn.functional.relu/",)),
    ("ReluBackward0", ("nodes/ReluBackward0/",)),
    ("_saved_result", ("attributes/#saved_result",)),
    ("aten::add.Tensor", ("ops/torch.add/",)),
    ("layer norm", ("modules/torch.nn.LayerNorm/", "ops/torch.nn.functional.layer_norm/")),
    ("dropout", ("modules/torch.nn.Dropout/", "ops/torch.nn.functional.dropout/")),
    ("gelu", ("modules/torch.nn.GELU/", "ops/torch.nn.functional.gelu/")),
    ("mlp", ("blocks/mlp/",)),
    ("LayerNorm", ("modules/torch.nn.LayerNorm/", "ops/torch.nn.functional.layer_norm/")),
]

# A short name finds what is called so, before longer names that begin with it.
NAMED = [
    ("relu", "ops/torch.nn.functional.relu/", "modules/torch.nn.ReLU/"),
    ("softmax", "ops/torch.softmax/", "modules/torch.nn.Softmax/"),
    ("linear", "ops/torch.nn.functional.linear/", "modules/torch.nn.Linear/"),
    ("embedding", "ops/torch.nn.functional.embedding/", "modules/torch.nn.Embedding/"),
    ("tanh", "ops/torch.tanh/", "modules/torch.nn.Tanh/"),
    *((name, f"ops/torch.{name}/") for name in ("add", "mul", "max", "mean", "norm", "cat", "sum")),
    *((name, f"ops/torch.{name}/") for name in ("split", "index_select", "gather", "clamp", "div")),
    *((name, f"ops/torch.nn.functional.{name}/") for name in ("batch_norm", "cross_entropy")),
    ("view", "ops/torch.Tensor.view/"),
    ("lstm", "modules/torch.nn.LSTM/"),
    ("gru", "modules/torch.nn.GRU/"),
    ("arccosh", "ops/torch.acosh/"),
    ("SelectBackward", "nodes/SelectBackward0/"),
    ("setitem", "ops/torch.index_put/", "nodes/CopySlices/"),
    ("x[mask] = 0", "ops/torch.index_put/", "nodes/CopySlices/"),
    ("x[i]", "ops/torch.Tensor.__getitem__/"),
    *((text, "ops/torch.mul/") for text in ("x *= 2", "x * y", "*")),
    *((text, "ops/torch.pow/") for text in ("x **= 2", "x ** 2")),
    ("x += y", "ops/torch.add/"),
    ("x / y", "ops/torch.div/"),
    ("x // 2", "ops/torch.floor_divide/"),
    ("a @ b.T", "ops/torch.matmul/"),
    ("-x", "ops/torch.neg/"),
    ("x > 0", "ops/torch.gt/"),
    ("abs(x)", "ops/torch.abs/"),
    *((text, "ops/torch.unbind/") for text in ("q, k, v = qkv.unbind(0)", "for row in x:")),
    ("F.relu(x, inplace=True)", "ops/torch.nn.functional.relu/", "modules/torch.nn.ReLU/"),
    ("nn.ReLU(inplace=True)(x)", "ops/torch.nn.functional.relu/", "modules/torch.nn.ReLU/"),
    ("x = self.norm(x + y)", "ops/torch.norm/"),
    (
        "attention",
        "ops/torch.nn.functional.scaled_dot_product_attention/",
        "modules/torch.nn.MultiheadAttention/",
    ),
    ("layer-norm", "ops/torch.nn.functional.layer_norm/", "modules/torch.nn.LayerNorm/"),
    ("does layer_norm save its input", "ops/torch.nn.functional.layer_norm/"),
    ("what does max_pool2d save and in which dtype", "ops/torch.nn.functional.max_pool2d/"),
]

CHECKED = "guides/saved-variable-checks/"
COUNTED = "guides/version-counters/"
HOOKED = "guides/hooks-skip-the-check/"
BILLED = "guides/the-bill/"
KEPT = "guides/what-the-tape-kept/"
SLOTS = "guides/output-slots/"
EXPLAINED = "guides/explain-my-error/"
GROWING = "guides/memory-that-grows/"
WRITTEN = "guides/two-ways-to-write-it/"
CHECKPOINTED = "guides/checkpointing/"

QUESTIONS = [
    (
        (
            "one of the variables needed for gradient computation has been modified by an inplace "
            "operation: [torch.FloatTensor [2, 3]], which is output 0 of AsStridedBackward0, is at "
            "version 2; expected version 1 instead"
        ),
        CHECKED,
    ),
    ("which is output 0 of torch::autograd::CopySlices, is at version 2", CHECKED),
    ("Trying to backward through the graph a second time", CHECKED),
    ("Output 1 of SplitBackward0 is a view and is being modified inplace.", COUNTED),
    ("A saved tensor pack hook is modifying its input in place", HOOKED),
    ("Inference tensors cannot be saved for backward", COUNTED),
    ("how many bytes does my forward pass save for backward", BILLED),
    ("does inplace=True save memory", BILLED),
    ("does dropout keep a float mask or a bool mask", BILLED),
    ("find which op saved the tensor that was overwritten", CHECKED),
    ("do saved tensor hooks turn off the in-place check", HOOKED),
    ("list the tensors that a grad_fn saved", KEPT),
    ("why is y.grad_fn._saved_result not the same object as y", SLOTS),
    ("element 0 of tensors does not require grad and does not have a grad_fn", EXPLAINED),
    ("relu inplace then dropout inplace error", EXPLAINED),
    ("why does memory grow when I accumulate the loss", GROWING),
    ("create_graph memory leak", GROWING),
    ("scaled dot product attention vs hand written attention memory", WRITTEN),
    ("expand vs repeat memory", WRITTEN),
    ("does checkpoint save memory", CHECKPOINTED),
    (
        (
            "Recomputed values for the following tensors have different metadata than during the "
            "forward pass"
        ),
        CHECKPOINTED,
    ),
    ("autocast copies of weights memory", BILLED),
    ("nested saved_tensors_hooks which one applies", HOOKED),
    (
        (
            "one of the variables needed for gradient computation has been modified by an inplace "
            "operation"
        ),
        EXPLAINED,
    ),
    ("x /= x.norm() inplace error", EXPLAINED),
    ("derivative for aten::_ctc_loss_backward is not implemented", EXPLAINED),
    ("Calling register_hooks on a saved tensor with value None is forbidden", HOOKED),
    ("None of the inputs have requires_grad=True. Gradients will be None", CHECKPOINTED),
    ("does a slice keep the whole tensor alive", GROWING),
    ("does backward(inputs=...) free the whole graph", GROWING),
    ("LoRA uses more activation memory than full finetuning", WRITTEN),
    ("what changed in 2.2.2", "releases/2.2.2/"),
]


@pytest.mark.parametrize(("question", "guide"), QUESTIONS)
def test_a_question_finds_its_guide(visit: Visit, question: str, guide: str) -> None:
    items = _search(visit, question)
    found = [
        _address(str(link.get_attribute("href")), visit)
        for place in range(min(5, items.count()))
        for link in items.nth(place).get_by_role("link").all()
    ]
    assert any(address.partition("#")[0] == guide for address in found), found


def test_the_project_itself_is_not_searched(site: Path, committed: Catalogue) -> None:
    index = json.loads((site / committed.header.release / "search/search_index.json").read_text())
    found = {str(one["location"]).partition("/")[0] for one in index["docs"]}
    assert {"ops", "nodes", "modules", "guides", "about"} <= found
    assert not found & {"decisions", "architecture"}


@pytest.mark.parametrize(("query", "wanted"), FIRST_HITS)
def test_first_hit(visit: Visit, query: str, wanted: tuple[str, ...]) -> None:
    first = _search(visit, query).first
    found = [
        _address(str(link.get_attribute("href")), visit) for link in first.get_by_role("link").all()
    ]
    # The first link of a hit is its page; a hit within the page comes second.
    assert set(found[:2] if "#" in wanted[0] else found[:1]) & set(wanted)
    assert visit.foreign == []
    assert visit.complaints == []


@pytest.mark.parametrize("wanted", NAMED, ids=lambda wanted: str(wanted[0]))
def test_a_name_finds_what_is_called_so(visit: Visit, wanted: tuple[str, ...]) -> None:
    query, *pages = wanted
    items = _search(visit, query)
    found = [
        _address(str(items.nth(place).get_by_role("link").first.get_attribute("href")), visit)
        for place in range(len(pages))
    ]
    assert sorted(found) == sorted(pages)


def test_text_that_a_script_sets_is_searched(visit: Visit) -> None:
    page = visit.open("about/")
    page.locator(".md-search__input").focus()
    page.locator(".md-search-result__meta").get_by_text("Type to start").wait_for(timeout=60_000)
    page.evaluate("document.activeElement.blur()")
    page.evaluate(
        "const field = document.querySelector('.md-search__input');"
        "field.value = 'torch.mul';"
        "field.dispatchEvent(new Event('input', { bubbles: true }))"
    )
    assert _first(visit) == "ops/torch.mul/"


def test_a_link_with_a_query_starts_the_search(visit: Visit) -> None:
    visit.open("about/?q=torch.mul")
    assert _first(visit) == "ops/torch.mul/"


def _first(visit: Visit) -> str:
    """Wait for the list of hits and return the address of the first."""
    first = visit.page.locator(".md-search-result__item").first
    first.wait_for(timeout=60_000)
    return _address(str(first.get_by_role("link").first.get_attribute("href")), visit)


def test_the_words_that_a_query_is_rewritten_with_are_not_shown(visit: Visit) -> None:
    items = _search(visit, "relu")
    shown = " ".join(items.nth(place).inner_text() for place in range(items.count()))
    assert "ReluBackward0" in shown
    assert "n0relu" not in shown
    assert "Missing" not in shown


def _search(visit: Visit, query: str) -> Locator:
    """Type into the search box and wait for the list of hits."""
    page = visit.open("about/")
    page.locator(".md-search__input").click()
    # Filled at once, so that one query is sent; the search listens to keys.
    page.locator(".md-search__input").fill(query)
    page.keyboard.press("End")
    items = page.locator(".md-search-result__item")
    items.first.wait_for(timeout=60_000)
    return items


def _address(href: str, visit: Visit) -> str:
    """Strip the host and the words to highlight from a search result's link."""
    parts = urlsplit(href)
    return parts.path.removeprefix(urlsplit(visit.base).path) + (
        f"#{parts.fragment}" if parts.fragment else ""
    )

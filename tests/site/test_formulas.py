"""The calculator of an op's page: the reader's sizes in, exact bytes out."""

from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from generator.catalogue.model.formulas import FormulaArgument
from generator.catalogue.model.records import Catalogue
from generator.pages.formulas import formula_view
from generator.pages.markup import environment
from tests.fixtures import tiny_formulas
from tests.site.conftest import Visit

SETUP = "{% import 'macros.jinja' as m %}{{ m.calculator(one) }}"
N, C, H = 2, 4, 9
HOUT = (H - 3) // 2 + 1


@pytest.fixture
def page(browser: Browser, root: Path, small: Catalogue) -> Page:
    """A page with the calculator of a formula that has every feature."""
    record = small.ops["torch.exp"]
    formula = msgspec.structs.replace(
        tiny_formulas.unfolded(),
        arguments=(FormulaArgument("input", ("N", "C")), FormulaArgument("weight", ("H",))),
    )
    pricing = msgspec.structs.replace(record.formulas[0], formula=formula)
    reference = record.references[0]
    weight = msgspec.structs.replace(reference.arguments[0], name="weight", shape=(9,))
    reference = msgspec.structs.replace(reference, arguments=(*reference.arguments, weight))
    kept = msgspec.structs.replace(record.nodes[0].saved[0], roles=("output",) * 4)
    node = msgspec.structs.replace(record.nodes[0], saved=(kept,))
    view = formula_view(
        msgspec.structs.replace(record, formulas=(pricing,), references=(reference,), nodes=(node,))
    )
    assert view is not None
    templates = environment(root / "site_templates")
    html = templates.from_string(SETUP).render(one=view.calculator)
    page = browser.new_page()
    page.set_content(html)
    page.add_script_tag(path=str(root / "docs" / "assets" / "formulas.js"))
    return page


def fill(page: Page, **sizes: object) -> None:
    for name, size in sizes.items():
        page.locator(f'input[data-size="{name}"]').fill(str(size))


def total(page: Page, name: str) -> str:
    return page.locator(f'[data-total="{name}"]').inner_text().split(" ")[0].replace(",", "")


def test_it_starts_with_the_reference_call(page: Page) -> None:
    expect(page.locator("form")).to_be_visible()
    assert page.locator('input[data-size="C"]').input_value() == "512"
    hout = (9 - 3) // 2 + 1
    assert total(page, "extra") == str(8 * 256 * 512 * hout + 4 * 2 * 256)


def test_it_works_out_the_readers_sizes_and_dtype(page: Page) -> None:
    fill(page, N=N, C=C, H=H)
    indices, given, rest = 8 * N * C * HOUT, 4 * N * C * H, 4 * 2 * N
    assert total(page, "logical") == str(indices + 2 * given + rest)
    assert total(page, "storage") == str(indices + given + rest)
    page.locator("select[name=dtype]").select_option("bfloat16")
    assert total(page, "storage") == str(indices + given // 2 + rest)


def test_bytes_stay_exact_beyond_what_a_float_holds(page: Page) -> None:
    fill(page, N=10**9 + 7, C=10**9 + 9, H=3)
    expected = 8 * (10**9 + 7) * (10**9 + 9) + 8 * (10**9 + 7)
    assert total(page, "extra") == str(expected)


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ({"N": 0}, "N must be a whole number from 1 to 10¹²."),
        ({"N": "many"}, "N must be a whole number from 1 to 10¹²."),
        ({"C": "1e9"}, "C must be a whole number from 1 to 10¹²."),
        ({"H": 2}, "the formula holds only where H ≥ 3."),
        ({"C": 1}, "the formula holds only where C > 1."),
    ],
)
def test_what_has_no_answer_says_why(page: Page, sizes: dict[str, object], said: str) -> None:
    fill(page, **sizes)
    expect(page.locator(".tk-said")).to_have_text(said)
    assert total(page, "storage") == "–"
    fill(page, N=N, C=C, H=H)
    expect(page.locator(".tk-said")).to_have_text("")


def test_the_script_is_part_of_every_page(visit: Visit) -> None:
    page = visit.open("ops/torch.exp/")
    assert page.locator('script[src*="assets/own-"]').count() == 1
    assert visit.complaints == []

import pytest

from generator.catalogue import links
from tests.fixtures import tiny


@pytest.mark.parametrize(
    ("kind", "name", "path"),
    [
        ("ops", "torch.exp", "ops/torch.exp/"),
        ("modules", "torch.nn.Linear", "modules/torch.nn.Linear/"),
        ("nodes", "ExpBackward0", "nodes/ExpBackward0/"),
    ],
)
def test_each_kind_of_record_has_its_page(kind: str, name: str, path: str) -> None:
    record = getattr(tiny.catalogue(), kind)[name]
    assert links.page_path(record) == path
    assert links.permalink("2.13.0", record) == f"https://tapekept.github.io/2.13.0/{path}"


@pytest.mark.parametrize(
    ("subject", "name", "path"),
    [
        ("op", "torch.exp", "ops/torch.exp/"),
        ("module", "torch.nn.Linear", "modules/torch.nn.Linear/"),
        ("node", "ExpBackward0", "nodes/ExpBackward0/"),
        ("block", "linear-relu", "blocks/linear-relu/"),
    ],
)
def test_a_name_leads_to_the_same_page_as_its_record(subject: str, name: str, path: str) -> None:
    assert links.named_url("2.0.1", subject, name) == f"https://tapekept.github.io/2.0.1/{path}"


def test_what_has_no_page_has_no_address() -> None:
    assert links.named_url("2.0.1", "write", "by a slice") is None


def test_an_attribute_has_a_section_of_one_page() -> None:
    assert links.attribute_path("_saved_result") == "attributes/#saved_result"


def test_a_declaration_is_linked_to_its_line_at_its_commit() -> None:
    assert links.source_line("cf30153", 652) == (
        "https://github.com/pytorch/pytorch/blob/cf30153/tools/autograd/derivatives.yaml#L652"
    )

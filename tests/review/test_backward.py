"""What `show` prints of double backward and of the compiler."""

from generator.catalogue.model import Catalogue
from generator.review.page import text_page
from generator.review.show import plain


def shown(catalogue: Catalogue, name: str) -> str:
    return plain(text_page(catalogue.header, catalogue.ops[name]))


def test_both_answers_and_both_tables_are_shown(small: Catalogue) -> None:
    text = shown(small, "torch.nn.functional.softsign")
    assert "double backward: With create_graph=True the gradient has a graph of 4 nodes" in text
    assert "differentiated again: RuntimeError: made up for the page" in text
    rows = text.split("\nDouble backward\n")[1].split("\n\n")[0].splitlines()
    assert rows[1].split() == [
        *("DivBackward0", "_saved_other", "forward", "intermediate"),
        *("256", "×", "512", "float32", "524,288"),
    ]
    assert "under torch.compile: The compiler keeps input: 0 extra bytes" in text
    rows = text.split("\nUnder torch.compile\n")[1].split("\n\n")[0].splitlines()
    assert rows[1].split() == [
        *("eager", "mode", "intermediate,", "input,", "input"),
        *("1,572,864", "1,048,576", "524,288"),
    ]
    assert rows[-1].split("  ")[-1].strip() == "raised: RuntimeError: made up"


def test_a_call_that_was_not_traced_has_a_sentence_and_no_table(small: Catalogue) -> None:
    text = shown(small, "torch.mul")
    assert "under torch.compile: Tracing it raises: RuntimeError: made up" in text
    assert "\nUnder torch.compile\n" not in text

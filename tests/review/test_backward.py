"""What `show` prints of double backward and of the compiler."""

import msgspec

from generator.catalogue.model.records import Catalogue
from generator.review.page import text_page
from generator.review.show import plain


def shown(catalogue: Catalogue, name: str) -> str:
    return plain(text_page(catalogue.header, catalogue.ops[name]))


def test_both_answers_and_both_tables_are_shown(small: Catalogue) -> None:
    text = shown(small, "torch.nn.functional.softsign")
    assert "double backward: With create_graph=True the gradient has a graph of 4 nodes" in text
    assert "differentiated again: RuntimeError: made up for the page" in text
    rows = text.split("\nDouble backward of the reference call\n")[1].split("\n\n")[0].splitlines()
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


def test_nodes_that_samples_made_are_not_said_of_the_reference_call(small: Catalogue) -> None:
    """They are of two more backward passes of one sample for each case, whatever those made."""
    op = small.ops["torch.nn.functional.softsign"]
    other = msgspec.structs.replace(op, double_backward=("SinBackward0",))
    text = plain(text_page(small.header, other))
    assert "nodes of the second and third backward of its samples: SinBackward0" in text
    assert "\nDouble backward of the reference call\n" in text
    assert op.second_order is not None
    sampled = msgspec.structs.replace(op.second_order, call="softsign(t)", mask=("input",))
    text = plain(text_page(small.header, msgspec.structs.replace(op, second_order=sampled)))
    assert "\nDouble backward of softsign(t)\n" in text

import re

from msgspec.structs import replace

from generator.catalogue.model.records import Catalogue
from generator.review.layout import Table, TextPage
from generator.review.page import text_page
from generator.review.show import plain


def page_of(small: Catalogue, name: str) -> TextPage:
    record = {**small.ops, **small.modules, **small.nodes}[name]
    return text_page(small.header, record)


def table(page: TextPage, title: str) -> Table:
    return next(one for one in page.tables if one.title.startswith(title))


def test_each_mask_says_what_it_keeps(small: Catalogue) -> None:
    rows = table(page_of(small, "torch.mul"), "output = torch.mul").rows
    assert ("input, other", "MulBackward0", "_saved_self", "input") in [row[:4] for row in rows]
    assert ("input", "MulBackward0", "_saved_self", "None", "", "", "") in rows
    assert ("other", "MulBackward0", "_saved_other", "None", "", "", "") in rows


def test_each_mask_has_its_three_weights(small: Catalogue) -> None:
    assert table(page_of(small, "torch.mul"), "Weight").rows == (
        ("input, other", "1,048,576", "1,048,576", "0"),
        ("input", "524,288", "524,288", "0"),
        ("other", "524,288", "524,288", "0"),
    )


def test_modes_that_agree_share_a_table(small: Catalogue) -> None:
    titles = [one.title for one in page_of(small, "torch.nn.Linear").tables]
    given = "input 256 × 512 float32, weight 512 × 512 float32, bias 512 float32"
    assert [title for title in titles if "train" in title] == [
        f"output = module(input) with {given} in train and eval mode",
        "Weight in train and eval mode",
    ]


def test_values_that_are_no_tensor_are_shown(small: Catalogue) -> None:
    rows = table(page_of(small, "torch.nn.Linear"), "output = module").rows
    assert {row[2]: row[3] for row in rows}["_saved_mat1_sym_sizes"] == "(256, 512)"


def test_writes_tried_under_save_on_cpu_say_how_they_ended(small: Catalogue) -> None:
    rows = table(page_of(small, "torch.exp"), "May I write into it?").rows
    assert [(row[0], row[3]) for row in rows] == [("input", "fine"), ("output", "silently wrong")]


def test_it_says_after_what_a_write_was_tried(small: Catalogue) -> None:
    told = "what backward does from what was made of the outputs before the write"
    assert dict(page_of(small, "torch.exp").legend)["then"].startswith(told)
    assert "then" not in dict(page_of(small, "torch.nn.Linear").legend)


def test_masks_under_which_no_write_was_tried_say_why(small: Catalogue) -> None:
    assert "writes under other masks" not in dict(page_of(small, "torch.mul").facts)
    mul = small.ops["torch.mul"]
    assert mul.writes is not None
    reason = "backward raises without any write: no"
    small.ops["torch.mul"] = replace(mul, writes=replace(mul.writes, left_out=reason))
    assert dict(page_of(small, "torch.mul").facts)["writes under other masks"] == reason


def test_it_says_which_op_in_place_wrote(small: Catalogue, committed: Catalogue) -> None:
    """The evidence program of the release writes with `copy_`, and with nothing else."""
    program = committed.header.evidence["writes by mask"]
    assert set(re.findall(r"\btensor\.(?:\w+[.(])*?(\w+[a-z]_)\(", program)) == {"copy_"}
    told = dict(page_of(small, "torch.exp").legend)["written in place"]
    assert told == "each write was a copy_ of other numbers; no other op in place was tried"
    assert "written in place" not in dict(page_of(small, "torch.nn.Linear").legend)


def test_a_record_without_a_measurement_says_why(small: Catalogue) -> None:
    page = page_of(small, "torch.linalg.eig")
    assert ("crashed", "the process ended by signal 11 (SIGSEGV)") in page.facts
    assert page.tables == ()


def test_a_declared_node_lists_attributes_that_nobody_saw(small: Catalogue) -> None:
    page = page_of(small, "CudnnRnnBackward0")
    assert table(page, "Saved attributes").rows[0] == ("_saved_hx", "not seen", "")
    assert page.legend == ()


def test_plain_rows_are_aligned_and_unbroken() -> None:
    page = TextPage(
        title="torch.x",
        claim="keeps its output",
        facts=(("nodes", "XBackward0"),),
        tables=(Table("Some", ("name", "bytes"), (("a", "1"), ("long name", "1,000"))),),
        legend=(),
    )
    assert plain(page) == (
        "torch.x\n"
        "  keeps its output\n"
        "\n"
        "nodes: XBackward0\n"
        "\n"
        "Some\n"
        "  name       bytes\n"
        "  a              1\n"
        "  long name  1,000\n"
    )


def test_an_op_answers_what_may_be_written(small: Catalogue) -> None:
    assert table(page_of(small, "torch.mul"), "May I write into it?") == Table(
        "May I write into it? After torch.mul(input, other) with input, other requiring grad",
        (
            *("written in place", "then", "under identity hooks", "under save_on_cpu"),
            *("saved by", "the message names", "remarks"),
        ),
        (
            (
                *("input", "backward raises", "silently wrong", "not tried"),
                *("MulBackward0._saved_self", "torch::autograd::CopyBackwards"),
                "fine while other does not require grad",
            ),
            (
                *("input other", "backward raises", "silently wrong", "not tried"),
                *("MulBackward0._saved_other", "torch::autograd::CopyBackwards"),
                "fine while input does not require grad",
            ),
            ("output", "fine", "fine", "not tried", "", "", ""),
        ),
    )

"""Decisions that views take, on the small catalogue, whose figures follow from arithmetic."""

from pathlib import Path

import pytest
import torch
from msgspec.structs import replace

from generator.catalogue.model.records import (
    Catalogue,
    NodeRecord,
    OpRecord,
    PolicyNode,
    SavedValue,
)
from generator.pages.architecture_page import architecture_page, decisions_page
from generator.pages.attributes_page import attributes_page
from generator.pages.calls import call_views, two_ways
from generator.pages.catalogue_page import catalogue_page
from generator.pages.coverage_page import coverage_page
from generator.pages.home_page import home_page
from generator.pages.index_pages import nodes_index, ops_index
from generator.pages.mismatches_page import mismatches_page
from generator.pages.module_page import module_page
from generator.pages.node_page import error_note, node_page
from generator.pages.op_page import op_page, search_boost
from generator.pages.relations import relate
from generator.pages.rows import namespace
from generator.pages.writes_page import writes_page
from tests.fixtures.tiny_history import alone

ROOT = "../../"


def test_equal_measurements_share_a_block(small: Catalogue) -> None:
    (call,) = call_views(small.ops["torch.mul"], ROOT)
    assert call.first.masks == ("input, other",)
    assert [one.masks for one in call.others] == [("input",), ("other",)]
    assert [one.number for one in call.first.figures] == ["1,048,576", "1,048,576", "0"]
    assert [one.totals for one in call.others] == ["524,288 / 524,288 / 0"] * 2


def test_tensors_behind_one_storage_say_so(small: Catalogue) -> None:
    (call,) = call_views(small.ops["torch.nn.functional.softsign"], ROOT)
    assert [row.storage for row in call.first.rows] == ["", "storage 1", "storage 1"]
    assert [one.share for one in call.first.segments] == ["524288", "524288"]
    assert [row.value for row in call.first.values] == ["1"]


def test_modes_that_agree_share_one_section(small: Catalogue) -> None:
    views = call_views(small.modules["torch.nn.Linear"], ROOT)
    assert [one.title for one in views] == ["What it keeps, train and eval mode"]


def test_a_node_is_named_once_for_its_rows(small: Catalogue) -> None:
    (call,) = call_views(small.ops["torch.mul"], ROOT)
    first, second = call.first.rows
    assert first.node is not None
    assert first.node.href == "../../nodes/MulBackward0/"
    assert (first.node_span, second.node) == (2, None)


def test_a_composite_has_a_graph_and_a_single_node_has_none(small: Catalogue) -> None:
    (single,) = call_views(small.ops["torch.exp"], ROOT)
    (composite,) = call_views(small.ops["torch.nn.functional.softsign"], ROOT)
    assert single.graph is None
    assert composite.graph is not None
    svg = str(composite.graph.svg)
    assert svg.count('<rect class="node"') == 3
    assert svg.count('<rect class="argument"') == 1
    assert svg.count("<path") == 4


def test_an_op_links_to_what_it_touches(small: Catalogue) -> None:
    page = op_page(small, relate(small), alone(small), small.ops["torch.exp"])
    assert [one.text for one in page.nodes] == ["ExpBackward0"]
    assert [one.text for one in page.double_backward] == ["MulBackward0"]
    assert page.citation.permalink == "https://tapekept.github.io/2.13.0/ops/torch.exp/"
    assert "aten::exp" in page.head.aliases
    assert "torch.special.exp" in page.head.aliases


def test_ops_that_were_not_measured_have_a_page_without_tables(small: Catalogue) -> None:
    for name in ("torch.argmax", "torch.linalg.eig"):
        page = op_page(small, relate(small), alone(small), small.ops[name])
        assert page.calls == ()
        assert page.evidence == ()
        assert page.entries


def test_a_module_is_also_found_by_its_words(small: Catalogue) -> None:
    page = module_page(small, alone(small), small.modules["torch.nn.Linear"])
    assert page.head.aliases.split() == ["Linear"]


def test_a_node_joins_declared_and_measured(small: Catalogue) -> None:
    page = node_page(small, relate(small), alone(small), small.nodes["MulBackward0"])
    assert [(row.attribute.text, row.declared, row.kinds) for row in page.attributes] == [
        ("_saved_other", "input", "tensor 5, none 1"),
        ("_saved_self", "input", "tensor 5, none 1"),
    ]
    (declared,) = page.declarations
    assert declared.source is not None
    assert declared.source.href == (
        "https://github.com/pytorch/pytorch/blob/cf30153c4c131c8164ee7798e5022d810682e2cb/"
        "tools/autograd/derivatives.yaml#L1231"
    )
    assert [one.text for one in page.ops] == ["torch.mul"]
    assert [one.text for one in page.double_backward] == [
        "torch.exp",
        "torch.nn.functional.softsign",
    ]


def test_a_node_that_was_only_declared_gives_its_reason(small: Catalogue) -> None:
    page = node_page(small, relate(small), alone(small), small.nodes["CudnnRnnBackward0"])
    assert page.state.startswith("Declared only")
    assert "its kernels are declared for CUDA alone" in page.head.claim
    assert page.reason is None
    assert {row.kinds for row in page.attributes} == {"not seen"}


def test_the_reason_of_a_stub_is_given_without_its_full_stop(small: Catalogue) -> None:
    node = replace(small.nodes["CudnnRnnBackward0"], state="stubbed", reason="it raises no.")
    assert node_page(small, relate(small), alone(small), node).reason == "it raises no"


def message(name: str) -> str:
    return (
        "one of the variables needed for gradient computation has been modified by an inplace "
        f"operation: [torch.FloatTensor [5]], which is output 0 of {name}, is at version 1; "
        "expected version 0 instead."
    )


@pytest.mark.parametrize(
    ("node", "named", "moved"),
    [
        ("SinBackward0", "Sin", ""),
        ("ClampBackward1", "Clamp1", ""),
        ("SinBackward0", "SinBackward0", ""),
        ("CopySlices", "torch::autograd::CopySlices", ""),
        ("DiagonalBackward0", "AsStrided", "the view's node is made anew, as AsStrided."),
        ("DiagonalBackward0", "Fill", "It is no longer DiagonalBackward0."),
    ],
)
def test_the_message_of_the_check_is_about_a_tensor_that_the_node_made(
    node: str, named: str, moved: str
) -> None:
    note = error_note(NodeRecord(name=node, state="witnessed", error=message(named)))
    assert note is not None
    assert note.startswith(f"“{named.rpartition('::')[2]}” is the overwritten tensor's own grad_fn")
    assert note.endswith(moved or "is not named.")


@pytest.mark.parametrize(
    ("node", "said"),
    [
        # exp's derivative is its output; in live torch a write to it is what raises
        ("ExpBackward0", [("most likely", "Exp saved its own output (_saved_result)")]),
        ("AddBackward0", [("it names", "Add, the node"), ("who wrote", "Add itself, in place")]),
        ("CopySlices", [("it names", "CopySlices, the node that a tensor has once a part")]),
    ],
)
def test_a_node_says_what_it_means_that_an_error_names_it(
    committed: Catalogue, node: str, said: list[tuple[str, str]]
) -> None:
    record = committed.nodes[node]
    meanings = node_page(committed, relate(committed), alone(committed), record).meanings
    for label, text in said:
        assert any(text in told for name, told in meanings if name == label), meanings


def test_nothing_is_said_of_names_in_a_release_that_names_no_writer(
    catalogues: dict[str, Catalogue],
) -> None:
    """1.9.1 calls a tensor saved as an input by the op that made it: Mul need not write."""
    old = catalogues["1.9.1"]
    record = old.nodes["MulBackward0"]
    assert record.error is not None
    assert node_page(old, relate(old), alone(old), record).meanings == ()


def test_a_node_without_a_message_has_no_note() -> None:
    assert error_note(NodeRecord(name="SinBackward0", state="declared")) is None


def copying(exp: OpRecord) -> OpRecord:
    """As `sin_`, which keeps a copy of what it overwrites, 100 bytes of 25 float32 elements."""
    plain = PolicyNode(
        type="SinBackward0", saved=(SavedValue("_saved_self", "tensor", ("input input",)),)
    )
    copied = replace(plain, saved=(SavedValue("_saved_self", "tensor", ("intermediate",)),))
    (case,) = exp.cases
    in_place = exp.variants[1]
    assert in_place.measurement is not None
    return replace(
        exp,
        nodes=(plain, copied),
        policies=((0,), (1,)),
        cases=(replace(case, measurements=(replace(case.measurements[0], policy=0),)),),
        variants=(
            exp.variants[0],
            replace(
                in_place,
                measurement=replace(in_place.measurement, policy=1, extra_bytes=100),
            ),
            exp.variants[2],
        ),
    )


def test_other_spellings_give_extra_bytes_and_hidden_clones(small: Catalogue) -> None:
    op = copying(small.ops["torch.exp"])
    page = op_page(small, relate(small), alone(small), op)
    assert page.spellings is not None
    assert page.spellings.note is None
    lines = [line for one in page.spellings.rows for line in one.lines]
    assert [(one.masks, one.extra, one.remark) for one in lines] == [
        ("", "0", ""),
        ("", "100", "keeps a hidden clone"),
        ("", "", ""),
    ]


def test_hidden_clones_are_listed_with_the_answers_about_writes(small: Catalogue) -> None:
    page = writes_page(small)
    assert page.clones == ()
    exp = copying(small.ops["torch.exp"])
    page = writes_page(replace(small, ops={**small.ops, exp.name: exp}))
    assert [(one.name, one.link.text, one.when, one.extra) for one in page.clones] == [
        ("torch.Tensor.exp_", "torch.exp", "always", "100")
    ]
    assert page.clones_count == "1 spelling"


def test_what_has_no_reference_says_why(small: Catalogue) -> None:
    exp = replace(
        small.ops["torch.exp"], references=(), unreferenced="no reference program calls it"
    )
    assert (
        op_page(small, relate(small), alone(small), exp).unreferenced
        == "no reference program calls it"
    )
    linear = replace(
        small.modules["torch.nn.Linear"], references=(), unreferenced="no reference program"
    )
    assert module_page(small, alone(small), linear).unreferenced == "no reference program"


def test_pages_of_a_release_without_declarations_say_so(small: Catalogue) -> None:
    exp = small.nodes["ExpBackward0"]
    assert node_page(small, relate(small), alone(small), exp).undeclared is None
    nodes = {name: replace(node, declared=()) for name, node in small.nodes.items()}
    bare = replace(small, nodes=nodes)
    said = node_page(bare, relate(bare), alone(bare), nodes["ExpBackward0"]).undeclared
    assert said is not None
    assert "2.13.0 ships no derivatives.yaml" in said
    assert "ships no such file" in mismatches_page(bare, ()).summary
    assert "ships no" not in mismatches_page(small, ()).summary


def test_an_op_that_the_test_database_lacks_says_so(small: Catalogue) -> None:
    exp = small.ops["torch.exp"]
    assert op_page(small, relate(small), alone(small), exp).unlisted is None
    page = op_page(small, relate(small), alone(small), replace(exp, entries=(), cases=()))
    assert page.unlisted is not None
    assert "by its reference call alone" in page.unlisted
    assert (page.entries, page.cases.full) == ((), ())
    assert page.calls


def test_a_module_that_the_test_database_lacks_says_so(small: Catalogue) -> None:
    listed = small.modules["torch.nn.Linear"]
    assert module_page(small, alone(small), listed).unlisted is None
    page = module_page(small, alone(small), replace(listed, entries=(), cases=()))
    assert page.unlisted is not None
    assert "by its reference call alone" in page.unlisted
    assert (page.entries, page.cases.full, page.two_ways) == ((), (), None)
    assert page.calls


def test_the_catalogue_lists_every_record_and_counts_its_filters(small: Catalogue) -> None:
    page = catalogue_page(small)
    assert len(page.rows) == 17
    assert page.count == "17"
    kinds = next(one for one in page.filters if one.name == "kind")
    assert [one.text for one in kinds.groups[0].options] == ["op (5)", "module (1)", "node (11)"]
    row = next(one for one in page.rows if one.link.text == "torch.exp")
    assert (row.label, row.storage, row.extra, row.namespace) == ("output", "524,288", "0", "torch")


def test_every_namespace_is_one_of_torch(committed: Catalogue) -> None:
    """Python can import or read each of them, and none of them is callable as an op is."""
    found = {namespace(op) for op in committed.ops.values()} - {""}
    assert {"torch", "torch.nn.functional", "torch.ops.aten"} <= found
    for name in found:
        place: object = torch
        for part in name.split(".")[1:]:
            place = getattr(place, part)
        assert not isinstance(place, torch._ops.OpOverloadPacket)


def test_indexes_group_by_namespace_and_by_letter(small: Catalogue) -> None:
    assert [one.heading for one in ops_index(small).groups] == [
        "torch",
        "torch.linalg",
        "torch.nn.functional",
    ]
    assert [(one.heading, one.count) for one in nodes_index(small).groups][:2] == [
        ("A", "3 types"),
        ("C", "2 types"),
    ]


def test_attributes_say_what_they_held_and_who_has_them(small: Catalogue) -> None:
    page = attributes_page(small, relate(small))
    found = {one.name: one for one in page.sections}
    assert found["_saved_result"].anchor == "saved_result"
    assert found["_saved_result"].explanation == (
        "Seen as tensor in 9 calls. Declared as an output of the op in 2 types."
    )
    assert [one.text for one in found["_saved_result"].ops] == ["torch.exp"]
    assert found["_saved_hx"].explanation.startswith("Not reached by the probe's calls.")


def test_coverage_counts_the_registry_without_the_unregistered(small: Catalogue) -> None:
    page = coverage_page(small)
    assert [(one.text, one.count) for one in page.states] == [
        ("witnessed", "8"),
        ("declared", "1"),
        ("stubbed", "1"),
    ]
    assert [one.text for one in page.unregistered] == ["ForeachExpBackward0"]
    assert [one.count for one in page.reasons] == ["1 type"]
    assert {one.entry: one.state for one in page.op_rows} == {
        "mul": "measured in part",
        "argmax": "not differentiable",
        "linalg.eig": "crashed",
    }


def test_home_counts_what_was_measured(small: Catalogue) -> None:
    page = home_page(small)
    assert [(one.number, one.text) for one in page.counts[:3]] == [
        ("3", "ops measured"),
        ("1", "modules measured"),
        ("8", "node types seen live"),
    ]
    assert [one.link.text for one in page.examples] == ["torch.exp", "torch.mul"]


def test_two_ways_are_added_up(small: Catalogue) -> None:
    seen = two_ways(small.ops["torch.exp"])
    assert seen is not None
    assert (seen.same, seen.total, seen.agree) == ("5", "5 samples", True)
    assert two_ways(small.ops["torch.argmax"]) is None


def test_the_architecture_page_reads_every_header(tmp_path: Path) -> None:
    room = tmp_path / "generator" / "tape"
    room.mkdir(parents=True)
    (tmp_path / "generator" / "__init__.py").write_text('"""The whole."""\n')
    (room / "__init__.py").write_text('"""The heart."""\n')
    (room / "walk.py").write_text('"""Walks\na graph."""\n')
    page = architecture_page(tmp_path / "generator")
    assert [(one.name, one.purpose) for one in page.rooms] == [
        ("generator", "The whole."),
        ("generator.tape", "The heart."),
    ]
    assert [(one.name, one.purpose) for one in page.rooms[1].modules] == [
        ("walk.py", "Walks a graph.")
    ]


def test_decisions_are_listed_by_their_headings(tmp_path: Path) -> None:
    notes = tmp_path / "decisions"
    notes.mkdir()
    (notes / "002-b.md").write_text("# 002 second\n")
    (notes / "001-a.md").write_text("\n# 001 first\n\ntext\n")
    page = decisions_page(notes)
    assert [(one.text, one.href) for one in page.notes] == [
        ("001 first", "decisions/001-a.md"),
        ("002 second", "decisions/002-b.md"),
    ]


@pytest.mark.parametrize("source", ["generator"])
def test_every_module_of_this_package_has_a_header(root: Path, source: str) -> None:
    page = architecture_page(root / source)
    assert all(room.purpose for room in page.rooms)
    assert all(one.purpose for room in page.rooms for one in room.modules)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("torch.exp", "torch.exp2"),
        ("torch.add", "torch.addcdiv"),
        ("torch.nn.functional.relu", "torch.nn.functional.relu6"),
    ],
)
def test_the_shorter_name_weighs_more_in_the_search(first: str, second: str) -> None:
    assert search_boost(first) > 1.4 * search_boost(second)


def test_the_words_of_a_name_weigh_not_its_length() -> None:
    assert search_boost("torch.nn.functional.layer_norm") > 0.7 * search_boost("torch.norm")

import json

import pytest

from generator.catalogue import codec
from generator.catalogue.model.records import SCHEMA_VERSION, Catalogue, NodeRecord
from generator.errors import CatalogueError
from tests.fixtures import tiny


@pytest.fixture
def data(small: Catalogue) -> bytes:
    return codec.encode(small)


def edited(data: bytes, line: int, **fields: object) -> bytes:
    """Set fields of the record on a line (from 1), in the file's own way of writing JSON."""
    lines = data.splitlines(keepends=True)
    record = {**json.loads(lines[line - 1]), **fields}
    text = json.dumps(record, separators=(",", ":"), ensure_ascii=False)
    lines[line - 1] = text.encode() + b"\n"
    return b"".join(lines)


def test_what_is_written_reads_back(small: Catalogue, data: bytes) -> None:
    assert codec.decode(data) == small
    assert codec.encode(codec.decode(data)) == data


def test_records_are_sorted_by_kind_then_name(data: bytes) -> None:
    records = [json.loads(line) for line in data.splitlines()]
    kinds = ["header"] + ["op"] * 5 + ["module"] + ["node"] * 11 + ["block"] + ["write"] * 3
    assert [record["kind"] for record in records] == kinds
    ops = [record["name"] for record in records if record["kind"] == "op"]
    assert ops == [
        "torch.argmax",
        "torch.exp",
        "torch.linalg.eig",
        "torch.mul",
        "torch.nn.functional.softsign",
    ]


def test_the_order_of_records_in_memory_does_not_matter(small: Catalogue, data: bytes) -> None:
    records = [
        *small.writes.values(),
        *small.blocks.values(),
        *small.nodes.values(),
        *small.modules.values(),
        *small.ops.values(),
    ]
    again = codec.assemble(tiny.RELEASE, tiny.BUILD, reversed(records), tiny.EVIDENCE)
    assert codec.encode(again) == data


def test_the_header_counts_states_of_each_kind(small: Catalogue) -> None:
    assert small.header.name == "torch-2.13.0-cpu"
    assert small.header.counts == {
        "op": {"measured": 3, "not differentiable": 1, "crashed": 1},
        "module": {"measured": 1},
        "node": {"witnessed": 8, "stubbed": 1, "declared": 1, "unregistered": 1},
        "block": {"measured": 1},
        "write": {"measured": 2, "raised": 1},
    }


def test_a_name_may_occur_once_per_kind() -> None:
    node = NodeRecord(name="ExpBackward0", state="witnessed")
    with pytest.raises(CatalogueError, match="ExpBackward0 was recorded twice"):
        codec.assemble(tiny.RELEASE, tiny.BUILD, [node, node])


def test_truncation_is_found_wherever_it_happens(data: bytes) -> None:
    ends = {position + 1 for position, byte in enumerate(data) if byte == ord("\n")} - {len(data)}
    first, last = min(ends), max(ends)
    inside = {1, first // 2, first - 1, first + 1, first + 20, last + 1, len(data) - 2}
    for length in sorted(ends | inside | {0, len(data) - 1}):
        with pytest.raises(CatalogueError) as caught:
            codec.decode(data[:length])
        assert "\n" not in str(caught.value)


def test_a_truncated_file_says_so(data: bytes) -> None:
    with pytest.raises(CatalogueError, match="truncated: its last line has no end"):
        codec.decode(data[:-1])
    at_line_end = data[: data[:-1].rindex(b"\n") + 1]
    with pytest.raises(CatalogueError, match="does not hold the records that its header counts"):
        codec.decode(at_line_end)
    with pytest.raises(CatalogueError, match="empty"):
        codec.decode(b"")


@pytest.mark.parametrize(
    ("version", "says"),
    [
        (SCHEMA_VERSION + 1, "made by a newer tapekept.*update"),
        (1, "made by an older tapekept.*measure it again"),
    ],
)
def test_another_schema_version_is_refused(data: bytes, version: int, says: str) -> None:
    with pytest.raises(CatalogueError, match=says):
        codec.decode(edited(data, 1, schema=version))


def test_another_schema_version_is_named_before_its_unknown_fields(data: bytes) -> None:
    with pytest.raises(CatalogueError, match="newer"):
        codec.decode(edited(data, 1, schema=SCHEMA_VERSION + 1, invented="field"))


def test_damage_names_the_line_and_the_reason(data: bytes) -> None:
    with pytest.raises(CatalogueError, match=r"line 3 is damaged.*`\$\.state`"):
        codec.decode(edited(data, 3, state="guessed"))
    with pytest.raises(CatalogueError, match=r"line 3 .*unknown field `colour`"):
        codec.decode(edited(data, 3, colour="red"))
    with pytest.raises(CatalogueError, match="line 2 is damaged"):
        codec.decode(data.replace(b'{"kind":"op"', b'{"kind":op', 1))
    with pytest.raises(CatalogueError, match="line 2 is damaged"):
        codec.decode(data.replace(b'"name":"torch.argmax"', b'"name":"torch.\xff"', 1))


def test_the_first_line_is_the_header(data: bytes) -> None:
    header, rest = data.split(b"\n", 1)
    with pytest.raises(CatalogueError, match="line 1 is not a catalogue's header"):
        codec.decode(rest)
    with pytest.raises(CatalogueError, match="line 1 is not a catalogue's header"):
        codec.decode(b"not json\n" + rest)
    with pytest.raises(CatalogueError, match="line 2 is a second header"):
        codec.decode(header + b"\n" + data)


def test_lines_out_of_order_or_twice_are_found(data: bytes) -> None:
    lines = data.splitlines(keepends=True)
    swapped = [*lines[:2], lines[3], lines[2], *lines[4:]]
    with pytest.raises(CatalogueError, match=r"line 4, the op torch\.exp, is out of order"):
        codec.decode(b"".join(swapped))
    twice = [*lines[:3], lines[2], *lines[3:]]
    with pytest.raises(CatalogueError, match=r"line 4 repeats the op torch\.exp"):
        codec.decode(b"".join(twice))


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        (b'"state":"crashed"', b'"state": "crashed"'),
        (b'"CPU"', b'"\\u0043PU"'),
        (b'"complex64":2,"float32":3', b'"float32":3,"complex64":2'),
        (b'"line":652', b'"line":652,"saved_inputs":[]'),
        (b"}\n", b"}\r\n"),
    ],
)
def test_a_file_in_another_form_was_edited_by_hand(
    data: bytes, written: bytes, instead: bytes
) -> None:
    assert written in data
    with pytest.raises(CatalogueError, match="edited by hand"):
        codec.decode(data.replace(written, instead, 1))


def test_an_empty_line_is_found(data: bytes) -> None:
    with pytest.raises(CatalogueError, match="line 23 is empty"):
        codec.decode(data + b"\n")


def test_counts_that_do_not_match_are_found(data: bytes) -> None:
    with pytest.raises(CatalogueError, match="header counts"):
        codec.decode(data.replace(b'"crashed":1', b'"crashed":2', 1))


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        (b'"policies":[[0]]', b'"policies":[[1]]'),
        (b'"policies":[[0]]', b'"policies":[[-1]]'),
        (b'"policies":[[0]],', b""),
        (b'"policy":0', b'"policy":1'),
        (b'"target":"output","masks":[0]', b'"target":"output","masks":[1]'),
        (b'"target":"output","masks":[0]', b'"target":"output","masks":[-1]'),
    ],
)
def test_a_position_that_leads_nowhere_is_found(
    data: bytes, written: bytes, instead: bytes
) -> None:
    with pytest.raises(CatalogueError, match=r"line 3, the op torch\.exp, points to a policy"):
        codec.decode(data.replace(written, instead, 1))


def test_lines_that_two_catalogues_share_are_decoded_once(small: Catalogue) -> None:
    seen: dict[bytes, codec.MeasuredRecord] = {}
    data = codec.encode(small)
    first, second = codec.decode(data, seen), codec.decode(data, seen)
    assert first == second == codec.decode(data)
    assert all(second.ops[name] is op for name, op in first.ops.items())

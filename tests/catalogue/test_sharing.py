"""Sharing loses nothing, names what is written out elsewhere, and leaves older files alone."""

import json
from typing import Any

import pytest

from generator.catalogue import codec, sharing
from generator.catalogue.model.records import Catalogue, Depth
from generator.errors import CatalogueError
from tests.fixtures import tiny


def bytes_of(release: str, depth: Depth = "history", text: str = "") -> bytes:
    """Return the whole bytes of a small catalogue; `text` replaces the call of its references."""
    whole = tiny.catalogue()
    made: Catalogue = codec.assemble(
        release, whole.header.build, codec.records_of(whole), whole.header.evidence, depth
    )
    data = codec.encode(made)
    return data.replace(b"torch.mul(", f"torch.mul{text}(".encode()) if text else data


def records(data: bytes) -> dict[tuple[str, str], dict[str, Any]]:
    read = [json.loads(line) for line in data.splitlines()]
    return {(one["kind"], one["name"]): one for one in read}


def written(files: dict[str, bytes]) -> dict[str, sharing.Written]:
    return {release: sharing.held(release, data) for release, data in files.items()}


def test_everything_comes_back() -> None:
    wholes = {
        "2.13.0": bytes_of("2.13.0", "full"),
        "1.13.1": bytes_of("1.13.1", text="1"),
        "2.6.0": bytes_of("2.6.0", text="1"),
        "2.12.1": bytes_of("2.12.1"),
    }
    shared = sharing.share(wholes)
    for release, data in shared.items():
        assert sharing.whole(data, written(shared)) == wholes[release]
    assert len(shared["2.12.1"]) < len(wholes["2.12.1"]) / 2


def test_a_field_is_written_out_by_a_full_catalogue_or_else_by_the_oldest() -> None:
    shared = sharing.share(
        {
            "2.6.0": bytes_of("2.6.0", text="1"),
            "2.13.0": bytes_of("2.13.0", "full"),
            "1.13.1": bytes_of("1.13.1", text="1"),
        }
    )
    assert sharing.named_in(shared["2.13.0"]) == set()
    assert sharing.named_in(shared["1.13.1"]) == {"2.13.0"}
    named = records(shared["2.6.0"])["op", "torch.mul"]["as_in"]
    assert "references" in named["1.13.1"]
    assert "references" not in named.get("2.13.0", [])


def test_what_tells_a_record_from_others_stays() -> None:
    wholes = {"2.13.0": bytes_of("2.13.0", "full"), "2.12.1": bytes_of("2.12.1")}
    for record in records(sharing.share(wholes)["2.12.1"]).values():
        assert {"kind", "name", "state"} <= record.keys()


def test_a_newer_release_leaves_the_others_as_they_are() -> None:
    wholes = {"2.13.0": bytes_of("2.13.0", "full"), "2.6.0": bytes_of("2.6.0", text="1")}
    before = sharing.share(wholes)
    after = sharing.share({**wholes, "2.14.1": bytes_of("2.14.1", text="2")})
    assert {release: after[release] for release in before} == before


def test_a_name_that_leads_nowhere_is_one_sentence() -> None:
    wholes = {"2.13.0": bytes_of("2.13.0", "full"), "2.12.1": bytes_of("2.12.1")}
    shared = sharing.share(wholes)
    lacking = b"\n".join(
        line for line in wholes["2.13.0"].splitlines() if b'"name":"torch.mul"' not in line
    )
    with pytest.raises(CatalogueError, match=r"the op torch\.mul has its .* with torch 2\.13\.0"):
        sharing.whole(shared["2.12.1"], written({"2.13.0": lacking}))


def test_a_damaged_line_is_left_for_decoding_to_tell() -> None:
    wholes = {"2.13.0": bytes_of("2.13.0", "full"), "2.12.1": bytes_of("2.12.1")}
    damaged = sharing.share(wholes)["2.12.1"][:-9] + b"\n"
    with pytest.raises(CatalogueError, match="damaged"):
        codec.decode(sharing.whole(damaged, written(wholes)))

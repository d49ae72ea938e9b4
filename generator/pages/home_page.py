"""The home page: what this is, three measured answers that surprise, and the ways in."""

from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup

from generator.catalogue.citations import build_text, sentence
from generator.catalogue.kept import Call, principal_calls
from generator.catalogue.model.measurement import Measurement
from generator.catalogue.model.records import Catalogue, OpRecord
from generator.catalogue.policies import measured_nodes
from generator.pages.figures import exact, rounded_bytes
from generator.pages.markup import code_spans
from generator.pages.parts import Front, Link, record_link
from generator.pages.saved import Segment, segments

ROOT = ""
EXAMPLES = 3
SHOWN_FIRST = (
    "torch.nn.functional.relu",
    "torch.nn.functional.layer_norm",
    "torch.nn.functional.rms_norm",
    "torch.exp",
    "torch.mul",
)


@dataclass(frozen=True)
class Example:
    """One measured answer: the claim, the strip of what is held, and its price."""

    link: Link
    claim: Markup
    call: str
    segments: tuple[Segment, ...]
    storage: str
    extra: str


@dataclass(frozen=True)
class Count:
    """One figure of the whole catalogue, and where its members are listed."""

    number: str
    text: str
    href: str


@dataclass(frozen=True)
class HomePage:
    """What the home page shows."""

    front: Front
    release: str
    build: str
    counts: tuple[Count, ...]
    examples: tuple[Example, ...]


def home_page(catalogue: Catalogue) -> HomePage:
    """Choose the examples and count the catalogue."""
    header = catalogue.header
    states = header.counts
    attributes = {one for node in catalogue.nodes.values() for one in node.attributes}
    return HomePage(
        front=Front(
            title="What the Tape Kept",
            description=(
                "What PyTorch's autograd keeps alive for backward, op by op, as measured on "
                f"PyTorch {header.release}."
            ),
            section=None,
            hide=("navigation", "toc"),
        ),
        release=header.release,
        build=build_text(header),
        counts=(
            Count(exact(states["op"].get("measured", 0)), "ops measured", "ops/"),
            Count(exact(states["module"].get("measured", 0)), "modules measured", "modules/"),
            Count(exact(states["node"].get("witnessed", 0)), "node types seen live", "nodes/"),
            Count(exact(len(attributes)), "saved attributes", "attributes/"),
        ),
        examples=tuple(_examples(catalogue)),
    )


def _examples(catalogue: Catalogue) -> Iterable[Example]:
    """Take the first of the wanted ops that are there and have something to show."""
    wanted = [catalogue.ops[name] for name in SHOWN_FIRST if name in catalogue.ops]
    for op in wanted[:EXAMPLES]:
        for call in principal_calls(op)[:1]:
            yield from _example(op, call, call.measurements[0])


def _example(op: OpRecord, call: Call, measured: Measurement) -> Iterable[Example]:
    if measured.policy is None:
        return
    yield Example(
        link=record_link(op, ROOT),
        claim=code_spans(sentence(op)),
        call=call.call,
        segments=segments(measured_nodes(op, measured), measured),
        storage=rounded_bytes(measured.storage_bytes),
        extra=rounded_bytes(measured.extra_bytes),
    )

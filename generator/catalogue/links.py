"""The one place that knows addresses: a record's page, its permalink, and PyTorch's own source.

Pages keep their address for ever: it is made of the release and of names that PyTorch chose, so a
citation of today still leads somewhere in ten years.
"""

from generator.catalogue.model.bills import BlockRecord
from generator.catalogue.model.records import ModuleRecord, NodeRecord, OpRecord

BASE_URL = "https://tapekept.github.io"
DERIVATIVES = "tools/autograd/derivatives.yaml"

Paged = OpRecord | ModuleRecord | NodeRecord | BlockRecord

_SECTIONS: dict[type[Paged], str] = {
    OpRecord: "ops",
    ModuleRecord: "modules",
    NodeRecord: "nodes",
    BlockRecord: "blocks",
}
_BY_KIND = {str(kind.__struct_config__.tag): section for kind, section in _SECTIONS.items()}


def page_path(record: Paged) -> str:
    """The address of a record's page below its release: `ops/torch.exp/`."""
    return f"{_SECTIONS[type(record)]}/{record.name}/"


def release_url(release: str) -> str:
    """Where the site of one release begins: `https://tapekept.github.io/2.13.0/`."""
    return f"{BASE_URL}/{release}/"


def permalink(release: str, record: Paged) -> str:
    """The full address of a record's page in one release."""
    return release_url(release) + page_path(record)


def named_url(release: str, subject: str, name: str) -> str | None:
    """The full address of the page of a record by its kind and name; None if it has no page."""
    path = named_path(subject, name)
    return None if path is None else release_url(release) + path


def named_path(subject: str, name: str) -> str | None:
    """The address of that page below its release; None for a kind that has no pages."""
    section = _BY_KIND.get(subject)
    return None if section is None else f"{section}/{name}/"


def attribute_path(attribute: str) -> str:
    """The address of an attribute's section below its release: `attributes/#saved_result`."""
    return f"attributes/#{attribute.lstrip('_')}"


def source_line(git: str, line: int) -> str:
    """The line of `derivatives.yaml` that declares a node, at the commit `git` of the build."""
    return f"https://github.com/pytorch/pytorch/blob/{git}/{DERIVATIVES}#L{line}"

"""What the page that explains errors asks for once a message is pasted: all that is known of names.

Which facts hold for a name is decided here, by the same readings as on the command line; the
script only reads the message and fills in its numbers.
"""

import msgspec

from generator.catalogue.elsewhere import Names, listed
from generator.catalogue.explain import explanations as told
from generator.catalogue.explain.complaints import KNOWN
from generator.catalogue.explain.messages import forward_name
from generator.catalogue.explain.others import (
    FOREIGN,
    NUMBERED,
    OTHER,
    UNMEASURED,
    others,
)
from generator.catalogue.explain.overwritten import ANOMALY, CHECK, NAMED
from generator.catalogue.explain.readings import Fact, readings
from generator.catalogue.model.records import Catalogue
from generator.pages.downloads import Download

FILE_NAME = "errors.json"
HOLDS = (
    "what errors say, by their words and by the nodes that they name: for the page that explains"
)
GAP = "{}"
OUTPUTS = 4  # as many outputs of a node as messages are read of


def errors_download(catalogue: Catalogue, nodes: Names) -> Download:
    """Make the file to download; `nodes` are the names of the node types of every release."""
    known = readings(catalogue)
    facts: dict[tuple[Fact, ...], int] = {}
    names = {}
    for name, node in sorted(known.names.items()):
        called = forward_name(node.name)
        of_outputs = [_open(known.of(name, number), called) for number in range(OUTPUTS)]
        places = [facts.setdefault(each, len(facts)) for each in of_outputs]
        names[name] = (node.name, called, places if len(set(places)) > 1 else places[:1])
    elsewhere: dict[tuple[str, ...], list[str]] = {}
    for name, there in sorted(others(known.release, nodes).items()):
        if name not in known.names:
            elsewhere.setdefault(there, []).append(name)
    content = {
        "release": known.release,
        "check": _script(CHECK.pattern),
        "named": _script(NAMED.pattern),
        "numbered": NUMBERED.pattern,
        "complaints": [(one.words.pattern, one.meaning, one.remedy, one.shown) for one in KNOWN],
        "function": told.FUNCTION.pattern,
        "shown": told.SHOWN,
        "types": told.PLAINLY,
        "turned": told.TURNED,
        "texts": {
            "answer": told.ANSWER,
            "integer": told.INTEGER,
            "rootless": told.ROOTLESS,
            "weight": told.WEIGHT,
            "single": told.SINGLE,
            "saver": told.SAVER,
            "finding": told.FINDING,
            "other": OTHER,
            "unmeasured": UNMEASURED,
            "foreign": FOREIGN,
        },
        "anomaly": ANOMALY.pattern,
        "who": told.WHO,
        "last": told.LAST,
        "facts": list(facts),
        "names": names,
        "others": [(listed(there), there[-1], each) for there, each in elsewhere.items()],
    }
    return Download(FILE_NAME, msgspec.json.encode(content, order="deterministic"), HOLDS)


def _open(facts: tuple[Fact, ...], called: str) -> tuple[Fact, ...]:
    """Leave a gap where a text says the name, so that nodes of which the same is known share it."""
    return tuple((label, text.replace(called, GAP)) for label, text in facts)


def _script(pattern: str) -> str:
    """Write a regular expression as scripts write its named groups."""
    return pattern.replace("(?P<", "(?<")

"""What is said of a text that names no record: what it may be, and what is called nearly so."""

import difflib
import re
from collections.abc import Sequence

from generator.catalogue.code.no_op import what_it_is
from generator.catalogue.links import attribute_path, release_url
from generator.catalogue.name_tiers import Index
from generator.errors import quoted

A_SENTENCE = 5  # words
LIKENESS = 0.65
SAVED = "_saved_"
OF_TORCH = re.compile(r"(?:torch|nn|F)\.\w")
NEAR_ATTRIBUTE = 0.8


def unknown(known: Index, text: str, name: str) -> str:
    """Say that nothing is called `text`, and what has nearly the `name` that it stands for."""
    catalogue = known.catalogue
    site = release_url(catalogue.header.release)
    holders = [node for node in catalogue.nodes.values() if text in node.attributes]
    if holders:
        others = len(holders) - 1
        more = f" and {others} other node type{'s' * (others > 1)}" if others else ""
        return (
            f"{text} is an attribute, of {holders[0].name}{more}; see {site}{attribute_path(text)}"
        )
    release = catalogue.header.release
    said = (
        f"the catalogue of torch {release} has no op, module, node or overload called"
        f" {quoted(text)}"
    )
    if len(text.split()) >= A_SENTENCE:
        return f"{said}; if it is an error, look it up at {site}guides/saved-variable-checks/"
    near = _near(known, name)
    if near:
        return f"{said}; did you mean {listed(near, 'or')}?"
    if OF_TORCH.match(text) and catalogue.header.build.samples is None:
        said += ": it has what PyTorch's own OpInfo and ModuleInfo list"
    return f"{said}; all names are listed at {site}catalogue/"


def unknown_code(known: Index, text: str, called: Sequence[str] | None) -> str | None:
    """Say of code that is no call of one op what it is; None where a text is no code.

    `called` names the records of what it calls, and is None where it is no code.
    """
    told = what_it_is(text, release_url(known.catalogue.header.release))
    if told is not None:
        return f"{quoted(text)} {told}"
    if called is None:
        return None
    if not called:
        return f"{quoted(text)} is not one op; name the op that is meant"
    recorded = f"{listed(called, 'and')} {'have records' if called[1:] else 'has a record'}"
    return f"{quoted(text)} is not one op: of what it calls {recorded}; name the one that is meant"


def listed(names: Sequence[str], last: str) -> str:
    """List names in a sentence, `last` before the last one."""
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def _near(known: Index, text: str) -> list[str]:
    """Name up to three records that are spelled nearly like `text`, upper and lower case alike.

    Where it is the name of a saved attribute, saved attributes.
    """
    if text.startswith(SAVED):
        every = {one for node in known.catalogue.nodes.values() for one in node.attributes}
        return difflib.get_close_matches(text, sorted(every), n=3, cutoff=NEAR_ATTRIBUTE)
    plain = text.strip().strip("`").partition("(")[0].casefold()
    close = difflib.get_close_matches(plain, known.folded, n=6, cutoff=0.6)
    last = plain.rpartition(".")[2]
    alike = [one for one in close if _are_alike(one.rpartition(".")[2], last)]
    names = dict.fromkeys(record.name for spelling in alike for record in known.folded[spelling])
    return list(names)[:3]


def _are_alike(one: str, other: str) -> bool:
    """Say whether last parts are spelled alike, whatever stands before them in both."""
    return difflib.SequenceMatcher(None, one, other).ratio() > LIKENESS

"""What a node type saves, in a sentence: its attributes with what they were seen to be."""

from generator.catalogue.claim_nouns import join
from generator.catalogue.kept import VIEW, role_class
from generator.catalogue.model.records import NodeRecord, Observation
from generator.catalogue.undifferentiable import declared_without

_ROLE_ARTICLES = {
    "input": "an input",
    "parameter": "a parameter",
    "buffer": "a buffer",
    "output": "the output",
    "intermediate": "an intermediate",
    "wrapped number": "a number",
    "incoming gradient": "an incoming gradient",
    "gradient": "a resulting gradient",
    "opaque": "a tensor whose memory is hidden",
}


def node_claim(record: NodeRecord) -> str:
    """Say what a node type saves, as it was seen; or what it declares, where it was not seen."""
    if record.state == "declared":
        why = f": {record.reason}" if record.reason else ""
        names = dict.fromkeys(
            value.name
            for one in record.declared
            for value in (*one.saved_inputs, *one.saved_outputs)
        )
        saved = f"; declares that it saves {join([f'`{name}`' for name in names])}" if names else ""
        return f"declared only{why}{saved}"
    tensors = [_attribute(seen) for seen in record.observed if seen.roles]
    others = [
        f"`{_short(seen.attribute)}`"
        for seen in record.observed
        if not seen.roles and any(kind in ("sizes", "scalar") for kind in seen.kinds)
    ]
    if tensors:
        sentence = "saves " + join(tensors)
        sentence += f", and the sizes or scalars {join(others)}" if len(others) > 1 else ""
        sentence += f", and the size or scalar {others[0]}" if len(others) == 1 else ""
    else:
        sentence = f"saves no tensor, only {join(others)}" if others else _without_values(record)
    if without := declared_without(record):
        sentence += f"; no derivative is declared for {join([f'`{name}`' for name in without])}"
    return {
        "stubbed": f"over a stub, {sentence}",
        "unregistered": f"{sentence}; it is not in the release's registry",
    }.get(record.state, sentence)


def _without_values(record: NodeRecord) -> str:
    if record.packed:
        roles = [_article(role_class(role)) for role in dict.fromkeys(record.packed)]
        kept = join(list(dict.fromkeys(roles)))
        if record.state == "unregistered":
            return f"keeps {kept}, as saved-tensor hooks show"
        # What it keeps is not its own: another call may keep something else there, or nothing.
        return f"exposes no saved attribute; in its recipe it keeps {kept}, as hooks show"
    if record.packed is not None:
        return "keeps no tensor that hooks see"
    # What has no declaration was written by hand, and may hold what it does not show.
    known = bool(record.declared or record.attributes)
    return "saves nothing" if known else "exposes no saved attribute"


def _attribute(seen: Observation) -> str:
    roles = [
        role for role in seen.roles if role.removeprefix(VIEW) not in seen.roles.keys() - {role}
    ]
    # What is an output of its own call is an intermediate of a larger one: that comes last.
    order = sorted(roles, key=lambda role: (role == "intermediate", -seen.roles[role], role))
    if order == ["output"]:
        return f"its `{_short(seen.attribute)}` (the output)"
    return f"`{_short(seen.attribute)}` ({join([_article(role) for role in order], 'or')})"


def _article(role: str) -> str:
    if role.startswith(VIEW):
        return f"a view of {_article(role[len(VIEW) :])}"
    return _ROLE_ARTICLES.get(role, role)


def _short(attribute: str) -> str:
    return attribute.removeprefix("_saved_")

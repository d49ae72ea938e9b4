"""Write the call of a case as a person would, and say where nobody can make it as it is written.

PyTorch's own tests call a property as a function, and one op through a function of theirs that
takes other arguments. An object among the arguments is recorded by its type alone.
"""

import re

from generator.catalogue.model.records import Case, ModuleRecord, OpRecord

PROPERTY = re.compile(r"output = \w+\.(?P<name>\w+)")
OBJECT = re.compile(r"[A-Z]\w*")
CONSTANTS = frozenset({"True", "False", "None", "Ellipsis"})
BARE = "torch.ops.aten."
HELPER = (
    "PyTorch's own test gives these arguments to a function of its own, which calls the op; the op"
    " itself takes others"
)


def written_call(record: OpRecord | ModuleRecord, case: Case) -> str:
    """Write the call of a case: a property without parentheses, an object as `Type(…)`."""
    read = PROPERTY.fullmatch(record.references[0].call) if record.references else None
    given = case.call.removeprefix(f"{record.name}(").removesuffix(")")
    if read is not None and isinstance(record, OpRecord) and given.isidentifier():
        return f"{given}.{read['name']}"
    text = case.call
    for one in case.arguments:
        literal = one.literal or ""
        if OBJECT.fullmatch(literal) and literal not in CONSTANTS:
            text = text.replace(f"{one.name}={literal}", f"{one.name}={literal}(…)")
    return text


def uncallable(record: OpRecord | ModuleRecord, case: Case) -> str:
    """Say why a call is not one of the op itself; empty where it is.

    An op below `torch.ops.aten` takes what its schema says, so that fewer tensors than those of the
    reference call are too few.
    """
    if not record.references or not record.name.startswith(BARE):
        return ""
    needed, given = (
        sum(one.shape is not None for one in call.arguments)
        for call in (record.references[0], case)
    )
    return HELPER if given < needed else ""

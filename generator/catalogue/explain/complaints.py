"""Autograd's complaints by their words, each with what it is and the guide that shows it.

The words are those of the release that the guides are run with, and older ones where they differ.
Each is made by a program of the guide that it leads to, which a test looks up.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from generator.catalogue.explain.refused_hooks import REFUSED_HOOKS
from generator.catalogue.explain.unrelated import GUIDE as UNRELATED_GUIDE
from generator.catalogue.explain.unrelated import UNRELATED

GUIDE = "guides/explain-my-error/"


@dataclass(frozen=True)
class Complaint:
    """Words that tell one error from all others, what it means, what helps, and where it is shown.

    `shown` is the address of the guide's section below the release's site.
    """

    words: re.Pattern[str]
    meaning: str
    remedy: str
    shown: str


def _complaint(words: str, meaning: str, remedy: str, shown: str) -> Complaint:
    return Complaint(re.compile(words, re.IGNORECASE), meaning, remedy, f"guides/{shown}")


IN_PLACE = "explain-my-error/#modified-in-place"
NO_GRAD = "explain-my-error/#a-leaf"
SEVERAL = "explain-my-error/#several-views"
OF_A_FUNCTION = "explain-my-error/#view-of-a-function"
# A view is refused when it is written, or when it is used after the write, which has happened.
WRITTEN = r"is being modified in-?place"
USED = r"its base or another view of its base has been modified in-?place"
REFUSED = "the write itself is refused: {}; nothing had to be saved"
TOO_LATE = (
    "the write has happened, and using the view afterwards is refused (a loss that was"
    " computed before is not): its base, the view itself or another view was written, and {}"
)
EITHER = "a write to the view is refused, or its use after a write to its base: {}"


def _of_views() -> Iterator[Complaint]:
    """Yield what is said of views: of each origin when both are told, and what one tells alone."""
    of_several = "an op returned the view among several (split, chunk, unbind, iterating)"
    of_function = (
        "a custom torch.autograd.Function returned the view, made by it or its argument as it was,"
        " and the write would pass by its backward"
    )
    without = (
        "the view was made under no_grad or inference_mode, so that it has no history, and the"
        " write was made outside"
    )
    take = "take slices one by one, or write out of place"
    before = "use the view before the write, make it anew after it, or write out of place"
    clone = "clone() what the Function returns, or return a clone() from it"
    same = "make the view and the write both under no_grad or inference_mode, or both outside of it"
    for words, origin, on_write, on_use, shown in (
        (r"function that returns multiple views", of_several, take, before, SEVERAL),
        (r"created inside a custom Function", of_function, clone, clone, OF_A_FUNCTION),
    ):
        yield _complaint(rf"{USED}\W+This view.*{words}", TOO_LATE.format(origin), on_use, shown)
        yield _complaint(
            rf"{WRITTEN}\W+This view.*{words}", REFUSED.format(origin), on_write, shown
        )
        yield _complaint(words, EITHER.format(origin), on_write, shown)
    created = r"created in (no_grad|inference) mode"
    yield _complaint(rf"{created} and {USED}", TOO_LATE.format(without), same, NO_GRAD)
    yield _complaint(rf"{created} and {WRITTEN}", REFUSED.format(without), same, NO_GRAD)
    yield _complaint(created, EITHER.format(without), same, NO_GRAD)
    unknown = f"{of_several}, or a custom torch.autograd.Function did"
    yield _complaint(USED, TOO_LATE.format(unknown), f"{before}; or clone() the view", SEVERAL)
    yield _complaint(
        rf"is a view and {WRITTEN}", REFUSED.format(unknown), f"{take}, or to a clone()", SEVERAL
    )


KNOWN = (
    # One of them ends in the words of the next.
    *(_complaint(words, meaning, remedy, shown) for words, meaning, remedy, shown in REFUSED_HOOKS),
    _complaint(
        r"backward through the graph a second time|saved tensors after they have already been freed"
        r"|buffers have already been freed",
        "an earlier backward ran a node that is needed again, and freed what it had saved",
        "detach() what is carried over from the last step, add up losses that share a part of the"
        " graph, or keep the graph with retain_graph=True",
        "explain-my-error/#a-second-time",
    ),
    _complaint(
        r"view of a leaf Variable that requires grad|leaf Variable that requires grad",
        "the write itself is refused: a leaf that requires grad may not be written in place while"
        " gradients are recorded; nothing had to be saved",
        "write under no_grad and before the forward that uses it, or write to a clone()",
        "explain-my-error/#a-leaf",
    ),
    *_of_views(),
    _complaint(
        r"more than one element of the written-to tensor",
        "the write itself is refused: several elements of an expanded tensor lie at one address",
        "clone() the expanded tensor before it is written",
        "explain-my-error/#a-leaf",
    ),
    _complaint(
        r"functions with out=\.\.\. arguments don't support automatic differentiation",
        "the call itself is refused: out= records no history, and an argument requires grad",
        "use the call without out=, or under no_grad",
        "explain-my-error/#a-leaf",
    ),
    _complaint(
        r"element \d+ of tensors does not require grad",
        "there is no graph to run backward: nothing that requires grad led to this tensor, or it"
        " was computed under no_grad, detached, or made anew from numbers",
        "look for where the chain of grad_fn ends; with reentrant checkpointing an argument has"
        " to require grad",
        "explain-my-error/#no-graph",
    ),
    _complaint(
        r"derivative for '?[\w:.]+_backward'? is not implemented"
        r"|differentiate twice a function that was marked with @once_differentiable",
        "a second derivative was asked for (create_graph=True, a gradient penalty, a Hessian), and"
        " the op's backward has none itself",
        "use a form of the op that has second derivatives: attention by SDPBackend.MATH, a formula"
        " by hand; detach() what needs no second derivative",
        "explain-my-error/#no-second-derivative",
    ),
    _complaint(
        r"derivative for '[\w:.]+: \w+' is not implemented",
        "the op has no derivative for the argument that is named after the colon, and that argument"
        " requires grad; for others it may have one",
        "detach() that argument if no gradient through it is wanted, or write it with other ops",
        "explain-my-error/#no-derivative",
    ),
    _complaint(
        r"derivative for \S+ is not implemented",
        "the op takes part in the graph and has no backward",
        "detach() its argument if no gradient through it is wanted, or write it with other ops",
        "explain-my-error/#no-derivative",
    ),
    _complaint(
        r"Inference tensors (cannot be saved for backward|do not track version counter)",
        "a tensor made in inference mode has no version counter, so it can be neither checked nor"
        " saved",
        "make it under no_grad instead, or use a clone() of it",
        "version-counters/#inference-tensors-have-no-counter",
    ),
    _complaint(
        r"In-place \w+ backward calculation is triggered",
        "an in-place op works from its output, which does not tell the sign of the input when its"
        " slope is negative",
        "call it out of place",
        "the-bill/#in-place-does-not-always-save-memory",
    ),
    _complaint(
        r"pack hook is modifying its input in place",
        "a pack hook wrote to the tensor that it was given; the write has happened",
        "clone() in the hook before you write",
        "hooks-skip-the-check/#what-autograd-does-check-of-a-hook",
    ),
    _complaint(
        r"Recomputed values for the following tensors have different metadata"
        r"|different number of tensors was saved during the original forward",
        "the second run of a checkpointed region did not save what the first had saved",
        "make the region do the same each time: no counters, caches or contexts that change",
        "checkpointing/#recomputed-otherwise",
    ),
    _complaint(
        r"Unpack is being triggered for a tensor that was already unpacked",
        "saved tensors of a checkpointed region were read twice in one backward",
        "read ctx.saved_tensors once, into a name",
        "checkpointing/#unpacked-twice",
    ),
    _complaint(
        r"marked as dirty during the forward method were not returned",
        "a custom forward declared a write to a tensor with mark_dirty and returned another one",
        "write to that tensor in place and return it, or leave mark_dirty out",
        "saved-variable-checks/#mark-dirty",
    ),
    _complaint(
        r"create_graph=True will create a reference cycle",
        "the gradient's own graph saves the parameter, which holds the gradient: neither is freed",
        "use torch.autograd.grad, or set .grad to None when you are done",
        "memory-that-grows/#create-graph",
    ),
    *(_complaint(words, meaning, remedy, UNRELATED_GUIDE) for words, meaning, remedy in UNRELATED),
    _complaint(
        # Where the error follows it tells more.
        r"Error detected in [\w:]+(?!.*modified by an in-?place)",
        "anomaly detection names the node whose backward failed, and its traceback is of the call"
        " that made that node: where a tensor was overwritten, this is the node that had saved it",
        "look for a write to what that call was given, or to what it returned, after it; the error"
        " that follows says which tensor",
        "saved-variable-checks/#finding-the-op-that-saved-it",
    ),
)


def complaint(text: str) -> Complaint | None:
    """Find the complaint whose words are in `text`; None where it is none of those known."""
    return next((one for one in KNOWN if one.words.search(text)), None)

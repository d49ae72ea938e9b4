"""What trials of writes leave open is read off the masks of both: none is known by name."""

from msgspec.structs import replace

from generator.catalogue.model.records import Catalogue, OpRecord
from generator.catalogue.model.writes import Writes
from generator.catalogue.write_limits import under_other_masks, untried_masks
from generator.pages.writes import writes_view
from generator.review.page import text_page

EVERY = (("input", "other"), ("input",), ("other",))


def with_masks(small: Catalogue, *masks: tuple[str, ...]) -> OpRecord:
    """The small catalogue's product, written after under these masks alone."""
    op = small.ops["torch.mul"]
    assert isinstance(op.writes, Writes)
    trials = tuple(
        replace(one, masks=kept)
        for one in op.writes.trials
        if (kept := tuple(each for each in one.masks if each < len(masks)))
    )
    made = "input, other = torch.rand(3), torch.rand(3)"
    return replace(op, writes=replace(op.writes, setup=made, masks=masks, trials=trials))


def test_every_mask_of_the_call_was_tried(small: Catalogue) -> None:
    assert [one.mask for one in small.ops["torch.mul"].references[0].measurements] == [*EVERY]
    assert untried_masks(small.ops["torch.mul"]) == ()
    assert under_other_masks(small.ops["torch.mul"]) is None


def test_masks_without_a_trial_are_counted_on_the_page_and_in_the_terminal(
    small: Catalogue,
) -> None:
    op = with_masks(small, ("input", "other"), ("input",))
    assert untried_masks(op) == (("other",),)
    said = "no write was tried: 2 of 3 masks have trials"
    assert dict(text_page(small.header, op).facts)["writes under other masks"] == said
    view = writes_view(small.header, op, "../../")
    assert view is not None
    assert view.left_out == said


def test_masks_that_have_no_gradient_are_not_missed(small: Catalogue) -> None:
    op = with_masks(small, ("input", "other"), ("input",))
    call = op.references[0]
    without = replace(call.measurements[2], state="not differentiable", policy=None)
    call = replace(call, measurements=(*call.measurements[:2], without))
    assert untried_masks(replace(op, references=(call,))) == ()


def test_a_sample_is_not_held_against_the_reference(small: Catalogue) -> None:
    op = with_masks(small, ("input", "other"))
    assert op.writes is not None
    assert len(untried_masks(op)) == 2
    assert untried_masks(replace(op, writes=replace(op.writes, setup=None))) == ()


def test_no_mask_of_the_default_release_is_without_a_trial_unsaid(committed: Catalogue) -> None:
    for op in committed.ops.values():
        if op.writes is not None and op.writes.left_out is None and op.writes.trials:
            assert untried_masks(op) == (), op.name

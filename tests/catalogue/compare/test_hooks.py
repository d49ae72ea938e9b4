"""A release without saved-tensor hooks beside one that has them."""

from msgspec.structs import replace

from generator.catalogue.checks import violations
from generator.catalogue.compare.catalogues import compare
from generator.catalogue.compare.changes import BuildChanged
from generator.catalogue.difference.findings import InPlace, KindOfWrite
from generator.catalogue.difference.told import difference
from generator.catalogue.model.records import Catalogue
from generator.catalogue.model.unseen import WriteEnd
from generator.catalogue.model.writes import Verdicts
from tests.fixtures import tiny_hookless

CORRECT = Verdicts("correct", "correct", "correct", "correct")


def with_packed(small: Catalogue) -> Catalogue:
    """Leave out the node type that hooks alone can see."""
    return replace(small, nodes=tiny_hookless.catalogue().nodes)


def test_what_hooks_showed_is_no_change(small: Catalogue) -> None:
    for old, new in (
        (tiny_hookless.catalogue("2.13.0"), with_packed(small)),
        (with_packed(small), tiny_hookless.catalogue("2.13.0")),
    ):
        (only,) = compare(old, new)
        assert isinstance(only, BuildChanged)
        assert only.field == "without_hooks"


def test_what_ended_otherwise_without_hooks_is_told(small: Catalogue) -> None:
    old = tiny_hookless.catalogue("2.12.1")
    exp = small.ops["torch.exp"]
    assert exp.writes is not None
    place = next(
        place for place, one in enumerate(exp.writes.trials) if one.plain.in_place == "raises"
    )
    trials = list(exp.writes.trials)
    trials[place] = replace(
        trials[place], plain=CORRECT, hooked=CORRECT, message=None, relative_error=None
    )
    ended = WriteEnd("correct")
    kind = replace(small.writes["tensor.data"], plain=ended, hooked=ended)
    new = replace(
        small,
        ops={**small.ops, "torch.exp": replace(exp, writes=replace(exp.writes, trials=trials))},
        writes={**small.writes, "tensor.data": kind},
    )
    found = difference(old, new).findings
    (in_place,) = [one for one in found if isinstance(one, InPlace)]
    assert (in_place.old.hooked, in_place.new.hooked) == (None, None)
    assert (in_place.old.plain.in_place, in_place.new.plain.in_place) == ("raises", "correct")
    (of_kind,) = [one for one in found if isinstance(one, KindOfWrite)]
    assert (of_kind.old, of_kind.new) == (("silently wrong",), ("correct",))
    assert of_kind.names == ("tensor.data",)


def test_a_catalogue_says_of_hooks_what_its_build_has(small: Catalogue) -> None:
    without = tiny_hookless.catalogue()
    assert violations(without) == []
    header = replace(without.header, build=replace(without.header.build, without_hooks=None))
    wrong = violations(replace(without, header=header))
    assert {one.record for one in wrong} >= {"op torch.exp", "write tensor.data"}
    header = replace(small.header, build=without.header.build)
    wrong = violations(replace(small, header=header))
    assert {one.record for one in wrong} >= {"op torch.exp", "write tensor.data"}

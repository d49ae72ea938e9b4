"""Each rule finds the contradiction that it is for, and none in a sound catalogue."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from generator.catalogue import checks
from generator.catalogue.model.conditions import Applied, ChangedCall, ChangedPair
from generator.catalogue.model.formulas import Unconfirmed
from generator.catalogue.model.measurement import Measurement, SavedTensor
from generator.catalogue.model.reads import ReadEnds, Reads
from generator.catalogue.model.records import (
    Catalogue,
    Observation,
    OpRecord,
    PolicyNode,
    Recipe,
    TwoWays,
    Variant,
    Witness,
)
from generator.catalogue.model.unseen import WriteEnd
from tests.fixtures import broken_backward, tiny, tiny_ops, tiny_writes

Broken = Callable[[Catalogue], Catalogue]


def changed(struct: Any, **fields: Any) -> Any:
    return msgspec.structs.replace(struct, **fields)


def op(name: str, **fields: Any) -> Broken:
    def breaking(catalogue: Catalogue) -> Catalogue:
        record = changed(catalogue.ops[name], **fields)
        return changed(catalogue, ops={**catalogue.ops, name: record})

    return breaking


def formula(*, case: int | None = None, **fields: Any) -> Broken:
    def breaking(catalogue: Catalogue) -> Catalogue:
        (pricing,) = catalogue.ops["torch.exp"].formulas
        priced = changed(pricing, case=case, formula=changed(pricing.formula, **fields))
        return op("torch.exp", formulas=(priced,))(catalogue)

    return breaking


def weighed_otherwise(catalogue: Catalogue) -> Catalogue:
    """Price the first case of `torch.exp` by its own call, to other bytes than it has."""
    first = catalogue.ops["torch.exp"].cases[0]
    measured = changed(first.measurements[0], logical_bytes=1)
    case_of_1 = changed(
        first,
        arguments=(changed(first.arguments[0], dtype="float32"),),
        measurements=(measured,),
    )
    (pricing,) = catalogue.ops["torch.exp"].formulas
    priced = changed(pricing, case=0, call=first.call)
    return op("torch.exp", cases=(case_of_1,), formulas=(priced,))(catalogue)


def node(name: str, **fields: Any) -> Broken:
    def breaking(catalogue: Catalogue) -> Catalogue:
        record = changed(catalogue.nodes[name], **fields)
        return changed(catalogue, nodes={**catalogue.nodes, name: record})

    return breaking


def without_node(name: str) -> Broken:
    def breaking(catalogue: Catalogue) -> Catalogue:
        nodes = {key: value for key, value in catalogue.nodes.items() if key != name}
        return changed(catalogue, nodes=nodes)

    return breaking


def without_evidence(template: str) -> Broken:
    def broken(catalogue: Catalogue) -> Catalogue:
        left = {name: text for name, text in catalogue.header.evidence.items() if name != template}
        return changed(catalogue, header=changed(catalogue.header, evidence=left))

    return broken


def reference(name: str, **fields: Any) -> Broken:
    """Change the reference of an op."""
    record: OpRecord = tiny.catalogue().ops[name]
    return op(name, references=(changed(record.references[0], **fields),))


def measurement(name: str, **fields: Any) -> Broken:
    """Change the first measurement of an op's reference."""
    record: OpRecord = tiny.catalogue().ops[name]
    first, *others = record.references[0].measurements
    return reference(name, measurements=(changed(first, **fields), *others))


def first_node(name: str, **fields: Any) -> Broken:
    """Change the first node of an op."""
    record: OpRecord = tiny.catalogue().ops[name]
    head, *others = record.nodes
    return op(name, nodes=(changed(head, **fields), *others))


def first_saved(name: str, **fields: Any) -> Broken:
    """Change the first saved value of the first node of an op."""
    record: OpRecord = tiny.catalogue().ops[name]
    value, *others = record.nodes[0].saved
    return first_node(name, saved=(changed(value, **fields), *others))


def case(name: str, **fields: Any) -> Broken:
    """Change the case of an op."""
    record: OpRecord = tiny.catalogue().ops[name]
    return op(name, cases=(changed(record.cases[0], **fields),))


def writes(name: str, **fields: Any) -> Broken:
    """Change the writes of an op."""
    return op(name, writes=changed(tiny.catalogue().ops[name].writes, **fields))


def reads(**fields: Any) -> Broken:
    """Give `torch.exp` reads of which one field is otherwise."""
    (sound,) = tiny_writes.exp_reads().trials
    return op("torch.exp", reads=Reads(trials=(changed(sound, **fields),)))


def trial(name: str, place: int, **fields: Any) -> Broken:
    """Change one trial of the writes of an op."""
    record: OpRecord = tiny.catalogue().ops[name]
    trials = list(record.writes.trials if record.writes else ())
    trials[place] = changed(trials[place], **fields)
    return writes(name, trials=tuple(trials))


def conditions(**fields: Any) -> Broken:
    """Change the conditions of `torch.mul`."""
    return lambda small: op(
        "torch.mul", conditions=changed(small.ops["torch.mul"].conditions, **fields)
    )(small)


def bill(place: int, **fields: Any) -> Broken:
    """Change one bill of the block, and leave the others away."""

    def breaking(catalogue: Catalogue) -> Catalogue:
        block = catalogue.blocks["linear-relu"]
        bills = (changed(block.bills[place], **fields),)
        return changed(catalogue, blocks={block.name: changed(block, bills=bills)})

    return breaking


def keeper(**fields: Any) -> Broken:
    """Change who keeps the first item of the block."""

    def breaking(catalogue: Catalogue) -> Catalogue:
        block = catalogue.blocks["linear-relu"]
        keepers = (changed(block.keepers[0], **fields), *block.keepers[1:])
        return changed(catalogue, blocks={block.name: changed(block, keepers=keepers)})

    return breaking


def kind_of_write(name: str, **fields: Any) -> Broken:
    """Change a kind of write."""
    return lambda c: changed(c, writes={**c.writes, name: changed(c.writes[name], **fields)})


EXP = tiny.catalogue().ops["torch.exp"]
KEPT = SavedTensor(shape=(256, 512), dtype="float32", bytes=524_288, storage=0)
RAISED = Measurement(mask=("input",), state="raised", reason="RuntimeError: no")

BROKEN: list[tuple[str, Broken, str]] = [
    ("header_names_the_build", lambda c: changed(c, header=changed(c.header, name="x")), "named"),
    (
        "header_names_the_build",
        lambda c: changed(c, header=changed(c.header, build=changed(tiny.BUILD, version="2.6.0"))),
        "build 2.6.0",
    ),
    (
        "texts_hold_no_address",
        op("torch.linalg.eig", reason="KeyError: 140424859364048"),
        "140424859364048",
    ),
    (
        "texts_hold_no_address",
        reference("torch.exp", printed="<ExpBackward0 object at 0x7f60bbf9faf0>"),
        "0x7f60bbf9faf0",
    ),
    ("reason_unless_measured", op("torch.linalg.eig", reason=None), "crashed without a reason"),
    ("reason_unless_measured", op("torch.exp", reason="why?"), "measured with a reason"),
    (
        "reason_unless_measured",
        op("torch.argmax", entries=(changed(EXP.entries[0], state="timed out"),)),
        "timed out without",
    ),
    ("reason_unless_witnessed", node("CudnnRnnBackward0", reason=None), "declared without"),
    ("reason_unless_witnessed", node("ExpBackward0", reason="why?"), "witnessed with"),
    ("witness_exactly_where_seen", node("ExpBackward0", witness=None), "without a witness"),
    (
        "witness_exactly_where_seen",
        node("CudnnRnnBackward0", witness=Witness(layer="op sample", name="torch.exp")),
        "with a witness",
    ),
    (
        "witness_exactly_where_seen",
        node(
            "CudnnRnnBackward0", observed=(Observation(attribute="_saved_hx", kinds={"none": 1}),)
        ),
        "never seen",
    ),
    (
        "witnesses_exist",
        node("ExpBackward0", witness=Witness(layer="op sample", name="torch.expp")),
        "torch.expp",
    ),
    ("measured_records_have_calls", op("torch.exp", cases=(), references=()), "measured without"),
    ("measured_records_have_calls", op("torch.linalg.eig", cases=EXP.cases), "crashed with"),
    ("reason_unless_referenced", op("torch.exp", references=()), "without a reference"),
    ("reason_unless_referenced", op("torch.exp", unreferenced="why?"), "with a reference"),
    ("cases_belong_to_entries", case("torch.exp", entry="expm1"), "expm1"),
    ("cases_belong_to_entries", case("torch.exp", samples={}), "without samples"),
    ("cases_belong_to_entries", case("torch.exp", samples={"float32": 0}), "without samples"),
    ("two_ways_count_samples", case("torch.exp", two_ways=TwoWays(same=5, hooks_only=1)), "6 sam"),
    ("policies_are_distinct_and_used", op("torch.exp", policies=EXP.policies * 2), "policy twice"),
    (
        "policies_are_distinct_and_used",
        op("torch.exp", policies=((0,), (0, 0))),
        "never uses policy 1",
    ),
    ("policies_are_distinct_and_used", op("torch.exp", nodes=EXP.nodes * 2), "a node twice"),
    (
        "policies_are_distinct_and_used",
        op("torch.exp", nodes=(*EXP.nodes, PolicyNode(type="AbsBackward0"))),
        "never uses node 1",
    ),
    ("node_types_are_catalogued", without_node("AbsBackward0"), "AbsBackward0"),
    ("node_types_are_catalogued", without_node("SgnBackward0"), "SgnBackward0"),
    ("node_types_are_catalogued", first_node("torch.exp", type="CudnnRnnBackward0"), "never"),
    (
        "recipes_name_templates",
        node("CudnnRnnBackward0", recipe=Recipe(program="", printed="")),
        "never seen",
    ),
    ("recipes_name_templates", without_evidence("recipe over a stub"), "recipe over a stub"),
    (
        "stubs_are_kept_apart",
        node("ExpBackward0", witness=Witness(layer="stub", name="ExpBackward0")),
        "is witnessed, and its witness is of the layer stub",
    ),
    ("attributes_are_catalogued", node("ExpBackward0", attributes=()), "does not list"),
    ("observations_are_of_attributes", node("ExpBackward0", attributes=()), "does not list"),
    (
        "observations_are_of_attributes",
        node("ExpBackward0", observed=(Observation(attribute="_saved_result", kinds={}),)),
        "no times",
    ),
    (
        "policy_exactly_where_measured",
        measurement("torch.exp", policy=1),
        "policy 1, which leads nowhere",
    ),
    ("policy_exactly_where_measured", op("torch.exp", policies=((3,),)), "leads nowhere"),
    ("policy_exactly_where_measured", measurement("torch.exp", policy=None), "policy None"),
    ("policy_exactly_where_measured", measurement("torch.exp", policy=-1), "policy -1"),
    ("policy_exactly_where_measured", measurement("torch.exp", state="raised"), "raised"),
    ("tensors_match_roles", measurement("torch.exp", tensors=()), "0 tensors for 1 roles"),
    ("tensors_match_roles", first_saved("torch.exp", roles=("output", "output")), "of 2 roles"),
    ("tensors_match_roles", first_saved("torch.exp", kind="none"), "none of 1 roles"),
    (
        "edges_and_values_match_policy",
        reference("torch.nn.functional.softsign", values=()),
        "0 values for 1",
    ),
    ("edges_and_values_match_policy", reference("torch.exp", edges=()), "edges of 0 nodes for 1"),
    ("references_name_templates", reference("torch.exp", template="none"), "template none"),
    ("storages_are_numbered", measurement("torch.exp", tensors=(changed(KEPT, storage=1),)), "[1]"),
    (
        "tensors_weigh_their_elements",
        measurement("torch.exp", tensors=(changed(KEPT, bytes=4),)),
        "4 bytes",
    ),
    (
        "tensors_weigh_their_elements",
        measurement("torch.exp", tensors=(changed(KEPT, dtype="float7"),)),
        "float7",
    ),
    ("bytes_add_up", measurement("torch.exp", logical_bytes=4), "logical bytes are 4"),
    ("bytes_add_up", measurement("torch.exp", extra_bytes=524_289), "524289 extra"),
    ("bytes_add_up", measurement("torch.exp", extra_bytes=-1), "-1 extra"),
    ("bytes_add_up", first_saved("torch.exp", kind="none", roles=()), "without a tensor"),
    ("extra_bytes_match_roles", measurement("torch.exp", extra_bytes=4), "all its roles are held"),
    (
        "extra_bytes_match_roles",
        measurement("torch.nn.functional.softsign", extra_bytes=0),
        "nobody holds",
    ),
    ("roles_name_what_is_there", first_saved("torch.exp", roles=("input other",)), "input other"),
    ("roles_name_what_is_there", first_saved("torch.exp", roles=("output 1",)), "output 1"),
    ("roles_name_what_is_there", first_saved("torch.exp", roles=("view of it",)), "view of it"),
    ("masks_name_arguments", measurement("torch.exp", mask=("other",)), "'other'"),
    ("masks_name_arguments", measurement("torch.exp", mask=("input", "input")), "twice"),
    (
        "masks_are_measured_once",
        reference("torch.exp", measurements=EXP.references[0].measurements * 2),
        "under the masks",
    ),
    ("edges_lead_somewhere", reference("torch.exp", edges=((3,),)), "to node 3"),
    ("edges_lead_somewhere", reference("torch.exp", edges=((0,),)), "to node 0"),
    ("edges_lead_somewhere", reference("torch.exp", edges=(("other",),)), "'other'"),
    ("texts_hold_no_address", trial("torch.exp", 1, message="at 0x7f60bbf9faf0"), "0x7f60bbf9faf0"),
    ("texts_hold_no_address", writes("torch.exp", reason="at 0x7f60bbf9faf0"), "0x7f60bbf9faf0"),
    ("writes_exactly_where_measured", op("torch.exp", writes=None), "measured without writes"),
    (
        "writes_exactly_where_measured",
        op("torch.argmax", writes=tiny_writes.exp()),
        "not differentiable with writes",
    ),
    ("writes_exactly_where_measured", writes("torch.exp", trials=()), "tried 0 writes"),
    ("writes_exactly_where_measured", writes("torch.exp", reason="why?"), "reason is why?"),
    (
        "writes_exactly_where_measured",
        writes("torch.exp", masks=(("input",), ())),
        "tried no write under [()]",
    ),
    ("trials_name_what_is_there", trial("torch.exp", 0, target="input other"), "'input other'"),
    ("trials_name_what_is_there", trial("torch.exp", 1, target="intermediate"), "'intermediate'"),
    ("trials_name_what_is_there", trial("torch.exp", 1, target="input input"), "twice under one"),
    ("trials_name_what_is_there", trial("torch.exp", 0, masks=(1,)), "(1,)"),
    ("trials_name_what_is_there", trial("torch.exp", 0, masks=()), "()"),
    ("trials_name_what_is_there", writes("torch.exp", masks=(("other",),)), "('other',)"),
    (
        "tracked_writes_raise_exactly_where_noticed",
        trial("torch.exp", 1, saved=False),
        "says 'raises' of a write in place to 'output', though it is not kept",
    ),
    (
        "tracked_writes_raise_exactly_where_noticed",
        trial("torch.exp", 0, saved=True),
        "says 'correct' of a write under no_grad to 'input input', though it is kept",
    ),
    (
        "tracked_writes_raise_exactly_where_noticed",
        trial("torch.exp", 1, plain=changed(tiny_writes.NOTICED, through_view="silently wrong")),
        "says 'silently wrong' of a write through a view to 'output'",
    ),
    (
        "tracked_writes_raise_exactly_where_noticed",
        trial("torch.exp", 1, uncounted=True),
        "says 'raises' of a write under no_grad to 'output', though it is kept uncounted",
    ),
    ("uncounted_where_saved", trial("torch.exp", 0, uncounted=True), "does not count writes"),
    ("savers_where_saved", trial("torch.exp", 0, savers=("A._saved_b",)), "does not keep"),
    ("savers_where_saved", trial("torch.exp", 1, savers=("ExpBackward0",)), "no attribute"),
    ("savers_where_saved", trial("torch.exp", 1, savers=("E.saved_sizes",)), "no attribute"),
    ("on_cpu_where_tried", trial("torch.exp", 1, on_cpu=tiny_writes.WRONG), "repeats"),
    ("on_cpu_where_tried", trial("torch.mul", 0, on_cpu=tiny_writes.FINE), "untried"),
    ("programs_say_what_was_measured", writes("torch.exp", printed="else"), "says otherwise"),
    (
        "programs_say_what_was_measured",
        op("torch.exp", variants=(Variant(name="e", relation="alias", printed="else"),)),
        "says otherwise of e",
    ),
    ("conditions_are_of_references", conditions(unchanged={"w": ("expanded",)}), "'w'"),
    ("conditions_are_of_references", conditions(unchanged={"other": ("number",)}), "2 times"),
    (
        "pairs_are_of_conditions_that_change",
        conditions(
            pairs=(
                ChangedPair(
                    pairs=((Applied("autocast"), Applied("number", "other")),),
                    measurement=tiny_ops.mul().references[0].measurements[0],
                ),
            )
        ),
        "tells of a pair of autocast and number",
    ),
    (
        "conditions_change_something",
        conditions(
            changed=(
                ChangedCall(
                    conditions=(Applied("expanded", "input"),),
                    measurement=tiny_ops.mul().references[0].measurements[0],
                ),
            )
        ),
        "says that expanded changes",
    ),
    ("bills_add_up", bill(1, storage_bytes=1), "and says 1"),
    ("bills_add_up", bill(1, extra_bytes=1), "extra bytes and says 1"),
    ("bills_add_up", bill(1, items=(2, 1)), "out of order"),
    ("bills_add_up", bill(1, tensors=2), "more storages than tensors"),
    ("bills_are_told_apart", bill(0, modes=("train", "train")), "two bills of one setting"),
    ("bills_are_told_apart", bill(2, reason=None), "without a reason"),
    ("keepers_are_catalogued", keeper(attribute="_saved_x"), "AddmmBackward0._saved_x"),
    ("kinds_of_write_say_how_they_ended", kind_of_write("tensor.add_", plain=None), "how it"),
    ("kinds_of_write_say_how_they_ended", kind_of_write("tensor.add_", made=""), "no program"),
    (
        "kinds_of_write_say_how_they_ended",
        kind_of_write("torch.optim.SGD(fused=True).step", reason=None),
        "without a reason",
    ),
    (
        "ends_say_what_belongs_to_them",
        kind_of_write("tensor.add_", plain=WriteEnd("raises")),
        "says None",
    ),
    (
        "ends_say_what_belongs_to_them",
        kind_of_write("tensor.data", hooked=WriteEnd("correct", relative_error=0.1)),
        "correct by 0.1",
    ),
    (
        "backward_raises_after_a_version",
        kind_of_write("tensor.add_", versions=(0, 0)),
        "no version",
    ),
    (
        "unseen_writes_end_alike",
        trial("torch.exp", 1, plain=changed(tiny_writes.NOTICED, through_data="correct")),
        "under hooks otherwise",
    ),
    (
        "unseen_writes_end_alike",
        trial("torch.exp", 1, hooked=changed(tiny_writes.WRONG, in_place="raises")),
        "raises in place under hooks",
    ),
    ("hooks_where_the_build_has_them", trial("torch.exp", 1, hooked=None), "has None under hooks"),
    ("messages_where_something_was_said", trial("torch.exp", 1, message=None), "without words"),
    ("messages_where_something_was_said", trial("torch.exp", 0, message="no"), "with words"),
    ("errors_where_silently_wrong", trial("torch.exp", 0, relative_error=0.5), "after no write"),
    ("errors_where_silently_wrong", trial("torch.exp", 1, relative_error=0.0), "is 0.0 wrong"),
    ("priced_calls_exist", formula(case=7), "a call that it does not have"),
    ("formulas_are_readable", formula(where=("N +",)), "cannot be evaluated"),
    ("formulas_were_confirmed", formula(held_out=((5, 7),)), "confirmed at 1 sizes"),
    ("formulas_give_what_was_measured", formula(masks=((),)), "its formula gives"),
    (
        "formulas_give_their_reasons",
        formula(unconfirmed=(Unconfirmed(0, "made up"),)),
        "has reasons for the masks [0], but says nothing of []",
    ),
    ("refusals_are_of_other_sizes", formula(leading=(1,)), "cannot stand for (1,)"),
    ("cases_fit_their_own_figures", weighed_otherwise, "keeps 1 bytes, its formula gives"),
    ("cases_speak_of_every_mask", formula(case=0, masks=((0,), None)), "2 masks of case 0, of 1"),
    ("texts_hold_no_address", reads(message="at 0x7f60bbf9faf0"), "0x7f60bbf9faf0"),
    ("read_after_writes_that_were_tried", reads(target="output 1"), "'output 1' under mask 0"),
    ("read_after_writes_that_were_tried", reads(masks=(0, 0)), "twice"),
    (
        "read_after_writes_that_were_tried",
        op("torch.argmax", reads=tiny_writes.exp_reads()),
        "writes that were not tried",
    ),
    (
        "not_read_exactly_where_not_written",
        reads(ended=ReadEnds("not read", "raises", "raises", "runs")),
        "not read after a write to 'output' that is raises",
    ),
    (
        "compared_only_where_tracked",
        reads(ended=ReadEnds("raises", "raises", "raises", "correct")),
        "is correct after a write to 'output' that nobody tracks",
    ),
    ("words_where_reading_raised", reads(message=None), "says None"),
    ("words_where_reading_raised", reads(relative_error=0.5), "is 0.5 wrong"),
    ("tried_or_not_with_a_reason", op("torch.exp", reads=Reads(printed="x")), "says otherwise"),
    (
        "tried_or_not_with_a_reason",
        op("torch.exp", reads=changed(tiny_writes.exp_reads(), reason="it crashed")),
        "although it crashed",
    ),
    *broken_backward.BROKEN,
]


def test_a_sound_catalogue_has_no_violation(small: Catalogue) -> None:
    assert checks.violations(small) == []


@pytest.mark.parametrize(("rule", "breaking", "says"), BROKEN)
def test_a_rule_finds_what_it_is_for(
    small: Catalogue, rule: str, breaking: Broken, says: str
) -> None:
    found = [one for one in checks.violations(breaking(small)) if one.rule == rule]
    assert any(says in one.message for one in found)


def test_every_rule_is_shown_to_find_something() -> None:
    assert {rule for rule, _, _ in BROKEN} == checks.RULES.keys()


def test_a_violation_names_its_record(small: Catalogue) -> None:
    broken = op("torch.linalg.eig", reason=None)(small)
    assert checks.violations(broken) == [
        checks.Violation(
            record="op torch.linalg.eig",
            rule="reason_unless_measured",
            message="torch.linalg.eig is crashed without a reason",
        )
    ]


def test_a_failed_variant_is_checked_too(small: Catalogue) -> None:
    variant = Variant(name="torch.Tensor.exp_", relation="in-place", measurement=RAISED)
    assert checks.violations(op("torch.exp", variants=(variant,))(small)) == []
    wrong = changed(variant, measurement=changed(RAISED, policy=0))
    found = checks.violations(op("torch.exp", variants=(wrong,))(small))
    assert {one.rule for one in found} == {"policy_exactly_where_measured", "tensors_match_roles"}


@pytest.mark.parametrize(("rule", "breaking", "says"), BROKEN)
def test_one_record_is_checked_like_all(
    small: Catalogue, rule: str, breaking: Broken, says: str
) -> None:
    broken = breaking(small)
    records = (
        *broken.ops.values(),
        *broken.modules.values(),
        *broken.nodes.values(),
        *broken.blocks.values(),
        *broken.writes.values(),
    )
    alone = [one for record in records for one in checks.violations_of(broken, record)]
    of_header = [one for one in checks.violations(broken) if one.record.startswith("header")]
    found = {(one.record, one.rule, one.message) for one in (*alone, *of_header)}
    assert found == {(one.record, one.rule, one.message) for one in checks.violations(broken)}
    assert any(one.rule == rule and says in one.message for one in (*alone, *of_header))

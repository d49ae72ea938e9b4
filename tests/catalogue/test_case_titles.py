"""Cases that are written as the same call are told apart by what differs between them."""

from generator.catalogue.case_titles import case_marks
from generator.catalogue.model.measurement import Argument, Measurement
from generator.catalogue.model.records import (
    Case,
    Catalogue,
    ModuleRecord,
    OpRecord,
    PolicyNode,
    TwoWays,
)

Shape = tuple[int, ...]


def case(call: str, *arguments: Argument, policy: int = 0, entry: str = "some") -> Case:
    return Case(
        entry=entry,
        call=call,
        samples={"float32": 1},
        arguments=arguments,
        outputs=(),
        measurements=(Measurement(mask=("input",), policy=policy),),
        two_ways=TwoWays(),
    )


def tensor(name: str, *shape: int, dtype: str = "float32") -> Argument:
    return Argument(name=name, shape=shape, dtype=dtype)


def op(*cases: Case) -> OpRecord:
    nodes = (PolicyNode(type="ViewBackward0"), PolicyNode(type="CloneBackward0"))
    return OpRecord(
        name="torch.some", state="measured", nodes=nodes, policies=((0,), (0, 1)), cases=cases
    )


def test_a_case_alone_with_its_call_needs_no_mark() -> None:
    assert case_marks(op(case("f(x)", tensor("x", 3)), case("g(x)", tensor("x", 3)))) == ("", "")


def test_the_argument_that_differs_is_said_and_the_others_are_not() -> None:
    weight = tensor("weight", 4, 3)
    alike = op(
        case("f(x, weight)", tensor("x", 3), weight),
        case("f(x, weight)", tensor("x", 0, 3), weight),
        case("f(x, weight)", tensor("x"), weight),
    )
    assert case_marks(alike) == ("x 3 float32", "x 0 × 3 float32", "x () float32")


def test_a_dtype_a_value_a_node_and_an_entry_tell_apart_too() -> None:
    x = tensor("x", 3)
    dtypes = op(case("f(x)", x), case("f(x)", tensor("x", 3, dtype="bfloat16")))
    assert case_marks(dtypes) == ("x 3 float32", "x 3 bfloat16")
    values = op(
        case("f(x)", x, Argument(name="dim", literal="0")),
        case("f(x)", x, Argument(name="dim", literal="1")),
    )
    assert case_marks(values) == ("dim = 0", "dim = 1")
    assert case_marks(op(case("f(x)", x), case("f(x)", x, policy=1))) == (
        "no CloneBackward0",
        "CloneBackward0",
    )
    entries = op(case("f(x)", x, entry="f"), case("f(x)", x, entry="f.at_zero"))
    assert case_marks(entries) == ("entry f", "entry f.at_zero")


def test_a_long_list_is_cut() -> None:
    many = [tensor(f"x[{place}]", place) for place in range(5)]
    assert case_marks(op(case("f(x)", *many), case("f(x)", tensor("y", 1)))) == (
        "x[0] 0 float32, x[1] 1 float32, x[2] 2 float32, and 2 more",
        "y 1 float32",
    )


def test_the_committed_catalogue_has_hardly_two_cases_of_one_name(committed: Catalogue) -> None:
    alike = set()
    records: list[OpRecord | ModuleRecord] = [*committed.ops.values(), *committed.modules.values()]
    for record in records:
        titles = [
            (one.call, one.mode, mark)
            for one, mark in zip(record.cases, case_marks(record), strict=True)
        ]
        if len(titles) > len(set(titles)):
            alike.add(record.name)
    # What tells its cases apart is which tensors they keep, and that stands beside the name.
    assert alike <= {"torch.nn.functional.embedding_bag"}

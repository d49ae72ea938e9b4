import msgspec
import pytest
import torch

from generator.catalogue.code.expressions import method_of
from generator.catalogue.codec import assemble
from generator.catalogue.model.records import Catalogue, ModuleRecord, NodeRecord, OpRecord, Variant
from generator.catalogue.name_tiers import index
from generator.catalogue.names import find, resolve
from generator.errors import UnknownNameError
from tests.fixtures import tiny


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return tiny.catalogue()


def with_records(*records: OpRecord | ModuleRecord | NodeRecord) -> Catalogue:
    return assemble(tiny.RELEASE, tiny.BUILD, records, {})


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("torch.exp", "torch.exp"),
        ("exp", "torch.exp"),
        ("`torch.exp()`", "torch.exp"),
        ("torch.Tensor.exp_", "torch.exp"),
        ("Tensor.exp", "torch.exp"),
        ("exp_", "torch.exp"),
        ("special.exp", "torch.exp"),
        ("torch.multiply", "torch.mul"),
        ("multiply", "torch.mul"),
        ("aten::mul.Tensor", "torch.mul"),
        ("aten.mul.Tensor", "torch.mul"),
        ("torch.ops.aten.mul.Tensor", "torch.mul"),
        ("aten::mul", "torch.mul"),
        ("aten.exp.default", "torch.exp"),
        ("aten::exp_", "torch.exp"),
        ("torch.ops.aten.exp_.default", "torch.exp"),
        ("F.softsign", "torch.nn.functional.softsign"),
        ("nn.functional.softsign", "torch.nn.functional.softsign"),
        ("softsign", "torch.nn.functional.softsign"),
        ("nn.Linear", "torch.nn.Linear"),
        ("Linear", "torch.nn.Linear"),
        ("ExpBackward0", "ExpBackward0"),
        ("ExpBackward", "ExpBackward0"),
        ("Exp", "ExpBackward0"),
        ("output 0 of Exp", "ExpBackward0"),
        ("output 0 of ExpBackward0", "ExpBackward0"),
        ("aten::addmm", "AddmmBackward0"),
    ],
)
def test_every_kind_of_spelling_finds_its_record(
    catalogue: Catalogue, text: str, name: str
) -> None:
    assert resolve(catalogue, text).record.name == name


def test_a_near_miss_is_suggested(catalogue: Catalogue) -> None:
    with pytest.raises(UnknownNameError, match=r"'torch\.exq'; did you mean torch\.exp"):
        resolve(catalogue, "torch.exq")


def test_case_does_not_hide_a_near_miss(catalogue: Catalogue) -> None:
    with pytest.raises(UnknownNameError, match=r"did you mean torch\.nn\.Linear"):
        resolve(catalogue, "LINEARR")


def test_a_suggestion_is_like_the_last_part_of_a_name(catalogue: Catalogue) -> None:
    """`torch.ext` and `torch.exp` share more than what stands before their own names."""
    with pytest.raises(UnknownNameError, match=r"did you mean torch\.exp"):
        resolve(catalogue, "torch.expp")
    with pytest.raises(UnknownNameError, match="all names are listed"):
        resolve(catalogue, "torch.nn.functional.abc")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("LINEAR", "torch.nn.Linear"),
        ("nn.linear", "torch.nn.Linear"),
        ("Torch.EXP", "torch.exp"),
        ("F.SOFTSIGN", "torch.nn.functional.softsign"),
        ("f.softsign", "torch.nn.functional.softsign"),
        ("EXPBACKWARD0", "ExpBackward0"),
        ("torch.EXP(x)", "torch.exp"),
        ("torch.tensor.EXP_", "torch.exp"),
    ],
)
def test_a_name_in_other_letters_is_read(catalogue: Catalogue, text: str, name: str) -> None:
    assert resolve(catalogue, text).record.name == name


def test_letters_decide_where_they_can() -> None:
    catalogue = with_records(
        OpRecord(name="torch.nn.functional.relu", state="measured"),
        ModuleRecord(name="torch.nn.ReLU", state="measured"),
    )
    op, module = "torch.nn.functional.relu", "torch.nn.ReLU"
    found = {text: resolve(catalogue, text).record.name for text in ("relu", "ReLU", "RELU")}
    assert found == {"relu": op, "ReLU": module, "RELU": op}


def test_a_recipe_of_another_call_is_no_second_meaning(committed: Catalogue) -> None:
    """The recipe of AccumulateGrad ends in a call of exp, which it is not about."""
    assert "exp(" in str(committed.nodes["AccumulateGrad"].recipe)
    assert find(index(committed), "exp").others == ()


def test_a_name_without_a_record_leads_to_the_node_that_is_declared_for_it(
    committed: Catalogue,
) -> None:
    """`torch.unsafe_split_with_sizes` is a function of 2.13.0 that its OpInfo does not list."""
    made = torch.unsafe_split_with_sizes(torch.rand(4, requires_grad=True), [1, 3])
    node = made[0].grad_fn
    assert node is not None
    known = index(committed)
    for text in (
        "unsafe_split_with_sizes",
        "torch.unsafe_split_with_sizes",
        "x.unsafe_split_with_sizes([1])",
    ):
        found = find(known, text)
        assert "no op is catalogued by that name" in found.decided
    assert find(known, "unsafe_split_with_sizes").record.name == node.name()


def test_a_name_of_another_owner_leads_to_what_ends_so_and_says_so(committed: Catalogue) -> None:
    """Live torch has these functions, and no call of them was measured."""
    known = index(committed)
    for text, name, spelled in (
        ("torch.exp_", "torch.exp", "torch.Tensor.exp_"),
        ("torch.acosh_(x)", "torch.acosh", "torch.Tensor.acosh_"),
        ("torch.embedding", "torch.nn.functional.embedding", None),
        ("x.eq(y)", "torch.eq", None),
    ):
        assert hasattr(torch, text.partition("(")[0].rpartition(".")[2])
        found = find(known, text)
        assert found.record.name == name
        assert (found.spelling.name if found.spelling else None) == spelled
        assert "has no record of its own" in found.decided


def test_a_name_of_torch_that_nothing_is_called_by_says_what_is_catalogued(
    committed: Catalogue,
) -> None:
    with pytest.raises(UnknownNameError, match="what PyTorch's own OpInfo and ModuleInfo list"):
        find(index(committed), "torch.manual_seed")


@pytest.mark.parametrize(
    ("line", "method"),
    [
        ("y = torch.rand(3).exp()", "exp"),
        ("x.copy_(y)", "copy_"),
        ("torch.linalg.eig(x)", None),
        ("y = torch.sum(x.dim())", None),
        ("x = y", None),
    ],
)
def test_a_recipe_stands_for_the_method_that_it_calls_last(line: str, method: str | None) -> None:
    assert method_of(line) == method


def test_a_wrong_attribute_is_told_its_neighbour(committed: Catalogue) -> None:
    known = index(committed)
    with pytest.raises(UnknownNameError, match=r"did you mean _saved_output"):
        find(known, "_saved_ouput")
    with pytest.raises(UnknownNameError, match=r"an attribute, of \w+; see"):
        find(known, "_saved_pos_weight")


def test_what_resembles_nothing_is_sent_to_the_list(catalogue: Catalogue) -> None:
    with pytest.raises(UnknownNameError, match=r"all names are listed at .*/2.13.0/catalogue/"):
        resolve(catalogue, "zzzzzzzz")


def test_a_sentence_is_sent_to_the_guide_of_errors(catalogue: Catalogue) -> None:
    with pytest.raises(UnknownNameError, match=r"if it is an error, look it up at .*guides/saved"):
        resolve(catalogue, "Trying to backward through the graph a second time")


def test_an_attribute_is_sent_to_its_page(catalogue: Catalogue) -> None:
    wanted = (
        r"_saved_result is an attribute, of ExpBackward0 and 1 other .*attributes/#saved_result$"
    )
    with pytest.raises(UnknownNameError, match=wanted):
        resolve(catalogue, "_saved_result")


def test_words_stand_for_an_underscored_name() -> None:
    catalogue = with_records(OpRecord(name="torch.nn.functional.layer_norm", state="measured"))
    assert resolve(catalogue, "layer norm").record.name == "torch.nn.functional.layer_norm"


def test_the_short_name_closest_to_torch_wins() -> None:
    catalogue = with_records(
        OpRecord(name="torch.norm", state="measured"),
        OpRecord(name="torch.linalg.norm", state="measured"),
    )
    assert resolve(catalogue, "norm").record.name == "torch.norm"
    assert resolve(catalogue, "linalg.norm").record.name == "torch.linalg.norm"


def test_a_tie_between_short_names_is_listed() -> None:
    catalogue = with_records(
        OpRecord(name="torch.fft.shift", state="measured"),
        OpRecord(name="torch.linalg.shift", state="measured"),
    )
    with pytest.raises(UnknownNameError, match=r"may mean torch.fft.shift or torch.linalg.shift"):
        resolve(catalogue, "shift")


def test_an_overload_belongs_to_the_op_that_bears_its_name() -> None:
    catalogue = with_records(
        OpRecord(name="torch.add", state="measured", overloads=("aten::add.Tensor",)),
        OpRecord(name="torch.Tensor.__radd__", state="measured", overloads=("aten::add.Tensor",)),
    )
    assert resolve(catalogue, "aten::add.Tensor").record.name == "torch.add"


def test_what_1_9_meant_by_a_node_without_its_number_is_told_too() -> None:
    catalogue = with_records(
        NodeRecord(name="SelectBackward0", state="witnessed"),
        NodeRecord(name="SelectBackwardBackward0", state="witnessed"),
    )
    found = resolve(catalogue, "[torch.FloatTensor []], which is output 0 of SelectBackward, is")
    assert (found.record.name, found.others) == ("SelectBackwardBackward0", ("SelectBackward0",))


def test_a_forward_name_alone_means_the_first_node_and_tells_the_others() -> None:
    catalogue = with_records(
        NodeRecord(name="MaxBackward0", state="witnessed"),
        NodeRecord(name="MaxBackward1", state="witnessed"),
    )
    found = resolve(catalogue, "Max")
    assert (found.record.name, found.others) == ("MaxBackward0", ("MaxBackward1",))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("torch.relu", "relu"),
        ("torch.relu_", "relu"),
        ("relu_", "relu"),
        ("F.relu_", "relu"),
        ("torch.nn.functional.relu_", "relu"),
        ("Tensor.relu_", "relu"),
        ("torch.nn.functional.silu(inplace=True)", "silu"),
        ("F.silu(inplace=True)", "silu"),
        ("F.silu(x, inplace = True)", "silu"),
        ("silu(inplace=True)", "silu"),
        ("SiLU(inplace=True)", "silu"),
        ("nn.SiLU(inplace=True)", "silu"),
    ],
)
def test_an_in_place_spelling_finds_the_function(text: str, name: str) -> None:
    functional = "torch.nn.functional"
    catalogue = with_records(
        OpRecord(
            name=f"{functional}.relu",
            state="measured",
            variants=(
                Variant(name="torch.Tensor.relu_", relation="in-place"),
                Variant(name=f"{functional}.relu_", relation="in-place"),
                Variant(name="torch.relu", relation="alias"),
                Variant(name="torch.relu_", relation="in-place"),
            ),
        ),
        OpRecord(
            name=f"{functional}.silu",
            state="measured",
            variants=(Variant(name=f"{functional}.silu(inplace=True)", relation="in-place"),),
        ),
    )
    assert resolve(catalogue, text).record.name == f"{functional}.{name}"


def test_a_spelling_of_two_ops_belongs_to_the_one_that_bears_its_name() -> None:
    shared = Variant(name="torch.Tensor.maximum", relation="method")
    alias = Variant(name="torch.maximum", relation="alias")
    catalogue = with_records(
        OpRecord(name="torch.max", state="measured", variants=(shared, alias)),
        OpRecord(name="torch.maximum", state="measured", variants=(shared,)),
    )
    for text in ("torch.Tensor.maximum", "torch.maximum"):
        found = resolve(catalogue, text)
        assert (found.record.name, found.others) == ("torch.maximum", ())


def test_the_arguments_of_a_call_do_not_hide_a_near_miss(catalogue: Catalogue) -> None:
    with pytest.raises(UnknownNameError, match=r"did you mean torch\.nn\.Linear"):
        resolve(catalogue, "nn.Linea(in_features=20, out_features=30, inplace=True)")


def test_a_call_leads_to_what_is_called(catalogue: Catalogue) -> None:
    found = resolve(catalogue, "nn.Linear(in_features=20, out_features=30)")
    assert found.record.name == "torch.nn.Linear"


@pytest.mark.parametrize("text", ["x" * 100_000, "output 0 of " + "x" * 100_000])
def test_a_long_name_is_not_echoed_whole(catalogue: Catalogue, text: str) -> None:
    with pytest.raises(UnknownNameError) as refused:
        resolve(catalogue, text)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("sign", ["\x1b", "\x9b", "\n", "\u202e"])
def test_what_a_terminal_would_obey_is_escaped(catalogue: Catalogue, sign: str) -> None:
    with pytest.raises(UnknownNameError) as refused:
        resolve(catalogue, f"ex{sign}[31mp")
    assert str(refused.value).isprintable()


def test_what_else_a_name_may_mean_is_told() -> None:
    catalogue = with_records(
        ModuleRecord(name="torch.nn.Linear", state="measured"),
        NodeRecord(name="LinearBackward0", state="witnessed"),
    )
    found = resolve(catalogue, "Linear")
    assert found.record.name == "torch.nn.Linear"
    assert found.others == ("LinearBackward0",)


def test_every_name_of_a_catalogue_resolves_to_itself(catalogue: Catalogue) -> None:
    records = (*catalogue.ops.values(), *catalogue.modules.values(), *catalogue.nodes.values())
    for record in records:
        assert msgspec.to_builtins(resolve(catalogue, record.name).record) == msgspec.to_builtins(
            record
        )


def test_every_other_spelling_of_the_release_finds_its_op(committed: Catalogue) -> None:
    known = index(committed)
    owners: dict[str, set[str]] = {}
    for op in committed.ops.values():
        for variant in op.variants:
            owners.setdefault(variant.name, set()).add(op.name)
    assert len(owners) > 300
    for spelling, ops in owners.items():
        meant = {spelling} if spelling in committed.ops else ops
        assert find(known, spelling).record.name in meant
    for spelling in ("torch.relu", "relu_", "F.relu_", "F.silu(inplace=True)", "hardtanh_"):
        base = spelling.removesuffix("(inplace=True)").split(".")[-1].removesuffix("_")
        assert find(known, spelling).record.name == f"torch.nn.functional.{base}"
    for module in ("ReLU", "ReLU6", "LeakyReLU", "Hardtanh", "SiLU", "Dropout2d", "RReLU"):
        found = find(known, f"nn.{module}(inplace=True)")
        assert found.spelling is not None
        assert found.spelling.relation == "in-place"


@pytest.mark.parametrize("name", ["CudnnBatchNormBackward", "SelectBackward", "ExpBackward"])
def test_a_name_without_its_number_is_the_node_as_1_9_wrote_it(
    committed: Catalogue, name: str
) -> None:
    assert resolve(committed, name).record.name == f"{name}0"


@pytest.mark.parametrize(
    ("text", "name"), [("LoRA", "lora-linear"), ("swiglu", "swiglu-mlp"), ("GPT", "gpt-block")]
)
def test_a_word_of_its_name_leads_to_a_block(committed: Catalogue, text: str, name: str) -> None:
    assert resolve(committed, text).record.name == name


def test_a_word_of_several_blocks_is_the_readers_to_tell(committed: Catalogue) -> None:
    with pytest.raises(UnknownNameError, match="may mean multihead-attention or"):
        resolve(committed, "attention")

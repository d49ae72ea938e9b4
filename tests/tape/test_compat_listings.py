"""What releases list of themselves, on the release that is here, and where it is taken away."""

from types import SimpleNamespace

import pytest
import torch

from generator.tape import compat_listings
from tests.fixtures.absent import missing


def test_a_dtype_is_told_from_a_number_where_the_release_tells() -> None:
    (schema,) = [
        one
        for one in torch._C._jit_get_schemas_for_operator("aten::sum")
        if one.overload_name == ""
    ]
    dtype = schema.arguments[1]
    assert compat_listings.schema_type(dtype) == "Optional[ScalarType]"
    assert compat_listings.schema_type(SimpleNamespace(type=dtype.type)) == "Optional[int]"


def test_declarations_are_those_that_the_wheel_ships(monkeypatch: pytest.MonkeyPatch) -> None:
    found = compat_listings.packaged_declarations()
    assert found is not None
    assert "- name: exp(Tensor self)" in found.derivatives.read_text(encoding="utf-8")
    for import_module in (missing("torchgen.gen"), missing()):  # no generator, or no files of it
        monkeypatch.setattr(compat_listings, "import_module", import_module)
        assert compat_listings.packaged_declarations() is None


class Apart:
    """A module's class that `torch.nn` does not hold."""


@pytest.mark.parametrize(
    ("name", "held", "wanted"),
    [
        ("nn.Linear", torch.nn.Linear, "nn.Linear"),
        ("nn_Linear", torch.nn.Linear, "nn.Linear"),
        ("nn_quantized_MaxPool2d", torch.nn.MaxPool2d, "nn.MaxPool2d"),
        ("nn_Apart", Apart, "nn.Apart"),
        ("ao.nn.quantized.MaxPool2d", torch.nn.MaxPool2d, "nn.MaxPool2d"),
        ("ao.nn.quantized.Apart", Apart, "ao.nn.quantized.Apart"),
    ],
)
def test_modules_are_named_as_their_classes_are(name: str, held: type, wanted: str) -> None:
    assert compat_listings.module_name(SimpleNamespace(name=name, module_cls=held)) == wanted

"""The dtype of a saved tensor follows that of the call, by a rule that explains it all."""

import torch

from generator.probe.formulas.dtypes import base_dtype, following, rules_for
from generator.probe.program_calls import program_call

F32, BF16, F64, C64 = torch.float32, torch.bfloat16, torch.float64, torch.complex64


def test_the_first_rule_that_explains_everything_comes_first() -> None:
    assert rules_for([(F32, F32), (BF16, BF16)])[0] == "same"
    assert rules_for([(F32, F32), (BF16, F32), (F64, F64)])[0] == "float32 at least"
    assert rules_for([(F32, F32), (BF16, F32), (F64, F32)])[0] == "float32"
    assert rules_for([(F32, F32), (C64, F32)])[0] == "float32"
    assert rules_for([(F32, F32), (C64, F32), (F64, F64)])[0] == "real"
    assert rules_for([(F32, C64), (F64, torch.complex128)])[0] == "complex"
    assert rules_for([(F32, torch.bool), (BF16, torch.bool)])[0] == "bool"
    assert rules_for([(F32, F64), (BF16, F32)]) == []


def test_a_rule_gives_the_dtype() -> None:
    assert following("real", torch.complex128) == F64
    assert following("float32 at least", BF16) == F32
    assert following("complex", F32) == C64


def test_a_call_has_the_dtype_that_its_arguments_share() -> None:
    both = "a = torch.randn(2)\nb = torch.randint(3, (2,))"
    assert base_dtype(program_call(both, "output = a[b]", seed=0)) == F32
    mixed = "a = torch.randn(2)\nb = torch.randn(2).double()"
    assert base_dtype(program_call(mixed, "output = a + b", seed=0)) is None

"""Meta tensors tell which sizes a call refuses, and nothing of calls that they cannot make."""

from typing import Any

from generator.probe.meta_call import answer

Json = dict[str, Any]


def given(sizes: dict[str, int] | None = None, **shapes: list[int]) -> Json:
    tensors = {
        name: {"shape": shape, "dtype": "float32", "requires": True}
        for name, shape in shapes.items()
    }
    return {"sizes": sizes or {}, "tensors": tensors}


def test_rows_that_do_not_fit_are_refused_and_those_that_do_are_not() -> None:
    asked: Json = {"setup": "", "call": "output = torch.mm(input, mat2)"}
    asked["known"] = given(input=[2, 3], mat2=[3, 4])
    fits = answer({**asked, "asked": given(input=[10**6, 5], mat2=[5, 10**6])})
    assert fits == {"refused": None, "untold": None}
    refused = answer({**asked, "asked": given(input=[2, 3], mat2=[5, 4])})["refused"]
    assert refused.startswith("RuntimeError: ")


def test_a_call_that_meta_tensors_cannot_make_is_told_nothing_of() -> None:
    asked = {"setup": "", "call": "output = input[input > 0].tolist()"}
    told = answer({**asked, "known": given(input=[2, 3]), "asked": given(input=[0, 3])})
    assert told["refused"] is None
    assert told["untold"]


def test_a_setup_allocates_nothing_and_sizes_have_their_names() -> None:
    asked = {
        "setup": "weight = torch.ones(1 << 60)",
        "call": "output = torch.nn.functional.layer_norm(input, (C,), weight)",
        "known": given({"C": 4}, input=[2, 4], weight=[4]),
    }
    told = answer({**asked, "asked": given({"C": 1 << 40}, input=[2, 1 << 40], weight=[1 << 40])})
    assert told == {"refused": None, "untold": None}


def test_a_tensor_of_a_list_is_put_into_its_place() -> None:
    tensors = {"tensors[0]": [2, 3], "tensors[1]": [4, 3]}
    asked = {"setup": "", "call": "output = torch.cat(tensors)", "known": given(**tensors)}
    assert answer({**asked, "asked": given(**tensors)}) == {"refused": None, "untold": None}
    other = answer({**asked, "asked": given(**{**tensors, "tensors[1]": [4, 5]})})
    assert "Sizes of tensors must match" in str(other["refused"])

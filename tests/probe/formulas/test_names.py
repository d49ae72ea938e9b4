"""Dimensions have the names that documentation gives them, and tied ones share a name."""

from generator.probe.formulas.names import dimension_names, outcome_name


def test_an_image_is_n_c_h_w_and_a_weight_has_names_of_its_own() -> None:
    names, meant = dimension_names([("input", [0, 1, 2, 3]), ("weight", [4, 1, 5, None])])
    assert [names[one] for one in range(6)] == ["N", "C", "H", "W", "O", "Kh"]
    assert meant == {}


def test_the_length_of_value_is_meant_to_be_that_of_key() -> None:
    names, meant = dimension_names(
        [("query", [0, 1, 2, 3]), ("key", [0, 1, 4, 3]), ("value", [0, 1, 5, 3])]
    )
    assert names[4] == "S"
    assert meant == {names[5]: "S"}


def test_names_do_not_run_out() -> None:
    names, _ = dimension_names([("tensors[0]", list(range(40)))])
    assert len(set(names.values())) == 40


def test_a_computed_size_is_named_after_its_dimension() -> None:
    assert outcome_name("H", ["N", "H"]) == "Hout"
    assert outcome_name("H", ["Hout"]) == "Hout2"
    assert outcome_name(None, []) == "Z"

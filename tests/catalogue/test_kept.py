import pytest

from generator.catalogue.kept import spoken_role


@pytest.mark.parametrize(
    ("role", "shown"),
    [
        ("input input", "input"),
        ("view of input input", "view of input"),
        ("input input_lengths", "input input_lengths"),
        ("input other", "input other"),
        ("output", "output"),
    ],
)
def test_an_input_that_is_called_input_is_said_once(role: str, shown: str) -> None:
    assert spoken_role(role) == shown

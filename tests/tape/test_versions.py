"""Version counters against torch's documented rules."""

import torch

from generator.tape.versions import version_of


def test_each_write_counts_and_reads_do_not() -> None:
    x = torch.ones(3)
    assert version_of(x) == 0
    x.add_(1)
    x[0] = 2
    _ = x + 1
    assert version_of(x) == 2


def test_views_and_detached_aliases_share_the_counter_and_clones_do_not() -> None:
    x = torch.ones(4)
    view, alias, clone = x[:2], x.detach(), x.clone()
    view.zero_()
    assert [version_of(tensor) for tensor in (x, view, alias, clone)] == [1, 1, 1, 0]


def test_a_write_through_data_is_not_counted() -> None:
    x = torch.ones(3)
    x.data.zero_()
    assert x.tolist() == [0, 0, 0]
    assert version_of(x) == 0


def test_an_inference_tensor_has_no_counter() -> None:
    with torch.inference_mode():
        x = torch.ones(3)
    assert version_of(x) is None

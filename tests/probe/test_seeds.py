"""Seeds depend on text alone, and seed what ops draw from."""

import random
import zlib

import numpy as np
import torch

from generator.probe.seeds import seed_generators, seed_of


def test_a_seed_is_the_checksum_of_the_parts() -> None:
    assert seed_of("div.floor_rounding", torch.float32) == zlib.crc32(
        b"div.floor_rounding/torch.float32"
    )
    assert seed_of("a", 1) != seed_of("a", 2)


def test_draws_after_seeding_are_those_of_each_generators_own_seed() -> None:
    seed_generators(5)
    drawn = torch.rand(4), random.random(), np.random.rand()  # noqa: NPY002, S311
    torch.manual_seed(5)
    assert torch.equal(drawn[0], torch.rand(4))
    assert drawn[1] == random.Random(5).random()  # noqa: S311
    assert drawn[2] == np.random.RandomState(5).rand()

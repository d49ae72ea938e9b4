"""The description of a build against what the build says of itself."""

import platform

import torch

from generator.probe.build import describe_build


def test_a_build_is_described_by_its_own_words() -> None:
    build = describe_build("cpu")
    assert build["version"] == torch.__version__
    assert build["version"].startswith("2.13.0")
    assert build["git"] == "cf30153c4c131c8164ee7798e5022d810682e2cb"
    assert build["device"] == "cpu"
    assert platform.python_version().startswith(f"{build['python']}.")
    assert build["platform"].split()[0] == platform.system()
    assert f"CPU capability usage: {build['processor']}" in torch.__config__.show()

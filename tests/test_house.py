"""The files around the code: pins, licences, the script of CI, and the links of the documents."""

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_every_dependency_is_pinned_exactly() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    wanted = [
        *PROJECT["project"]["dependencies"],
        *extras["measure"],
        *[one for one in extras["test"] if one != "tapekept[measure]"],
        *PROJECT["build-system"]["requires"],
    ]
    assert [one for one in wanted if not re.fullmatch(r"[\w-]+==[\w.]+", one)] == []


def test_the_default_release_gets_the_same_packages_as_the_tests() -> None:
    releases = tomllib.loads((ROOT / "generator" / "release" / "releases.toml").read_text())
    default = releases["default"]
    entry = [f"torch=={default}", *releases["releases"][default]["requires"]]
    assert sorted(entry) == sorted(PROJECT["project"]["optional-dependencies"]["measure"])


def test_the_guides_are_of_the_default_release() -> None:
    releases = tomllib.loads((ROOT / "generator" / "release" / "releases.toml").read_text())
    config = (ROOT / "mkdocs.yml").read_text()
    assert re.findall(r"^  guides: (.+)$", config, re.MULTILINE) == [releases["default"]]


def test_every_ignored_rule_has_its_reason() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    ignored = re.findall(r'^    "[A-Z]+\d*",(.*)$', text, re.MULTILINE)
    assert len(ignored) > 10
    assert [rest for rest in ignored if not re.match(r" +# \w", rest)] == []


def test_ci_runs_what_a_developer_runs() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    subprocess.run(["bash", "-n", script], check=True)
    assert script.read_text().rstrip().splitlines()[-1] == "make test"
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())
    assert [step["run"] for step in workflow["jobs"]["test"]["steps"] if "run" in step] == [
        ".ci/run"
    ]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_links_of_a_document_lead_somewhere(name: str) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / name).read_text())
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_readme_names_the_targets_that_there_are() -> None:
    makefile = (ROOT / "Makefile").read_text()
    named = set(re.findall(r"`make (\w+)", (ROOT / "README.md").read_text()))
    assert {name for name in named if not re.search(rf"^{name}:", makefile, re.MULTILINE)} == set()


def test_each_licence_is_where_the_readme_says() -> None:
    assert "BSD 3-Clause" in (ROOT / "LICENSE").read_text()
    assert "derivatives.yaml" in (ROOT / "NOTICE").read_text()
    assert "SPDX-License-Identifier: CC0-1.0" in (ROOT / "docs" / "data" / "LICENSE").read_text()

"""The commands that the workflows run, in a repository with a remote on this machine."""

import json
import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.catalogue import codec, store
from tests.fixtures.commands import ROOT, run, sentence
from tests.fixtures.index import Index, address, running
from tests.fixtures.tiny_releases import NEW, OLD, mean_after, mean_before, released, whole

TABLE = Path("generator") / "release" / "releases.toml"
SOMEBODY = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "Somebody"), ("EMAIL", "somebody@example.org"))
}
GH = """#!/bin/sh
printf '%s\\n' "$@" > "$GH_SAID"
while [ "$1" != --body-file ]; do shift; done
cp "$2" "$GH_SAID.md"
echo https://example.org/pull/1
"""


@pytest.fixture
def index() -> Iterator[Index]:
    with running() as server:
        yield server


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    path = tmp_path / "remote.git"
    git(tmp_path, "init", "--quiet", "--bare", str(path))
    return path


@pytest.fixture
def checkout(tmp_path: Path, remote: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone with one release measured and committed; git knows who commits."""
    for name, value in {**SOMEBODY, "GIT_CONFIG_GLOBAL": os.devnull}.items():
        monkeypatch.setenv(name, value)
    path = tmp_path / "checkout"
    (path / TABLE.parent).mkdir(parents=True)
    shutil.copy(ROOT / TABLE, path / TABLE)
    (path / "mkdocs.yml").write_text("site_name: x\n")
    (path / ".gitignore").write_text("/site/\n/.tapekept/\n")
    save(path, OLD)
    git(path, "init", "--quiet", "--initial-branch=main")
    git(path, "remote", "add", "origin", str(remote))
    git(path, "add", ".")
    git(path, "commit", "--quiet", "-m", "Begin")
    git(path, "push", "--quiet", "origin", "main")
    return path


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a stand-in for GitHub's `gh` writes what it was told."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "gh"
    program.write_text(GH)
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("GH_SAID", str(tmp_path / "said"))
    return tmp_path / "said"


def git(root: Path, *arguments: str) -> str:
    return subprocess.check_output(["git", *arguments], cwd=root, text=True).strip()


def save(root: Path, release: str) -> None:
    mean = {OLD: mean_before, NEW: mean_after}[release]()
    store.save(store.path_of(root, release, "cpu"), released(release, mean))


def test_upcoming_prints_and_tells_the_next_step(
    checkout: Path, index: Index, tmp_path: Path
) -> None:
    output = tmp_path / "output"
    output.write_text("before=1\n")
    done = run(checkout, "upcoming", "--index", address(index), "--output", str(output))
    assert (done.returncode, done.stdout) == (0, "2.16.1\n"), done.stderr
    assert output.read_text() == "before=1\nrelease=2.16.1\n"


def test_nothing_upcoming_prints_nothing(checkout: Path, index: Index, tmp_path: Path) -> None:
    index.body = json.dumps({"releases": {}}).encode()
    output = tmp_path / "output"
    done = run(checkout, "upcoming", "--index", address(index), "--output", str(output))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not output.exists()


def test_what_is_proposed_already_is_not_upcoming(checkout: Path, index: Index) -> None:
    git(checkout, "push", "--quiet", "origin", "main:torch-2.16.1")
    done = run(checkout, "upcoming", "--index", address(index))
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_add_writes_the_release_into_the_table(checkout: Path, index: Index) -> None:
    done = run(checkout, "add", "2.16.1", "--index", address(index))
    assert done.returncode == 0, done.stderr
    changed = git(checkout, "diff", "--unified=0", "--", str(TABLE))
    assert '+[releases."2.16.1"]' in changed
    assert "+date = 2027-02-11" in changed
    assert "\n-" not in changed.partition("@@")[2]


def test_adding_what_the_index_lacks_is_one_sentence(checkout: Path, index: Index) -> None:
    assert "lists no wheel of torch 9.9.9" in sentence(
        run(checkout, "add", "9.9.9", "--index", address(index))
    )
    assert git(checkout, "status", "--porcelain") == ""


@pytest.mark.parametrize(
    "command", [("upcoming", "--index", "http://127.0.0.1:9/"), ("unmeasured",)]
)
@pytest.mark.parametrize("where", ["nowhere/output", "mkdocs.yml/output", ""])
def test_a_file_that_cannot_be_written_is_refused_first(
    checkout: Path, command: tuple[str, ...], where: str
) -> None:
    output = str(checkout / where) if where else where
    said = sentence(run(checkout, *command, "--output", output))
    assert "--output" in said
    assert not (checkout / "nowhere").exists()


def test_unmeasured_is_a_list_for_a_matrix(checkout: Path, tmp_path: Path) -> None:
    output = tmp_path / "output"
    done = run(checkout, "unmeasured", "--output", str(output))
    assert done.returncode == 0, done.stderr
    listed = json.loads(output.read_text().removeprefix("releases="))
    assert done.stdout.split() == listed
    assert OLD not in listed
    assert {"1.9.1", NEW, "2.13.0"} <= set(listed)


def test_unmeasured_takes_what_is_named(checkout: Path, tmp_path: Path) -> None:
    output = tmp_path / "output"
    done = run(checkout, "unmeasured", OLD, NEW, "--output", str(output))
    assert done.returncode == 0, done.stderr
    assert output.read_text() == f'releases=["{OLD}","{NEW}"]\n'


def test_collect_takes_over_each_folder(checkout: Path, tmp_path: Path) -> None:
    collected = tmp_path / "collected"
    for release in (OLD, NEW):
        machine = tmp_path / f"machine-{release}"
        for one in (OLD, release):
            store.save(store.path_of(machine, one, "cpu"), whole(one))
        shutil.copytree(machine / "docs" / "data", collected / release)
    done = run(checkout, "collect", str(collected))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"torch {OLD}: collected", f"torch {NEW}: collected"]
    taken = store.load(store.path_of(checkout, NEW, "cpu"))
    assert codec.encode(taken) == codec.encode(whole(NEW))


def test_collecting_nothing_is_one_sentence(checkout: Path, tmp_path: Path) -> None:
    assert "holds no catalogue" in sentence(run(checkout, "collect", str(tmp_path)))


def test_propose_opens_a_request_with_the_difference(
    checkout: Path, remote: Path, said: Path
) -> None:
    save(checkout, NEW)
    done = run(checkout, "propose", NEW)
    assert (done.returncode, done.stdout) == (0, "https://example.org/pull/1\n"), done.stderr
    branch = f"torch-{NEW}"
    told = said.read_text().splitlines()
    assert told[:6] == ["pr", "create", "--head", branch, "--title", f"Measure torch {NEW}"]
    description = said.with_suffix(".md").read_text()
    assert description == run(checkout, "diff", OLD, NEW, "--format", "markdown").stdout
    assert "torch.mean" in description
    pushed = git(remote, "diff", "--name-only", "main", branch).splitlines()
    assert pushed == [f"docs/data/torch-{NEW}-cpu.jsonl"]


def test_propose_without_names_takes_all_that_changed(checkout: Path, said: Path) -> None:
    save(checkout, NEW)
    done = run(checkout, "propose")
    assert done.returncode == 0, done.stderr
    assert f"torch-{NEW}" in said.read_text()


def test_nothing_to_propose_opens_nothing(checkout: Path, said: Path) -> None:
    done = run(checkout, "propose")
    assert done.returncode == 0, done.stderr
    assert "Nothing to propose" in done.stdout
    assert not said.exists()
    assert git(checkout, "branch", "--show-current") == "main"


def test_proposing_what_was_not_measured_is_one_sentence(checkout: Path, said: Path) -> None:
    save(checkout, NEW)
    assert "torch 2.6.0 was not measured on cpu" in sentence(run(checkout, "propose", "2.6.0"))
    assert not said.exists()


def test_without_gh_it_is_one_sentence(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(checkout, NEW)
    folder = tmp_path / "only-git"
    folder.mkdir()
    (folder / "git").symlink_to(str(shutil.which("git")))
    monkeypatch.setenv("PATH", str(folder))
    assert "this needs gh, which is not installed" in sentence(run(checkout, "propose", NEW))


def fill(site: Path) -> dict[str, bytes]:
    files = {
        "index.html": b"<h1>root</h1>",
        ".nojekyll": b"",
        "2.9.1/ops/torch.exp/index.html": b"<h1>exp</h1>",
        "2.9.1/downloads/a.parquet": bytes(range(256)),
    }
    for name, content in files.items():
        path = site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return files


def test_what_is_published_comes_back_byte_for_byte(checkout: Path, remote: Path) -> None:
    site = checkout / "site"
    files = fill(site)
    killed = site / ".2.13.0.new.part" / "index.html"
    killed.parent.mkdir()
    killed.touch()
    done = run(checkout, "publish-sites")
    assert done.returncode == 0, done.stderr
    assert git(remote, "rev-list", "--count", "gh-pages") == "1"
    shutil.rmtree(site)
    assert run(checkout, "fetch-sites").returncode == 0
    there = {
        path.relative_to(site).as_posix(): path.read_bytes()
        for path in site.rglob("*")
        if path.is_file()
    }
    assert there == files
    assert git(checkout, "status", "--porcelain") == ""
    assert git(checkout, "branch", "--show-current") == "main"


def test_publishing_again_replaces_the_one_commit(checkout: Path, remote: Path) -> None:
    fill(checkout / "site")
    assert run(checkout, "publish-sites").returncode == 0
    (checkout / "site" / "2.9.1" / "downloads" / "a.parquet").unlink()
    assert run(checkout, "publish-sites").returncode == 0
    assert git(remote, "rev-list", "--count", "gh-pages") == "1"
    assert "a.parquet" not in git(remote, "ls-tree", "-r", "--name-only", "gh-pages")


def test_nothing_published_yet_is_said(checkout: Path) -> None:
    done = run(checkout, "fetch-sites")
    assert done.returncode == 0, done.stderr
    assert "nothing was published" in done.stdout


def test_publishing_no_site_is_one_sentence(checkout: Path) -> None:
    assert "holds no site; `make sites` builds them" in sentence(run(checkout, "publish-sites"))


def test_git_is_quoted_with_its_reason_and_not_with_its_advice(checkout: Path) -> None:
    git(checkout, "remote", "remove", "origin")
    said = sentence(run(checkout, "fetch-sites"))
    assert said == "`git ls-remote` failed: fatal: 'origin' does not appear to be a git repository"

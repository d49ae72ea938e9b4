"""The command line as a user meets it: in a process of its own, by what it prints and returns."""

import os
import signal
import socket
import subprocess
from pathlib import Path

import pytest

from generator.catalogue import store
from tests.fixtures import tiny
from tests.fixtures.commands import COMMAND, ROOT, closed, run, sentence


@pytest.mark.parametrize("command", [("site",), ("cite", "exp"), ("show", "exp")])
def test_a_half_written_catalogue_is_refused(checkout: Path, command: tuple[str, ...]) -> None:
    path = store.path_of(checkout, tiny.RELEASE, "cpu")
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    said = sentence(run(checkout, *command))
    assert str(path) in said
    assert "truncated" in said
    assert path.read_bytes() == data[: len(data) // 2]


def test_a_missing_catalogue_is_refused_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").write_text("site_name: x\n")
    assert "make catalog" in sentence(run(tmp_path, "cite", "exp"))


@pytest.mark.parametrize("version", ["newest", "2.13", "v2.13.0", ""])
def test_what_is_no_version_is_refused_before_anything_is_made(
    checkout: Path, version: str
) -> None:
    said = sentence(run(checkout, "catalog", "--torch", version))
    assert f"{version!r} is not the number of a PyTorch release" in said
    assert not (checkout / ".tapekept").exists()


@pytest.mark.parametrize("command", [("verify", "--sample"), ("serve", "--port")])
def test_what_is_no_number_is_refused_in_plain_words(
    checkout: Path, command: tuple[str, str]
) -> None:
    said = sentence(run(checkout, *command, "abc"))
    assert said == f"Invalid value for '{command[1]}': 'abc' is no whole number"


@pytest.mark.parametrize("device", ["tpu", "", "cuda:0", "CPU"])
@pytest.mark.parametrize("command", [("catalog",), ("show", "exp")])
def test_what_is_no_device_is_refused_before_anything_is_made(
    checkout: Path, command: tuple[str, ...], device: str
) -> None:
    said = sentence(run(checkout, *command, "--device", device))
    assert said.endswith(f"{device!r} is not one of 'cpu', 'cuda', 'mps'")
    assert not (checkout / ".tapekept").exists()


@pytest.mark.parametrize("arguments", [("show",), ("cite",), ("show", "exp", "--release"), ()])
def test_what_was_typed_is_echoed_short_and_printable(
    checkout: Path, arguments: tuple[str, ...]
) -> None:
    said = sentence(run(checkout, *arguments, "\x1b]0;title\x07" + "x" * 100_000))
    assert len(said) < 500
    assert said.isprintable()


def test_a_path_is_told_without_what_a_terminal_would_obey(tmp_path: Path) -> None:
    said = sentence(run(tmp_path / "\x1b[31mred", "cite", "exp"))
    assert "\\x1b[31mred holds no mkdocs.yml" in said


@pytest.mark.parametrize("streams", [">&-", ">&- 2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("command", ["cite", "show"])
def test_closed_streams_are_no_error(checkout: Path, command: str, streams: str) -> None:
    done = closed(checkout, streams, command, "exp")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_refusal_needs_no_stream(checkout: Path) -> None:
    assert closed(checkout, ">&- 2>&-", "cite", "torch.exq").returncode == 2
    assert "did you mean" in sentence(closed(checkout, ">&-", "cite", "torch.exq"))


def test_what_a_newer_tapekept_wrote_is_refused_with_the_remedy(checkout: Path) -> None:
    path = store.path_of(checkout, tiny.RELEASE, "cpu")
    path.write_bytes(path.read_bytes().replace(b'"schema":3', b'"schema":4', 1))
    assert sentence(run(checkout, "cite", "exp")).endswith("; update tapekept")


def test_a_folder_that_is_no_checkout_is_refused(tmp_path: Path) -> None:
    assert "mkdocs.yml" in sentence(run(tmp_path, "cite", "exp"))


@pytest.mark.parametrize(
    "wrong",
    [
        ("chow", "exp"),
        ("show",),
        ("show", "exp", "--jsn"),
        ("verify", "--seed", "3"),
        ("site", "--all", "--torch", tiny.RELEASE),
    ],
)
def test_a_usage_error_is_one_sentence(checkout: Path, wrong: tuple[str, ...]) -> None:
    sentence(run(checkout, *wrong))


def test_no_command_prints_the_help() -> None:
    done = subprocess.run(COMMAND, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "catalog" in done.stderr


def test_a_full_disk_is_one_sentence(checkout: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, "--root", str(checkout), "show", "exp"],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert "the disk is full" in sentence(done)


def test_a_reader_that_leaves_is_no_error(checkout: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*COMMAND, "--root", str(checkout), "show", "exp"],
        cwd=ROOT,
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_serve_shows_the_site_until_interrupted(checkout: Path) -> None:
    (checkout / "site").mkdir()
    (checkout / "site" / "index.html").write_text("the site")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    with subprocess.Popen(
        [*COMMAND, "--root", str(checkout), "serve", "--port", port],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        assert f"http://127.0.0.1:{port}/" in server.stdout.readline()
        with socket.create_connection(("127.0.0.1", int(port))) as client:
            client.sendall(b"GET / HTTP/1.0\r\n\r\n")
            answer = b"".join(iter(lambda: client.recv(4096), b""))
        server.send_signal(signal.SIGINT)
        _, said = server.communicate()
    assert answer.endswith(b"the site")
    assert (server.returncode, said) == (130, "")


def test_serving_what_was_not_built_is_refused(checkout: Path) -> None:
    assert "make site" in sentence(run(checkout, "serve"))


def test_a_port_in_use_is_refused(checkout: Path) -> None:
    (checkout / "site").mkdir()
    (checkout / "site" / "index.html").write_text("the site")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = sentence(run(checkout, "serve", "--port", port))
    assert said == f"port {port} is in use; name another one with --port"


def test_clean_keeps_the_data(checkout: Path) -> None:
    ignored = "# made\n/site/\n/docs/ops/\n/docs/data/\n/docs/index.md\n"
    (checkout / ".gitignore").write_text(ignored)
    for made in ("site", ".tapekept", "docs/ops"):
        (checkout / made).mkdir()
    for page in ("index.md", "about.md"):
        (checkout / "docs" / page).touch()
    before = store.path_of(checkout, tiny.RELEASE, "cpu").read_bytes()
    done = run(checkout, "clean")
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in checkout.iterdir()) == [".gitignore", "docs", "mkdocs.yml"]
    left = sorted(path.name for path in (checkout / "docs").iterdir())
    assert left == ["about.md", "data"]
    assert store.path_of(checkout, tiny.RELEASE, "cpu").read_bytes() == before

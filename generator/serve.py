"""Show the built site to a browser on this machine."""

import errno
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from generator.console import say
from generator.errors import TapekeptError

HOST = "127.0.0.1"


def serve_site(site: Path, port: int) -> None:
    """Serve the folder `site` until Ctrl-C.

    Raises:
        TapekeptError: the site has not been built, or the port is in use.
    """
    if not (site / "index.html").is_file():
        raise TapekeptError(f"{site} holds no site; `make site` builds it")
    try:
        server = ThreadingHTTPServer((HOST, port), partial(Quiet, directory=str(site)))
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        raise TapekeptError(f"port {port} is in use; name another one with --port") from error
    with server:
        say(f"http://{HOST}:{port}/ shows {site}; Ctrl-C ends it")
        server.serve_forever()


class Quiet(SimpleHTTPRequestHandler):
    """A handler that does not print each request."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base names it
        """Say nothing."""

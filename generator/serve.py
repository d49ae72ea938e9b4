"""Show the built sites to a browser on this machine, as a static host would."""

import errno
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from generator.console import say
from generator.errors import TapekeptError

HOST = "127.0.0.1"
MISSING = "404.html"


def serve_site(site: Path, port: int) -> None:
    """Serve the folder `site`, all releases in it, until Ctrl-C.

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
    """A handler that prints no requests and answers what is missing with the site's own page."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base names it
        """Say nothing."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer with the page that says which releases have what is missing in this one."""
        page = Path(self.directory) / MISSING
        if code != HTTPStatus.NOT_FOUND or not page.is_file():
            super().send_error(code, message, explain)
            return
        content = page.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

"""A server of one's own with an account, for measurements of recordings."""
import argparse
import os
import sys
import tempfile
import uuid

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "Benchmarks"))

import psql  # noqa: E402, F401
from server import BINARY, Server  # noqa: E402

CREDENTIALS = {"email": "takes@example.org", "password": "three quiet lenses"}
METADATA = {"filename": "take.mov", "created_at": "2026-03-01T12:00:00Z"}


def options(description, **numbers):
    """The command line: the binary, and numbers with their defaults and meanings."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--binary", default=BINARY)
    for name, (default, text) in numbers.items():
        parser.add_argument("--" + name.replace("_", "-"), type=int, default=default, help=f"{text} ({default})")
    return parser.parse_args()


def folder():
    """Removed at the end. PostgreSQL's account must be able to enter it."""
    made = tempfile.TemporaryDirectory(prefix="neuroviews-uploads-")
    os.chmod(made.name, 0o755)
    return made


class Account:
    """The account of a new server, or of one that was started again."""

    def __init__(self, server):
        self.server = server
        server.call("POST", "/auth/register", CREDENTIALS)
        self.token = server.call("POST", "/auth/login", CREDENTIALS)[0]["token"]

    def call(self, method, path, body=None):
        return self.server.call(method, path, body, self.token)[0]

    def open_upload(self, size):
        """The id of a new recording, and the path of its upload URL."""
        recording = str(uuid.uuid4())
        wish = {"file_size": size, "content_type": "video/quicktime"}
        url = self.call("POST", f"/recordings/{recording}/upload-url", wish)["upload_url"]
        return recording, "/v2" + url.split("/v2", 1)[1]

    def complete(self, recording):
        self.call("POST", f"/recordings/{recording}/complete", {"metadata": METADATA})


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))]


def end(failures):
    """Ends the program: with 1 when a limit was broken."""
    for failure in failures:
        print("broken: " + failure, file=sys.stderr)
    sys.exit(1 if failures else 0)

"""A server on a data folder and a PostgreSQL of its own."""
import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time

STARTS_MAX_S = 120


def start(binary, folder, settings):
    path = os.path.join(folder, "log")
    with open(path, "w") as log:
        process = subprocess.Popen(
            [binary, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data", folder + "/data"],
            stderr=log, env=dict(os.environ, **settings))
    deadline = time.monotonic() + STARTS_MAX_S
    while time.monotonic() < deadline and process.poll() is None:
        with open(path) as log:
            match = re.search(r"listening on (?:https?://)?([\d.]+:\d+)", log.read())
        if match:
            return process, f"http://{match.group(1)}/v2"
        time.sleep(0.02)
    process.kill()
    with open(path) as log:
        sys.exit("the server did not start:\n" + log.read())


@contextlib.contextmanager
def running(binary, **settings):
    """The URL of a server that takes registrations and wants signatures, and the path of its log."""
    # PostgreSQL's account must be able to enter the folder.
    with tempfile.TemporaryDirectory(prefix="neuroviews-interface-") as folder:
        os.chmod(folder, 0o755)
        wanted = {"NEUROVIEWS_REGISTRATION": "open", "NEUROVIEWS_SIGNATURES": "required"}
        process, url = start(binary, folder, {**wanted, **settings})
        try:
            yield url, os.path.join(folder, "log")
        finally:
            process.terminate()
            process.wait(60)

"""A server on a data folder and a PostgreSQL of its own."""
import contextlib
import functools
import os
import re
import subprocess
import sys
import tempfile
import time

STARTS_MAX_S = 120
# Every request comes from one address, and many of them register or fail to log in. The second are settings of builds for tests.
UNLIMITED = ["WRITES_PER_HOUR_MAX"]
UNLIMITED_IN_TESTS = ["LOGIN_FAILURES_MAX", "LOGIN_FAILURES_PER_DEVICE_MAX", "LOGIN_FAILURES_PER_KNOWN_ADDRESS_MAX",
                      "LOGIN_FAILURES_PER_ADDRESS_MAX", "REGISTRATIONS_PER_ADDRESS_MAX"]


def start(binary, folder, environment):
    path = os.path.join(folder, "log")
    with open(path, "w") as log:
        process = subprocess.Popen(
            [binary, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data", folder + "/data"],
            stderr=log, env=dict(os.environ, **environment))
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


def settings(binary):
    """Registration is open and signatures are wanted, without limits of attempts; builds for tests hash passwords at the lowest cost."""
    is_free = is_for_tests(binary)
    unlimited = UNLIMITED + (UNLIMITED_IN_TESTS if is_free else [])
    wanted = {"NEUROVIEWS_REGISTRATION": "open", "NEUROVIEWS_SIGNATURES": "required", **{"NEUROVIEWS_" + name: "0" for name in unlimited}}
    return {**wanted, **({"NEUROVIEWS_PASSWORD_COST": "1"} if is_free else {})}


@functools.cache
def is_for_tests(binary):
    """A release lacks this setting."""
    return "--password-cost" in subprocess.run([binary, "--help"], capture_output=True, text=True, check=True).stdout


@contextlib.contextmanager
def running(binary, **others):
    """The URL of a server with `settings` and others, and the path of its log."""
    # PostgreSQL's account must be able to enter the folder.
    with tempfile.TemporaryDirectory(prefix="neuroviews-interface-") as folder:
        os.chmod(folder, 0o755)
        process, url = start(binary, folder, {**settings(binary), **others})
        try:
            yield url, os.path.join(folder, "log")
        finally:
            process.terminate()
            process.wait(60)

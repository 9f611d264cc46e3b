"""A server that can be killed and started again at the same address, the operators' page beside it, and an S3 service."""
import http.client
import json
import os
import subprocess
import sys
import time

for folder in ("Tests/Interface", "Tests/Support", "Tests/Benchmarks", "Tests/Exams/Proxies"):
    sys.path.append(os.path.abspath(folder))

import psql  # noqa: E402
from ports import reserved_port  # noqa: E402
from s3_service import Store  # noqa: E402, F401
from server import settings  # noqa: E402

BINARY = os.environ["SERVER_PROGRAM"]
# The browser is told that this name is the loopback: to a page it is another machine.
FAR_NAME = "cloud.example.org"
STARTS_MAX_S = 120
ENDS_MAX_S = 60


def wait_for(what, condition, seconds=60, pause_s=0.05):
    """The first result that is true."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = condition()
        if found:
            return found
        time.sleep(pause_s)
    raise AssertionError(f"waited {seconds} s for {what}")


class House:
    """`others` are settings. With `NEUROVIEWS_DATABASE_URL` among them the server has no PostgreSQL of its own."""

    def __init__(self, folder, port=None, **others):
        os.makedirs(folder, exist_ok=True)
        # PostgreSQL's account must be able to enter it.
        os.chmod(folder, 0o755)
        self.folder, self.data, self.log = folder, folder + "/data", folder + "/log"
        self.port, self.admin_port = port or reserved_port(), reserved_port()
        self.origin = f"http://127.0.0.1:{self.port}"
        self.page = self.origin + "/console"
        urls = ",".join(f"http://{host}:{self.port}/v2" for host in ("127.0.0.1", "localhost", FAR_NAME))
        self.settings = {**settings(BINARY), "NEUROVIEWS_PUBLIC_URL": urls, **{"NEUROVIEWS_" + name.upper(): str(value) for name, value in others.items()}}
        self.start()

    def start(self):
        arguments = ["serve", "--listen", f"127.0.0.1:{self.port}", "--admin-listen", f"127.0.0.1:{self.admin_port}", "--data", self.data]
        with open(self.log, "a", encoding="utf-8") as log:
            self.process = subprocess.Popen([BINARY, *arguments], stderr=log, env=self.environment())
        wait_for("the server", self.is_ready, STARTS_MAX_S)

    def environment(self):
        return dict(os.environ, **self.settings)

    def is_ready(self):
        if self.process.poll() is not None:
            with open(self.log, encoding="utf-8") as log:
                raise RuntimeError("the server ended:\n" + log.read()[-4000:])
        try:
            return self.exchange("GET", "/v2/readyz")[0] == 200
        except OSError:
            return False

    def kill(self):
        self.process.kill()
        self.process.wait(ENDS_MAX_S)

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(ENDS_MAX_S)

    def restart(self, **others):
        """With some settings changed."""
        self.stop()
        self.settings |= {"NEUROVIEWS_" + name.upper(): str(value) for name, value in others.items()}
        self.start()

    def exchange(self, method, target, body=None, fields=None, port=None):
        """Status, fields and bytes of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=60)
        try:
            connection.request(method, target, body, fields or {})
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def operate(self, *words, statuses=(0,)):
        """A command of the operator, with the server's settings."""
        done = subprocess.run([BINARY, *words, "--data", self.data], env=self.environment(), capture_output=True, text=True, check=False)
        if done.returncode not in statuses:
            raise RuntimeError(f"{words}: {done.stderr}{done.stdout}")
        return done.stdout

    def administer(self, sql):
        """As the superuser of the private PostgreSQL."""
        return psql.administer(self, sql)

    def objects(self):
        """The files of recordings, with their sizes."""
        return {os.path.join(folder, name): os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(self.data + "/objects") for name in names}


class Console:
    """The operators' process of a house."""

    def __init__(self, house, *options):
        words = ["console", "--data", house.data, "--admin-listen", f"127.0.0.1:{house.admin_port}", *options]
        self.process = subprocess.Popen([BINARY, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=house.environment())
        self.address = self.process.stdout.readline().strip()
        self.origin, _, self.code = self.address.partition("/#")
        if not self.code:
            raise RuntimeError(f"the console printed {self.address!r}")
        self.port = int(self.origin.rsplit(":", 1)[1])

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(ENDS_MAX_S)


def features(house):
    return json.loads(house.exchange("GET", "/v2/version")[2])["features"]

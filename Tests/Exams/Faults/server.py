"""The server under test, on a data folder of its own, started as often as a fault wants."""
import os
import re
import signal
import subprocess
import sys

import postgres
from processes import is_alive, run, wait_until

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Support"))
from ports import reserved_port  # noqa: E402

STARTS_MAX_S = 60


class Server:
    """`settings`: further arguments; `environment`: further variables. With `database` it has no PostgreSQL of its own."""

    def __init__(self, binary, folder, settings=(), environment=None, database=None):
        self.binary, self.folder, self.data = binary, folder, folder + "/data"
        # Where the database is, also for its other commands.
        self.place = ["--database-url", database] if database else []
        self.arguments = [*settings, *self.place]
        self.environment = {
            **os.environ, "NEUROVIEWS_REGISTRATION": "open", "NEUROVIEWS_WRITES_PER_HOUR_MAX": "0", **(environment or {})}
        self.has_cluster = database is None
        self.port, self.process, self.starts = reserved_port(), None, 0

    def begin(self):
        """Starts it and waits for nothing."""
        self.starts += 1
        command = [self.binary, "serve", "--listen", f"127.0.0.1:{self.port}", "--admin-listen", "off", "--data", self.data,
                   *self.arguments]
        with open(self.log, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(command, stderr=log, env=self.environment)

    def start(self):
        self.begin()
        wait_until(self.listens, STARTS_MAX_S, "the server's start")

    @property
    def log(self):
        return f"{self.folder}/server-{self.starts}.log"

    def listens(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            text = file.read()
        if self.process.poll() is not None:
            raise RuntimeError("the server did not start:\n" + text[-2000:])
        return re.search(r"listening on ", text)

    def kill(self):
        self.process.kill()
        self.process.wait(60)

    def stop(self):
        """Its exit status after SIGTERM."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)

    def figures(self):
        """Resident memory in KiB, and open descriptors."""
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as file:
            resident = int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1))
        return resident, len(os.listdir(f"/proc/{self.process.pid}/fd"))

    @property
    def postmaster(self):
        """The number of its own PostgreSQL's process, and where that one's socket is; None while there is none."""
        try:
            with open(self.data + "/postgres/postmaster.pid", encoding="utf-8") as file:
                lines = file.read().split("\n")
            return int(lines[0]), lines[4]
        except (FileNotFoundError, IndexError, ValueError):
            return None

    def database(self):
        return postgres.Address(self.postmaster[1])

    def clean_up(self):
        """Ends it and its PostgreSQL, whatever state they are in."""
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(45)
            except subprocess.TimeoutExpired:
                self.kill()
        if self.has_cluster and self.postmaster and is_alive(self.postmaster[0]):
            postgres.end(self.postmaster[0])


def copy_data(template, folder):
    """A data folder like the template's, with its owners."""
    run(["cp", "-a", template + "/data", folder + "/data"])

"""The command `neuroviews` as a device: its runs, and the requests that they cause by the server's log."""
import datetime
import os
import re
import resource
import statistics
import subprocess
import sys
import time
from typing import NamedTuple

CREDENTIALS = {"email": "devices@example.org", "password": "three quiet lenses"}
LOGGED_MAX_S = 60


def logged_in(server):
    """The token of a new account."""
    server.call("POST", "/auth/register", CREDENTIALS)
    return server.call("POST", "/auth/login", CREDENTIALS)[0]["token"]


class Run(NamedTuple):
    """A run of the command. It began at a time of day; each line of its output has the seconds since then."""

    began_s: float
    lines: list
    seconds: float
    cpu_ms: float
    peak_mib: float


class Device:
    """The command with a home of its own, logged in."""

    def __init__(self, command, server, home, authorities=""):
        os.mkdir(home, mode=0o700)
        self.command, self.errors = command, home + "/errors"
        usual = {name: value for name, value in os.environ.items() if not name.startswith("NEUROVIEWS_")}
        own = {"SERVER": server.url.removesuffix("/v2")} | ({"AUTHORITIES": authorities} if authorities else {})
        self.environment = usual | {"NEUROVIEWS_CLI_" + name: value for name, value in own.items()}
        self.environment |= {"HOME": home, "XDG_DATA_HOME": home, "XDG_CONFIG_HOME": home, "LANG": "C.UTF-8"}
        self.login = self.run("login", CREDENTIALS["email"], "--password-stdin", text=CREDENTIALS["password"] + "\n")

    def start(self, *words, **streams):
        return subprocess.Popen([self.command, *words], env=self.environment, text=True, **streams)

    def run(self, *words, text=""):
        with open(self.errors, "w+") as errors:
            began_s, begin = time.time(), time.monotonic()
            process = self.start(*words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors)
            process.stdin.write(text)
            process.stdin.close()
            lines = [(time.monotonic() - begin, line) for line in process.stdout]
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.monotonic() - begin
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                errors.seek(0)
                sys.exit(f"{words[0]}: {process.returncode} {errors.read()}")
        return Run(began_s, lines, seconds, (usage.ru_utime + usage.ru_stime) * 1000, usage.ru_maxrss / 1024)


def median(runs, name):
    return statistics.median(getattr(run, name) for run in runs)


def memory(runs):
    """The peak. Linux counts that of this program before the exec, too."""
    peak, own = median(runs, "peak_mib"), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return f"memory {peak:.0f} MiB" if peak > own + 1 else f"memory at most {peak:.0f} MiB"


def cpu_ms(pid):
    """Of a running process, by its clock (clock_getcpuclockid(3)): /proc counts ticks of 10 ms."""
    return time.clock_gettime(~pid << 3 | 2) * 1000


class Request(NamedTuple):
    """Seconds are from its head to the end of its answer."""

    began_s: float
    path: str
    status: int
    seconds: float

    @staticmethod
    def of(end, path, status, us):
        seconds = int(us) / 1e6
        return Request(datetime.datetime.fromisoformat(end).timestamp() - seconds, path, int(status), seconds)


class Log:
    """The requests in a server's log from now on."""

    # A slow request has a second line.
    pattern = re.compile(r"^(\S+) (?:info|error) request id=\S+ method=\S+ path=(\S+) status=(\d+) (?:bytes=\d+ )?us=(\d+)", re.MULTILINE)

    def __init__(self, server):
        self.server, self.start = server, os.path.getsize(server.log)

    def until(self, is_enough):
        deadline = time.monotonic() + LOGGED_MAX_S
        while time.monotonic() < deadline:
            found = self.read()
            if is_enough(found):
                return found
            time.sleep(0.02)
        raise TimeoutError("the log does not have the requests")

    def read(self):
        with open(self.server.log) as file:
            file.seek(self.start)
            return [Request.of(*fields) for fields in self.pattern.findall(file.read())]

    def all(self):
        """Everything that was answered before now: a request that no device sends is the last one."""
        self.server.call("GET", "/version")
        return self.until(lambda found: found and found[-1].path == "/v2/version")[:-1]

"""Those who are asked how an attack on others feels: each is a process of its own, so that nothing else of the exam delays it."""
import http.client
import itertools
import json
import multiprocessing
import time
import urllib.request
import uuid
from typing import NamedTuple

INTERVAL_S = 0.1
# An answer that takes longer is none.
PATIENCE_S = 10
RECEIPT_PATIENCE_S = 60
RECEIPT_BYTES = 64 << 10
METADATA = {"filename": "take.bin", "created_at": "2026-03-01T12:00:00Z"}


class Heard(NamedTuple):
    """The milliseconds of each served request, the number of all, and the first failures."""

    times: list
    asked: int
    failures: list


class Watcher(multiprocessing.Process):
    """Prepares itself at once, watches for some seconds from `go` on, and ends with `result`."""

    def __init__(self, name):
        super().__init__(name=name, daemon=True)
        self.pipe, self.inner = multiprocessing.Pipe()

    def prepare(self):
        """Whatever is not to be measured."""

    def watch(self, seconds):
        raise NotImplementedError

    def run(self):
        self.prepare()
        self.inner.send(None)
        self.inner.send(self.watch(self.inner.recv()))

    def begin(self):
        self.start()
        self.wait(2 * PATIENCE_S)
        return self

    def go(self, seconds):
        self.pipe.send(seconds)
        self.seconds = seconds

    def result(self):
        heard = self.wait(self.seconds + PATIENCE_S + RECEIPT_PATIENCE_S)
        self.join()
        return heard

    def wait(self, seconds):
        if not self.pipe.poll(seconds):
            raise RuntimeError(f"{self.name} hangs")
        return self.pipe.recv()


class Bystander(Watcher):
    """Sends a GET every 100 ms, on one connection, or on a new one each from the next of `sources`."""

    def __init__(self, name, server, target, sources, headers=None, size=None, keeps=True):
        super().__init__(name)
        host, port = server.address.rsplit(":", 1)
        self.host, self.port = host.strip("[]"), int(port)
        self.target, self.headers, self.size, self.keeps = target, headers or {}, size, keeps
        self.sources, self.connection = itertools.cycle(sources), None

    def prepare(self):
        for _ in range(3):
            self.ask()

    def ask(self):
        """Returns what went wrong; None when nothing did."""
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE_S, source_address=(next(self.sources), 0))
            self.connection.request("GET", self.target, headers=self.headers)
            answer = self.connection.getresponse()
            length = len(answer.read())
            wrong = None if answer.status == 200 and self.size in (None, length) else f"{answer.status}, {length} bytes"
        except (OSError, http.client.HTTPException) as error:
            wrong = repr(error)
        if self.connection and (wrong or not self.keeps):
            self.connection.close()
            self.connection = None
        return wrong

    def watch(self, seconds):
        times, failures, begin = [], [], time.monotonic()
        dues = [begin + number * INTERVAL_S for number in range(max(1, round(seconds / INTERVAL_S)))]
        for due in dues:
            now = time.monotonic()
            if now > begin + seconds + PATIENCE_S:
                break
            time.sleep(max(0, due - now))
            # A request that waits for the answer before it is late from the moment on when it was due.
            begun = due if now > due else time.monotonic()
            wrong = self.ask()
            if wrong:
                failures.append(wrong)
            else:
                times.append((time.monotonic() - begun) * 1000)
        return Heard(times, len(dues), failures[:3])


class Recorder(Watcher):
    """Sends small recordings, one after the other, and waits for the receipt of each."""

    def __init__(self, name, account):
        super().__init__(name)
        self.account = account

    def prepare(self):
        self.account.token

    def watch(self, seconds):
        times, failures, asked, begin = [], [], 0, time.monotonic()
        while time.monotonic() < begin + seconds:
            asked += 1
            try:
                times.append(self.receipt() * 1000)
            except OSError as error:
                failures.append(str(error))
            time.sleep(INTERVAL_S)
        return Heard(times, asked, failures[:3])

    def receipt(self):
        recording = self.account.record(uuid.uuid4().bytes * (RECEIPT_BYTES // 16), "application/octet-stream")
        begun = time.monotonic()
        while time.monotonic() < begun + RECEIPT_PATIENCE_S:
            if self.account.call("GET", "/recordings/" + recording)["receipt"]:
                return time.monotonic() - begun
            time.sleep(0.02)
        raise TimeoutError(f"no receipt within {RECEIPT_PATIENCE_S} s")


def put(url, content):
    urllib.request.urlopen(urllib.request.Request(url, content, method="PUT")).close()


def as_json(value):
    return json.dumps(value, separators=(",", ":"))

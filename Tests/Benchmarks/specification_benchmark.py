"""The specification's time limits, on a machine whose processors are all busy: a sync of 50 presets, the fetch of one, a list of 1,000 recordings, and
100 presets in a batch. Each is a verdict: the slowest of the tries counts, and one beyond its limit ends the run with status 1."""
import concurrent.futures
import os
import subprocess
import sys
import time
import urllib.request
import uuid

from results import store
from server import Server
from sync_benchmark import document

TRIES = 10
RECORDINGS = 1000
PAGE = 100
THREADS = 8
METADATA = {"creation_date": "2026-03-01T12:00:00Z", "device_model": "iPhone17,1", "app_version": "2.3.1", "camera_position": "back",
            "custom_tags": {"scene": "12"}}
CREDENTIALS = {"email": "limits@example.org", "password": "three quiet lenses"}


class Account:
    def __init__(self, server):
        self.server = server
        server.call("POST", "/auth/register", CREDENTIALS)
        self.token = server.call("POST", "/auth/login", CREDENTIALS)[0]["token"]

    def call(self, method, path, body=None):
        return self.server.call(method, path, body, self.token)[0]

    def record(self, _):
        path = f"/recordings/{uuid.uuid4()}"
        url = self.call("POST", path + "/upload-url", {"file_size": 5, "content_type": "video/mp4"})["upload_url"]
        urllib.request.urlopen(urllib.request.Request(url, b"hello", method="PUT")).close()
        self.call("POST", path + "/complete", {"metadata": METADATA})

    def batch(self, count):
        operations = [{"operation": "create", **document(number)} for number in range(count)]
        self.call("POST", "/configurations/batch", {"operations": operations})
        return operations[0]["configuration"]["id"]

    def list_all(self):
        found = 0
        while found < RECORDINGS:
            page = self.call("GET", f"/recordings?limit={PAGE}&offset={found}")["recordings"]
            if not page:
                sys.exit(f"the list ends after {found} recordings")
            found += len(page)


def slowest(action):
    times = []
    for _ in range(TRIES):
        begin = time.monotonic()
        action()
        times.append(time.monotonic() - begin)
    return max(times)


def measure(options, folder):
    server = Server(os.path.join(folder, "limits"), media_jobs=0)
    busy = []
    try:
        account = Account(server)
        preset = account.batch(50)
        with concurrent.futures.ThreadPoolExecutor(THREADS) as threads:
            list(threads.map(account.record, range(RECORDINGS)))
        busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count())]
        limits = {"sync of 50 presets": (2, lambda: account.call("GET", "/configurations")),
                  "fetch of a preset": (0.1, lambda: account.call("GET", f"/configurations/{preset}")),
                  f"list of {RECORDINGS} recordings": (0.5, account.list_all),
                  "batch of 100 presets": (1, lambda: account.batch(100))}
        results = {name: (slowest(action), limit_s) for name, (limit_s, action) in limits.items()}
    finally:
        for process in busy:
            process.kill()
        server.stop()
    for name, (took_s, limit_s) in results.items():
        print(f"{name}: {took_s * 1000:.0f} ms at most, {'met' if took_s <= limit_s else 'NOT met'} ({limit_s * 1000:.0f} ms)")
    store(".build/benchmarks-specification.json", results, options)
    if any(took_s > limit_s for took_s, limit_s in results.values()):
        sys.exit(1)

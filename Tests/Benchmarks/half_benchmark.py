"""Latency at half of the highest rate, while PostgreSQL writes checkpoints: budget 7.

Each round finds the highest rate with wrk, whose clients send again as soon as they are answered. Then `pace` sends at half of that rate on a
schedule; its latencies count from the scheduled times. Some PUTs run beside all of it, or a checkpoint after reads alone would have nothing
to write."""
import contextlib
import json
import os
import re
import subprocess
import sys
from functools import partial
from urllib.parse import urlsplit

import psql
from load import load, measure_round, measured
from pgbench_benchmark import DOCUMENT
from results import cell, store, summary
from server import Server
from sync_benchmark import Scene

CASES = ["get", "delta-304", "delta-50", "put"]
PACE = ".build/peers/pace"
P99_MAX_MS = 10
PUTS_PER_SECOND = 50
PUT_CONNECTIONS = 4
CHECKPOINT_EVERY_S = 2
# How much longer than the schedule `pace` may run: a connection gives up after 10 s without an answer.
GRACE_S = 30
HEADINGS = (f"{'case':<10} {'highest/s':>22} {'sent/s':>20} {'p50 ms':>20} {'p99 ms':>22} {'p99.9 ms':>24} {'late p99':>9} {'client':>7} "
            f"{'others':>7}")


def build():
    os.makedirs(os.path.dirname(PACE), exist_ok=True)
    source = "Tests/Benchmarks/pace.swift"
    if not os.path.exists(PACE) or os.path.getmtime(PACE) < os.path.getmtime(source):
        # The header has what Swift's Glibc module does not export.
        subprocess.run(["swiftc", "-O", "-swift-version", "6", "-import-objc-header", "Sources/CLinux/include/linux.h", source, "-o", PACE],
                       check=True)


class Requests:
    """Whole requests for `pace`: the same as wrk sends."""

    def __init__(self, scene, folder):
        self.folder = folder
        self.port = scene.server.address.split(":")[1]
        self.host = scene.server.address
        cases = scene.cases()
        self.files = {name: self.write(name, [self.get(cases[name])]) for name in CASES if name != "put"}
        self.files["put"] = self.write("put", [self.put(*account) for account in scene.accounts[1:]])

    def write(self, name, requests):
        path = os.path.join(self.folder, f"{name}.requests")
        with open(path, "w") as file:
            json.dump(requests, file)
        return path

    def get(self, arguments):
        """From wrk's arguments: fields, each behind a -H, and the address."""
        url = urlsplit(arguments[-1])
        return self.request("GET", f"{url.path}?{url.query}" if url.query else url.path, arguments[1:-1:2])

    def put(self, identifier, token):
        """The document ends with a number that `pace` makes another one each time."""
        body = '{"configuration":' + DOCUMENT[0] + identifier + DOCUMENT[1] + "1000000000000000}}"
        fields = [f"Authorization: Bearer {token}", "Content-Type: application/json", f"Content-Length: {len(body)}"]
        return self.request("PUT", f"/v2/configurations/{identifier}", fields) + body

    def request(self, method, path, fields):
        return "\r\n".join([f"{method} {path} HTTP/1.1", f"Host: {self.host}", *fields, "", ""])

    def pace(self, name, rate, seconds, connections):
        return subprocess.Popen([PACE, self.port, str(rate), str(seconds), str(connections), self.files[name]],
                                stdout=subprocess.PIPE, text=True)


def finished(process, seconds):
    try:
        output = process.communicate(timeout=seconds + GRACE_S)[0]
    finally:
        process.kill()
    result = json.loads(output) if process.returncode == 0 else {"failures": "no result"}
    if result["failures"]:
        sys.exit(f"the server did not answer every request: {result}")
    return result


def send(requests, name, rate, connections, seconds):
    """Makes load for `measured`."""
    result = finished(requests.pace(name, rate, seconds, connections), seconds)
    del result["failures"]
    return int(result.pop("count")), result


@contextlib.contextmanager
def beside(requests, seconds):
    """PUTs at a steady pace while something else is measured; they are over about when that is."""
    process = requests.pace("put", PUTS_PER_SECOND, seconds, PUT_CONNECTIONS)
    try:
        yield
    finally:
        finished(process, seconds)


class Checkpoints:
    """Makes PostgreSQL write a checkpoint every few seconds. Root and the server's account may."""

    def __init__(self, server):
        environment = psql.environment(server) | {"PGUSER": "postgres", "PGDATABASE": "postgres"}
        self.process = subprocess.Popen([psql.program("psql"), "-X", "-v", "ON_ERROR_STOP=1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=environment)
        self.process.stdin.write(f"CHECKPOINT \\watch {CHECKPOINT_EVERY_S}\n")
        self.process.stdin.flush()

    def stop(self):
        """How many there were."""
        if self.process.poll() is not None:
            sys.exit("CHECKPOINT failed")
        self.process.terminate()
        return len(re.findall(r"^CHECKPOINT$", self.process.communicate()[0], re.M))


def measure(options, folder):
    build()
    server = Server(os.path.join(folder, "half"), history_max_bytes=0)
    try:
        scene = Scene(server, folder)
        requests, cases = Requests(scene, folder), scene.cases()
        for name in CASES:
            load(cases[name], 1, options.connections)
        checkpoints = Checkpoints(server)
        try:
            rounds = run(server, requests, cases, options)
        finally:
            count = checkpoints.stop()
        timeout = psql.say(server, "SHOW checkpoint_timeout")
    finally:
        server.stop()
    report(rounds, {"checkpoints": count, "checkpoint_timeout": timeout}, options)


def run(server, requests, cases, options):
    rounds = {name: [] for name in CASES}
    for _ in range(options.rounds):
        for name in CASES:
            with beside(requests, options.seconds):
                highest = measure_round(server, cases[name], options.seconds, options.connections)["requests_per_second"]
            with beside(requests, options.seconds):
                result = measured(server, options.seconds, partial(send, requests, name, highest / 2, options.connections))
            rounds[name].append({"highest_per_second": highest, **result})
    return rounds


def report(rounds, checkpoints, options):
    print(f"{options.connections} connections, {options.rounds} rounds of {options.seconds} s, {PUTS_PER_SECOND} PUT/s beside; "
          f"{checkpoints['checkpoints']} checkpoints, one every {CHECKPOINT_EVERY_S} s (checkpoint_timeout {checkpoints['checkpoint_timeout']}); "
          "late: how late the client itself sent; client: the cores it took")
    print(HEADINGS)
    results = {name: summary(of_case) for name, of_case in rounds.items()}
    for name, result in results.items():
        print(f"{name:<10} {cell(result['highest_per_second'], 0):>22} {cell(result['requests_per_second'], 0):>20} {cell(result['p50_ms'], 2):>20} "
              f"{cell(result['p99_ms'], 2):>22} {cell(result['p999_ms'], 2):>24} {result['late_p99_ms']['median']:>9.2f} "
              f"{result['client_cores']['median']:>7.2f} {result['other_cores']['median']:>7.2f}")
    for name, result in results.items():
        p99_ms = result["p99_ms"]["median"]
        print(f"budget: p99 of {name} under {P99_MAX_MS} ms: {p99_ms:.2f}, {'met' if p99_ms < P99_MAX_MS else 'NOT met'}")
    content = {"results": results, "puts_per_second": PUTS_PER_SECOND, "checkpoint_every_s": CHECKPOINT_EVERY_S, **checkpoints}
    store(".build/benchmarks-half.json", content, options)

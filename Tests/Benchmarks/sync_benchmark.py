"""The server's main requests against a private PostgreSQL."""
import base64
import json
import os
import uuid

from load import load, measure_round
from results import cell, store, summary
from server import Server

ACCOUNTS = 8
ITEMS = 200
CASES = ["healthz", "get", "delta-304", "delta-0", "delta-50", "put", "batch-100", "batch-500"]
HEADINGS = (f"{'case':<10} {'requests/s':>24} {'server CPU us':>20} {'PostgreSQL CPU us':>20} {'p50 ms':>7} {'p99 ms':>7} "
            f"{'others':>7}")


def document(number):
    return {"configuration": {
        "id": str(uuid.uuid4()).upper(), "name": f"Benchmark {number}", "preset": "landscape",
        "video_format": "H.265", "resolution": "4K UHD", "frame_rate": 30,
        "exposure_settings": {"mode": "manual", "iso": 400, "shutter_speed": 0.008, "exposure_compensation": 0.5},
        "focus_settings": {"mode": "manual", "lens_position": 0.7},
        "white_balance_settings": {"mode": "manual", "temperature": 5600, "tint": 3},
        "created_at": "2026-01-01T10:00:00Z", "modified_at": "2026-01-01T10:00:00Z"}}


def claims(token):
    """What the token's middle part says."""
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def session_of(token):
    return claims(token)["sid"]


def user_of(token):
    return claims(token)["sub"]


class Scene:
    """Accounts with configurations, and the cases to measure on them."""

    def __init__(self, server, folder):
        self.server = server
        self.accounts = []
        for number in range(ACCOUNTS):
            credentials = {"email": f"bench{number}@example.org", "password": "benchmark password"}
            server.call("POST", "/auth/register", credentials)
            token = server.call("POST", "/auth/login", credentials)[0]["token"]
            body = document(0)
            server.call("POST", "/configurations", body, token)
            self.accounts.append((body["configuration"]["id"], token))
        self.identifier, self.token = self.accounts[0]
        self.session = session_of(self.token)
        for number in range(1, ITEMS):
            server.call("POST", "/configurations", document(number), self.token)
        delta, headers = server.call("GET", "/configurations", token=self.token)
        self.head = delta["sync_token"]
        page = server.call("GET", f"/configurations?limit={ITEMS - 50}", token=self.token)[0]
        # Without the marks of a page and of a full set.
        self.before_50 = page["sync_token"].split("~")[0].removesuffix(".f")
        self.tag = server.call("GET", f"/configurations?sync_token={self.head}", token=self.token)[1]["ETag"]
        # The first account is read from, the others are written to.
        self.list = folder + "/accounts"
        with open(self.list, "w") as file:
            file.writelines(f"{identifier} {token}\n" for identifier, token in self.accounts[1:])

        # What the batches replace is replaced by nothing else.
        self.batches = folder + "/batches"
        with open(self.batches, "w") as file:
            for _, token in self.accounts[1:]:
                bodies = [document(number) for number in range(500)]
                operations = [{"operation": "create", **body} for body in bodies]
                server.call("POST", "/configurations/batch", {"operations": operations}, token)
                file.write(token + " " + ",".join(body["configuration"]["id"] for body in bodies) + "\n")

    def cases(self):
        bearer = ["-H", f"Authorization: Bearer {self.token}"]
        known = ["-H", f"If-None-Match: {self.tag}"]
        base = self.server.url
        return {
            "healthz": [base.removesuffix("/v2") + "/healthz"],
            "get": [*bearer, f"{base}/configurations/{self.identifier}"],
            "delta-304": [*bearer, *known, f"{base}/configurations?sync_token={self.head}"],
            "delta-0": [*bearer, f"{base}/configurations?sync_token={self.head}"],
            "delta-50": [*bearer, f"{base}/configurations?sync_token={self.before_50}"],
            "batch-100": ["-s", "Tests/Benchmarks/batch.lua", base, "--", self.batches, "100"],
            "batch-500": ["-s", "Tests/Benchmarks/batch.lua", base, "--", self.batches, "500"],
            "put": ["-s", "Tests/Benchmarks/put.lua", base, "--", self.list],
        }


def measure(names, options, folder):
    """Measures the cases named and prints what they took."""
    server = Server(os.path.join(folder, "sync"))
    try:
        cases = Scene(server, folder).cases()
        for name in names:
            load(cases[name], 1, options.connections)
        results = {name: [] for name in names}
        # In turn, so that a slow spell of the machine does not fall on one case alone.
        for _ in range(options.rounds):
            for name in names:
                results[name].append(measure_round(server, cases[name], options.seconds, options.connections))
        rss_kib = server.rss_kib()
    finally:
        server.stop()
    report({name: summary(rounds) for name, rounds in results.items()}, rss_kib, options)


def report(results, rss_kib, options):
    print(f"{options.connections} connections, {options.rounds} rounds of {options.seconds} s; median (minimum–maximum)")
    print(HEADINGS)
    for name, result in results.items():
        print(f"{name:<10} {cell(result['requests_per_second'], 0):>24} {cell(result['cpu_us'], 1):>20} "
              f"{cell(result['postgresql_cpu_us'], 1):>20} {result['p50_ms']['median']:>7.1f} "
              f"{result['p99_ms']['median']:>7.1f} {result['other_cores']['median']:>7.2f}")
    print(f"resident memory after the load: {rss_kib / 1024:.1f} MiB")
    store(".build/benchmarks.json", {"results": results, "rss_kib": rss_kib, "connections": options.connections}, options)

"""Measures the server's main requests with wrk, on 127.0.0.1 and a private PostgreSQL."""
import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid

TICK_US = 1_000_000 / os.sysconf("SC_CLK_TCK")
BINARY = ".build/release/neuroviews-server"
ACCOUNTS = 8
ITEMS = 200
# A round in which other processes took more than this share of a core is repeated, so many times at most.
NOISE_CORES = 0.25
REPEATS_MAX = 3


class Server:
    """The server on a data folder of its own, and the CPU time that it and its PostgreSQL took."""

    def __init__(self, folder):
        self.log = open(os.path.join(folder, "log"), "w+")
        settings = dict(os.environ, NEUROVIEWS_REGISTRATION="open", NEUROVIEWS_SIGNATURES="optional",
                        NEUROVIEWS_LOG_LEVEL="info", NEUROVIEWS_LOG_FORMAT="text")
        self.process = subprocess.Popen(
            [BINARY, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data", folder + "/data"],
            stderr=self.log, env=settings)
        self.url = "http://" + self.wait_for(r"listening on (\S+)") + "/v2"
        self.postmaster = int(self.wait_for(r"postgresql started=(\d+)"))

    def wait_for(self, pattern):
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and self.process.poll() is None:
            match = re.search(pattern, open(self.log.name).read())
            if match:
                return match.group(1)
            time.sleep(0.02)
        sys.exit("the server did not start:\n" + open(self.log.name).read())

    def stop(self):
        self.process.terminate()
        self.process.wait(30)

    def call(self, method, path, body=None, token=None):
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = "Bearer " + token
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer), answer.headers

    def cpu_ticks(self):
        """Ticks of the server, and of PostgreSQL with all its processes."""
        postgres = ticks(self.postmaster) + sum(ticks(pid) for pid in children(self.postmaster))
        return ticks(self.process.pid), postgres

    def rss_kib(self):
        return int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{self.process.pid}/status").read()).group(1))


def ticks(pid):
    try:
        fields = open(f"/proc/{pid}/stat").read().rsplit(") ", 1)[1].split()
        # User and system time, with those of children that have ended.
        return sum(int(field) for field in fields[11:15])
    except FileNotFoundError:
        return 0


def children(parent):
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                if open(f"/proc/{name}/stat").read().rsplit(") ", 1)[1].split()[1] == str(parent):
                    found.append(int(name))
            except FileNotFoundError:
                pass
    return found


def busy_ticks():
    """Ticks in which any core of the machine did something."""
    fields = [int(field) for field in open("/proc/stat").readline().split()[1:9]]
    return sum(fields) - fields[3] - fields[4] - fields[7]


def document(number, identifier=None):
    return {"configuration": {
        "id": identifier or str(uuid.uuid4()).upper(), "name": f"Benchmark {number}", "preset": "landscape",
        "video_format": "H.265", "resolution": "4K UHD", "frame_rate": 30,
        "exposure_settings": {"mode": "manual", "iso": 400, "shutter_speed": 0.008, "exposure_compensation": 0.5},
        "focus_settings": {"mode": "manual", "lens_position": 0.7},
        "white_balance_settings": {"mode": "manual", "temperature": 5600, "tint": 3},
        "created_at": "2026-01-01T10:00:00Z", "modified_at": "2026-01-01T10:00:00Z"}}


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
        for number in range(1, ITEMS):
            server.call("POST", "/configurations", document(number), self.token)
        delta, headers = server.call("GET", "/configurations", token=self.token)
        epoch, seq = delta["sync_token"].rsplit(".", 1)
        self.head = delta["sync_token"]
        self.before_50 = f"{epoch}.{int(seq) - 50}"
        self.tag = server.call("GET", f"/configurations?sync_token={self.head}", token=self.token)[1]["ETag"]
        # The first account is read from, the others are written to.
        self.list = folder + "/accounts"
        with open(self.list, "w") as file:
            file.writelines(f"{identifier} {token}\n" for identifier, token in self.accounts[1:])

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
            "put": ["-s", "Tests/Benchmarks/put.lua", base, "--", self.list],
        }


def load(arguments, seconds, connections):
    output = subprocess.run(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", *arguments],
                            capture_output=True, text=True, check=True).stdout
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", output)
    if refused or "Socket errors" in output:
        sys.exit("the server did not answer every request:\n" + output)
    p99 = re.search(r"99%\s+([\d.]+)(us|ms|s)", output)
    scale = {"us": 0.001, "ms": 1, "s": 1000}[p99.group(2)]
    return int(re.search(r"(\d+) requests in", output).group(1)), float(p99.group(1)) * scale


def measure_round(server, arguments, seconds, connections):
    for _ in range(REPEATS_MAX):
        wrk_before = resource.getrusage(resource.RUSAGE_CHILDREN)
        busy, (own, postgres), begin = busy_ticks(), server.cpu_ticks(), time.monotonic()
        count, p99_ms = load(arguments, seconds, connections)
        duration = time.monotonic() - begin
        busy_after, (own_after, postgres_after) = busy_ticks(), server.cpu_ticks()
        wrk_after = resource.getrusage(resource.RUSAGE_CHILDREN)
        wrk = (wrk_after.ru_utime + wrk_after.ru_stime - wrk_before.ru_utime - wrk_before.ru_stime) * 1e6 / TICK_US
        others = busy_after - busy - (own_after - own) - (postgres_after - postgres) - wrk
        noise = others * TICK_US / 1e6 / duration
        if noise <= NOISE_CORES:
            break
    return {"requests_per_second": count / duration, "cpu_us": (own_after - own) * TICK_US / count,
            "postgresql_cpu_us": (postgres_after - postgres) * TICK_US / count, "p99_ms": p99_ms,
            "other_cores": noise}


def summary(rounds):
    def spread(key):
        values = [round[key] for round in rounds]
        return {"median": statistics.median(values), "minimum": min(values), "maximum": max(values)}
    return {key: spread(key) for key in rounds[0]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", help="cases to measure; all when none is named")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=4)
    parser.add_argument("--connections", type=int, default=32)
    options = parser.parse_args()
    # PostgreSQL's account must be able to enter the folder.
    with tempfile.TemporaryDirectory(prefix="neuroviews-bench-") as folder:
        os.chmod(folder, 0o755)
        server = Server(folder)
        try:
            cases = Scene(server, folder).cases()
            unknown = set(options.names) - set(cases)
            if unknown:
                sys.exit(f"no such case: {', '.join(unknown)}; there are {', '.join(cases)}")
            names = [name for name in cases if not options.names or name in options.names]
            results = {name: [] for name in names}
            for name in names:
                load(cases[name], 1, options.connections)
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
    print(f"{'case':<10} {'requests/s':>24} {'server CPU us':>20} {'PostgreSQL CPU us':>20} {'p99 ms':>7} {'others':>7}")
    for name, result in results.items():
        def cell(key, digits):
            value = result[key]
            return f"{value['median']:.{digits}f} ({value['minimum']:.{digits}f}–{value['maximum']:.{digits}f})"
        print(f"{name:<10} {cell('requests_per_second', 0):>24} {cell('cpu_us', 1):>20} "
              f"{cell('postgresql_cpu_us', 1):>20} {result['p99_ms']['median']:>7.1f} {result['other_cores']['median']:>7.2f}")
    print(f"resident memory after the load: {rss_kib / 1024:.1f} MiB")
    with open(".build/benchmarks.json", "w") as file:
        json.dump({"results": results, "rss_kib": rss_kib, "connections": options.connections}, file, indent=1)


if __name__ == "__main__":
    main()

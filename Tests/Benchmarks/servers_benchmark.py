"""Two servers behind HAProxy, with the configuration of deploy/proxy, beside one server alone: requests a second and CPU of each part."""
import os
import re
import subprocess
import time
import urllib.request

import processes
from load import load, measure_round
from nginx import reserved_port
from results import cell, store, summary
from server import Server

HAPROXY = os.path.abspath(".build/high-availability/root")
ACCOUNTS = 100
CONNECTIONS = 64
# Reads for each write.
MIXES = {"reads": 1_000_000, "9 reads, 1 write": 9}
COLUMNS = {"requests_per_second": ("requests/s", 0), "cpu_us": ("servers CPU us", 1), "haproxy_cpu_us": ("HAProxy CPU us", 1),
           "postgresql_cpu_us": ("PostgreSQL CPU us", 1), "p50_ms": ("p50 ms", 2), "p99_ms": ("p99 ms", 2)}


class Second(Server):
    """Another server on the first one's database, secret and files."""

    def __init__(self, first, folder, url):
        os.makedirs(folder + "/data", mode=0o700)
        os.symlink(first.data + "/objects", folder + "/data/objects")
        settings = {"database_url": f"host={first.data}/socket user=neuroviews dbname=neuroviews",
                    "secret_file": first.data + "/secret.key", "public_url": url, "trusted_proxies": "127.0.0.1"}
        super().__init__(folder, beside=first, **settings)


class Pair:
    """Both servers and HAProxy, with what they use."""

    def __init__(self, servers, port, folder):
        self.servers, self.own = servers, []
        with open("deploy/proxy/haproxy.cfg") as file:
            text = file.read()
        line = re.search(r"    server first .*\n", text).group(0)
        lines = "".join(line.replace("first", f"server{number}").replace("127.0.0.1:8080", server.address) for number, server in enumerate(servers))
        for old, new in ((line, lines), ("bind :443 ssl crt /etc/ssl/private/cloud.pem alpn h2,http/1.1", f"bind 127.0.0.1:{port}"),
                         ("X-Forwarded-Proto https", "X-Forwarded-Proto http")):
            if old not in text:
                raise RuntimeError(f"deploy/proxy/haproxy.cfg has no {old}")
            text = text.replace(old, new)
        with open(folder + "/haproxy.cfg", "w") as file:
            file.write(text)
        libraries = f"{HAPROXY}/usr/lib/{os.uname().machine}-linux-gnu"
        self.process = subprocess.Popen([HAPROXY + "/usr/sbin/haproxy", "-db", "-f", folder + "/haproxy.cfg"],
                                        env={**os.environ, "LD_LIBRARY_PATH": libraries}, stderr=subprocess.DEVNULL)
        self.url = f"http://127.0.0.1:{port}/v2"
        deadline = time.monotonic() + 10
        while True:
            try:
                urllib.request.urlopen(self.url + "/readyz", timeout=1).close()
                return
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    def cpu(self):
        """Of servers and HAProxy. `own` has HAProxy's at each call."""
        self.own.append(processes.cpu_of(self.process.pid))
        return sum((server.cpu() for server in self.servers), self.own[-1])

    def database_cpu(self):
        return self.servers[0].database_cpu()

    def stop(self):
        self.process.terminate()
        self.process.wait(30)


def measure(options, folder):
    port = reserved_port()
    url = f"http://127.0.0.1:{port}/v2"
    first = Server(folder + "/first", public_url=url, trusted_proxies="127.0.0.1")
    second = Second(first, folder + "/second", url)
    pair = Pair([first, second], port, folder)
    list_of_accounts = folder + "/accounts"
    with open(list_of_accounts, "w") as file:
        file.writelines(" ".join(account(first, number)) + "\n" for number in range(ACCOUNTS))
    ways = {"one, direct": (first, f"http://{first.address}"), "two, HAProxy": (pair, url.removesuffix("/v2"))}
    results = {}
    print(f"{'way':<14} {'mix':<18}" + "".join(f" {heading:>26}" for heading, _ in COLUMNS.values()))
    for mix, reads in MIXES.items():
        rounds = {way: [] for way in ways}
        for _ in range(options.rounds):
            for way, (target, base) in ways.items():
                words = ["-s", "Tests/Benchmarks/put.lua", base, "--", list_of_accounts, str(reads)]
                rounds[way].append(one_round(target, pair, words, options))
        for way, those in rounds.items():
            results[f"{way}: {mix}"] = found = summary(those)
            print(f"{way:<14} {mix:<18}" + "".join(f" {cell(found[name], digits):>26}" for name, (_, digits) in COLUMNS.items()), flush=True)
    for part in (pair, second, first):
        part.stop()
    store(".build/benchmarks-servers.json", {"cases": results}, options)


def one_round(target, pair, words, options):
    load(words, 1, CONNECTIONS)
    result = measure_round(target, words, options.seconds, CONNECTIONS)
    # A round that others disturbed was repeated: the last two calls are those of the last try.
    spent = (pair.own[-1] - pair.own[-2]).total if target is pair else 0.0
    result["haproxy_cpu_us"] = spent / (result["requests_per_second"] * options.seconds)
    result["cpu_us"] -= result["haproxy_cpu_us"]
    return result


def account(server, number):
    credentials = {"email": f"bench{number}@example.org", "password": "benchmark password"}
    server.call("POST", "/auth/register", credentials)
    token = server.call("POST", "/auth/login", credentials)[0]["token"]
    body = {"configuration": {
        "id": f"0a1b2c3d-0000-4000-8000-{number:012d}", "name": "Benchmark", "preset": "landscape", "video_format": "H.265", "resolution": "4K UHD",
        "frame_rate": 30, "created_at": "2026-01-01T10:00:00Z", "modified_at": "2026-01-01T10:00:00Z"}}
    server.call("POST", "/configurations", body, token)
    return body["configuration"]["id"], token

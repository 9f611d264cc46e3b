"""The HTTP layer alone: /healthz through everything that a request passes, beside nginx and Hummingbird with the same answer."""
import http.client
import os
import statistics
import time
from functools import partial
from typing import NamedTuple

import hummingbird
from hummingbird import Hummingbird
from load import handshakes, measured, wrk
from nginx import Nginx
from results import cell, spread, store, summary
from server import Server, certificate, has_setting

CONNECTIONS = [1, 64, 512]
# A new connection for each request: so many at once.
NEW_CONNECTIONS = 64
# A request may cost so many times what nginx takes, and the server at rest so many MiB.
CPU_RATIO_MAX = 1.1
REST_MAX_MIB = 40
HEADINGS = (f"{'case':<11} {'':<16} {'requests/s':>24} {'CPU us':>19} {'user':>6} {'system':>6} {'p50 ms':>7} {'p99 ms':>7} "
            f"{'others':>7}")


class Answer(NamedTuple):
    """What both servers answer with."""

    fields: list
    body: str
    head_bytes: int


def ask(address):
    connection = http.client.HTTPConnection(address, timeout=10)
    connection.request("GET", "/healthz")
    response = connection.getresponse()
    fields = response.getheaders()
    head_bytes = len("HTTP/1.1 200 OK\r\n\r\n") + sum(len(f"{name}: {value}\r\n") for name, value in fields)
    answer = Answer(fields, response.read().decode(), head_bytes)
    connection.close()
    return answer


class Pair:
    """The server and its peers, plain or with TLS. nginx is the second."""

    def __init__(self, scheme):
        self.scheme = scheme
        self.sides = []
        self.rest_kib = 0

    def add(self, side):
        self.sides.append(side)
        return side

    def url(self, side):
        return f"{self.scheme}://{side.address}/healthz"

    def cases(self):
        """Names, and how a round of each side is measured."""
        kept = {f"{self.scheme} {count}": partial(self.measure_kept, count) for count in CONNECTIONS}
        if self.scheme == "http":
            return kept | {"http new": self.measure_new}
        return kept | {"https new": partial(self.measure_handshakes, "-new"), "https again": partial(self.measure_handshakes, "-reuse")}

    def sides_of(self, case):
        """Hummingbird closes a connection without the field that announces it, which wrk counts as an error."""
        return [side for side in self.sides if case != "http new" or not isinstance(side, Hummingbird)]

    def measure_kept(self, count, side, seconds):
        return measured(side, seconds, partial(wrk, [self.url(side)], count))

    def measure_new(self, side, seconds):
        return measured(side, seconds, partial(wrk, ["-H", "Connection: close", self.url(side)], NEW_CONNECTIONS))

    def measure_handshakes(self, option, side, seconds):
        return measured(side, seconds, partial(handshakes, option, side.address))

    def stop(self):
        for side in self.sides:
            side.stop()


def measure(options, folder):
    """Measures all cases, prints them and says whether the budget is met."""
    pairs = []
    try:
        start(pairs, options, folder)
        start_hummingbird(pairs[0], folder)
        results = run(pairs, options)
        memory = {pair.scheme: {"rest_kib": pair.rest_kib,
                                "after_kib": {side.name: side.rss_kib() for side in pair.sides}} for pair in pairs}
    finally:
        for pair in pairs:
            pair.stop()
    report(results, memory, options)


def start(pairs, options, folder):
    """Adds the pairs; each side is in `pairs` as soon as it runs, so that it is stopped whatever happens."""
    loops = os.cpu_count()
    plain = Pair("http")
    pairs.append(plain)
    server = plain.add(Server(folder + "/plain", event_loops=loops))
    plain.rest_kib = rest_kib(server, options)
    answer = ask(server.address)
    peer = plain.add(Nginx(folder + "/plain-nginx", loops, answer))
    print(f"an answer: {answer.head_bytes} bytes of head, {len(answer.body)} of content; nginx: "
          f"{ask(peer.address).head_bytes} and {len(answer.body)}; {loops} loops and workers")
    if has_setting("tls-cert"):
        pairs.append(Pair("https"))
        start_tls(pairs[-1], options, folder, loops, answer)
    else:
        print("the server has no TLS: without its cases")


def start_hummingbird(pair, folder):
    """Adds Hummingbird with a text and with JSON, where it can be built."""
    missing = hummingbird.why_missing()
    if missing:
        print(f"without Hummingbird: {missing}")
        return
    answer = ask(pair.sides[0].address)
    for kind in ["text", "json"]:
        peer = pair.add(Hummingbird(folder, answer, kind))
        own = ask(peer.address)
        print(f"{peer.name} {hummingbird.version()}: {own.head_bytes} and {len(own.body)}")


def rest_kib(server, options):
    time.sleep(options.rest_seconds)
    return server.rss_kib()


def start_tls(pair, options, folder, loops, answer):
    path, key = certificate(folder)
    server = pair.add(Server(folder + "/tls", event_loops=loops, tls_cert=path, tls_key=key))
    pair.rest_kib = rest_kib(server, options)
    pair.add(Nginx(folder + "/tls-nginx", loops, answer, path, key))


def run(pairs, options):
    """Rounds by case and side; the sides take turns, so that a slow spell of the machine falls on both."""
    cases = [(name, measure_case, side) for pair in pairs for name, measure_case in pair.cases().items() for side in pair.sides_of(name)]
    results = {}
    for name, measure_case, side in cases:
        measure_case(side, 1)
        results.setdefault(name, {})[side.name] = []
    for _ in range(options.rounds):
        for name, measure_case, side in cases:
            results[name][side.name].append(measure_case(side, options.seconds))
    return results


def ratio(rounds, key, peer="nginx"):
    """The server's part of a peer's, each round with the one beside it."""
    own, peer = rounds["neuroviews"], rounds[peer]
    return spread([mine[key] / theirs[key] for mine, theirs in zip(own, peer) if theirs[key] > 0])


def report(results, memory, options):
    print(f"{options.rounds} rounds of {options.seconds} s; median (minimum–maximum); case: scheme and connections that are kept; "
          f"http new: {NEW_CONNECTIONS} clients, a connection for each request; https new: one client, a whole handshake for each "
          "request; https again: a handshake by a ticket")
    print(HEADINGS)
    has_hummingbird = any("hummingbird text" in rounds for rounds in results.values())
    content = {"memory": memory, "cases": {}, "hummingbird": hummingbird.version() if has_hummingbird else None}
    for case, rounds in results.items():
        sides = {name: summary(list_of_rounds) for name, list_of_rounds in rounds.items()}
        ratios = {key: ratio(rounds, key) for key in ["cpu_us", "requests_per_second"]}
        content["cases"][case] = {"sides": sides, "ratios": ratios}
        content["cases"][case]["hummingbird_cpu_ratios"] = {
            name: ratio(rounds, "cpu_us", name) for name in rounds if name.startswith("hummingbird")}
        for name, side in sides.items():
            print_side(case, name, side)
        print(f"{'':<11} {'ratio to nginx':<16} {cell(ratios['requests_per_second'], 2):>24} {cell(ratios['cpu_us'], 2):>19}")
    judge(content)
    store(".build/benchmarks-http.json", content, options)


def print_side(case, name, side):
    print(f"{case:<11} {name:<16} {cell(side['requests_per_second'], 0):>24} {cell(side['cpu_us'], 1):>19} "
          f"{side['user_us']['median']:>6.1f} {side['system_us']['median']:>6.1f} {side['p50_ms']['median']:>7.2f} "
          f"{side['p99_ms']['median']:>7.2f} {side['other_cores']['median']:>7.2f}")


def judge(content):
    for scheme, memory in content["memory"].items():
        after = ", ".join(f"{name} {kib / 1024:.1f} MiB" for name, kib in memory["after_kib"].items())
        rest_mib = memory["rest_kib"] / 1024
        print(f"{scheme}: {rest_mib:.1f} MiB resident at rest ({verdict(rest_mib < REST_MAX_MIB)} {REST_MAX_MIB}); "
              f"after the load: {after}")
    for scheme in content["memory"]:
        ratios = [case["ratios"]["cpu_us"]["median"] for name, case in content["cases"].items() if name.split()[0] == scheme]
        worst, middle = max(ratios), statistics.median(ratios)
        print(f"{scheme}: {middle:.2f} of nginx's CPU a request, at worst {worst:.2f} "
              f"({verdict(worst <= CPU_RATIO_MAX)} {CPU_RATIO_MAX})")


def verdict(is_met):
    return "within" if is_met else "NOT within"

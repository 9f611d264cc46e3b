"""What logins cost others, and what their time tells. `run logins` measures two things, on a server of its own:

- 200 clients that log in without a pause, beside requests of others at a steady pace: the 99th percentile of these, with and without the
  storm.
- 1,000 logins each of a known and of an unknown address, in random order: whether their times differ (Mann and Whitney's U test).
- The same in the server's own time, with hashes that cost nothing and a disk that takes 8 ms for a flush: the AUC, which is 0.5 if the times tell
  nothing. `run logins --flush` measures this alone.
"""
import argparse
import asyncio
import json
import math
import multiprocessing
import os
import random
import statistics
import sys
import tempfile
import time
import urllib.error

import psql
from server import Server

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Exams", "Attacks"))
import attacks  # noqa: E402

CLIENTS = 200
PASSWORD = "three quiet lenses"
UNLIMITED = dict.fromkeys(["login_failures_max", "login_failures_per_device_max", "login_failures_per_known_address_max",
                           "login_failures_per_address_max", "registrations_per_address_max"], 0)
# A difference by chance is larger than this in one of a thousand runs.
SIGNIFICANT_Z = 3.29
REST_MAX_S = 60
# Limits that count and that nobody reaches.
COUNTED = dict.fromkeys(UNLIMITED, 1_000_000)
FLUSH_US = 8000
# Each account and each unknown address comes often, as in a guesser's list.
ADDRESSES = 20
AUC_RANGE = 0.45, 0.55
REFUSED = 401
# A second of a server that does nothing takes less CPU than that.
RESTING_US = 50_000


def register(server, email):
    server.call("POST", "/auth/register", {"email": email, "password": PASSWORD})


def request(address, email, password):
    body = json.dumps({"email": email, "password": password})
    return (f"POST /v2/auth/login HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}").encode()


async def client(address, message, counts):
    host, port = address.split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    while True:
        writer.write(message)
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        await reader.readexactly(length)
        counts[head[9:12].decode()] = counts.get(head[9:12].decode(), 0) + 1
        if head[9:12] == b"503":
            await asyncio.sleep(0.5)


def storm(address, emails, seconds, results):
    async def rage():
        counts = {}
        tasks = [asyncio.create_task(client(address, request(address, emails[number % len(emails)], PASSWORD), counts))
                 for number in range(CLIENTS)]
        await asyncio.sleep(seconds)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return counts
    results.put(asyncio.run(rage()))


def p99_of(client, seconds):
    times, failures = client.run(seconds)
    if failures:
        sys.exit(f"requests of others failed: {failures[:3]}")
    return attacks.p99(times)


def shown(times):
    return ", ".join(f"{time:.1f}" for time in sorted(times))


def rest(server):
    """Waits until the server has hashed what waited for clients that are gone."""
    for _ in range(REST_MAX_S):
        begin = server.cpu().total
        time.sleep(1)
        if server.cpu().total - begin < RESTING_US:
            return
    sys.exit(f"the server still works {REST_MAX_S} s after the storm")


def measure_storm(server, rounds, seconds):
    emails = [f"storm-{number}@example.org" for number in range(20)]
    for email in emails:
        register(server, email)
    client = attacks.GoodClient(int(server.address.split(":")[1]))
    before, after, logins, memory = [], [], [], server.rss_kib()
    for _ in range(rounds):
        before.append(p99_of(client, seconds))
        results = multiprocessing.Queue()
        process = multiprocessing.Process(target=storm, args=(server.address, emails, seconds + 3, results))
        process.start()
        time.sleep(2)
        after.append(p99_of(client, seconds))
        logins.append(results.get())
        process.join()
        rest(server)
    growth = server.rss_kib() - memory
    added = statistics.median(after) - statistics.median(before)
    print(f"p99 of requests at a steady pace: {statistics.median(before):.2f} ms, beside {CLIENTS} logins at once {statistics.median(after):.2f} ms: "
          f"{added:+.2f} ms (medians of {rounds}); before {shown(before)}, beside {shown(after)}")
    print(f"logins by status, of each round: {logins}; memory {growth:+d} KiB")
    return {"before_ms": before, "beside_ms": after, "logins": logins, "memory_kib": growth}


def refused_login(server, email):
    """The fields of the answer to a wrong password."""
    try:
        server.call("POST", "/auth/login", {"email": email, "password": "not the password"})
    except urllib.error.HTTPError as error:
        error.read()
        assert error.code == REFUSED, error.code
        return error.headers
    sys.exit(f"{email} logged in")


def timed_login(server, email):
    begin = time.monotonic()
    refused_login(server, email)
    return (time.monotonic() - begin) * 1000


def server_time_ms(server, email):
    return float(refused_login(server, email)["Server-Timing"].split("total;dur=")[1].split(",")[0])


def mann_whitney(first, second):
    """The z value of the U statistic, with ranks of ties averaged (their correction is nothing at this resolution)."""
    ranked = sorted([(value, 0) for value in first] + [(value, 1) for value in second])
    rank_sum = sum(rank for rank, (_, which) in enumerate(ranked, 1) if which == 0)
    n, m = len(first), len(second)
    return (rank_sum - n * (n + 1) / 2 - n * m / 2) / math.sqrt(n * m * (n + m + 1) / 12)


def auc(first, second):
    """The probability that a value of `second` is above one of `first`."""
    z = mann_whitney(first, second)
    n, m = len(first), len(second)
    return 0.5 - z * math.sqrt((n + m + 1) / (12 * n * m))


def slow_flushes(server):
    """Each flush of the WAL waits, as on a slow disk. PostgreSQL flushes: the benchmark's server has fsync on."""
    for setting in (f"commit_delay = {FLUSH_US}", "commit_siblings = 0"):
        psql.administer(server, f"ALTER SYSTEM SET {setting}")
    psql.administer(server, "SELECT pg_reload_conf()")
    for _ in range(100):
        if psql.say(server, "SHOW commit_delay") == str(FLUSH_US):
            return
        time.sleep(0.05)
    sys.exit("PostgreSQL did not read its settings again")


def measure_flushes(server, count):
    for number in range(ADDRESSES):
        register(server, f"known-{number}@example.org")
    slow_flushes(server)
    order = ["known", "unknown"] * count
    random.Random(2).shuffle(order)
    times = {"known": [], "unknown": []}
    # The first of each address, and of each of the server's connections, are no part of it.
    for kind in ["known", "unknown"] * 2 * ADDRESSES + order:
        email = f"{kind}-{len(times[kind]) % ADDRESSES}@example.org"
        times[kind].append(server_time_ms(server, email))
    known, unknown = (times[kind][2 * ADDRESSES:] for kind in ("known", "unknown"))
    value = auc(known, unknown)
    is_alike = AUC_RANGE[0] <= value <= AUC_RANGE[1] and min(known) > FLUSH_US / 1000
    print(f"server's time of {count} pairs of failed logins with a flush of {FLUSH_US / 1000:.0f} ms: known address {statistics.median(known):.2f} ms, "
          f"unknown {statistics.median(unknown):.2f} ms (medians); AUC {value:.3f}, {'' if is_alike else 'NOT '}alike")
    return {"auc": value, "alike": is_alike, "medians_ms": [statistics.median(known), statistics.median(unknown)]}


def measure_times(server, count):
    register(server, "known@example.org")
    order = ["known", "unknown"] * count
    random.Random(1).shuffle(order)
    times = {"known": [], "unknown": []}
    for kind in order:
        times[kind].append(timed_login(server, f"{kind}@example.org"))
    z = mann_whitney(times["known"], times["unknown"])
    medians = {kind: statistics.median(values) for kind, values in times.items()}
    print(f"median of {count} logins: known address {medians['known']:.2f} ms, unknown {medians['unknown']:.2f} ms; z = {z:+.2f}, "
          f"{'NOT ' if abs(z) > SIGNIFICANT_Z else ''}alike")
    return {"z": z, "medians_ms": medians}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=8)
    parser.add_argument("--logins", type=int, default=1000)
    parser.add_argument("--binary")
    parser.add_argument("--flush", action="store_true", help="only the server's time with slow flushes")
    options = parser.parse_args()
    result = {"flush": served(options.binary, COUNTED | {"password_cost": 1}, lambda server: measure_flushes(server, options.logins))}
    if not options.flush:
        result |= served(options.binary, UNLIMITED, lambda server: {
            "storm": measure_storm(server, options.rounds, options.seconds), "times": measure_times(server, options.logins)})
    with open(".build/benchmark-logins.json", "w") as file:
        json.dump(result, file, indent=1)
    sys.exit(0 if result["flush"]["alike"] and (options.flush or abs(result["times"]["z"]) <= SIGNIFICANT_Z) else 1)


def served(binary, settings, measure):
    """What `measure` finds at a server of its own."""
    with tempfile.TemporaryDirectory(prefix="neuroviews-logins-") as folder:
        os.chmod(folder, 0o755)
        server = Server(folder, binary, **settings)
        try:
            return measure(server)
        finally:
            server.stop()


if __name__ == "__main__":
    main()

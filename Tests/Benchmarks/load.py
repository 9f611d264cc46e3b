"""Rounds of load by wrk, and what they cost."""
import re
import resource
import subprocess
import sys
import time
from functools import partial

import processes

# A round in which other processes took more than this share of a core is repeated, so many times at most.
NOISE_CORES = 0.25
REPEATS_MAX = 3
MILLISECONDS = {"us": 0.001, "ms": 1, "s": 1000}


def wrk(arguments, connections, seconds):
    """Requests answered, and percentiles of the latency. Ends the run when one was not answered."""
    output = subprocess.run(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", *arguments],
                            capture_output=True, text=True, check=True).stdout
    if "Non-2xx or 3xx responses" in output or "Socket errors" in output:
        sys.exit("the server did not answer every request:\n" + output)
    found = re.findall(r"(50|99)%\s+([\d.]+)(us|ms|s)", output)
    percentiles = {name: float(value) * MILLISECONDS[unit] for name, value, unit in found}
    return int(re.search(r"(\d+) requests in", output).group(1)), {"p50_ms": percentiles["50"], "p99_ms": percentiles["99"]}


def handshakes(option, address, seconds):
    """Requests of openssl's client, each by a handshake of its own: `-new` or `-reuse`. Its mean stands for the percentiles."""
    output = subprocess.run(["openssl", "s_time", "-connect", address, option, "-www", "/healthz", "-time", str(seconds), "-tls1_3"],
                            capture_output=True, text=True, check=True).stdout
    # The first line of -reuse tells of the connection that got the ticket.
    count, duration = re.findall(r"(\d+) connections in (\d+) real seconds", output)[-1]
    mean_ms = 1000 * int(duration) / max(1, int(count))
    return int(count), {"p50_ms": mean_ms, "p99_ms": mean_ms}


def load(arguments, seconds, connections):
    """A warm-up."""
    wrk(arguments, connections, seconds)


def children_cpu_us():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (usage.ru_utime + usage.ru_stime) * 1e6


def measure_round(server, arguments, seconds, connections):
    """One round of wrk."""
    return measured(server, seconds, partial(wrk, arguments, connections))


def measured(server, seconds, generate):
    """One round against a server that tells `cpu` and `database_cpu`. `generate` makes load for so many seconds and returns how many requests were
    answered, with the figures of their latency."""
    for _ in range(REPEATS_MAX):
        result = measure_once(server, seconds, generate)
        if result["other_cores"] <= NOISE_CORES:
            break
    return result


def measure_once(server, seconds, generate):
    client, busy, own, database = children_cpu_us(), processes.busy_us(), server.cpu(), server.database_cpu()
    begin = time.monotonic()
    count, latency = generate(seconds)
    duration = time.monotonic() - begin
    own, database = server.cpu() - own, server.database_cpu() - database
    others_us = processes.busy_us() - busy - own.total - database.total - (children_cpu_us() - client)
    if count == 0:
        sys.exit(f"no request was answered within {seconds} s: give more --seconds")
    return {"requests_per_second": count / duration, "cpu_us": own.total / count, "user_us": own.user / count,
            "system_us": own.system / count, "postgresql_cpu_us": database.total / count, **latency,
            "other_cores": others_us / 1e6 / duration}

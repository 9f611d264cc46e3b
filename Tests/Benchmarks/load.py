"""Rounds of load by wrk, and what they cost."""
import re
import resource
import subprocess
import sys
import time

import processes

# A round in which other processes took more than this share of a core is repeated, so many times at most.
NOISE_CORES = 0.25
REPEATS_MAX = 3
MILLISECONDS = {"us": 0.001, "ms": 1, "s": 1000}


def load(arguments, seconds, connections):
    """Requests answered, and the percentiles of the latency in milliseconds. Ends the run when one was not answered."""
    output = subprocess.run(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", *arguments],
                            capture_output=True, text=True, check=True).stdout
    if "Non-2xx or 3xx responses" in output or "Socket errors" in output:
        sys.exit("the server did not answer every request:\n" + output)
    found = re.findall(r"(50|99)%\s+([\d.]+)(us|ms|s)", output)
    percentiles = {name: float(value) * MILLISECONDS[unit] for name, value, unit in found}
    return int(re.search(r"(\d+) requests in", output).group(1)), percentiles["50"], percentiles["99"]


def wrk_cpu_us():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (usage.ru_utime + usage.ru_stime) * 1e6


def measure_round(server, arguments, seconds, connections):
    """One round against a server that tells `cpu` and `database_cpu`."""
    for _ in range(REPEATS_MAX):
        result = measure_once(server, arguments, seconds, connections)
        if result["other_cores"] <= NOISE_CORES:
            break
    return result


def measure_once(server, arguments, seconds, connections):
    wrk, busy, own, database = wrk_cpu_us(), processes.busy_us(), server.cpu(), server.database_cpu()
    begin = time.monotonic()
    count, p50_ms, p99_ms = load(arguments, seconds, connections)
    duration = time.monotonic() - begin
    own, database = server.cpu() - own, server.database_cpu() - database
    others_us = processes.busy_us() - busy - own.total - database.total - (wrk_cpu_us() - wrk)
    if count == 0:
        sys.exit(f"no request was answered within {seconds} s: give more --seconds")
    return {"requests_per_second": count / duration, "cpu_us": own.total / count, "user_us": own.user / count,
            "system_us": own.system / count, "postgresql_cpu_us": database.total / count, "p50_ms": p50_ms,
            "p99_ms": p99_ms, "other_cores": others_us / 1e6 / duration}

"""pgbench as the measure of what a request may cost: the same statements, without a server between."""
import itertools
import os
import re
import resource
import subprocess
import sys
import time

import processes
import psql

# What the server says on each new connection.
OPTIONS = ("-c search_path=neuroviews,pg_temp -c timezone=UTC -c datestyle=ISO -c plan_cache_mode=force_generic_plan "
           "-c role=neuroviews_app -c statement_timeout=8000 -c lock_timeout=4000 -c jit=off -c enable_seqscan=off "
           "-c enable_bitmapscan=off -c enable_sort=off -c enable_hashjoin=off -c enable_mergejoin=off -c enable_material=off")
# Scripts that need numbers of their own have the round in `:round`, and count in `:step`.
ROUNDS = itertools.count(1)


class Script:
    """Scripts of which each client picks one at random, and the values of their variables."""

    def __init__(self, folder, name, texts, variables, connections):
        self.paths = []
        for number, text in enumerate(texts):
            self.paths.append(os.path.join(folder, f"{name}-{number}.pgbench"))
            with open(self.paths[-1], "w") as file:
                file.write(text)
        self.variables = {"nothing": "-", **variables}
        self.connections = connections


def children_cpu_us():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (usage.ru_utime + usage.ru_stime) * 1e6


def measure_once(server, script, seconds):
    """A round: transactions a second, CPU of pgbench and of PostgreSQL for each."""
    files = [part for path in script.paths for part in ("-f", path)]
    variables = {**script.variables, "round": next(ROUNDS), "step": 0}
    names = [part for name, text in variables.items() for part in ("-D", f"{name}={text}")]
    own, database, begin = children_cpu_us(), server.database_cpu(), time.monotonic()
    done = subprocess.run([psql.program("pgbench"), "-n", "-M", "prepared", "-c", str(script.connections), "-j", "2",
                           "-T", str(seconds), *files, *names], text=True, capture_output=True,
                          env=psql.environment(server, PGOPTIONS=OPTIONS))
    duration = time.monotonic() - begin
    found = re.search(r"number of transactions actually processed: (\d+)", done.stdout)
    if done.returncode != 0 or "number of failed transactions: 0 " not in done.stdout or not found:
        sys.exit("pgbench: " + done.stdout + done.stderr)
    # What a backend took counts for its parent once it has ended.
    deadline = time.monotonic() + 1
    while server.backends("pgbench") and time.monotonic() < deadline:
        time.sleep(0.01)
    count = int(found.group(1))
    return {"requests_per_second": count / duration, "cpu_us": (children_cpu_us() - own) / count,
            "postgresql_cpu_us": (server.database_cpu() - database).total / count}

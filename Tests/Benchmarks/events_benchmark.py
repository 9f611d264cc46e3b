"""Events a second through HTTP, beside COPY of the same rows into the same tables, in the same rounds: budget 0.5."""
import datetime
import gzip
import http.client
import json
import os
import random
import subprocess
import threading
import time
import uuid

import psql
from results import cell, store, summary
from server import Server

RATIO_MIN = 0.5
ACCOUNTS = 8
BATCHES = 40
EVENTS = 1000
NAMES = 20
# What a batch tells of.
HOURS = 2
COLUMNS = "user_id, device_id, occurred_at, id, name, parameters"


def measure(options, folder):
    server = Server(os.path.join(folder, "events"))
    try:
        accounts = [agreed(server, number) for number in range(ACCOUNTS)]
        rounds = [measure_round(server, accounts, folder, number) for number in range(options.rounds)]
        report(rounds, options)
    finally:
        server.stop()


def agreed(server, number):
    credentials = {"email": f"events{number}@example.org", "password": "benchmark password", "device_id": "phone"}
    server.call("POST", "/auth/register", credentials)
    token = server.call("POST", "/auth/login", credentials)[0]["token"]
    server.call("PUT", "/account/consents", {"consents": {"analytics": {"granted": True, "version": "1"}}}, token)
    return token


def batch(source, begin):
    """A packed batch of a device: two hours of use."""
    def event():
        moment = begin + datetime.timedelta(milliseconds=source.randrange(HOURS * 3_600_000))
        return {"name": f"event_{source.randrange(NAMES)}", "timestamp": moment.isoformat(timespec="milliseconds") + "Z",
                "id": str(uuid.UUID(int=source.getrandbits(128))),
                "parameters": {"mode": "manual", "iso": source.randrange(100, 3200), "lens": "wide"}}
    return gzip.compress(json.dumps({"events": [event() for _ in range(EVENTS)]}).encode(), 6)


def measure_round(server, accounts, folder, number):
    source = random.Random(number)
    now = datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None)
    bodies = [[batch(source, now - datetime.timedelta(hours=HOURS * (1 + index))) for index in range(BATCHES)]
              for _ in accounts]
    psql.say(server, "TRUNCATE analytics_events, analytics_device_days, analytics_name_days, analytics_months, analytics_names")
    own, database, begin = server.cpu(), server.database_cpu(), time.monotonic()
    send(server, accounts, bodies)
    seconds = time.monotonic() - begin
    own, database = server.cpu() - own, server.database_cpu() - database
    count = ACCOUNTS * BATCHES * EVENTS
    copied, copying = copy(server, folder, count, 1)
    several, _ = copy(server, folder, count, os.cpu_count())
    return {"events_per_second": count / seconds, "copied_per_second": count / copied,
            "copied_by_all_cores_per_second": count / several, "ratio": copied / seconds,
            "ratio_to_all_cores": several / seconds, "server_cpu_us": own.total / count,
            "postgresql_cpu_us": database.total / count, "copy_cpu_us": copying / count}


def send(server, accounts, bodies):
    """Each account sends its batches one after the other, all accounts at once."""
    failures = []

    def run(token, batches):
        host, port = server.address.split(":")
        connection = http.client.HTTPConnection(host, int(port), timeout=120)
        headers = {"Authorization": "Bearer " + token, "Content-Type": "application/json", "Content-Encoding": "gzip"}
        for body in batches:
            connection.request("POST", "/v2/analytics/events", body, headers)
            answer = connection.getresponse()
            text = answer.read()
            if answer.status != 200 or json.loads(text)["processed"] != EVENTS:
                failures.append(text)
                return

    threads = [threading.Thread(target=run, args=pair) for pair in zip(accounts, bodies)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise SystemExit(f"a batch was not taken: {failures[0]}")


def copy(server, folder, count, sessions):
    """Seconds that COPY takes for the rows, in so many sessions at once, and the CPU microseconds of PostgreSQL. The rows are there again
    afterwards."""
    files = [os.path.join(folder, f"events-{number}.copy") for number in range(sessions)]
    for number, file in enumerate(files):
        with open(file, "w") as output:
            say(server, f"COPY (SELECT {COLUMNS} FROM analytics_events WHERE abs(hashtext(user_id::text)) % {sessions} = {number} "
                        "ORDER BY received_at) TO STDOUT", stdout=output).wait()
    psql.say(server, "TRUNCATE analytics_events")
    database, begin = server.database_cpu(), time.monotonic()
    running = []
    for file in files:
        with open(file) as source:
            running.append(say(server, f"COPY analytics_events ({COLUMNS}) FROM STDIN", stdin=source))
    for process in running:
        process.wait()
    seconds = time.monotonic() - begin
    database = server.database_cpu() - database
    if int(psql.say(server, "SELECT count(*) FROM analytics_events")) != count:
        raise SystemExit("COPY has lost rows")
    return seconds, database.total


def say(server, sql, **streams):
    return subprocess.Popen([psql.program("psql"), "-qX", "-v", "ON_ERROR_STOP=1", "-c", "SET search_path = neuroviews", "-c", sql],
                            env=psql.environment(server), **streams)


def report(rounds, options):
    result = summary(rounds)
    print(f"events/s through HTTP           {cell(result['events_per_second'], 0)}")
    print(f"events/s of COPY, one session   {cell(result['copied_per_second'], 0)}")
    print(f"events/s of COPY, on all cores  {cell(result['copied_by_all_cores_per_second'], 0)}")
    print(f"HTTP beside one COPY            {cell(result['ratio'], 2)}, at least {RATIO_MIN} wanted")
    print(f"HTTP beside COPY on all cores   {cell(result['ratio_to_all_cores'], 2)}")
    print(f"CPU us an event: server {cell(result['server_cpu_us'], 1)}, PostgreSQL {cell(result['postgresql_cpu_us'], 1)}, "
          f"COPY {cell(result['copy_cpu_us'], 1)}")
    store(".build/benchmarks-events.json", {"rounds": rounds, "result": result}, options)

#!/usr/bin/env python3
"""Tests/Exams/Analytics/year.py: a million events of 1,000 accounts, sent over HTTP while the clocks of server and PostgreSQL go ahead by 400
days, with repeated batches, repeated events and late ones. Then figures of 100 accounts are counted again from the raw rows (recount.py),
and held against what was sent. Ends with 1 when something differs. Wants Debian's faketime, and a build in release."""
import argparse
import collections
import concurrent.futures
import datetime
import http.client
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import uuid

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "Faults"))

from fake_clock import FakeClock  # noqa: E402
from postgres import Cluster  # noqa: E402
from server import Server, copy_data  # noqa: E402

STEPS, STEP_DAYS, LATE_DAYS = 20, 20, 29
DAY_S = 86400
PASSWORD = "three quiet lenses"
# Of batches and of events that come a second time; of accounts with a second device; of batches without ids.
REPEATED_BATCHES, REPEATED_EVENTS, SECOND_DEVICES, WITHOUT_IDS = 0.1, 0.03, 0.1, 0.4
NAMES_MAX = 200
ZONES = ["UTC", "Asia/Kathmandu", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Kiritimati", "America/Havana"]
RAW = """
SELECT json_build_object(
    'events', (SELECT json_agg(json_build_object('us', (extract(epoch FROM occurred_at) * 1000000)::bigint, 'device', device_id,
        'name', name)) FROM analytics_events WHERE user_id = '{user}'),
    'recordings', NULL, 'configurations', NULL, 'versions', NULL,
    'names', (SELECT json_agg(json_build_array(month, name)) FROM analytics_names WHERE user_id = '{user}'))
"""


class Device:
    """A session that reports; it renews its token at each step."""

    def __init__(self, place, credentials, name):
        self.connection = http.client.HTTPConnection("127.0.0.1", place.server.port, timeout=120)
        answer = self.ask("POST", "/auth/login", credentials | {"device_id": name}, 200)
        self.token, self.user = answer["token"], answer["user"]["id"]

    def ask(self, method, path, body=None, expected=200):
        fields = {"Content-Type": "application/json"}
        if hasattr(self, "token"):
            fields["Authorization"] = "Bearer " + self.token
        self.connection.request(method, "/v2" + path, json.dumps(body) if body is not None else None, fields)
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status != expected:
            sys.exit(f"{method} {path}: {answer.status} {text[:500]}")
        return json.loads(text)

    def renew(self):
        self.token = self.ask("POST", "/auth/refresh")["token"]


class Account:
    """What it has sent: each event once, and the first names of each month."""

    def __init__(self, place, number):
        self.place, self.source = place, random.Random(number)
        credentials = {"email": f"year-{number}@example.org", "password": PASSWORD}
        names = ["phone"] + (["tablet"] if self.source.random() < SECOND_DEVICES else [])
        self.devices = [Device(place, credentials, name) for name in names]
        self.devices[0].ask("PUT", "/account/consents", {"consents": {"analytics": {"granted": True, "version": "1"}}})
        self.user, self.names = self.devices[0].user, self.source.choice([12, 60, 400])
        # A few report so much that a month has more names than are counted.
        self.share = 8 if number % 25 == 0 else 0.7
        self.rest()
        self.count, self.months, self.sent = 0, collections.defaultdict(dict), []

    def rest(self):
        """The server ends connections that are idle for long."""
        for device in self.devices:
            device.connection.close()

    def step(self, now, events):
        for device in self.devices:
            device.renew()
        left = int(events * self.share)
        while left > 0:
            size = min(left, self.source.randint(10, 80))
            self.report(self.source.choice(self.devices), now, size)
            left -= size
        self.rest()

    def report(self, device, now, size):
        has_ids = self.source.random() >= WITHOUT_IDS
        events = [self.event(now, has_ids) for _ in range(size)]
        old = [event for event in self.sent[-500:] if event[0] is device and event[1]["timestamp"] > text_of(now - LATE_DAYS * DAY_S)]
        again = [event[1] for event in old if self.source.random() < REPEATED_EVENTS] if has_ids else []
        answer = device.ask("POST", "/analytics/events", {"events": events + again})
        self.judge(answer, len(events), len(again))
        if self.source.random() < REPEATED_BATCHES:
            self.judge(device.ask("POST", "/analytics/events", {"events": events + again}), 0, len(events) + len(again))
        if has_ids:
            self.sent = (self.sent + [(device, event) for event in events])[-500:]
        self.count += len(events)
        for event in events:
            month = self.months[event["timestamp"][:7]]
            if len(month) < NAMES_MAX:
                month[event["name"]] = True

    @staticmethod
    def judge(answer, processed, repeated):
        if answer != {"processed": processed, "repeated": repeated, "refused": []}:
            sys.exit(f"{processed} new and {repeated} repeated events were answered {str(answer)[:500]}")

    def event(self, now, has_id):
        age = self.source.uniform(0, STEP_DAYS) if self.source.random() < 0.9 else self.source.uniform(0, LATE_DAYS)
        event = {"name": f"event-{int(self.names * self.source.random() ** 2)}", "parameters": {"n": self.source.randrange(9)},
                 "timestamp": text_of(now - age * DAY_S)}
        return event | ({"id": str(uuid.UUID(int=self.source.getrandbits(128)))} if has_id else {})

    def differences(self, first, last):
        """What the figures and the rows do not agree on, a line each."""
        rows = json.loads(self.place.cluster.address().query(RAW.format(user=self.user))[0][0])
        if len(rows["events"]) != self.count:
            yield f"{self.count} events were sent, and {len(rows['events'])} are stored"
        counted = {month: set() for month in self.months}
        for month, name in rows["names"]:
            counted[month[:7]].add(name)
        if counted != {month: set(names) for month, names in self.months.items()}:
            yield "other names are counted than those that came first"
        question = {"rows": rows, "answers": [self.answer(query) for query in self.questions(first, last)]}
        done = subprocess.run([sys.executable, os.path.join(HERE, "recount.py")], input=json.dumps(question), text=True,
                              capture_output=True, check=False)
        if done.returncode != 0:
            yield done.stdout + done.stderr
        self.place.answers += len(question["answers"])

    def questions(self, first, last):
        def days(length_max):
            length = self.source.randrange(length_max)
            start = first + datetime.timedelta(days=self.source.randrange((last - first).days - length))
            return {"start_date": str(start), "end_date": str(start + datetime.timedelta(days=length)),
                    "tz": self.source.choice(ZONES)}
        return [days(366), days(60)]

    def answer(self, query):
        text = "&".join(f"{name}={value}" for name, value in query.items())
        return {"query": query, "body": self.devices[0].ask("GET", f"/analytics/usage?{text}")}


def text_of(seconds):
    moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Place:
    """A server and a PostgreSQL with one clock, which goes ahead."""

    def __init__(self, folder, binary):
        first = Server(binary, folder + "/first")
        os.makedirs(first.folder)
        os.chmod(first.folder, 0o755)
        first.start()
        first.stop()
        self.clock = FakeClock(folder)
        environment = self.clock.environment | {"NEUROVIEWS_SIGNATURES": "optional"}
        self.cluster = Cluster(folder + "/cluster", folder + "/cluster/data", self.clock.environment)
        self.cluster.take_from(first.folder)
        self.cluster.start()
        os.makedirs(folder + "/second", mode=0o755)
        copy_data(first.folder, folder + "/second")
        settings = ("--analytics-retention-days", "0")
        self.server = Server(binary, folder + "/second", settings, environment,
                             f"host={self.cluster.socket_folder} user=neuroviews dbname=neuroviews")
        self.server.start()
        self.answers = 0

    def add_users(self, count):
        """With the password of one, which is slow to hash."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port)
        connection.request("POST", "/v2/auth/register", json.dumps({"email": "year-0@example.org", "password": PASSWORD}),
                           {"Content-Type": "application/json"})
        connection.getresponse().read()
        self.cluster.address().query(
            "INSERT INTO users (email, password_hash) SELECT 'year-' || n || '@example.org', u.password_hash "
            f"FROM users u, generate_series(1, {count - 1}) n")

    def clean_up(self):
        self.server.clean_up()
        self.cluster.clean_up()
        self.clock.clean_up()


def run(place, options):
    place.add_users(options.accounts)
    with concurrent.futures.ThreadPoolExecutor(6) as threads:
        accounts = list(threads.map(lambda number: Account(place, number), range(options.accounts)))
        begin = time.time()
        for step in range(1, STEPS + 1):
            ahead = step * STEP_DAYS * DAY_S
            place.clock.set(f"+{ahead}")
            list(threads.map(lambda account: account.step(time.time() + ahead, options.events // STEPS), accounts))
    total = sum(account.count for account in accounts)
    print(f"{total:,} events of {len(accounts):,} accounts in {time.time() - begin:.0f} s", flush=True)
    first = datetime.date.fromtimestamp(begin)
    last = first + datetime.timedelta(days=STEPS * STEP_DAYS)
    differing = 0
    for account in random.Random(options.accounts).sample(accounts, min(options.checked, len(accounts))):
        for line in account.differences(first, last):
            print(f"{account.user}: {line}")
            differing += 1
    print(f"year: {place.answers} answers of {options.checked} accounts, {differing} differences")
    return differing


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/release/neuroviews-server")
    parser.add_argument("--accounts", type=int, default=1000)
    parser.add_argument("--events", type=int, default=1000, help="of each account")
    parser.add_argument("--checked", type=int, default=100, help="accounts that are counted again")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="neuroviews-year-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)
        place = Place(folder, os.path.abspath(options.binary))
        try:
            differing = run(place, options)
        finally:
            place.clean_up()
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()

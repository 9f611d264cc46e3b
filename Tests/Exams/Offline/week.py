"""A week of three devices without a network, in an account that others look at."""
import collections
import datetime
import email.utils
import json
import os
import select
import subprocess
import time
import uuid

from cluster import newest
from fake_clock import write
from kit.proxy import LOSE_ANSWER, LOSE_REQUEST, PASS
from kit.world import Failure, World, changed

# libfaketime refuses the absolute times by which Python sleeps.
time.sleep = lambda seconds: select.select([], [], [], seconds)
# libfaketime's variable: the file that all read.
CLOCK = "FAKETIME_TIMESTAMP_FILE"
DEVICES, ITEMS, EDITS = 3, 500, 2000
HOUR_S, DAY_S = 3600, 86_400
# The clocks move on by a quarter of a day.
STEPS, STEP_S = 28, DAY_S // 4
REVOKED_AT_STEP = 12
ROUNDS_MAX = 20
# As the client's design has it, with one login.
REQUESTS_MAX = 15
CLOCKS_DIFFER_MAX_S = 60
POINTERS = ("/name", "/x0", "/x1", "/o/a", "/o/b", "/list", "/flag")


def expect(is_so, what):
    if not is_so:
        raise Failure(what)


class Clock:
    """The clock of this process, and of all that it has started: see `offline.py`."""

    def __init__(self):
        self.file, self.passed = os.environ[CLOCK], 0
        self.begin, self.begin_real = time.time(), time.monotonic()

    def wait(self, seconds):
        self.passed += seconds
        write(self.file, f"+{self.passed}")

    @property
    def moved(self):
        """How far it went beside the time that this took."""
        return time.time() - self.begin - (time.monotonic() - self.begin_real)


class Week(World):
    """`requests`: how often each device sent what, since it was emptied last; `attempts`: the names of refreshes."""

    def __init__(self, server, command, rng):
        super().__init__(server, command)
        self.rng, self.clock = rng, Clock()
        self.requests, self.attempts = collections.defaultdict(collections.Counter), collections.defaultdict(list)
        # What each device shows, by id.
        self.shown = {}
        self.sessions = {}

    def fate(self, device, message):
        self.requests[device.name][f"{message.method} {message.path.partition('?')[0].removeprefix('/v2')}"] += 1
        if message.is_refresh:
            self.attempts[device.name].append(json.loads(message.body)["attempt"])
        return super().fate(device, message)

    def count(self, device, path):
        return sum(count for name, count in self.requests[device.name].items() if name.endswith(path))

    def live(self):
        """The account's sessions by id."""
        return {session["id"]: session for session in self.observer.get("/auth/sessions")[1]["sessions"]}

    # Before the week.

    def begin(self):
        """Three devices with a session each, which show the same items."""
        known = set(self.live())
        for _ in range(DEVICES):
            device = self.device()
            self.shown[device.name] = {}
            if len(self.devices) == 1:
                for _ in range(ITEMS):
                    self.make(device)
            self.sync_all(device)
            self.sessions[device.name], = set(self.live()) - known
            known.add(self.sessions[device.name])
        items = self.state(self.devices[0])["items"]
        for device in self.devices:
            self.shown[device.name] = dict(items)

    def sync_all(self, device):
        for _ in range(ROUNDS_MAX):
            wait = self.sync(device)
            if not wait:
                return
            time.sleep(min(wait, 0.1))
        raise Failure(f"{device.name} has not finished after {ROUNDS_MAX} syncs")

    def lose_refresh(self, device):
        """The token is due. The server makes the next one, and the network is gone before the answer comes."""
        self.clock.wait(HOUR_S)
        self.decide = lambda sender, message: LOSE_ANSWER if sender is device and message.is_refresh else LOSE_REQUEST
        self.sync(device)
        expect(len(self.attempts[device.name]) == 1, f"{len(self.attempts[device.name])} refreshes of {device.name} whose token is due")

    # The week.

    def pass_week(self, revoked):
        """Users edit without a network, and their devices try to sync each day."""
        self.decide = lambda device, message: LOSE_REQUEST
        done = 0
        for step in range(STEPS):
            self.clock.wait(STEP_S)
            if step == REVOKED_AT_STEP:
                status = self.observer.send("DELETE", f"/auth/sessions/{self.sessions[revoked.name]}")[0]
                expect(status == 204, f"the session was not revoked: {status}")
            while done < EDITS * (step + 1) // STEPS:
                self.use(self.rng.choice(self.devices))
                done += 1
            if step % 4 == 3:
                for device in self.devices:
                    expect(self.sync(device) > 0, f"{device.name} says that all is done, without a network")

    def use(self, device):
        """One act of a user. It stays on the device."""
        shown, chance = self.shown[device.name], self.rng.random()
        if chance < 0.02:
            return self.make(device)
        id = self.rng.choice(sorted(shown))
        if chance < 0.03:
            answer = device.ask("delete", id=id)
            expect(answer["done"], f"{device.name} can't delete {id}")
            self.ledger.delete(device.name, id, answer["before"])
            return shown.pop(id)
        return self.change(device, id)

    def make(self, device):
        id = str(uuid.UUID(int=self.rng.getrandbits(128), version=4))
        document = self.document(id)
        answer = device.ask("edit", id=id, set={}, remove=[], new=document)
        expect(answer["done"], f"{device.name} can't make an item")
        self.ledger.edit(device.name, id, None, document, [""])
        self.shown[device.name][id] = document

    def change(self, device, id):
        pointers = self.rng.sample(POINTERS, self.rng.choice((1, 1, 2)))
        removed = [pointer for pointer in pointers if pointer == "/x1" and "x1" in self.shown[device.name][id] and self.rng.random() < 0.3]
        members = {pointer: self.content(pointer) for pointer in pointers if pointer not in removed}
        answer = device.ask("edit", id=id, set=members, remove=removed)
        expect(answer["done"], f"{device.name} can't edit {id}")
        after = changed(answer["before"], members, removed)
        self.ledger.edit(device.name, id, answer["before"], after, pointers)
        self.shown[device.name][id] = after

    def content(self, pointer):
        fresh = self.ledger.fresh
        if pointer == "/list":
            return [fresh() for _ in range(self.rng.randint(0, 3))]
        return self.rng.choice((True, False, None)) if pointer == "/flag" else fresh()

    # After it.

    def come_back(self):
        """The network is there again. Returns how many requests each device sent until nothing of it was left."""
        self.requests.clear()
        self.decide = lambda device, message: PASS
        for device in self.devices:
            self.sync_all(device)
        return {device.name: sum(self.requests[device.name].values()) for device in self.devices}

    def clocks(self):
        """The times of all parts that have a clock, by name."""
        device = self.devices[0]
        id = next(iter(self.shown[device.name]))
        self.change(device, id)
        psql = [newest("psql"), "-qXAt", "-c", "SELECT extract(epoch FROM clock_timestamp())", self.server.cluster.url(self.server.database)]
        return {"PostgreSQL": float(subprocess.run(psql, capture_output=True, text=True, check=True, cwd="/").stdout),
                "the server": email.utils.parsedate_to_datetime(self.observer.send("GET", "/configurations")[1]["date"]).timestamp(),
                "a client": instant(self.state(device)["items"][id]["modified_at"])}


def instant(text):
    return datetime.datetime.fromisoformat(text).timestamp()

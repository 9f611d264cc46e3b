"""One session, with what is expected of it in the end."""
import collections
import random

import places
from clock import Clock
from owner import Owner, Store, claims, counter
from wire import Wire

REUSED, ELSEWHERE = "token-reused", "token-elsewhere"


class Breach(Exception):
    """The server, or the exam, did something else than it should."""


class Scene:
    def __init__(self, host, rows, task, account, seed):
        self.host, self.rows, self.task, self.account = host, rows, task, account
        self.rng = random.Random(f"{seed} {task.name}")
        self.wires, self.counts = [], collections.Counter()
        # Expected: whether it ends, and the kinds of its events that are mailed.
        self.ends, self.events = False, set()
        self.breach = self.session = None

    def begin(self):
        answer = self.log_in()
        self.token, self.key = answer["token"], answer["signing_key"] if self.task.signs else None
        found = claims(self.token)
        self.session = found["sid"]
        self.clock = Clock(self.rows, found["sub"], self.session)
        self.owner = Owner(self.wires[0], self.account.address, self.key, Store(self.token, self.rng, self.clock))

    def log_in(self):
        """Without a device the account's address counts: only its first login is from a new place, and that of a new account is not mailed."""
        answer = self.wire().ask("POST", "/auth/login", self.account.address, content={"email": self.account.email, "password": self.account.password})
        self.expect("the login", answer.verdict, "200")
        return answer.json

    def wire(self):
        self.wires.append(Wire(self.host.address))
        return self.wires[-1]

    def expect(self, what, found, *wanted):
        if found not in wanted:
            raise Breach(f"{what} got {found}, not {' or '.join(map(str, wanted))}")

    def expect_token(self, what, answer, number):
        """A 200 with the token of this counter."""
        self.expect(what, answer.verdict, "200")
        self.expect(f"{what}: its token", counter(answer.json["token"]), number)
        return answer.json["token"]

    def outside(self):
        return places.outside(self.rng, self.owner.address)

    def inside(self):
        return places.inside(self.rng, self.owner.address)

    def close(self):
        for wire in self.wires:
            wire.close()

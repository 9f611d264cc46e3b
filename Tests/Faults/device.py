"""One device of an account: it writes and pulls at random, repeats what got no answer, and notes everything in the ledger."""
import threading
import time

import ledger
from account import chance_of
from replica import Replica
from session import NoAnswer

ITEMS_MAX = 12
WRITES_SHARE = 0.6
RETRIES_SHARE = 0.85
REPEATS_SHARE = 0.04
# Pages for one device of each account.
PAGE_ITEMS = 7
REFUSED_PAUSE_S = 0.2


class Device(threading.Thread):
    def __init__(self, load, account, number, session):
        super().__init__(name=f"{account.name}/{number}", daemon=True)
        self.load, self.account, self.number, self.session = load, account, number, session
        self.findings, self.ledger = load.findings, load.ledger
        self.chance = chance_of(load.seed, account.number, number)
        self.replica = Replica(account, load.findings, PAGE_ITEMS if number == 2 else None)
        # The newest version that was acknowledged to this device, by item.
        self.acked = {}
        # What it has deleted and has perhaps not pulled since: to write it again would bring it back to life.
        self.deleted = set()
        self.pending, self.writes = None, 0
        # When a write and a pull were first answered since the load was last told `mended`.
        self.written_at, self.pulled_at, self.acks = 0.0, 0.0, 0
        self.is_resting = threading.Event()

    def run(self):
        while not self.load.has_ended.is_set():
            if not self.load.is_working.is_set():
                self.session.close()
                self.is_resting.set()
                self.load.is_working.wait()
                self.is_resting.clear()
                continue
            try:
                self.step()
            except NoAnswer:
                self.load.interrupted.wait(REFUSED_PAUSE_S * (0.5 + self.chance.random()))
            except Exception as error:  # pylint: disable=broad-except
                self.findings.breach(4, f"{self.name}: an answer that can't be read, {error!r}")
            self.load.interrupted.wait(self.load.think_s * 2 * self.chance.random())
        self.session.close()
        self.is_resting.set()

    def step(self):
        """At random; but what was not served since the last fault is tried first."""
        if self.pending and self.chance.random() < RETRIES_SHARE:
            self.attempt(*self.pending)
        elif self.replica.cursor and self.chance.random() < self.writes_share():
            self.write()
        else:
            self.pull()

    def writes_share(self):
        if bool(self.written_at) == bool(self.pulled_at):
            return WRITES_SHARE
        return 0.1 if self.written_at else 0.9

    # Reading

    def pull(self):
        """What was acknowledged to this device before must be in what it gets, or something newer."""
        if not self.replica.pull(self.session):
            return self.load.interrupted.wait(1)
        self.pulled_at = self.pulled_at or time.monotonic()
        self.findings.count("pulls")
        for item, version in self.acked.items():
            held = self.replica.items.get(item, (0, None))[0]
            if held < version:
                self.findings.breach(2, f"{self.name}: {item} at version {held}, {version} was acknowledged before")
        return None

    # Writing

    def write(self):
        """A new write. An older one that was never answered is given up: whether it happened stays unknown."""
        live = sorted(item for item, (_, document) in self.replica.items.items() if document and item not in self.deleted)
        roll = self.chance.random()
        self.writes += 1
        name = f"{self.account.number}.{self.number}.{self.writes}"
        if not live or roll < 0.35 and len(live) < ITEMS_MAX:
            item = self.account.new_item(self.chance)
            self.attempt(name, "POST", item, None, self.account.document(item, name, self.chance))
            return
        item = self.chance.choice(live)
        version, document = self.replica.items[item]
        base = max(version, self.acked.get(item, 0))
        if roll < 0.85:
            edited = self.account.document(document["id"], name, self.chance)
            self.attempt(name, "PUT", item, base, edited)
        else:
            # A deletion carries no document: it is known by its item and version.
            self.attempt(f"{item}:{base}:{self.number}", "DELETE", item, base, None)

    def attempt(self, name, method, item, base, document):
        self.pending = None
        self.ledger.note(state="sent", write=name, kind=method, item=item.lower(), base=base, account=self.account.number,
                         device=self.number)
        try:
            answer = self.ask(method, item, base, document)
        except NoAnswer:
            self.unknown(name, method, item, base, document)
            raise
        if answer.is_success:
            self.ledger.note(state=ledger.ACKED, write=name)
            self.acknowledged(method, item, answer)
            if self.chance.random() < REPEATS_SHARE:
                self.repeat(answer, method, item, base, document)
        elif answer.status < 500:
            self.ledger.note(state=ledger.FAILED, write=name)
            if answer.body.get("current"):
                self.account.judge(item, answer.body["current"], self.findings)
        else:
            self.unknown(name, method, item, base, document)
            return self.load.interrupted.wait(answer.retry_after_s)
        self.written_at = self.written_at or time.monotonic()
        return None

    def unknown(self, *write):
        self.pending = write
        self.ledger.note(state=ledger.UNKNOWN, write=write[0])

    def ask(self, method, item, base, document):
        path = "/configurations" + ("" if method == "POST" else f"/{item}")
        return self.session.ask(method, path, document, {"If-Match": f'"{base}"'} if base else None)

    def acknowledged(self, method, item, answer):
        self.acks += 1
        item = item.lower()
        if method == "DELETE":
            self.deleted.add(item)
        if answer.version is None:
            self.findings.breach(4, f"{self.name}: a write of {item} was answered without its version")
        self.acked[item] = max(self.acked.get(item, 0), answer.version or 0)

    def repeat(self, first, method, item, base, document):
        """The same again, as by a client that lost the answer: the first answer again, and nothing changes."""
        again = self.ask(method, item, base, document)
        if again.status < 500 and (again.status, again.body) != (first.status, first.body):
            self.findings.breach(1, f"{self.name}: {method} {item} was answered {first.status} {first.body} and, repeated, "
                                    f"{again.status} {again.body}")

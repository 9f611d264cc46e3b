"""One device of an account: it writes and pulls at random, repeats what got no answer, and notes everything in the ledger."""
import time

import ledger
from account import chance_of
from replica import Replica
from session import NoAnswer
from tags import is_tag, newer, number
from worker import Worker
from writes import DELETE, MERGE, PATCH, POST, PUT, Batch, Single, Write

ITEMS_MAX = 12
WRITES_SHARE = 0.6
RETRIES_SHARE = 0.85
REPEATS_SHARE = 0.04
BATCHES_SHARE, BATCH_MAX = 0.1, 4
KEYS_SHARE = 0.5
REVIVALS_SHARE = 0.07
# By the time of the last answer instead of the token.
TIMES_SHARE = 0.2
# In an atomic batch, because of another operation.
ANOTHER_REFUSED = 424
# Pages for one device of each account.
PAGE_ITEMS = 7
# Of the heads of its writes: the server takes 32.
SEEN_MAX = 30


class Device(Worker):
    def __init__(self, load, account, number, session):
        super().__init__(load, account, number, session, chance_of(load.seed, account.number, number))
        self.number, self.ledger = number, load.ledgers.writes
        self.replica = Replica(account, load.findings, PAGE_ITEMS if number == 2 else None)
        # The tag of the newest version that was acknowledged to this device, by item.
        self.acked = {}
        # The tombstones it has made and has perhaps not pulled since: to write over one would bring it back to life.
        self.deleted = {}
        self.pending, self.writes = None, 0
        # When a write and a pull were first answered since the load was last told `mended`.
        self.written_at, self.pulled_at, self.acks = 0.0, 0.0, 0

    def step(self):
        """At random; but what was not served since the last fault is tried first."""
        if self.pending and self.chance.random() < RETRIES_SHARE:
            self.attempt(*self.pending)
        elif self.replica.cursor and len(self.replica.seen) < SEEN_MAX and self.chance.random() < self.writes_share():
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
        if not self.replica.pull(self.session, by_time=self.chance.random() < TIMES_SHARE):
            return self.load.interrupted.wait(1)
        self.pulled_at = self.pulled_at or time.monotonic()
        self.findings.count("pulls")
        if self.replica.has_reset:
            # The versions may be of a history that is no more.
            self.acked, self.deleted = {}, {}
        for item, version in self.acked.items():
            held = self.replica.items.get(item, (None, None))[0]
            if number(held) < number(version):
                self.findings.breach(2, f"{self.name}: {item} at version {held}, {version} was acknowledged before")
        return None

    # Writing

    def write(self):
        """A new write, or a batch of them. An older one that was never answered is given up: whether it happened stays
        unknown."""
        if self.chance.random() < BATCHES_SHARE:
            writes = []
            for _ in range(self.chance.randint(2, BATCH_MAX)):
                writes.append(self.new_write({write.item.lower() for write in writes}, is_alone=False))
            return self.attempt(Batch(writes, self.chance.random() < 0.5, self.new_key()))
        write = self.new_write(set(), is_alone=True)
        return self.attempt(Single(write, self.new_key() if write.kind == POST else None))

    def new_key(self):
        """Of the newest write's number: a deletion's name comes again."""
        return f"key-{self.account.number}.{self.number}.{self.writes}" if self.chance.random() < KEYS_SHARE else None

    def new_write(self, taken, is_alone):
        """Of an item that is not taken. Patches and merges are requests of their own."""
        roll = self.chance.random()
        self.writes += 1
        name = f"{self.account.number}.{self.number}.{self.writes}"
        live = [item for item in self.live() if item not in taken]
        gone = [item for item in self.gone() if item not in taken]
        if gone and roll > 1 - REVIVALS_SHARE:
            item = self.chance.choice(gone)
            return self.edit(name, self.chance.choice([POST, PUT]), item, self.replica.items[item][0], item)
        if not live or roll < 0.3 and len(live) < ITEMS_MAX:
            return self.edit(name, POST, None, None, self.account.new_item(self.chance))
        item = self.chance.choice(live)
        version, document = self.replica.items[item]
        base = newer(version, self.acked.get(item))
        if roll > 0.82:
            # A deletion carries no document: it is known by its item and version.
            return Write(f"{item}:{base}:{self.number}", DELETE, item, base, None)
        if is_alone and roll < 0.45:
            # What the server merges with is what the device has, also where it has written since.
            return Write(name, MERGE, item, version, self.account.merged(document, name))
        if is_alone and roll < 0.6 and base == version:
            return Write(name, PATCH, item, base, self.account.patch(document, name, self.chance))
        return self.edit(name, PUT, item, base, document["id"])

    def edit(self, name, kind, item, base, spelled):
        return Write(name, kind, item or spelled, base, self.account.document(spelled, name, self.chance))

    def live(self):
        return sorted(item for item, (version, document) in self.replica.items.items()
                      if document and number(version) > number(self.deleted.get(item)))

    def gone(self):
        """What it may bring back, as its tombstone is the newest that it knows of."""
        return sorted(item for item, (version, document) in self.replica.items.items()
                      if document is None and number(version) >= number(self.acked.get(item)))

    def attempt(self, request):
        self.pending = None
        for write in request.writes:
            self.ledger.note(state="sent", write=write.name, kind=write.kind, item=write.item.lower(), base=write.base,
                             account=self.account.number, device=self.number, atomic=request.is_atomic)
        try:
            answer = self.session.ask(request.method, request.path, request.body, request.fields)
        except NoAnswer:
            self.unknown(request)
            raise
        if answer.status >= 500:
            self.unknown(request)
            return self.load.interrupted.wait(answer.retry_after_s)
        self.note_head(request, answer)
        for write, outcome in zip(request.writes, request.outcomes(answer), strict=True):
            self.answered(write, outcome)
        self.findings.count("merged", int("Preference-Applied" in answer.fields))
        self.written_at = self.written_at or time.monotonic()
        if answer.is_success and self.chance.random() < REPEATS_SHARE:
            self.repeat(request, answer)
        return None

    def answered(self, write, outcome):
        if 200 <= outcome.status < 300:
            self.ledger.note(state=ledger.ACKED, write=write.name, version=outcome.version)
            self.acknowledged(write, outcome.version)
            return
        self.ledger.note(state=ledger.FAILED, write=write.name)
        if outcome.status not in self.session.refusals | {ANOTHER_REFUSED}:
            self.findings.breach(4, f"{self.name}: {write.kind} of {write.item} was answered {outcome.status}")
        if outcome.current:
            self.account.judge(write.item, outcome.current, self.findings)

    def note_head(self, request, answer):
        """Every answer to a write has the head of its transaction, which the next pull names."""
        head = answer.fields.get("Sync-Head")
        if head:
            self.replica.seen.append(head)
        else:
            self.findings.breach(4, f"{self.name}: {request.method} {request.path} was answered {answer.status} without Sync-Head")

    def unknown(self, request):
        self.pending = (request,)
        for write in request.writes:
            self.ledger.note(state=ledger.UNKNOWN, write=write.name)

    def acknowledged(self, write, version):
        self.acks += 1
        item = write.item.lower()
        if not is_tag(version):
            return self.findings.breach(4, f"{self.name}: a write of {item} was answered without its version")
        if write.kind == DELETE:
            self.deleted[item] = newer(version, self.deleted.get(item))
        if write.base and write.kind in (POST, PUT) and self.replica.items.get(item, (None, True))[1] is None:
            self.findings.count("revived")
        self.acked[item] = newer(version, self.acked.get(item))
        return None

    def repeat(self, request, first):
        """The same again, as by a client that lost the answer: the first answer again, and nothing changes. What was deleted
        may have come back, and a conflict may be about another document by now."""
        if any(write.kind == DELETE for write in request.writes) or first.body.get("outcome", "done") != "done":
            return
        if self.load.may_lose:
            # The first one may be lost by now.
            return
        again = self.session.ask(request.method, request.path, request.body, request.fields)
        if again.status < 500:
            self.note_head(request, again)
        if again.status < 500 and (again.status, again.body) != (first.status, first.body):
            self.findings.breach(1, f"{self.name}: {request.method} {request.path} {request.writes} was answered {first.status} "
                                    f"{first.body} and, repeated, {again.status} {again.body}")

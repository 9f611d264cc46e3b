"""An app of an account that agreed to analytics: it reports events, batch by batch."""
import datetime
import time
import uuid

import ledger
from account import chance_of
from session import NoAnswer
from worker import Worker

BATCH_MAX, NAMES = 60, 12
RETRIES_SHARE, REPEATS_SHARE = 0.85, 0.1
# Of the batches: those whose events have no id, and are known by the batch's digest.
NAMELESS_SHARE = 0.5
# When the clock has gone ahead by more since a batch was made, its events may be too old.
AHEAD_MAX_S = 86400 + 60
# The answer to a batch of which all events are refused.
ALL_REFUSED = 422


class Reporter(Worker):
    """Each event bears a mark, its batch and its place there, and the ledger has the batches."""

    def __init__(self, load, account, session):
        super().__init__(load, account, "app", session, chance_of(load.seed, account.number, "app"))
        self.ledger, self.may_lose = load.ledgers.events, load.may_lose
        self.ages_s, self.batches, self.pending = load.event_ages_s, 0, None

    def step(self):
        if self.pending and self.chance.random() < RETRIES_SHARE:
            return self.send(*self.pending)
        self.batches += 1
        name, ahead_s = f"{self.account.number}.{self.batches}", self.session.ahead_s
        has_ids = self.chance.random() >= NAMELESS_SHARE
        events = [self.event(f"{name}.{index}", has_ids) for index in range(self.chance.randint(1, BATCH_MAX))]
        return self.send(name, events, ahead_s)

    def event(self, mark, has_id):
        seconds = time.time() + self.session.ahead_s - self.chance.uniform(*self.ages_s)
        moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
        event = {"name": f"event-{self.chance.randrange(NAMES)}", "parameters": {"mark": mark},
                 "timestamp": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")}
        return event | ({"id": str(uuid.UUID(int=self.chance.getrandbits(128), version=4))} if has_id else {})

    def send(self, name, events, ahead_s):
        """One attempt. What is not answered is repeated, mostly; and some of what is. The batch was made with the clock `ahead_s`."""
        self.pending = (name, events, ahead_s)
        answer = self.attempt(name, events)
        if not answer:
            return None
        self.pending = None
        if abs(self.session.ahead_s - ahead_s) > AHEAD_MAX_S:
            return self.note_refused(name, events, answer)
        self.judge(name, events, answer)
        if self.chance.random() < REPEATS_SHARE and not self.may_lose:
            again = self.attempt(name, events)
            is_ahead = abs(self.session.ahead_s - ahead_s) > AHEAD_MAX_S
            if again and not is_ahead and again.body != {"processed": 0, "repeated": len(events), "refused": []}:
                self.findings.breach(9, f"{self.name}: batch {name} was stored, and repeated it is answered {again.body}")
        return None

    def attempt(self, name, events):
        """The answer; None for one that leaves it open."""
        self.note("sent", name, events)
        try:
            answer = self.session.ask("POST", "/analytics/events", {"events": events}, expected=(ALL_REFUSED,))
        except NoAnswer:
            self.note(ledger.UNKNOWN, name, events)
            raise
        if answer.status >= 500:
            self.note(ledger.UNKNOWN, name, events)
            return self.load.interrupted.wait(answer.retry_after_s) and None
        self.note(ledger.ACKED if answer.is_success else ledger.FAILED, name, events)
        return answer

    def note(self, state, name, events):
        months = {}
        for place, event in enumerate(events):
            months.setdefault(event["timestamp"][:7], []).append(place)
        self.ledger.note(state=state, batch=name, account=self.account.number, months=months)

    def note_refused(self, name, events, answer):
        """Some have become too old, and the others are stored."""
        is_whole = answer.status == ALL_REFUSED
        refused = list(range(len(events))) if is_whole else [refusal["index"] for refusal in answer.body["refused"]]
        self.ledger.note(state=ledger.REFUSED, batch=name, account=self.account.number, places=refused)
        if not is_whole and answer.body["processed"] + answer.body["repeated"] + len(refused) != len(events):
            self.findings.breach(9, f"{self.name}: batch {name} of {len(events)} was answered {answer.body}")

    def judge(self, name, events, answer):
        """Every event is stored, now or by an attempt before, and never some of a batch alone."""
        if answer.body in ({"processed": len(events), "repeated": 0, "refused": []},
                           {"processed": 0, "repeated": len(events), "refused": []}):
            self.findings.count("events", len(events))
        else:
            self.findings.breach(9, f"{self.name}: batch {name} of {len(events)} was answered {answer.status} {answer.body}")

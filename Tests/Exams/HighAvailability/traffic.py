"""The devices of the fault exam, through the balancer, with the time of each answer."""
import json
import time
from collections import namedtuple

import ledger
from session import NoAnswer, Session

# `what` is the status, or how the connection broke. `server` is None where no server answered.
Event = namedtuple("Event", "began_at at method what server is_repairable")


class Watched(Session):
    """A session that notes in `events` what became of each request."""
    events = []

    def once(self, method, path, content=None, fields=None):
        began_at = time.monotonic()
        try:
            answer = super().once(method, path, content, fields)
        except NoAnswer as error:
            self.note(began_at, method, str(error), None, True)
            raise
        except json.JSONDecodeError as error:
            # HAProxy's own answers are no JSON.
            self.close()
            self.note(began_at, method, "not the server's: " + " ".join(error.doc.split())[:40], None, False)
            self.findings.breach(4, f"{method} {path} was answered {error.doc[:200]!r}")
            raise NoAnswer("cut") from error
        self.note(began_at, method, answer.status, answer.fields.get("X-Served-By"),
                  answer.status == 503 and answer.fields.get("Retry-After", "").isdecimal())
        return answer

    def note(self, *rest):
        began_at, *rest = rest
        self.events.append(Event(began_at, time.monotonic(), *rest))


def is_write(event):
    return event.method != "GET" and isinstance(event.what, int) and 200 <= event.what < 300


def is_error(event):
    """Refusals are no errors: somebody else was faster."""
    return not isinstance(event.what, int) or event.what >= 400 and event.what not in (409, 412)


class TimedLedger(ledger.Ledger):
    def note(self, **entry):
        super().note(at=time.monotonic(), **entry)


def acknowledged_at(path):
    """When each write was acknowledged for the first time."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            entry = json.loads(line)
            if entry["state"] == ledger.ACKED:
                found.setdefault(entry["write"], entry["at"])
    return found

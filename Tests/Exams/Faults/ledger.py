"""What was sent and what became of it: on the disk before a request is on its way."""
import json
import os
import threading

ACKED, FAILED, UNKNOWN = "acked", "failed", "unknown"
# Of some events of a batch that was acknowledged.
REFUSED = "refused"


class Ledger:
    """A file of JSON lines. `note` returns when its line is synchronised; one fsync serves all who wait for one."""

    def __init__(self, path):
        self.file = open(path, "a", encoding="utf-8")
        self.lock, self.disk = threading.Lock(), threading.Lock()
        self.lines, self.noted, self.synced = [], 0, 0

    def note(self, **entry):
        with self.lock:
            self.lines.append(json.dumps(entry) + "\n")
            self.noted += 1
            number = self.noted
        with self.disk:
            if self.synced >= number:
                return
            with self.lock:
                lines, self.lines, newest = self.lines, [], self.noted
            self.file.writelines(lines)
            self.file.flush()
            os.fsync(self.file.fileno())
            self.synced = newest

    def close(self):
        self.file.close()


class Write:
    """One write with all its attempts, as the ledger has it."""

    def __init__(self, entry):
        self.name, self.kind, self.item = entry["write"], entry["kind"], entry["item"]
        self.account, self.device, self.base = entry["account"], entry["device"], entry["base"]
        self.is_atomic = entry["atomic"]
        # `version` is the tag that it was acknowledged with.
        self.outcomes, self.version = [], None

    @property
    def state(self):
        """Acknowledged once is acknowledged. A refusal is definite also after attempts that nothing is known of: they name
        the same version, which is outdated for good, and had they been stored, the last one would have been a retry. Not so of
        a deletion, whose item may have come back, and of what was refused together with one."""
        if ACKED in self.outcomes:
            return ACKED
        if UNKNOWN in self.outcomes and (self.kind == "DELETE" or self.is_atomic):
            return UNKNOWN
        return self.outcomes[-1] if self.outcomes else UNKNOWN

    @property
    def attempts(self):
        return len(self.outcomes)


def read(path):
    """The writes of a ledger. An attempt without an outcome is an unknown one."""
    writes = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            entry = json.loads(line)
            if entry["state"] == "sent":
                write = writes.setdefault(entry["write"], Write(entry))
                write.outcomes.append(UNKNOWN)
            else:
                write = writes[entry["write"]]
                write.outcomes[-1] = entry["state"]
                write.version = entry.get("version") or write.version
    return list(writes.values())

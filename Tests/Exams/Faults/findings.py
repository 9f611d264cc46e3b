"""What a run has seen: breaches of the invariants, and counts for the table."""
import collections
import threading

INVARIANTS = {
    1: "writes: every acknowledged one is there once, every unknown one at most once, every refused one not at all",
    2: "replays: every device that replays its deltas equals a fresh full set",
    3: "cursors: none goes back; who has seen or made what was lost gets `reset`, and nobody else",
    4: "answers: of the 5xx only 503 with Retry-After; connections break only where the fault breaks them",
    5: "healing: every device is served again within 10 s, and those that the fault leaves alone all the time",
    6: "figures: memory and descriptors are back to within 10 %",
    7: "accounts: nothing of another account is ever seen, and no document is changed",
    8: "files: every completed upload's bytes are there and right, and become ready; deleted and abandoned files go",
    9: "events: every acknowledged one is stored and counted once, every unknown one at most once, and batches whole or not at all",
    10: "counts: counters and state_hash are those of a full recount, and heads, items and versions agree",
}
TITLES = {number: text.split(":")[0] for number, text in INVARIANTS.items()}
SHOWN_MAX = 5


class Findings:
    def __init__(self):
        self.lock = threading.Lock()
        self.breaches = collections.defaultdict(list)
        self.counts = collections.Counter()
        self.healing_s = []
        self.late = 0
        self.remarks = []

    def __getstate__(self):
        """For another process."""
        return {**self.__dict__, "lock": None}

    def breach(self, invariant, text):
        with self.lock:
            self.breaches[invariant].append(text)

    def breach_by_delay(self, text):
        self.breach(5, text)
        self.late += 1

    def are_only_late(self):
        return self.late > 0 and self.late == sum(len(texts) for texts in self.breaches.values())

    def count(self, what, number=1):
        with self.lock:
            self.counts[what] += number

    def holds(self, invariant):
        return not self.breaches.get(invariant)

    def lines(self):
        """The breaches as text, of each invariant the first few."""
        for invariant, texts in sorted(self.breaches.items()):
            for text in texts[:SHOWN_MAX]:
                yield f"invariant {invariant} ({TITLES[invariant]}): {text}"
            if len(texts) > SHOWN_MAX:
                yield f"invariant {invariant} ({TITLES[invariant]}): and {len(texts) - SHOWN_MAX} more"

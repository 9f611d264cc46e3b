"""The table of faults and invariants over all seeds."""
import collections

from findings import INVARIANTS, TITLES
from scenarios import ALL

COUNTS = ("acked", "unknown", "failed", "attempts", "pulls", "503", "no answer", "resets", "recordings",
          "uploads broken", "events")


class Table:
    def __init__(self):
        self.runs = collections.defaultdict(list)
        self.skipped = {}

    def add(self, name, outcome):
        """`outcome`: the findings, or the reason for skipping it."""
        if isinstance(outcome, str):
            self.skipped[name] = outcome
        else:
            self.runs[name].append(outcome)

    def cell(self, name, invariant):
        """Whether the invariant held in every run of the fault, as text."""
        broken = sum(not findings.holds(invariant) for findings in self.runs[name])
        return "held" if not broken else f"BROKEN {broken}/{len(self.runs[name])}"

    def lines(self):
        heads = ["fault", "runs", *(f"{number} {TITLES[number]}" for number in INVARIANTS), *COUNTS, "healing s"]
        rows = [heads] + [self.row(name) for name in sorted(self.runs, key=list(ALL).index)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(heads))]
        for row in rows:
            yield "  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip()
        for name, reason in self.skipped.items():
            yield f"{name}: SKIPPED, {reason}"

    def row(self, name):
        runs = self.runs[name]
        healing = [pair for findings in runs for pair in findings.healing_s]
        span = f"first {max(first for first, _ in healing):.1f}, all {max(last for _, last in healing):.1f}" if healing else "-"
        return [name, str(len(runs)), *(self.cell(name, number) for number in INVARIANTS),
                *(str(sum(findings.counts[what] for findings in runs)) for what in COUNTS), span]

    def verdict(self):
        """How many cells passed and failed."""
        cells = [self.cell(name, number) == "held" for name in self.runs for number in INVARIANTS]
        return sum(cells), len(cells) - sum(cells)

"""The table of scenes, and what passed and failed."""
import bisect
import collections

import checks
import ledger
from findings import TITLES
from traffic import acknowledged_at, is_error, is_write

FIRST_WRITE_MAX_S = 1.0
HEADINGS = ("scene", "gap s", "new primary s", "it commits s", "first write s", "all served s", "late", "requests", "writes", "errors", "resets",
            "lost", "doubled")


class Row:
    """`fates`: of each write acknowledged during the scene how often the history has it."""

    def __init__(self, scene, events):
        self.scene, self.events = scene, [event for event in events if scene.began_at <= event.at < scene.ended_at]
        self.writes = [event for event in self.events if is_write(event)]
        self.errors = [event for event in self.events if is_error(event)]
        self.resets, self.fates = 0, []

    @property
    def gap_s(self):
        """The longest time without an acknowledged write."""
        times = [self.scene.began_at, *(event.at for event in self.writes), self.scene.ended_at]
        return max(later - earlier for earlier, later in zip(times, times[1:]))

    def first_write_s(self, servers):
        """Of each server how long after the new primary takes connections the first write was acknowledged; None for none at all."""
        at = self.scene.look.accepts_at
        found = [next((event.at - at for event in self.writes if event.server == server and event.at >= at), None) for server in servers]
        return None if None in found else found

    def late_requests(self):
        """Those sent more than a second after the new primary takes connections, that failed all the same or took more than a second."""
        allowed_at = self.scene.look.accepts_at + FIRST_WRITE_MAX_S
        return [event for event in self.events if event.began_at > allowed_at
                and (is_error(event) or event.at - event.began_at > FIRST_WRITE_MAX_S)]

    def cells(self, servers):
        look = self.scene.look
        firsts = self.first_write_s(servers) if look and look.accepts_at else None
        kinds = collections.Counter(str(event.what) for event in self.errors)
        return [self.scene.title, f"{self.gap_s:.2f}", seconds(look and since(look.accepts_at, self.scene.began_at)),
                seconds(look and since(look.commits_at, look.accepts_at)),
                ", ".join(map(seconds, firsts)) if firsts else "-", seconds(self.scene.served_s),
                str(len(self.late_requests())) if look and look.accepts_at else "-", str(len(self.events)), str(len(self.writes)), ", ".join(f"{count} x {kind}" for kind, count in sorted(kinds.items())) or "0",
                str(self.resets), str(self.fates.count(0)), str(sum(count > 1 for count in self.fates))]

    def verdicts(self, servers):
        """Names and what is wrong, an empty text for nothing."""
        yield "the scene", "; ".join(self.scene.failures)
        wrong = [event for event in self.errors if not event.is_repairable]
        yield "errors", f"{len(wrong)} errors that no client may meet, such as {wrong[0].method}: {wrong[0].what}" if wrong else ""
        yield "load", "" if self.writes else "no write was acknowledged: this scene shows nothing"
        yield "resets", f"{self.resets} clients were reset" if self.resets else ""
        lost, doubled = self.fates.count(0), sum(count > 1 for count in self.fates)
        yield "writes", f"{lost} acknowledged writes are lost, {doubled} doubled" if lost or doubled else ""
        if self.scene.has_new_primary:
            yield "first write", self.late(servers)

    def late(self, servers):
        if not self.scene.look or not self.scene.look.accepts_at:
            return "there was no new primary"
        firsts = self.first_write_s(servers)
        if firsts is None:
            return "a server acknowledged no write after the new primary took connections"
        if max(firsts) > FIRST_WRITE_MAX_S:
            return f"{max(firsts):.2f} s from the new primary's first connection to the first write, {FIRST_WRITE_MAX_S:.0f} s allowed"
        return ""


def since(later, earlier):
    return None if later is None else later - earlier


def seconds(value):
    return "-" if value is None else f"{value:.2f}"


def note_fates(rows, path, found):
    """Puts each acknowledged write into the row of its time."""
    starts, times = [row.scene.began_at for row in rows], acknowledged_at(path)
    for write in ledger.read(path):
        if write.state == ledger.ACKED:
            place = bisect.bisect(starts, times[write.name]) - 1
            rows[max(0, place)].fates.append(checks.count_of(write, found[write.account]))


def table(rows, servers):
    lines = [HEADINGS, *(row.cells(servers) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
    for line in lines:
        yield "  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip()


def judge(rows, servers, findings, say):
    """Prints what failed, and returns how many passed and failed."""
    counts = collections.Counter()
    for row in rows:
        for name, wrong in row.verdicts(servers):
            counts[not wrong] += 1
            if wrong:
                say(f"FAILED {row.scene.title}, {name}: {wrong}")
    for invariant in (1, 2, 3, 4, 5, 7):
        counts[findings.holds(invariant)] += 1
        if not findings.holds(invariant):
            say(f"FAILED {TITLES[invariant]}")
    for line in findings.lines():
        say(line)
    return counts[True], counts[False]

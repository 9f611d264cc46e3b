"""The table, and what must hold of its lines."""
import math
import statistics

# Of a bystander's p99 under attack: so many times that of the control, and less than so much.
CONTROL_FACTOR = 3
P99_MAX_MS = 50
RECEIPT_MAX_MS = 2000
# Of the requests, by watcher; all others are to be served.
SERVED_MIN = {"downloads": 0.995, "300 KB answers": 0.995}
# Of the attacker's throughput with the other build; its share of refusals may hardly grow.
THROUGHPUT_MIN = 0.8
REFUSED_MORE = 0.001
# Where attackers lose what is above their share.
UNCOMPARED = ("idle", "idle-customer", "downloads", "films")
HEADINGS = (f"{'line':<14} {'watcher':<15} {'alone p50/p99':>16} {'attack p50/p99':>18} {'control p50/p99':>18} {'served %':>9} {'attacker':>18} "
            f"{'refused %':>9}")


class Row:
    """What one watcher of a line heard: a list of rounds for each phase, and how the attacker fared in it."""

    def __init__(self, line, watcher):
        self.line, self.watcher, self.heard, self.fared = line, watcher, {}, {}

    def add(self, phase, heard, fared):
        self.heard.setdefault(phase, []).append(heard)
        self.fared.setdefault(phase, []).append(fared)

    def quantile(self, phase, share):
        """The median of the rounds, in milliseconds."""
        return statistics.median(quantile(heard.times, share) for heard in self.heard[phase])

    def served(self, phase):
        """Of all rounds together."""
        return sum(len(heard.times) for heard in self.heard[phase]) / sum(heard.asked for heard in self.heard[phase])

    def attacker(self, phase):
        return statistics.median(fared.per_second for fared in self.fared[phase])

    def refused(self, phase):
        return statistics.median(fared.refused for fared in self.fared[phase])

    def text(self):
        cells = [f"{self.quantile(phase, .5):.1f}/{self.quantile(phase, .99):.1f}" for phase in ("alone", "attack", "control")]
        attacker = f"{self.attacker('attack'):.1f} {self.fared['attack'][0].unit}"
        compared = f"  {self.attacker('attack'):.1f} : {self.attacker('against'):.1f}" if "against" in self.fared else ""
        return (f"{self.line:<14} {self.watcher:<15} {cells[0]:>16} {cells[1]:>18} {cells[2]:>18} {100 * self.served('attack'):>9.2f} {attacker:>18} "
                f"{100 * self.refused('attack'):>9.2f}{compared}")

    def broken(self):
        """What does not hold."""
        # Another build may have served none of it.
        if not all(fared.took_effect for phase in ("control", "attack") for fared in self.fared[phase]):
            yield "the attack was none"
        least = SERVED_MIN.get(self.watcher, 1)
        if self.served("attack") < least:
            failures = [failure for heard in self.heard["attack"] for failure in heard.failures]
            yield f"{100 * self.served('attack'):.2f} % were served, not {100 * least:g} %: {'; '.join(failures[:3]) or 'too late'}"
        if self.watcher == "bystander":
            yield from self.late()
        if self.watcher == "receipts" and self.quantile("attack", 1) > RECEIPT_MAX_MS:
            yield f"a receipt took {self.quantile('attack', 1):.0f} ms, more than {RECEIPT_MAX_MS}"
        if "against" in self.fared and self.line not in UNCOMPARED:
            yield from self.robbed()

    def late(self):
        attack, control = self.quantile("attack", .99), self.quantile("control", .99)
        if attack > CONTROL_FACTOR * control:
            yield f"p99 is {attack:.1f} ms, more than {CONTROL_FACTOR} times the control's {control:.1f} ms"
        if attack >= P99_MAX_MS:
            yield f"p99 is {attack:.1f} ms, not under {P99_MAX_MS} ms"

    def robbed(self):
        own, other = self.attacker("attack"), self.attacker("against")
        if own < THROUGHPUT_MIN * other:
            yield f"the attacker got {own:.1f}, less than {THROUGHPUT_MIN} of {other:.1f}"
        if self.refused("attack") > self.refused("against") + REFUSED_MORE:
            yield f"{100 * self.refused('attack'):.2f} % of the attacker's requests were refused, not {100 * self.refused('against'):.2f} %"


def quantile(values, share):
    """Infinite where nobody was served."""
    return sorted(values)[math.ceil(len(values) * share) - 1] if values else float("inf")

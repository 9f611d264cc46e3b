"""9: events and their counts, when everything is healed and the apps rest."""
import collections
import json

import ledger
from checks import number_of

# Of each account the rows of a rollup that are not what its events make, by quarter hours of UTC days.
DIFFERENT_COUNTS = """
WITH raw AS (
    SELECT user_id, (occurred_at AT TIME ZONE 'UTC')::date AS day, {column} AS kind,
        floor(extract(epoch FROM occurred_at) / 900)::bigint % 96 AS quarter, count(*) AS events
    FROM analytics_events GROUP BY 1, 2, 3, 4
), counted AS (
    SELECT d.user_id, d.day, d.{column} AS kind, u.quarter::bigint AS quarter, u.events::bigint AS events
    FROM {table} d, unnest(d.quarters, d.counts) u(quarter, events)
)
(TABLE raw EXCEPT TABLE counted) UNION ALL (TABLE counted EXCEPT TABLE raw)
"""
DIFFERENT_SUMS = """
SELECT user_id, month, m.events, e.events FROM analytics_months m FULL JOIN (
    SELECT user_id, date_trunc('month', occurred_at AT TIME ZONE 'UTC')::date AS month, count(*) AS events
    FROM analytics_events GROUP BY 1, 2
) e USING (user_id, month) WHERE m.events IS DISTINCT FROM e.events
"""


class Batch:
    """A batch as the ledger has it: the places of its events by months, and what came of its attempts."""

    def __init__(self, entry):
        self.name, self.account, self.months = entry["batch"], entry["account"], entry["months"]
        self.outcomes, self.refused = [], set()

    @property
    def is_acked(self):
        return ledger.ACKED in self.outcomes

    def places(self, kept):
        """Of the events in months that are kept: those that may be stored, and those that must be if any is."""
        may = {place for month, places in self.months.items() if month in kept for place in places}
        return may, may - self.refused


def read(path):
    """By name."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for entry in map(json.loads, file):
            if entry["state"] == "sent":
                found.setdefault(entry["batch"], Batch(entry)).outcomes.append(ledger.UNKNOWN)
            elif entry["state"] == ledger.REFUSED:
                found[entry["batch"]].refused.update(entry["places"])
            else:
                found[entry["batch"]].outcomes[-1] = entry["state"]
    return found


def judge(path, address, findings, may_lose):
    """`path`: the ledger of the apps."""
    batches, kept, stored = read(path), kept_months(address), collections.defaultdict(collections.Counter)
    for email, mark, count in address.query(
            "SELECT u.email, e.parameters ->> 'mark', count(*) FROM analytics_events e JOIN users u ON u.id = e.user_id GROUP BY 1, 2"):
        name, _, place = mark.rpartition(".")
        stored[name][int(place)] += int(count)
        if name not in batches or batches[name].account != number_of(email):
            findings.breach(9, f"{email} has an event {mark}, which its app did not send")
    lost = 0
    for batch in batches.values():
        text = broken(batch, *batch.places(kept), stored[batch.name])
        if text and may_lose and not stored[batch.name]:
            lost += 1
        elif text:
            findings.breach(9, f"batch {batch.name}, {batch.outcomes}: {text}")
    judge_counts(address, findings)
    findings.remarks.append(f"{sum(map(len, stored.values()))} events of {len(batches)} batches"
                            + f", months from {min(kept)}" + (f", {lost} acknowledged batches were lost" if may_lose else ""))


def kept_months(address):
    """The months that were not dropped."""
    return {name[-7:].replace("_", "-") for [name] in address.query(
        "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'analytics_events'::regclass")}


def broken(batch, may, must, stored):
    """What is wrong with a batch of which these events may and must be stored; None when nothing is."""
    if stored and (max(stored.values()) > 1 or not must <= stored.keys() <= may):
        return f"{sum(stored.values())} events are stored, {len(stored)} different ones, of {len(may)}"
    return "it is not stored" if batch.is_acked and must and not stored else None


def judge_counts(address, findings):
    """Whatever became of the batches, the counts are those of the events that are stored."""
    statements = [DIFFERENT_COUNTS.format(column="device_id", table="analytics_device_days"),
                  DIFFERENT_COUNTS.format(column="name", table="analytics_name_days"), DIFFERENT_SUMS]
    for statement in statements:
        for row in address.query(statement):
            findings.breach(9, f"counts and events differ: {row}")

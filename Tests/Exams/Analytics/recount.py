#!/usr/bin/env python3
"""Counts usage again from the raw rows, and compares the figures with what the server has answered.

Reads JSON from standard input: `rows` as the database has them, and `answers`, each with its `path`, its `query` and the answer's `body`.
Prints a line for each difference, and how many answers were compared. The status is 1 when there is a difference. It knows nothing of the
server's rollups, and has the rules from OpenAPI/features/usage.json.
"""
import collections
import datetime
import decimal
import json
import sys
import zoneinfo

DERIVED = ["recordings", "recorded_seconds", "uploaded_bytes", "configurations_changed", "recordings_by_format",
           "recordings_by_resolution", "recordings_by_device", "presets"]
ENTRIES_MAX = 100
DAY = datetime.timedelta(days=1)
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def date_in(zone, us):
    return (EPOCH + datetime.timedelta(microseconds=us)).astimezone(zone).date()


class Account:
    """The rows of one account."""

    def __init__(self, rows):
        self.events = rows["events"] or []
        self.counted_names = {(month, name) for month, name in rows["names"] or []}
        self.recordings = rows["recordings"] or []
        self.configurations = {row["id"]: row for row in rows["configurations"] or []}
        self.versions = rows["versions"] or []

    def counted_name(self, event):
        """The limit of distinct names is kept by months of UTC."""
        month = date_in(datetime.timezone.utc, event["us"]).replace(day=1).isoformat()
        return event["name"] if (month, event["name"]) in self.counted_names else "other"

    def preset_of(self, recording):
        number, _, digits = (recording["configuration_version"] or "").partition("-")
        for version in self.versions:
            if (version["id"] == recording["configuration_id"] and str(version["version"]) == number
                    and version["chain"][:12] == digits and version["preset"]):
                # The document of an old version may be gone.
                return json.loads(version["document"])["preset"] if version["document"] else version["preset"]
        current = self.configurations.get(recording["configuration_id"])
        return json.loads(current["document"])["preset"] if current and current["document"] else None


def duration_ms(recording):
    measured = (recording["probe"] or {}).get("duration")
    seconds = measured if measured is not None else json.loads(recording["document"]).get("duration") or 0
    return int((decimal.Decimal(str(seconds)) * 1000).to_integral_value(decimal.ROUND_HALF_UP))


def seconds(milliseconds):
    return milliseconds / 1000


def ranked(counts):
    """Largest first; equal ones by the bytes of their names."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0].encode()))


def events_by_name(account, events):
    counts = collections.Counter(account.counted_name(event) for event in events)
    rest = counts.pop("other", 0)
    names = ranked(counts)
    rest += sum(count for _, count in names[ENTRIES_MAX:])
    listed = [{"name": name, "count": count} for name, count in names[:ENTRIES_MAX]]
    return listed + ([{"name": "other", "count": rest}] if rest else [])


def shares(recordings, value_of):
    groups = collections.defaultdict(list)
    for recording in recordings:
        groups[value_of(recording)].append(recording)
    found = [{"value": value, "count": len(group), "seconds": seconds(sum(map(duration_ms, group))),
              "bytes": sum(recording["size"] for recording in group)} for value, group in groups.items()]
    return sorted(found, key=lambda share: (-share["count"], (share["value"] or "").encode()))


def presets(account, recordings):
    made = collections.Counter(filter(None, map(account.preset_of, recordings)))
    have = collections.Counter(json.loads(row["document"])["preset"]
                               for row in account.configurations.values() if row["document"])
    found = [{"preset": name, "configurations": have[name], "recordings": made[name]} for name in set(made) | set(have)]
    return sorted(found, key=lambda row: (-row["recordings"], -row["configurations"], row["preset"]))


def figures(events, recordings, uploads, versions):
    return {
        "events": len(events),
        "active_devices": len({event["device"] for event in events}),
        "recordings": len(recordings),
        "recorded_seconds": seconds(sum(map(duration_ms, recordings))),
        "uploaded_bytes": sum(upload["size"] for upload in uploads),
        "configurations_changed": len({version["id"] for version in versions}),
    }


class Days:
    """The days of a question."""

    def __init__(self, query):
        self.zone = zoneinfo.ZoneInfo(query.get("tz", "UTC"))
        self.first = datetime.date.fromisoformat(query["start_date"])
        self.last = datetime.date.fromisoformat(query["end_date"])

    def all(self):
        return [self.first + index * DAY for index in range((self.last - self.first).days + 1)]

    def select(self, rows, column):
        """The rows within the range, by day."""
        by_day = collections.defaultdict(list)
        for row in rows:
            if row[column] is not None:
                date = date_in(self.zone, row[column])
                if self.first <= date <= self.last:
                    by_day[date].append(row)
        return by_day


def joined(by_day):
    return [row for day in by_day.values() for row in day]


def usage(account, query):
    days = Days(query)
    events, recordings = days.select(account.events, "us"), days.select(account.recordings, "recorded_us")
    uploads, versions = days.select(account.recordings, "uploaded_us"), days.select(account.versions, "changed_us")
    made = joined(recordings)
    documents = {id(recording): json.loads(recording["document"]) for recording in made}
    return {"usage": {
        "start_date": query["start_date"], "end_date": query["end_date"], "tz": query.get("tz", "UTC"),
        "totals": figures(joined(events), made, joined(uploads), joined(versions)),
        "days": [{"date": day.isoformat(), **figures(events[day], recordings[day], uploads[day], versions[day])}
                 for day in days.all()],
        "events_by_name": events_by_name(account, joined(events)),
        "recordings_by_format": shares(made, lambda recording: documents[id(recording)].get("video_format")),
        "recordings_by_resolution": shares(made, lambda recording: documents[id(recording)].get("resolution")),
        "recordings_by_device": shares(made, lambda recording: recording["device"]),
        "presets": presets(account, made),
        "derived": DERIVED,
    }}


def differences(expected, found, place=""):
    if isinstance(expected, dict) and isinstance(found, dict):
        for name in sorted(set(expected) | set(found)):
            yield from differences(expected.get(name), found.get(name), f"{place}/{name}")
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for index, (left, right) in enumerate(zip(expected, found)):
            yield from differences(left, right, f"{place}/{index}")
    elif expected != found:
        yield f"{place}: recounted {json.dumps(expected)[:200]}, answered {json.dumps(found)[:200]}"


def main():
    question = json.load(sys.stdin)
    account = Account(question["rows"])
    count, wrong = 0, 0
    for answer in question["answers"]:
        for line in differences(usage(account, answer["query"]), answer["body"]):
            print(f"{json.dumps(answer['query'])} {line}")
            wrong += 1
        count += 1
    print(f"answers: {count}, events: {len(account.events)}, differences: {wrong}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

"""What usage costs with 1,000,000 and 20,000,000 events in the database: it grows with the days that are asked for, not with the events.

The account that asks has the same events in both: two devices, ten names, 50 events a day for 400 days. The others have their share of the
rest. Their rows are those of the rollups: usage reads nothing else."""
import datetime
import os

import psql
from load import load, measure_round
from results import cell, spread, store, summary
from server import Server

SIZES = [1_000_000, 20_000_000]
ACCOUNTS = 1000
DAYS = 400
OWN_EVENTS_A_DAY = 50
DEVICES, NAMES = 2, 10
RATIO_MAX = 1.3
P99_MAX_MS = 10
ZONES = ["UTC", "Asia/Kathmandu", "America/New_York"]
HEADINGS = (f"{'case':<28} {'events':>11} {'requests/s':>20} {'server CPU us':>24} {'PostgreSQL CPU us':>26} {'p50 ms':>16} "
            f"{'p99 ms':>16} {'both, by round':>18}")

# A row a day and a device or name, with a quarter hour for each event: they come day by day, as batches do.
FILL = """
SELECT create_analytics_months(current_date - {days}, current_date);
CREATE TABLE wanted AS SELECT gen_random_uuid() AS user_id, {others}::float8 AS a_day FROM generate_series(1, {accounts});
INSERT INTO wanted VALUES ('{user}', {own});
INSERT INTO analytics_device_days
SELECT w.user_id, current_date - ago, 'device-' || kind, cardinality(q), q, array_fill(1, ARRAY[cardinality(q)])
FROM generate_series({days} - 1, 0, -1) ago, wanted w, generate_series(1, {devices}) kind, {slots}
WHERE cardinality(q) > 0;
INSERT INTO analytics_name_days
SELECT w.user_id, current_date - ago, 'event-' || kind, cardinality(q), q, array_fill(1, ARRAY[cardinality(q)])
FROM generate_series({days} - 1, 0, -1) ago, wanted w, generate_series(1, {names}) kind, {name_slots}
WHERE cardinality(q) > 0;
DROP TABLE wanted;
"""
SLOTS = """LATERAL (SELECT ARRAY(SELECT n::smallint FROM generate_series(0, 95) n
    WHERE random() < w.a_day / {kinds} / 96 + 0 * ago + 0 * kind ORDER BY n) AS q) slots"""


class Scene:
    """A server whose database has so many events, and an account that asks."""

    def __init__(self, size, folder):
        self.size = size
        self.server = Server(os.path.join(folder, f"usage-{size}"))
        credentials = {"email": "asking@example.org", "password": "benchmark password"}
        self.server.call("POST", "/auth/register", credentials)
        answer = self.server.call("POST", "/auth/login", credentials)[0]
        self.token = answer["token"]
        psql.say(self.server, FILL.format(
            days=DAYS, accounts=ACCOUNTS - 1, user=answer["user"]["id"], own=OWN_EVENTS_A_DAY, devices=DEVICES, names=NAMES,
            others=(size - DAYS * OWN_EVENTS_A_DAY) / (ACCOUNTS - 1) / DAYS, slots=SLOTS.format(kinds=DEVICES),
            name_slots=SLOTS.format(kinds=NAMES)))
        psql.say(self.server, "VACUUM ANALYZE analytics_device_days, analytics_name_days;")
        today = datetime.datetime.now(datetime.timezone.utc).date()
        self.cases = {f"{count} days, {zone}": self.usage(today, count, zone) for count in (30, 366) for zone in ZONES}

    def usage(self, today, count, zone):
        first = today - datetime.timedelta(days=count - 1)
        path = f"/analytics/usage?start_date={first}&end_date={today}&tz={zone}"
        answer = self.server.call("GET", path, token=self.token)[0]["usage"]
        assert len(answer["days"]) == count and answer["totals"]["events"] > 0.8 * count * OWN_EVENTS_A_DAY
        return ["-H", f"Authorization: Bearer {self.token}", self.server.url + path]


def measure(options, folder):
    """Measures the sizes in turn, one request at a time, and prints what a request cost."""
    scenes = []
    try:
        for size in SIZES:
            print(f"filling {size:,}", flush=True)
            scenes.append(Scene(size, folder))
        results = {(case, scene.size): [] for case in scenes[0].cases for scene in scenes}
        for scene in scenes:
            for arguments in scene.cases.values():
                load(arguments, 1, 1)
        for _ in range(options.rounds):
            for case in scenes[0].cases:
                for scene in scenes:
                    results[case, scene.size].append(measure_round(scene.server, scene.cases[case], options.seconds, 1))
    finally:
        for scene in scenes:
            scene.server.stop()
    report(results, options)


def cost(round):
    return round["cpu_us"] + round["postgresql_cpu_us"]


def report(results, options):
    print(f"{options.rounds} rounds of {options.seconds} s, one connection, the sizes in turn")
    print(HEADINGS)
    rows = []
    for (case, size), rounds in results.items():
        ratio = spread([cost(round) / cost(first) for round, first in zip(rounds, results[case, SIZES[0]])])
        figures = summary(rounds)
        rows.append({"case": case, "events": size, "ratio": ratio, **figures})
        print(f"{case:<28} {size:>11,} {cell(figures['requests_per_second'], 0):>20} {cell(figures['cpu_us'], 0):>24} "
              f"{cell(figures['postgresql_cpu_us'], 0):>26} {cell(figures['p50_ms'], 2):>16} {cell(figures['p99_ms'], 2):>16} "
              f"{cell(ratio, 2):>18}")
    worst = max(row["ratio"]["median"] for row in rows)
    slowest = max(row["p99_ms"]["median"] for row in rows)
    print(f"budget: CPU at most {RATIO_MAX} times that of {SIZES[0]:,}: {worst:.2f}, {'met' if worst <= RATIO_MAX else 'NOT met'}")
    print(f"budget: p99 under {P99_MAX_MS} ms: {slowest:.2f}, {'met' if slowest < P99_MAX_MS else 'NOT met'}")
    store(".build/benchmarks-usage.json", {"results": rows}, options)

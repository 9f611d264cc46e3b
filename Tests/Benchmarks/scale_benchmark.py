"""What a delta costs with 1,000, 100,000 and 1,000,000 configurations in the database: budget 5, it grows with the answer alone."""
import os

import psql
from load import load, measure_round
from results import cell, spread, store, summary
from server import Server

SIZES = [1_000, 100_000, 1_000_000]
PER_ACCOUNT = 200
# What the account that asks among many small ones has: enough for a delta of 10,000.
ASKING_ITEMS = 10_000
RATIO_MAX = 1.3
SMALL_CONNECTIONS = 16
LARGE_CONNECTIONS = 4
# How far behind the head the clients are, beside those at the head: tokens name versions.
DELTAS = [50, 10_000]
HEADINGS = (f"{'case':<22} {'configurations':>14} {'requests/s':>22} {'server CPU us':>26} {'PostgreSQL CPU us':>26} "
            f"{'both, by round':>20}")

FILL = """
CREATE TABLE wanted (user_id uuid, items int);
{wanted}
INSERT INTO configurations (user_id, id, spelled_id, document, digest, version, seq, chain, changed_at, edited_at)
SELECT w.user_id, i.id, upper(i.id::text), '{{"id":"' || upper(i.id::text) || '","name":"Benchmark ' || i.n || '","preset":'
    || '"landscape","video_format":"H.265","resolution":"4K UHD","frame_rate":30,"exposure_settings":{{"mode":"manual",'
    || '"iso":400,"shutter_speed":0.008}},"focus_settings":{{"mode":"manual","lens_position":0.7}},"created_at":'
    || '"2026-01-01T10:00:00Z","modified_at":"2026-01-01T10:00:00Z"}}', sha256(i.id::text::bytea), 1, i.n, uuid_send(i.id),
    timestamptz '2026-01-01T00:00:00Z' + i.n * interval '1 ms', now()
FROM wanted w CROSS JOIN LATERAL (
    SELECT n, md5(w.user_id::text || n)::uuid AS id FROM generate_series(1, w.items) n) i;
INSERT INTO configuration_versions
    (user_id, id, version, seq, chain, document, digest, sent_digest, changed_at, edited_at, author, by_device)
SELECT c.user_id, c.id, 1, c.seq, c.chain, c.document, c.digest, c.digest, c.changed_at, c.edited_at, 'tablet', true
FROM configurations c JOIN wanted w USING (user_id) WHERE w.items - c.seq IN ({deltas});
UPDATE sync_heads h SET seq = w.items, chain = c.chain, item_id = c.id, item_version = 1, changed_at = c.changed_at
FROM wanted w JOIN configurations c ON c.user_id = w.user_id AND c.seq = w.items
WHERE w.user_id = h.user_id AND h.collection = 'configurations';
DROP TABLE wanted;
"""
CROWD = """
WITH account AS (
    INSERT INTO users (email, password_hash) SELECT 'crowd' || n || '@example.org', '-' FROM generate_series(1, {accounts}) n
    RETURNING id
), head AS (INSERT INTO sync_heads (user_id, collection, genesis, chain) SELECT id, 'configurations', '', '' FROM account)
INSERT INTO wanted SELECT id, {items} FROM account;
"""


class Scene:
    """A server whose database has so many configurations in small accounts, and as many once more in one account."""

    def __init__(self, size, folder):
        self.size = size
        self.server = Server(os.path.join(folder, f"scale-{size}"))
        asking, huge = self.login("asking"), self.login("huge")
        wanted = CROWD.format(accounts=size // PER_ACCOUNT, items=PER_ACCOUNT)
        wanted += f"INSERT INTO wanted VALUES ('{asking[1]}', {ASKING_ITEMS}), ('{huge[1]}', {size});"
        psql.say(self.server, FILL.format(wanted=wanted, deltas=", ".join(map(str, DELTAS))))
        psql.say(self.server, "VACUUM ANALYZE users, sync_heads, configurations, configuration_versions;")
        self.cases = {
            "many small, 304": self.poll(asking, True), "many small, nothing": self.poll(asking),
            "many small, 50": self.delta(asking, 50), "many small, 10,000": self.delta(asking, 10_000),
            "one huge, 304": self.poll(huge, True), "one huge, 50": self.delta(huge, 50),
        }
        if size >= 10_000:
            self.cases["one huge, 10,000"] = self.delta(huge, 10_000)

    def login(self, name):
        credentials = {"email": f"{name}@example.org", "password": "benchmark password"}
        self.server.call("POST", "/auth/register", credentials)
        answer = self.server.call("POST", "/auth/login", credentials)[0]
        return answer["token"], answer["user"]["id"]

    def delta(self, account, count):
        token, user = account
        change = psql.say(self.server, (
            "SELECT c.seq, encode(c.chain, 'hex'), 0, c.id, c.version FROM configurations c JOIN sync_heads h USING (user_id) "
            f"WHERE h.collection = 'configurations' AND user_id = '{user}' AND c.seq = h.seq - {count} UNION ALL SELECT 0, encode(genesis, 'hex'), 0, NULL, NULL "
            f"FROM sync_heads WHERE collection = 'configurations' AND user_id = '{user}' AND seq = {count}"))
        query = "/configurations?sync_token=" + change.replace("|", ".")
        answer = self.server.call("GET", query, token=token)[0]
        assert len(answer["configurations"]) == count
        return ["-H", f"Authorization: Bearer {token}", self.server.url + query]

    def poll(self, account, is_known=False):
        arguments = self.delta(account, 0)
        if not is_known:
            return arguments
        path = arguments[-1].removeprefix(self.server.url)
        tag = self.server.call("GET", path, token=account[0])[1]["ETag"]
        return ["-H", f"If-None-Match: {tag}", *arguments]


def connections(case):
    return LARGE_CONNECTIONS if case.endswith("10,000") else SMALL_CONNECTIONS


def measure(options, folder):
    """Measures the sizes in turn and prints what a request cost, and the ratios between the sizes."""
    scenes = []
    try:
        for size in SIZES:
            print(f"filling {size:,}", flush=True)
            scenes.append(Scene(size, folder))
        results = {(case, scene.size): [] for scene in scenes for case in scene.cases}
        for scene in scenes:
            for case, arguments in scene.cases.items():
                load(arguments, 1, connections(case))
        for _ in range(options.rounds):
            for case in scenes[-1].cases:
                for scene in scenes:
                    if case in scene.cases:
                        results[case, scene.size].append(
                            measure_round(scene.server, scene.cases[case], options.seconds, connections(case)))
    finally:
        for scene in scenes:
            scene.server.stop()
    report(results, options)


def cost(round):
    return round["cpu_us"] + round["postgresql_cpu_us"]


def report(results, options):
    print(f"{options.rounds} rounds of {options.seconds} s, the sizes in turn")
    print(HEADINGS)
    rows = []
    for (case, size), rounds in results.items():
        smallest = min(other for name, other in results if name == case)
        ratio = spread([cost(round) / cost(first) for round, first in zip(rounds, results[case, smallest])])
        figures = summary(rounds)
        rows.append({"case": case, "configurations": size, "ratio": ratio, **figures})
        print(f"{case:<22} {size:>14,} {cell(figures['requests_per_second'], 0):>22} {cell(figures['cpu_us'], 1):>26} "
              f"{cell(figures['postgresql_cpu_us'], 1):>26} {cell(ratio, 2):>20}")
    worst = max(row["ratio"]["median"] for row in rows)
    print(f"budget: at most {RATIO_MAX} times the smallest: {worst:.2f}, {'met' if worst <= RATIO_MAX else 'NOT met'}")
    store(".build/benchmarks-scale.json", {"results": rows}, options)

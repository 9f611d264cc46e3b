"""Batches through HTTP beside what they can't do without: pgbench inserting the rows of items and versions, in turn, by operation."""
import os

import psql
from load import load, measure_round
from pgbench import Script, measure_once
from pgbench_benchmark import DOCUMENT, EDITED_US, WRITERS_PER_LOOP
from results import cell, store, summary
from server import Server
from sync_benchmark import Scene, user_of

SIZES = {"batch-100": 100, "batch-500": 500}
TABLES = {"configurations": "bare_items", "configuration_versions": "bare_versions"}
# Copies with all columns, indexes and checks, without foreign keys, triggers and row-level security.
MAKE = "".join(f"CREATE TABLE {copy} (LIKE {table} INCLUDING ALL); GRANT INSERT ON {copy} TO neuroviews_app;" for table, copy in TABLES.items())
EMPTY = f"TRUNCATE {', '.join(TABLES.values())}"
# The ids are in no order, as an app's are; hashes have the server's lengths.
ROWS = """(SELECT :user::uuid AS user_id, id, :document::text AS document, uuid_send(id) AS chain, uuid_send(id) || uuid_send(id) AS digest,
    n AS seq, clock_timestamp() AS now, 'epoch'::timestamptz + :edited::bigint * interval '1 microsecond' AS edited_at
    FROM (SELECT :base::bigint + n AS n, md5((:base::bigint + n)::text)::uuid AS id FROM generate_series(1, :size::int) n) i) r"""
# A row has version 2, like that of a replaced item: it is in all indexes.
BARE = f"""\\set base random(1, 9000000000000000)
\\startpipeline
BEGIN;
INSERT INTO bare_items (user_id, id, spelled_id, document, digest, version, seq, chain, changed_at, edited_at, preset)
    SELECT user_id, id, upper(id::text), document, digest, 2, seq, chain, now, edited_at, 'landscape' FROM {ROWS};
INSERT INTO bare_versions (user_id, id, version, seq, chain, document, digest, sent_digest, changed_at, edited_at, author, by_device, preset)
    SELECT user_id, id, 2, seq, chain, document, digest, digest, now, edited_at, 'tablet', true, 'landscape' FROM {ROWS};
COMMIT;
\\endpipeline
"""
HEADINGS = (f"{'case':<10} {'operations/s':>24} {'pgbench/s':>24} {'server us':>10} {'PG us':>7} {'both us':>20} {'pgbench us':>11} "
            f"{'PG us':>7} {'both us':>20} {'CPU ratio':>18}")


def bare(folder, name, user):
    document = DOCUMENT[0] + "00000000-0000-4000-8000-000000000000" + DOCUMENT[1] + "12345}"
    variables = {"user": user, "document": document, "edited": EDITED_US, "size": SIZES[name]}
    return Script(folder, name, [BARE], variables, WRITERS_PER_LOOP * os.cpu_count())


def measure(options, folder):
    server = Server(os.path.join(folder, "batch-server"), history_max_bytes=0)
    try:
        psql.say(server, MAKE)
        scene = Scene(server, folder)
        cases, user = scene.cases(), user_of(scene.accounts[1][1])
        peers = {name: bare(folder, name, user) for name in SIZES}
        rounds = {name: [] for name in SIZES}
        for name, peer in peers.items():
            load(cases[name], 1, options.connections)
            measure_once(server, peer, 1)
        for number in range(options.rounds):
            for name, peer in peers.items():
                rounds[name].append(measure_both(server, name, cases[name], peer, number % 2 == 0, options))
    finally:
        server.stop()
    report({name: summary(of_case) for name, of_case in rounds.items()}, options)


def measure_both(server, name, arguments, peer, is_own_first, options):
    """One round of each side. The order changes, so that a drift of the machine falls on both."""
    def own():
        return measure_round(server, arguments, options.seconds, options.connections)

    def inserts():
        psql.say(server, EMPTY)
        return measure_once(server, peer, options.seconds)

    first, second = (own, inserts) if is_own_first else (inserts, own)
    results = {first: by_operation(first(), SIZES[name]), second: by_operation(second(), SIZES[name])}
    mine, theirs = results[own], results[inserts]
    return {**mine, **{f"pgbench_{key}": value for key, value in theirs.items()}, "cpu_ratio": mine["both_cpu_us"] / theirs["both_cpu_us"]}


def by_operation(round, size):
    own, database = round["cpu_us"] / size, round["postgresql_cpu_us"] / size
    return {"operations_per_second": round["requests_per_second"] * size, "cpu_us": own, "postgresql_cpu_us": database,
            "both_cpu_us": own + database}


def report(results, options):
    print(f"{options.connections} connections, {options.rounds} rounds of {options.seconds} s in turn; CPU by operation; pgbench inserts "
          "the two rows of each operation, as many in a transaction, into tables with the same indexes")
    print(HEADINGS)
    for name, result in results.items():
        print(f"{name:<10} {cell(result['operations_per_second'], 0):>24} {cell(result['pgbench_operations_per_second'], 0):>24} "
              f"{result['cpu_us']['median']:>10.1f} {result['postgresql_cpu_us']['median']:>7.1f} {cell(result['both_cpu_us'], 1):>20} "
              f"{result['pgbench_cpu_us']['median']:>11.1f} {result['pgbench_postgresql_cpu_us']['median']:>7.1f} "
              f"{cell(result['pgbench_both_cpu_us'], 1):>20} {cell(result['cpu_ratio'], 2):>18}")
    store(".build/benchmarks-batches.json", {"results": results, "sizes": SIZES}, options)

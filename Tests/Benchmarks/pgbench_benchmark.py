"""Requests of sync through HTTP beside pgbench running the same statements, in turn."""
import functools
import os

import statements
from load import load, measure_round
from pgbench import Script, measure_once
from results import cell, spread, store, summary
from server import Server
from sync_benchmark import Scene, session_of, user_of

# Of the server: pipelined connections for reads, and connections for writes, each on every loop.
READERS_PER_LOOP = 2
WRITERS_PER_LOOP = 8
ROWS = 501
DOCUMENT_BYTES = 16384
# The text before and after the id of what put.lua sends, up to its last number, and a time for its edits.
DOCUMENT = ('{"id":"',
            '","name":"Benchmark","preset":"landscape","video_format":"H.265","resolution":"4K UHD","frame_rate":30,'
            '"exposure_settings":{"mode":"manual","iso":400,"shutter_speed":0.008},"focus_settings":{"mode":"manual",'
            '"lens_position":0.7},"created_at":"2026-01-01T10:00:00Z","modified_at":"2099-01-01T10:00:00Z","run":123456789,'
            '"count":')
EDITED_US = 1_767_261_600_000_000
COLLECTION = {"name": "configurations", "items": "configurations", "versions": "configuration_versions", "preset": ", preset",
              "setPreset": ", preset = w.preset"}
# The change that a sync_token names.
NAMED = ["seq", "(decode(:chain, 'hex'))", "salt", "item", "version"]
# At least so many times what pgbench does.
BUDGETS = {"get": 1.0, "delta-50": 1.0, "put": 0.8}
# Versions of a round: a client of pgbench writes a hundredth of them, so that no two have the same number.
STEPS_MAX = 20_000_000
# One change's values, as `WriteSQL.one` has them.
ONE = "NOT MATERIALIZED (SELECT {})".format(", ".join(
    f"${number}::{kind}" for number, kind in enumerate(
        ["uuid", "text", "text", "bytea", "bytea", "int", "bigint", "bytea", "bigint", "bigint", "text"], 13)))
HEADINGS = (f"{'case':<10} {'requests/s':>22} {'pgbench/s':>22} {'ratio by round':>20} {'server us':>10} {'PG us':>7} "
            f"{'pgbench us':>11} {'PG us':>7}")


def scripts(scene, folder):
    """pgbench's scripts by case."""
    enter = (statements.text("Caller.swift", "enter"), ["user", "session", "one", "zero"])
    configurations, sync = "Configurations/ConfigurationSQL.swift", "Sync/SyncSQL.swift"
    get = (statements.text(configurations, "get"), ["user", "id"])
    state = statements.constant(sync, "state")
    poll = (statements.text(sync, "state", **COLLECTION, state=state), ["user"])
    holds = statements.text(sync, "holds", **COLLECTION, seq="$4::bigint", chain="$5::bytea", id="$7::uuid", version="$8::int")
    delta = (
        statements.text(sync, "delta", **COLLECTION, state=state, since="$4::bigint",
                        isKnown=f"($6::bigint = h.salt # l.salt AND {holds}) IS TRUE"),
        ["user", "rows", "bytes", *NAMED])

    loops = os.cpu_count()
    common = {"user": user_of(scene.token), "session": scene.session, "one": 1, "zero": 0, "id": scene.identifier, "rows": ROWS, "bytes": DOCUMENT_BYTES}

    def script(name, steps, **more):
        return Script(folder, name, [statements.script(*steps)], {**common, **more}, READERS_PER_LOOP * loops)

    def replacing(identifier, session, user):
        """What a PUT runs, in one round trip: a change that no other one is equal to, of one account's item, in a version of its own."""
        text = functools.partial(statements.text, "Sync/WriteSQL.swift")
        lock = text("lock", **COLLECTION)
        item = text("items", **COLLECTION, sent="(SELECT $2::uuid, $3::bytea, 1)", item=text("item", **COLLECTION))
        change = text("change", **COLLECTION)
        store = text("store", **COLLECTION, changes=ONE, writes=f"item0 AS ({change})", updateHead=text("updateHead", **COLLECTION))
        user, session, identifier = (f"('{value}')" for value in (user, session, identifier))
        digest, chain = "(sha256(:count::text::bytea))", "(substr(sha256(:count::text::bytea), 1, 16))"
        head = ["count", chain, identifier, "made", "edited", digest, "one", "one", "count"]
        made = [identifier, identifier, "(:prefix || :suffix || :count || '}')", digest, digest, "made", "count", chain, "edited",
                "edited", "('landscape')"]
        return statements.script(
            ["BEGIN", []], [statements.text("Caller.swift", "enter"), [user, session, "one", "zero"]], [lock, [user]],
            [item, [user, identifier, digest, session]], [store, [user, *head, session, "(false)", *made]], ["COMMIT", []],
            begin=["\\set count random(1, 9223372036854775)", "\\set step :step + 1",
                   f"\\set made :round * {STEPS_MAX} + :client_id * {STEPS_MAX // 100} + :step"])

    puts = [replacing(identifier, session_of(token), user_of(token)) for identifier, token in scene.accounts[1:]]
    begin, end = DOCUMENT
    return {
        "get": script("get", [enter, get]),
        "delta-304": script("delta-304", [enter, poll]),
        "delta-0": script("delta-0", [enter, delta], **change(scene.head)),
        "delta-50": script("delta-50", [enter, delta], **change(scene.before_50)),
        "put": Script(folder, "put", puts, {"one": 1, "zero": 0, "prefix": begin, "suffix": end, "edited": EDITED_US},
                      WRITERS_PER_LOOP * loops),
    }


def change(token):
    """The parts of a sync_token, whose salt is 0 here."""
    return dict(zip(("seq", "chain", "salt", "item", "version"), token.split(".")))


def measure(options, folder):
    """Measures, prints a table, and says which budget is not met."""
    server = Server(os.path.join(folder, "peer"), history_max_bytes=0)
    try:
        scene = Scene(server, folder)
        peers, cases = scripts(scene, folder), scene.cases()
        rounds = {name: ([], []) for name in peers}
        for name, peer in peers.items():
            load(cases[name], 1, options.connections)
            measure_once(server, peer, 1)
        for number in range(options.rounds):
            for name, peer in peers.items():
                # The order changes, so that a drift of the machine falls on both.
                for side in ((0, 1) if number % 2 == 0 else (1, 0)):
                    rounds[name][side].append(
                        measure_round(server, cases[name], options.seconds, options.connections) if side == 0
                        else measure_once(server, peer, options.seconds))
    finally:
        server.stop()
    report({name: compare(*sides) for name, sides in rounds.items()}, options)


def compare(own, peer):
    ratios = [mine["requests_per_second"] / theirs["requests_per_second"] for mine, theirs in zip(own, peer)]
    return {"server": summary(own), "pgbench": summary(peer), "ratio": spread(ratios)}


def report(results, options):
    print(f"{options.connections} connections of clients, {options.rounds} rounds of {options.seconds} s in turn")
    print(HEADINGS)
    for name, result in results.items():
        own, peer = result["server"], result["pgbench"]
        print(f"{name:<10} {cell(own['requests_per_second'], 0):>22} {cell(peer['requests_per_second'], 0):>22} "
              f"{cell(result['ratio'], 2):>20} {own['cpu_us']['median']:>10.1f} "
              f"{own['postgresql_cpu_us']['median']:>7.1f} {peer['cpu_us']['median']:>11.1f} "
              f"{peer['postgresql_cpu_us']['median']:>7.1f}")
    for name, budget in BUDGETS.items():
        if name in results:
            verdict = "met" if results[name]["ratio"]["median"] >= budget else "NOT met"
            print(f"budget: {name} at least {budget} of pgbench: {verdict}")
    polls = results["delta-304"]["server"]["requests_per_second"]["median"] / (
        results["delta-50"]["server"]["requests_per_second"]["median"])
    print(f"budget: delta-304 at least 3 times delta-50: {polls:.2f}, {'met' if polls >= 3 else 'NOT met'}")
    store(".build/benchmarks-sync.json", {"results": results, "connections": options.connections}, options)

"""The exam of failovers: see README.md beside this file. Runs in namespaces of its own, which `run` makes."""
import argparse
import concurrent.futures
import os
import shutil
import signal
import sys
import time
import traceback
import types

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Faults"))
PROGRAMS = os.path.abspath(".build/high-availability/root")
sys.path.append(PROGRAMS + "/usr/lib/python3/dist-packages")

# The path to them is known only now.
# pylint: disable=wrong-import-position
import checks
import counts
import ledger
import scenes
import template
from cluster import Cluster
from findings import Findings
from front import Front
from load import Load
from processes import run
from run_of_fault import Ledgers
from scenarios.scenario import Scenario
from traffic import TimedLedger, Watched
from verdict import Row, judge, note_fates, table

KEPT = ".build/high-availability-logs"
DEVICES = [f"device-{number}" for number in range(template.DEVICES)]
SERVED_WITHIN_S = 45
OWN_ACCOUNTS = 61
MUTANTS = ("lost-write", "one-host")
LOSE = """
DELETE FROM configuration_versions WHERE (user_id, seq) IN (
    SELECT user_id, max(seq) FROM configuration_versions WHERE NOT deleted GROUP BY user_id ORDER BY user_id LIMIT 1)
"""


def options():
    parser = argparse.ArgumentParser(description="Makes failovers under load, and checks what must hold all the same.")
    parser.add_argument("--work", required=True, help="an empty folder")
    parser.add_argument("--accounts", type=int, default=OWN_ACCOUNTS, help="in the database; 61 of them are in use")
    parser.add_argument("--rate", type=int, default=300, help="requests a second that the devices try to make")
    parser.add_argument("--rounds", type=int, default=2, help="of all scenes")
    parser.add_argument("--scene", action="append", choices=[scene.name for scene in scenes.ALL], help="this one, and others like it")
    parser.add_argument("--binary", default=".build/release/neuroviews-server")
    parser.add_argument("--before", help="the server that the rolling restart replaces by --binary")
    parser.add_argument("--mutant", choices=MUTANTS, help="breaks one thing: the exam must fail")
    return parser.parse_args()


def say(text):
    print(text, flush=True)


class Exam:
    def __init__(self, parsed):
        self.options, self.folder, self.findings = parsed, parsed.work, Findings()
        self.binary = os.path.abspath(parsed.binary)
        self.rows, self.load, self.ledgers = [], None, ()
        self.paths = Ledgers(*(f"{self.folder}/ledger-of-{name}" for name in Ledgers._fields))
        # PostgreSQL's account may not come to the clone.
        programs = self.folder + "/programs"
        os.makedirs(programs)
        run(["mount", "--bind", PROGRAMS, programs])
        self.cluster = Cluster(programs, self.folder)
        self.front = None

    def prepare(self):
        begin = time.monotonic()
        self.cluster.start()
        self.cluster.make_database(self.binary)
        before = os.path.abspath(self.options.before) if self.options.before else self.binary
        self.front = Front(self.cluster.programs, self.folder, before, self.cluster, self.options.mutant != "one-host")
        self.front.start()
        with concurrent.futures.ThreadPoolExecutor(4) as threads:
            logins = list(threads.map(lambda number: template.account(self.front.port, number), range(OWN_ACCOUNTS)))
        more = self.options.accounts - OWN_ACCOUNTS
        if more > 0:
            self.cluster.fill(more)
        self.cluster.wait_until_healthy()
        say(f"{self.options.accounts:,} accounts, {OWN_ACCOUNTS} of them with {len(DEVICES)} devices each, after {time.monotonic() - begin:.0f} s")
        # Balancers close connections; a device then repeats its request.
        scenario = types.SimpleNamespace(
            port=self.front.port, may_lose=False, upload_failures=Scenario.upload_failures, event_ages_s=Scenario.event_ages_s,
            breaks=frozenset({"closed", "reset"}), has_cameras=False)
        self.ledgers = Ledgers(*map(TimedLedger, self.paths))
        self.load = Load([{name: those[name] for name in DEVICES} for those in logins], scenario, self.ledgers, self.findings, 1,
                         SERVED_WITHIN_S, Watched)
        self.load.think_s = len(self.load.devices) / self.options.rate

    def play(self):
        self.load.work()
        # Everybody's first pull.
        time.sleep(5)
        for number in range(self.options.rounds):
            for kind in scenes.ALL:
                if not self.options.scene or kind.name in self.options.scene:
                    self.play_scene(kind, number + 1)
                    if self.rows[-1].scene.failures:
                        # The others would show nothing.
                        self.load.rest()
                        return
        self.load.rest()

    def play_scene(self, kind, number):
        scene, resets = kind(self.cluster, self.front, self.load, number), self.findings.counts["resets"]
        if kind is scenes.Rolling:
            scene.binary = self.binary
        try:
            scene.play()
        except RuntimeError as error:
            scene.failures.append(str(error))
            scene.ended_at = time.monotonic()
        row = Row(scene, Watched.events)
        row.resets = self.findings.counts["resets"] - resets
        self.rows.append(row)
        say(f"{scene.title} ({scene.text}): {scene.ended_at - scene.began_at:.0f} s")

    def judge(self):
        for number, server in enumerate(self.front.servers):
            if server.process.poll() is not None:
                self.findings.breach(4, f"server{number + 1} has ended with status {server.process.returncode}")
        address = self.cluster.address()
        full_sets = checks.replays(self.load, self.findings)
        if self.options.mutant == "lost-write":
            address.query(LOSE)
        found = checks.writes(self.paths.writes, address, self.findings, False)
        checks.contents(full_sets, found, self.findings)
        counts.judge(address, self.findings)
        checks.resets(self.load, address, self.findings)
        note_fates(self.rows, self.paths.writes, found)

    def report(self):
        servers = [f"server{number + 1}" for number in range(len(self.front.servers))]
        say("")
        for line in table(self.rows, servers):
            say(line)
        say("")
        for remark in self.findings.remarks:
            say(remark)
        seen, fates = self.findings.counts, [count for row in self.rows for count in row.fates]
        events = [event for row in self.rows for event in row.events]
        took = sum(row.scene.ended_at - row.scene.began_at for row in self.rows)
        say(f"{len(events)} requests, {len(events) / max(took, 1):.0f} a second; {len(fates)} writes acknowledged, {fates.count(0)} lost, "
            f"{sum(count > 1 for count in fates)} doubled; {seen[ledger.UNKNOWN]} unknown; {seen['pulls']} pulls, {seen['resets']} resets; "
            f"slowest answer {max(event.at - event.began_at for event in events):.1f} s")
        return judge(self.rows, servers, self.findings, say)

    def clean_up(self):
        """The processes go with their namespace. What an exam that failed leaves is kept."""
        if self.load:
            self.load.end()
        for file in self.ledgers:
            file.close()


def keep(folder):
    shutil.rmtree(KEPT, ignore_errors=True)
    os.makedirs(KEPT)
    for path, _, names in os.walk(folder):
        for name in names:
            if "/programs" not in path and "/data" not in path and (name.startswith("ledger") or name.endswith((".log", ".cfg", ".yml"))):
                shutil.copy(os.path.join(path, name), os.path.join(KEPT, os.path.relpath(os.path.join(path, name), folder).replace("/", "_")))
    say(f"logs: {KEPT}")


def main():
    parsed = options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("the time is over"))
    passed, failed, exam = 0, 1, None
    try:
        exam = Exam(parsed)
        exam.prepare()
        exam.play()
        exam.judge()
        passed, failed = exam.report()
    except (Exception, SystemExit):  # pylint: disable=broad-except
        say(traceback.format_exc())
    finally:
        if failed:
            keep(parsed.work)
        say(f"high availability: {passed} passed, {failed} failed")
        # Threads that still wait for an answer are not waited for.
        os._exit(0 if not failed and passed else 1)


main()

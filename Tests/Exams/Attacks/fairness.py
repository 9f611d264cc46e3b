"""Attacks of one account or address, and how others fare meanwhile: alone, under attack, and while the same attack goes against another server
of the machine, the control."""
import argparse
import functools
import multiprocessing
import os
import random
import sys
import tempfile
import time

sys.path.insert(0, "Tests/Benchmarks")

import films  # noqa: E402
from accounts import Scene  # noqa: E402
from lines import LINES, can_use  # noqa: E402
from server import BINARY  # noqa: E402
from verdict import HEADINGS, Row  # noqa: E402

# A line of a sample that fails is measured so often in all, and judged by the medians.
ROUNDS_MAX = 3
# Servers are at rest below this share of a core.
REST_CORES = 0.1
REST_STEP_S = 0.25
REST_MAX_S = 20


class Exam:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.scenes, self.count = {}, 0
        # Made when they are first needed.
        self.films = functools.cache(lambda: films.slow_files(folder))

    def scene(self, role, line):
        """The server that is watched, the one of the control, or another build; a new one where the line wants that."""
        key = (role, line.listen, line.name if line.is_fresh else None)
        if key not in self.scenes:
            self.count += 1
            binary = self.options.against if role == "against" else self.options.binary
            self.scenes[key] = Scene(os.path.join(self.folder, f"server-{self.count}"), binary, line.listen, self.options.size, self.films)
        return self.scenes[key]

    def roles(self):
        return ["watched", "control", *(["against"] if self.options.against else [])]

    def measure(self, line, rounds):
        """Adds a round of the line to its rows."""
        # Filled before anything is measured.
        for role in self.roles():
            line.attack(self.scene(role, line))
            line.watchers(self.scene(role, line))
        self.rest()
        phases = {"alone": ("watched", None), "control": ("watched", "control"), "attack": ("watched", "watched")}
        if self.options.against:
            phases["against"] = ("against", "against")
        for phase, (watched, attacked) in phases.items():
            heard, fared = self.phase(line, self.scene(watched, line), attacked and self.scene(attacked, line))
            for name, one in heard.items():
                rounds.setdefault(name, Row(line.name, name)).add(phase, one, fared)
            if attacked and line.is_fresh:
                # What is left of the attack would go on for minutes.
                self.scenes.pop((attacked, line.listen, line.name)).stop()
            self.rest()

    def phase(self, line, watched, attacked):
        watchers = [watcher.begin() for watcher in line.watchers(watched)]
        attack, fared = attacked and line.attack(attacked), None
        if attack:
            attack.start(self.options.seconds)
            attack.take_effect()
        for watcher in watchers:
            watcher.go(self.options.seconds)
        heard = {watcher.name: watcher.result() for watcher in watchers}
        if attack:
            fared = attack.end()
        return heard, fared

    def rest(self):
        """Waits until no server works on what an attack has left."""
        deadline, before = time.monotonic() + REST_MAX_S, self.cpu_us()
        while time.monotonic() < deadline:
            time.sleep(REST_STEP_S)
            now = self.cpu_us()
            if now - before < REST_CORES * REST_STEP_S * 1e6:
                return
            before = now

    def cpu_us(self):
        return sum(scene.server.cpu().total + scene.server.database_cpu().total for scene in self.scenes.values())

    def stop(self):
        for scene in self.scenes.values():
            scene.stop()


def judge(exam, line, options):
    """Measures a line and prints its rows; returns how many hold and how many do not."""
    rows, begin = {}, time.monotonic()
    for _ in range(options.rounds):
        exam.measure(line, rows)
    while options.sample and any(list(row.broken()) for row in rows.values()) and rounds_of(rows) < ROUNDS_MAX:
        exam.measure(line, rows)
    failed = 0
    for row in rows.values():
        print(row.text(), flush=True)
        broken = list(row.broken()) if options.verdicts else []
        for sentence in broken:
            print(f"FAIL {row.line}, {row.watcher}: {sentence}", flush=True)
        failed += bool(broken)
    print(f"   {line.name}: {rounds_of(rows)} rounds, {time.monotonic() - begin:.0f} s", flush=True)
    return len(rows) - failed, failed


def rounds_of(rows):
    return max(len(row.heard["attack"]) for row in rows.values())


def chosen(options):
    known = {line.name: line for line in LINES}
    unknown = set(options.lines) - set(known)
    if unknown:
        sys.exit(f"no such line: {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    wanted = [known[name] for name in options.lines] or LINES
    if options.sample:
        print(f"a sample of {options.sample} lines, --seed {options.seed}", flush=True)
        drawn = random.Random(options.seed).sample(wanted, min(options.sample, len(wanted)))
        wanted = [line for line in wanted if line in drawn]
    for line in wanted:
        if not can_use(line.listen):
            print(f"skipped: {line.name} (root is needed, and namespaces)", flush=True)
    return [line for line in wanted if can_use(line.listen)]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lines", nargs="*", metavar="LINE", help=", ".join(line.name for line in LINES))
    parser.add_argument("--binary", default=BINARY, help="the server")
    parser.add_argument("--against", help="another build: its attackers' throughput and refusals are compared")
    parser.add_argument("--seconds", type=int, default=10, help="of each phase (10)")
    parser.add_argument("--rounds", type=int, default=1, help="the median of so many counts (1)")
    parser.add_argument("--verdicts", action="store_true", help="judge each line")
    parser.add_argument("--sample", type=int, default=0, help="so many lines, drawn by the seed; one that fails is measured twice more")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000), help="draws the sample")
    parser.add_argument("--size", type=float, default=1.0, help="the share of connections and items, for a look at the exam itself (1)")
    return parser.parse_args()


def main():
    options = arguments()
    multiprocessing.set_start_method("fork")
    wanted = chosen(options)
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="neuroviews-fairness-") as folder:
        # PostgreSQL's account must be able to enter the folder.
        os.chmod(folder, 0o755)
        exam = Exam(options, folder)
        print(HEADINGS, flush=True)
        try:
            for line in wanted:
                held, broken = judge(exam, line, options)
                passed, failed = passed + held, failed + broken
        finally:
            exam.stop()
    if options.verdicts:
        print(f"fairness: {passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

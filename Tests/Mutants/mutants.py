"""Tries mutants: builds each beside a copy of the build, and runs the tests that its record names."""
import argparse
import math
import multiprocessing
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

import records
import suites
import trial
from build import TESTS, Build, BuildError, digest, sources_digest
from records import ROOT, RecordError

WORK = ROOT / ".build/mutants"
LIMIT_S = 300
# Twenty minutes alone, and half an hour beside four busy processes.
SOUND_LIMIT_S = 3600
# Longer than any mutant takes.
GAP_S = 1800
CAUGHT, SKIPPED = "caught", "its tests are skipped here"
# Set before there are workers, which inherit it with what it has read.
build = None


def options():
    parser = argparse.ArgumentParser(prog="Tests/Mutants/run", description="Tries the mutants with these names; without a name, all of them.")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="mutants at the same time; one for each core unless told")
    parser.add_argument("--changed", action="store_true", help="those of changed files, and changed records")
    parser.add_argument("--base", help="the commit that --changed compares with: unless told, where the branch left origin/main, or HEAD~")
    parser.add_argument("--sample", type=float, metavar="FRACTION", help="a part of each module's mutants, by chance")
    parser.add_argument("--seed", type=int, help="the seed of the sample, to have the same again")
    given = parser.parse_args()
    if given.jobs < 1 or not 0 < (given.sample or 1) <= 1:
        parser.error("--jobs needs a number from 1, --sample one between 0 and 1.")
    return given


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)


def base():
    """The commit where this branch left origin/main; on main itself, the one before."""
    head, found = git("rev-parse", "HEAD").stdout, git("merge-base", "HEAD", "origin/main")
    return found.stdout.strip() if found.returncode == 0 and found.stdout != head else "HEAD~"


def changed(found, commit):
    """The records of files that were changed since the commit or are not committed, and the records that were changed themselves."""
    difference = git("diff", "--name-only", commit)
    if difference.returncode:
        sys.exit(f"git knows no commit {commit}: name one with --base.")
    files = {*difference.stdout.splitlines(), *git("ls-files", "--others", "--exclude-standard").stdout.splitlines()}
    before = {}
    for file in {record.file for record in found} & files:
        before[file] = git("show", f"{commit}:{file}").stdout
    return [
        record for record in found
        if not files.isdisjoint(record.paths()) or record.file in before and record.source not in before[record.file]
    ]


def sample(found, fraction, seed):
    """That part of each module's records, rounded up."""
    chance, modules = random.Random(seed), {}
    for record in found:
        modules.setdefault(record.module, []).append(record)
    chosen = {record.name for module in modules.values() for record in chance.sample(module, math.ceil(len(module) * fraction))}
    return [record for record in found if record.name in chosen]


def chosen(given):
    found, problems = records.read(records.TESTED)
    if problems:
        sys.exit("Some records can't be read: Tests/Mutants/check.py names them.")
    if unknown := set(given.names) - {record.name for record in found}:
        sys.exit(f"There is no mutant {', '.join(sorted(unknown))}.")
    found = [record for record in found if not given.names or record.name in given.names]
    if given.changed:
        found = changed(found, given.base or base())
    if given.sample:
        seed = random.randrange(1_000_000) if given.seed is None else given.seed
        found = sample(found, given.sample, seed)
        print(f"sample: {len(found)} mutants, again with --sample {given.sample} --seed {seed}", flush=True)
    return found


class Verdicts:
    """What was found out about mutants, also by runs before. A verdict is good until the record, its files or those of its tests change."""

    def __init__(self):
        self.folder = WORK / "verdicts"
        self.folder.mkdir(parents=True, exist_ok=True)

    def file(self, record):
        files = [*(ROOT / path for path in record.paths()), *suites.files_of(record.tests)]
        return self.folder / f"{record.name}-{digest(b''.join([record.source.encode(), *(file.read_bytes() for file in files if file.exists())]))}"

    def of(self, record):
        """The seconds and the verdict."""
        file = self.file(record)
        return file.read_text().strip().split(" ", 1) if file.exists() else ("-", "not tried")

    def note(self, record, seconds, verdict):
        self.file(record).write_text(f"{seconds:.0f} {verdict}\n")

    def is_caught(self, record):
        return self.of(record)[1] == CAUGHT


def template_sources():
    """The beginnings of the paths that decide about the tests' template, from the list in its source."""
    text = (ROOT / "Tests/TestSupport/DataTemplate.swift").read_text(encoding="utf-8")
    return tuple(re.findall('"([^"]+)"', re.search(r"sources = \[(.*)\]", text)[1]))


def make_place(place, record):
    """An empty folder for a mutant's programs. The tests' template of a data folder is given to it, unless the mutant would make another."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    templates = [file for folder in (ROOT / ".build/debug", build.programs) for file in folder.glob("test-data-*")]
    if templates and not any(path.startswith(template_sources()) for path in record.paths()):
        subprocess.run(["cp", "-al", max(templates, key=os.path.getmtime), place], check=True)


def judge(record):
    """The verdict on a mutant, with the seconds of its building and of its tests. A record that does not fit or does not compile says
    nothing about the tests: it has to be repaired."""
    place, log = WORK / f"places/{os.getpid()}", WORK / f"logs/{record.name}.log"
    began = built = time.monotonic()
    try:
        # A file's values may also be compiled into others of its module, so a mutant that seems to survive is built as a whole.
        for is_whole in (False, True):
            make_place(place, record)
            files = build.write(records.apply(record, build.sources), place)
            build.link(build.compile(files, place, is_whole), place)
            built = time.monotonic()
            outcome = trial.run(place / TESTS, records.pattern_of(record.tests), log, LIMIT_S)
            if outcome != "passed":
                break
        verdict = {"failed": CAUGHT, "passed": "SURVIVED", "skipped": SKIPPED, "nothing ran": "SURVIVED (the tests did not run)"}[outcome]
    except RecordError as error:
        verdict = f"SURVIVED ({error})"
    except BuildError as error:
        log.write_text(str(error))
        verdict = "SURVIVED (it does not build)"
    return record, verdict, built - began, time.monotonic() - built


def require_soundness(verdicts, queue):
    """Each record has to name some tests, and without a mutant all of these have to pass. Ends the run otherwise."""
    log = WORK / "logs/sound.log"
    names = sorted({name for record in queue for name in record.tests})
    mark = verdicts.folder / f"sound-{sources_digest()}-{digest(' '.join(names).encode())}"
    if mark.exists():
        return
    listed = subprocess.run([build.programs / TESTS, "--list-tests", "--testing-library", "swift-testing"], capture_output=True, text=True).stdout
    for name in names:
        if not re.search(records.pattern_of([name]), listed, re.MULTILINE):
            sys.exit(f"No test has the name {name}.")
    with workers(1) as pool:
        outcome = pool.apply(trial.run, (build.programs / TESTS, records.pattern_of(names), log, SOUND_LIMIT_S))
    if outcome != "passed":
        text = log.read_text(errors="replace").splitlines()
        print(*[line for line in text if trial.FAILURE.search(line.encode())] or text[-20:], sep="\n")
        sys.exit("The tests fail without a mutant.")
    mark.touch()


def workers(count):
    """Processes that have what this one has now. At the end of `with`, whatever ends it, they end with all that they have started."""
    return multiprocessing.get_context("fork").Pool(count, initializer=trial.adopt_orphans)


def try_all(verdicts, queue, jobs):
    with workers(jobs) as pool:
        verdicts_to_come = pool.imap_unordered(judge, queue)
        for _ in queue:
            # A worker that dies leaves a gap.
            record, verdict, build_s, tests_s = verdicts_to_come.next(timeout=GAP_S)
            verdicts.note(record, build_s + tests_s, verdict)
            print(f"mutant {record.name}: {verdict} ({build_s:.1f} s to build, {tests_s:.1f} s of tests)", flush=True)
    shutil.rmtree(WORK / "places")


def report(verdicts, found):
    """The table and the counts. Returns the exit status: 1 when a mutant survived or was not tried."""
    print(f"{'mutant':40} {'seconds':>7}  verdict")
    caught = survived = 0
    for record in found:
        seconds, verdict = verdicts.of(record)
        print(f"{record.name:40} {seconds:>7}  {verdict}")
        caught += verdict == CAUGHT
        survived += verdict not in (CAUGHT, SKIPPED)
    print(f"mutants: {caught} passed, {survived} failed")
    return 1 if survived else 0


def main():
    # So that whatever ends this process also ends what it has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    given = options()
    found = chosen(given)
    verdicts = Verdicts()
    queue = [record for record in found if not verdicts.is_caught(record)]
    print(f"mutants: {len(found)}, of which {len(found) - len(queue)} were caught before", flush=True)
    if queue:
        (WORK / "logs").mkdir(parents=True, exist_ok=True)
        global build
        try:
            build = Build(WORK / "copy")
        except BuildError as error:
            lines = str(error).splitlines()
            print(*[line for line in lines if "error:" in line] or lines[-20:], sep="\n")
            sys.exit("The sources don't build as they are.")
        require_soundness(verdicts, queue)
        try_all(verdicts, queue, given.jobs)
    return report(verdicts, found)


if __name__ == "__main__":
    sys.exit(main())

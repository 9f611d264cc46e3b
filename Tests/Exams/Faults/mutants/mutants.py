"""Breaks the server by one record after the other, runs the fault that the record names, and expects a breach of its
invariant. The records are in Faults.mutants beside this file and, with a line "Fault:", in Tests/Mutants. Names choose some."""
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "Tests/Mutants"))
import records  # noqa: E402
from build import STARTED, Build, BuildError  # noqa: E402

SEEDS = 3
WORK = ROOT / ".build/fault-mutants"
SERVER = STARTED[0]
ROW = "{:28} {:20} {:10} {}"


def examine(server, fault, seed, name):
    """Whether the exam passes, and the invariants that are broken. The accounts are made once, by the server as it is. What heals at
    all is fast enough here, beside compilers."""
    log = WORK / f"logs/{name}.log"
    command = [sys.executable, "Tests/Exams/Faults/faults.py", fault, "--seed", str(seed), "--binary", server]
    with open(log, "wb") as output:
        done = subprocess.run(
            [*command, "--template", WORK / "template", "--within", "30"],
            cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
        )
    return done.returncode == 0, set(re.findall(r"^   invariant (\d+) ", log.read_text(errors="replace"), re.MULTILINE))


def notices(record, server):
    """With another seed each time, until the exam notices; and the invariants that were broken."""
    broken = set()
    for seed in range(1, SEEDS + 1):
        broken = examine(server, record.fields["Fault"], seed, record.name)[1]
        if record.fields["Invariant"] in broken:
            return True, broken
    return False, broken


def judge(build, record):
    place = WORK / "mutant"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    try:
        files = build.write(records.apply(record, build.sources), place)
        build.link(build.compile(files, place), place)
    except (records.RecordError, BuildError) as error:
        return f"SURVIVED ({error})"
    noticed, broken = notices(record, place / SERVER)
    return f"{'caught' if noticed else 'SURVIVED'}, broken: {' '.join(sorted(broken))}"


def prepare(faults):
    """The build of the sources as they are, with which the exam has to pass."""
    shutil.rmtree(WORK / "template", ignore_errors=True)
    (WORK / "logs").mkdir(parents=True, exist_ok=True)
    try:
        build = Build(WORK / "copy")
    except BuildError as error:
        sys.exit(f"{str(error)[-4000:]}\nThe sources don't build as they are.")
    for fault in faults:
        if not examine(build.programs / SERVER, fault, 1, f"no-mutant-{fault}")[0]:
            sys.exit((WORK / f"logs/no-mutant-{fault}.log").read_text()[-4000:] + f"\n{fault} fails without a mutant.")
    return build


def chosen(names):
    found, problems = [], []
    for pattern in (records.EXAMINED, records.TESTED):
        more = records.read(pattern)
        found += [record for record in more[0] if "Fault" in record.fields]
        problems += more[1]
    if problems:
        sys.exit("Some records can't be read: Tests/Mutants/check.py names them.")
    unknown = set(names) - {record.name for record in found}
    if unknown:
        sys.exit(f"There is no mutant {', '.join(sorted(unknown))}.")
    return [record for record in found if not names or record.name in names]


def main():
    mutants = chosen(sys.argv[1:])
    build = prepare(sorted({record.fields["Fault"] for record in mutants}))
    rows, caught = [], 0
    for record in mutants:
        began = time.monotonic()
        verdict = judge(build, record)
        caught += verdict.startswith("caught")
        print(f"mutant {record.name}: {verdict} ({time.monotonic() - began:.0f} s)", flush=True)
        rows.append(ROW.format(record.name, record.fields["Fault"], record.fields["Invariant"], verdict))
    print(ROW.format("mutant", "fault", "invariant", "verdict"), *rows, sep="\n")
    print(f"fault mutants: {caught} passed, {len(mutants) - caught} failed")
    return 0 if caught == len(mutants) else 1


if __name__ == "__main__":
    sys.exit(main())

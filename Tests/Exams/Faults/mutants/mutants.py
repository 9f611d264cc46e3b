"""Breaks a copy of the sources by one record after the other, runs the fault that the record names, and expects a breach of its
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

SEEDS = 3
WORK = ROOT / ".build/fault-mutants"
TREE = WORK / "tree"
BINARY = WORK / "build/debug/neuroviews-server"
ROW = "{:28} {:20} {:10} {}"


def copy():
    """The copy and its build stay, so that a mutant costs what was changed; file times are kept, so that nothing else does."""
    for folder in (TREE, WORK / "template"):
        shutil.rmtree(folder, ignore_errors=True)
    for folder in (TREE, WORK / "build", WORK / "logs"):
        folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-rp", "Package.swift", "Sources", "Tests", "Migrations", "OpenAPI", TREE], cwd=ROOT, check=True)


def run(command, log):
    with open(log, "wb") as output:
        return subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=output).returncode == 0


def builds(log):
    return run(["swift", "build", "--package-path", TREE, "--scratch-path", WORK / "build", "--product", "neuroviews-server"], log)


def examine(fault, seed, name):
    """Whether the exam passes, and the invariants that are broken. The accounts are made once, by the server as it is. What heals at
    all is fast enough here, beside compilers."""
    log = WORK / f"logs/{name}.log"
    command = [sys.executable, "Tests/Exams/Faults/faults.py", fault, "--seed", str(seed), "--binary", BINARY]
    passed = run([*command, "--template", WORK / "template", "--within", "30"], log)
    return passed, set(re.findall(r"^   invariant (\d+) ", log.read_text(errors="replace"), re.MULTILINE))


def notices(record):
    """With another seed each time, until the exam notices; and the invariants that were broken."""
    broken = set()
    for seed in range(1, SEEDS + 1):
        broken = examine(record.fields["Fault"], seed, record.name)[1]
        if record.fields["Invariant"] in broken:
            return True, broken
    return False, broken


def judge(record):
    try:
        changed = records.apply(record, TREE)
    except records.RecordError as error:
        return f"SURVIVED ({error})"
    originals = {path: (TREE / path).read_text(encoding="utf-8") for path in changed}
    write(changed)
    try:
        if not builds(WORK / f"logs/{record.name}.log"):
            return "SURVIVED (it does not build)"
        noticed, broken = notices(record)
        return f"{'caught' if noticed else 'SURVIVED'}, broken: {' '.join(sorted(broken))}"
    finally:
        write(originals)


def write(contents):
    for path, content in contents.items():
        (TREE / path).write_text(content, encoding="utf-8")


def require_soundness(faults):
    if not builds(WORK / "build.log"):
        sys.exit((WORK / "build.log").read_text()[-4000:] + "\nThe sources don't build as they are.")
    for fault in faults:
        if not examine(fault, 1, f"no-mutant-{fault}")[0]:
            sys.exit((WORK / f"logs/no-mutant-{fault}.log").read_text()[-4000:] + f"\n{fault} fails without a mutant.")


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
    copy()
    require_soundness(sorted({record.fields["Fault"] for record in mutants}))
    rows, caught = [], 0
    for record in mutants:
        began = time.monotonic()
        verdict = judge(record)
        caught += verdict.startswith("caught")
        print(f"mutant {record.name}: {verdict} ({time.monotonic() - began:.0f} s)", flush=True)
        rows.append(ROW.format(record.name, record.fields["Fault"], record.fields["Invariant"], verdict))
    print(ROW.format("mutant", "fault", "invariant", "verdict"), *rows, sep="\n")
    print(f"fault mutants: {caught} passed, {len(mutants) - caught} failed")
    return 0 if caught == len(mutants) else 1


if __name__ == "__main__":
    sys.exit(main())

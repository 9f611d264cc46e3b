"""The fault exam: see README.md beside this file."""
import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

import template
from run_of_fault import FaultRun
from scenarios import ALL
from scenarios.scenario import Skipped
from table import Table

KEPT = ".build/faults"


def options():
    parser = argparse.ArgumentParser(description="Makes faults under load, and checks what must hold all the same.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ALL))
    parser.add_argument("--seeds", type=int, default=1, help="runs of each fault, with the seeds 1 to N")
    parser.add_argument("--seed", type=int, help="this seed alone")
    parser.add_argument("--binary", default=".build/release/neuroviews-server")
    parser.add_argument("--before", help="a server of the release before, for `upgraded`; else Tests/Support/release-before makes it")
    parser.add_argument("--within", type=float, default=10, metavar="S", help="how long healing may take, 10 s where the "
                        "machine does nothing else")
    parser.add_argument("--template", help="a folder for the accounts, made when it is missing and kept")
    parsed = parser.parse_args()
    unknown = set(parsed.names) - set(ALL)
    if unknown:
        parser.error(f"no such fault: {', '.join(sorted(unknown))}; there are {', '.join(ALL)}")
    return parsed


def keep(folder, name, seed):
    """Puts logs and ledger of a run that failed where they stay, and returns the place."""
    place = os.path.join(KEPT, f"{name}-{seed}")
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(place)
    for path, _, names in os.walk(folder):
        for file in names:
            if file.startswith("ledger") or file.endswith(".log"):
                shutil.copy(os.path.join(path, file), os.path.join(place, os.path.relpath(
                    os.path.join(path, file), folder).replace("/", "_")))
    return place


def examine(name, seed, parsed, template_folder, work, table):
    """One run; its breaches are printed at once."""
    folder = os.path.join(work, f"{name}-{seed}")
    os.makedirs(folder)
    os.chmod(folder, 0o755)
    before = parsed.before and os.path.abspath(parsed.before)
    run = FaultRun(ALL[name], seed, os.path.abspath(parsed.binary), template_folder, folder, parsed.within, before)
    begin = time.monotonic()
    try:
        run.examine()
    except Skipped as skipped:
        table.skipped[name] = str(skipped)
        print(f"== {name}: SKIPPED, {skipped}", flush=True)
        return
    except (RuntimeError, OSError, subprocess.SubprocessError) as error:
        # Whatever could not be done on the way is no pass.
        traceback.print_exc()
        run.findings.breach(5, f"the run could not be made: {error}")
    table.add(name, run.findings)
    lines = list(run.findings.lines())
    print(f"== {name}, seed {seed}: {'FAILED' if lines else 'passed'} in {time.monotonic() - begin:.1f} s; "
          f"{'; '.join(run.findings.remarks)}", flush=True)
    for line in lines:
        print("   " + line, flush=True)
    if lines:
        print(f"   logs and ledger are in {keep(folder, name, seed)}", flush=True)
    shutil.rmtree(folder, ignore_errors=True)


def main():
    parsed = options()
    # Whatever ends this ends what it has started, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    table = Table()
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="neuroviews-faults-", ignore_cleanup_errors=True) as work:
        # PostgreSQL's account must be able to enter the folder.
        os.chmod(work, 0o755)
        folder = os.path.abspath(parsed.template) if parsed.template else work + "/template"
        if not os.path.exists(folder + "/logins.json"):
            shutil.rmtree(folder, ignore_errors=True)
            template.make(os.path.abspath(parsed.binary), folder)
            print(f"== accounts: {time.monotonic() - begin:.1f} s", flush=True)
        for name in parsed.names or ALL:
            for seed in [parsed.seed] if parsed.seed is not None else range(1, parsed.seeds + 1):
                examine(name, seed, parsed, folder, work, table)
    print("\n".join(table.lines()))
    passed, failed = table.verdict()
    print(f"{time.monotonic() - begin:.0f} s")
    print(f"faults: {passed} passed, {failed} failed")
    sys.exit(0 if failed == 0 and passed > 0 else 1)


if __name__ == "__main__":
    main()

"""The fault exam: see README.md beside this file."""
import argparse
import multiprocessing.connection
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

import template
from findings import Findings
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
    parser.add_argument("--jobs", type=int, default=os.cpu_count() + 1, metavar="N", help="runs side by side, one more than processors")
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


def examine(name, seed, parsed, template_folder, work):
    """One run; its breaches are printed at once. Returns what it has seen, or why it was skipped."""
    folder = os.path.join(work, f"{name}-{seed}")
    os.makedirs(folder, exist_ok=True)
    os.chmod(folder, 0o755)
    before = parsed.before and os.path.abspath(parsed.before)
    run = FaultRun(ALL[name], seed, os.path.abspath(parsed.binary), template_folder, folder, parsed.within, before)
    begin = time.monotonic()
    try:
        run.examine()
    except Skipped as skipped:
        print(f"== {name}: SKIPPED, {skipped}", flush=True)
        return str(skipped)
    except (RuntimeError, OSError, subprocess.SubprocessError) as error:
        # Whatever could not be done on the way is no pass.
        traceback.print_exc()
        run.findings.breach(5, f"the run could not be made: {error}")
    lines = list(run.findings.lines())
    text = [f"== {name}, seed {seed}: {'FAILED' if lines else 'passed'} in {time.monotonic() - begin:.1f} s; {'; '.join(run.findings.remarks)}"]
    text += ["   " + line for line in lines]
    if lines:
        text.append(f"   logs and ledger are in {keep(folder, name, seed)}")
    print("\n".join(text), flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    return run.findings


def examine_all(runs, jobs, *others):
    """Name and outcome of each run. Each has a process of its own, and most go on side by side. One in which devices were only served late is made
    again alone, and that counts: beside others the time is also the machine's."""
    alone = [run for run in runs if ALL[run[0]].is_alone]
    for run, outcome in side_by_side([run for run in runs if run not in alone], jobs, *others):
        if isinstance(outcome, Findings) and outcome.are_only_late():
            print(f"== {run[0]}, seed {run[1]}: only late, so again alone", flush=True)
            alone.append(run)
        else:
            yield run[0], outcome
    for run, outcome in side_by_side(alone, 1, *others):
        yield run[0], outcome


def side_by_side(waiting, jobs, *others):
    fork, running = multiprocessing.get_context("fork"), {}
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                run = waiting.pop(0)
                receiver, sender = fork.Pipe(duplex=False)
                process = fork.Process(target=lambda: sender.send(examine(*run, *others)))
                process.start()
                sender.close()
                running[receiver] = run, process
            for receiver in multiprocessing.connection.wait(running):
                run, process = running.pop(receiver)
                try:
                    yield run, receiver.recv()
                except EOFError:
                    yield run, unmade()
                process.join()
    finally:
        for _, process in running.values():
            process.terminate()
        for _, process in running.values():
            process.join()


def unmade():
    """What a run has seen that did not come to its end."""
    findings = Findings()
    findings.breach(5, "the run's process has ended early")
    return findings


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
        seeds = [parsed.seed] if parsed.seed is not None else range(1, parsed.seeds + 1)
        runs = [(name, seed) for name in parsed.names or ALL for seed in seeds]
        for name, outcome in examine_all(runs, parsed.jobs, parsed, folder, work):
            table.add(name, outcome)
    print("\n".join(table.lines()))
    passed, failed = table.verdict()
    print(f"{time.monotonic() - begin:.0f} s")
    print(f"faults: {passed} passed, {failed} failed")
    sys.exit(0 if failed == 0 and passed > 0 else 1)


if __name__ == "__main__":
    main()

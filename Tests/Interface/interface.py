"""Runs what tests the interface from outside, each against a server of its own, and says how each ended."""
import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

import server
from cluster import Cluster

# Of each operation, in each phase. A limit of time would make other cases on another machine.
CASES = 3
LONG_CASES = 100
# The phase `coverage` is half of the time. Without --long, bad paths, queries, fields and types are those of the end-to-end tests' `Guards`; bounds inside
# of bodies are left to chance.
PHASES = "examples,fuzzing,stateful"
# Only a machine that is very busy takes so long.
LIMIT_S = 900
LONG_LIMIT_S = 3600
HERE = os.path.dirname(os.path.abspath(__file__))


def schemathesis(url, options):
    """The seed and the number of cases make it the same run each time."""
    size = ["--max-examples", str(LONG_CASES)] if options.long else ["--max-examples", str(CASES), "--phases", PHASES]
    command = ["schemathesis", "--no-color", "--config-file", f"{HERE}/schemathesis.toml", "run", url + "/openapi.json", *size]
    return run(command, LONG_LIMIT_S if options.long else LIMIT_S, INTERFACE_URL=url, PYTHONPATH=HERE, SCHEMATHESIS_HOOKS="hooks",
               HYPOTHESIS_STORAGE_DIRECTORY=os.path.abspath(".build/hypothesis"))


def first_sync(url, _):
    with tempfile.TemporaryDirectory(prefix="neuroviews-client-") as folder:
        return run([sys.executable, f"{HERE}/first_sync.py", url, folder])


def documented_signer(url, _):
    return run([sys.executable, f"{HERE}/documented_signer.py", url])


def run(command, limit_s=LIMIT_S, **environment):
    """Whether a program succeeds, and what it prints."""
    with tempfile.TemporaryFile("w+") as output:
        try:
            done = subprocess.run(command, stdout=output, stderr=output, env=dict(os.environ, **environment), check=False, timeout=limit_s)
            has_passed, complaint = done.returncode == 0, ""
        except subprocess.TimeoutExpired:
            has_passed, complaint = False, f"{command[0]} takes longer than {limit_s} s\n"
        output.seek(0)
        return has_passed, output.read() + complaint


def check(name, test, options, cluster):
    cluster.make(test.__name__)
    with server.running(options.binary, NEUROVIEWS_DATABASE_URL=cluster.url(test.__name__)) as (url, log):
        has_passed, output = test(url, options)
        with open(log) as file:
            # Also of what a test did not look at.
            errors = [line for line in file if re.search(r'status"?[=:]5\d\d', line)]
    has_passed = has_passed and not errors
    print(output + "".join(errors[:10]) + f"{name}: {'passed' if has_passed else 'FAILED'}", flush=True)
    return has_passed


CHECKS = {"the documented signer": documented_signer, "first sync by a generated client": first_sync, "schemathesis": schemathesis}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--long", action="store_true", help=f"{LONG_CASES} cases instead of {CASES}, in all phases")
    parser.add_argument("binary", nargs="?", default=".build/debug/neuroviews-server")
    options = parser.parse_args()
    # The programs of the same environment as this interpreter.
    os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
    if shutil.which("schemathesis") is None:
        sys.exit("schemathesis is not installed: start this with Tests/Interface/run")
    cluster = Cluster(options.binary)
    try:
        with concurrent.futures.ThreadPoolExecutor() as threads:
            tasks = [threads.submit(check, name, test, options, cluster) for name, test in CHECKS.items()]
        results = [task.result() for task in tasks]
    finally:
        cluster.close()
    print(f"interface: {results.count(True)} passed, {results.count(False)} failed")
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()

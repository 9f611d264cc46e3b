"""Runs what tests the interface from outside, each against a server of its own, and says how each ended."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

import server

# Of each operation, in each phase. A limit of time would make other cases on another machine.
CASES = 8
LONG_CASES = 100
# Only a machine that is very busy takes so long.
LIMIT_S = 900
LONG_LIMIT_S = 3600
HERE = os.path.dirname(os.path.abspath(__file__))


def schemathesis(url, options):
    """All phases. The seed and the number of cases make it the same run each time."""
    command = ["schemathesis", "--no-color", "--config-file", f"{HERE}/schemathesis.toml", "run", url + "/openapi.json",
               "--max-examples", str(LONG_CASES if options.long else CASES)]
    environment = dict(os.environ, INTERFACE_URL=url, PYTHONPATH=HERE, SCHEMATHESIS_HOOKS="hooks",
                       HYPOTHESIS_STORAGE_DIRECTORY=os.path.abspath(".build/hypothesis"))
    limit = LONG_LIMIT_S if options.long else LIMIT_S
    try:
        return subprocess.run(command, env=environment, check=False, timeout=limit).returncode == 0
    except subprocess.TimeoutExpired:
        print(f"schemathesis takes longer than {limit} s")
        return False


def first_sync(url, _):
    with tempfile.TemporaryDirectory(prefix="neuroviews-client-") as folder:
        return subprocess.run([sys.executable, f"{HERE}/first_sync.py", url, folder], check=False).returncode == 0


def documented_signer(url, _):
    return subprocess.run([sys.executable, f"{HERE}/documented_signer.py", url], check=False).returncode == 0


def check(name, test, options):
    with server.running(options.binary) as (url, log):
        passed = test(url, options)
        with open(log) as file:
            # Also of what a test did not look at.
            errors = [line for line in file if re.search(r'status"?[=:]5\d\d', line)]
    print("".join(errors[:10]), end="")
    passed = passed and not errors
    print(f"{name}: {'passed' if passed else 'FAILED'}", flush=True)
    return passed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--long", action="store_true", help=f"{LONG_CASES} cases instead of {CASES}")
    parser.add_argument("binary", nargs="?", default=".build/debug/neuroviews-server")
    options = parser.parse_args()
    # The programs of the same environment as this interpreter.
    os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
    if shutil.which("schemathesis") is None:
        sys.exit("schemathesis is not installed: start this with Tests/Interface/run")
    results = [check("the documented signer", documented_signer, options),
               check("first sync by a generated client", first_sync, options),
               check("schemathesis", schemathesis, options)]
    print(f"interface: {results.count(True)} passed, {results.count(False)} failed")
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()

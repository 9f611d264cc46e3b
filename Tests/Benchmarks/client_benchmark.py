"""The client's store with 10,000 configurations, beside bare appends to a file of the same disk."""
import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

WRITER = ".build/release/store-writer"
# The slowest median, in milliseconds.
BUDGETS_MS = {"save": 10, "edit": 10, "list": 300, "open": 30}


def append_ms(folder, count=500):
    """The median of an append with fdatasync(2), which a save can't beat."""
    times = []
    with open(os.path.join(folder, "probe"), "ab", buffering=0) as file:
        for _ in range(count):
            begin = time.monotonic()
            file.write(bytes(700))
            os.fdatasync(file.fileno())
            times.append((time.monotonic() - begin) * 1000)
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=10_000)
    # The other options are those of command_benchmark.py, which rejects unknown ones.
    count = parser.parse_known_args()[0].count
    # Not in /tmp, which may be memory.
    with tempfile.TemporaryDirectory(dir=".build") as folder:
        output = subprocess.run([WRITER, "measure", os.path.join(folder, "store"), str(count)], check=True, capture_output=True, text=True).stdout
        probe = append_ms(folder)
    measured = json.loads(output)
    print(f"append and fdatasync: {probe:.1f} ms; memory with {count} configurations: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10} MiB")
    late = False
    for name, budget in BUDGETS_MS.items():
        result = measured[name + "_ms"]
        is_met = result["median"] <= budget
        late |= not is_met
        print(f"{name}: {result['median']:.1f} ms, p95 {result['p95']:.1f}, {'met' if is_met else 'NOT met'} (at most {budget} ms)")
    return int(late)


if __name__ == "__main__":
    sys.exit(main())

"""Measures the server with wrk, on 127.0.0.1 and a private PostgreSQL."""
import argparse
import os
import sys
import tempfile

import events_benchmark
import http_benchmark
import paired_benchmark
import pgbench_benchmark
import scale_benchmark
import sync_benchmark
import uploads_benchmark
import usage_benchmark


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*",
                        help="http (beside nginx), sync (beside pgbench), scale (1,000 to 1,000,000 configurations), events (beside COPY), "
                             "uploads (beside nginx), usage (1 and 20 million events), or of "
                             f"the requests: {', '.join(sync_benchmark.CASES)}; all but sync, scale, events, uploads and usage by default")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=4, help="of a round")
    parser.add_argument("--connections", type=int, default=32, help="of the requests; http has its own")
    parser.add_argument("--against", metavar="BINARY",
                        help="another build of the server, to be measured in the same rounds: its requests beside ours")
    parser.add_argument("--rest-seconds", type=int, default=60, help="before memory at rest is measured")
    options = parser.parse_args()
    known = ["http", "sync", "scale", "events", "uploads", "usage", *sync_benchmark.CASES]
    unknown = set(options.names) - set(known)
    if unknown:
        sys.exit(f"no such case: {', '.join(unknown)}; there are {', '.join(known)}")
    names = options.names or ["http", *sync_benchmark.CASES]
    # PostgreSQL's account must be able to enter the folder.
    with tempfile.TemporaryDirectory(prefix="neuroviews-bench-") as folder:
        os.chmod(folder, 0o755)
        if "http" in names:
            http_benchmark.measure(options, folder)
        if "sync" in names:
            pgbench_benchmark.measure(options, folder)
        if "scale" in names:
            scale_benchmark.measure(options, folder)
        if "events" in names:
            events_benchmark.measure(options, folder)
        if "uploads" in names:
            uploads_benchmark.measure(options, folder)
        if "usage" in names:
            usage_benchmark.measure(options, folder)
        cases = [name for name in sync_benchmark.CASES if name in names]
        if cases:
            benchmark = paired_benchmark if options.against else sync_benchmark
            benchmark.measure(cases, options, folder)


if __name__ == "__main__":
    main()

"""Measures the server with wrk, on 127.0.0.1 and a private PostgreSQL."""
import argparse
import os
import sys
import tempfile

import batch_benchmark
import events_benchmark
import half_benchmark
import http_benchmark
import paired_benchmark
import pgbench_benchmark
import scale_benchmark
import servers_benchmark
import specification_benchmark
import start_benchmark
import sync_benchmark
import uploads_benchmark
import usage_benchmark

# Names that are no requests, in the order in which they run.
MEASURES = {"start": start_benchmark, "http": http_benchmark, "sync": pgbench_benchmark, "half": half_benchmark, "batches": batch_benchmark,
            "scale": scale_benchmark, "servers": servers_benchmark, "events": events_benchmark, "uploads": uploads_benchmark, "usage": usage_benchmark,
            "specification": specification_benchmark}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*",
                        help="start (to the first answer), http (beside nginx and Hummingbird), sync (beside pgbench), half (latency at half of the "
                             "highest rate), batches (beside bare inserts), scale (1,000 to 1,000,000 configurations), servers (two behind HAProxy), events (beside COPY), "
                             "uploads (beside nginx), usage (1 and 20 million events), specification (its time limits), or of "
                             f"the requests: {', '.join(sync_benchmark.CASES)}; http and the requests by default")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=4, help="of a round")
    parser.add_argument("--connections", type=int, default=32, help="of the requests; http has its own")
    parser.add_argument("--against", metavar="BINARY",
                        help="another build of the server, to be measured in the same rounds: its requests beside ours")
    parser.add_argument("--rest-seconds", type=int, default=60, help="before memory at rest is measured")
    options = parser.parse_args()
    known = [*MEASURES, *sync_benchmark.CASES]
    unknown = set(options.names) - set(known)
    if unknown:
        sys.exit(f"no such case: {', '.join(unknown)}; there are {', '.join(known)}")
    names = options.names or ["http", *sync_benchmark.CASES]
    # PostgreSQL's account must be able to enter the folder.
    with tempfile.TemporaryDirectory(prefix="neuroviews-bench-") as folder:
        os.chmod(folder, 0o755)
        for name, benchmark in MEASURES.items():
            if name in names:
                benchmark.measure(options, folder)
        cases = [name for name in sync_benchmark.CASES if name in names]
        if cases:
            benchmark = paired_benchmark if options.against else sync_benchmark
            benchmark.measure(cases, options, folder)


if __name__ == "__main__":
    main()

"""Runs cases of Autobahn|Testsuite against the echo server: exam.py FOLDER [CASE…]. The run beside it makes FOLDER and sets ECHO_PROGRAM."""
import asyncio
import os
import subprocess
import sys
import time

import suite
from peer import Peer

# Most cases wait for the server and not for this process.
AT_ONCE = 8
# Those that move megabytes or measure come one after the other.
HEAVY = {9}
CASE_SECONDS = 120
# Without those that `suite` leaves out.
CASES = 301
# The suite's results that count as passed. It calls a case informational if RFC 6455 leaves its end open.
GOOD = {"OK", "NON-STRICT", "INFORMATIONAL"}
GOOD_ENDS = {"OK", "INFORMATIONAL"}


async def run(case, port, patience):
    """The outcome of a case, and why."""
    _, peer = await asyncio.get_running_loop().create_connection(lambda: Peer(case, patience), "127.0.0.1", port)
    try:
        await asyncio.wait_for(peer.ended, CASE_SECONDS * patience)
    except asyncio.TimeoutError:
        peer.transport.abort()
        return "FAILED", "FAILED", "it did not end"
    result = peer.case
    return result.behavior, result.behaviorClose, f"{result.result} {result.resultClose}"


async def run_all(cases, port, patience):
    outcomes = {}
    gate = asyncio.Semaphore(AT_ONCE)

    async def guarded(number, case):
        async with gate:
            outcomes[number] = await run(case, port, patience)

    await asyncio.gather(*(guarded(number, case) for number, case in cases if number[0] not in HEAVY))
    for number, case in cases:
        if number[0] in HEAVY:
            outcomes[number] = await run(case, port, patience)
    return outcomes


def report(outcomes):
    failed = 0
    others = {"NON-STRICT": [], "INFORMATIONAL": []}
    for number, (behavior, end, why) in sorted(outcomes.items()):
        name = ".".join(map(str, number))
        if behavior not in GOOD or end not in GOOD_ENDS:
            failed += 1
            print(f"FAIL {name}: {behavior}, its end {end}: {why}")
        elif behavior in others:
            others[behavior].append(name)
    for behavior, names in others.items():
        print(f"{behavior.lower()}: {' '.join(names) or 'none'}")
    return failed


def main():
    wanted = sys.argv[2:]
    cases = [
        (number, case) for number, case in suite.load(sys.argv[1])
        if not wanted or any(number[:len(begin)] == begin for begin in (tuple(map(int, name.split("."))) for name in wanted))
    ]
    patience = float(os.environ.get("NEUROVIEWS_TEST_PATIENCE", "3"))
    begin = time.monotonic()
    # It ends with its standard input, whatever ends this process.
    with subprocess.Popen([os.environ["ECHO_PROGRAM"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        try:
            outcomes = asyncio.run(run_all(cases, int(server.stdout.readline()), patience))
            is_alive = server.poll() is None
        finally:
            server.stdin.close()
    failed = report(outcomes) + (0 if is_alive else 1)
    if not is_alive:
        print("FAIL the echo server ended")
    if not wanted and len(outcomes) != CASES:
        failed += 1
        print(f"FAIL the suite has {len(outcomes)} cases, not {CASES}")
    print(f"{len(outcomes)} cases in {time.monotonic() - begin:.0f} s")
    print(f"autobahn: {max(0, len(outcomes) - failed)} passed, {failed} failed")
    sys.exit(1 if failed or not outcomes else 0)


main()

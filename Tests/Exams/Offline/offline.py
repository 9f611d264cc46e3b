#!/usr/bin/env python3
"""Seven days without a network: `offline.py --server BINARY --client BINARY [--seed N]`. README.md beside this file describes it. Ends with "offline: N passed, M failed"."""
import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
# The last one has modules whose names the others have, too.
sys.path += [os.path.join(HERE, "../Client"), os.path.join(HERE, "../../Interface"), os.path.join(HERE, "../Faults")]
from cluster import Cluster  # noqa: E402
from fake_clock import FakeClock  # noqa: E402
from kit.server import Server  # noqa: E402
from week import CLOCK, CLOCKS_DIFFER_MAX_S, DAY_S, REQUESTS_MAX, Week, expect  # noqa: E402


class Results:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, what, body):
        """One test. Whatever it raises is its failure."""
        try:
            body()
        except Exception as error:  # pylint: disable=broad-except
            self.failed += 1
            print(f"FAIL {what}: {error if type(error).__name__ in ('Failure', 'Silent') else traceback.format_exc()}", flush=True)
            return False
        self.passed += 1
        print(f"ok   {what}", flush=True)
        return True


def examine(server, client, rng, results):
    cluster = Cluster(server)
    try:
        host = Server(server, cluster, {"NEUROVIEWS_MEDIA_JOBS": "0"})
        try:
            with Week(host, [client], rng) as week:
                play(week, results)
        finally:
            host.close()
    finally:
        cluster.close()


def play(week, results):
    """The first device is only offline, the second one lost a refresh before, and the session of the third one is revoked."""
    begin = time.monotonic()
    if not results.check("three devices share an account", week.begin):
        return
    plain, unlucky, revoked = week.devices
    is_done = results.check("the answer to a refresh is lost, and the network with it", lambda: week.lose_refresh(unlucky)) and results.check(
        f"{len(week.devices)} devices edit for a week", lambda: week.pass_week(revoked))
    if not is_done:
        return
    results.check("every clock has moved by the week", lambda: clocks(week))
    results.check("all edits are sent, in few requests", lambda: requests(week))
    results.check("the devices converge, and what did not survive is named", week.finish)
    results.check("only the revoked device has logged in again", lambda: logins(week, plain, unlucky, revoked))
    results.check("a refresh without an answer is repeated under its name", lambda: attempts(week, plain, unlucky))
    print(f"{time.monotonic() - begin:.0f} s")


def clocks(week):
    expect(week.clock.moved >= 7 * DAY_S, f"{week.clock.moved:.0f} s have passed")
    for part, seconds in week.clocks().items():
        expect(abs(seconds - time.time()) <= CLOCKS_DIFFER_MAX_S, f"the clock of {part} differs by {seconds - time.time():.0f} s")


def requests(week):
    counts = week.come_back()
    for device, kinds in week.requests.items():
        print(f"     {device}: {counts[device]} requests: " + ", ".join(f"{count} {name}" for name, count in kinds.items()))
    expect(max(counts.values()) <= REQUESTS_MAX, f"a device sent more than {REQUESTS_MAX} requests: {counts}")


def logins(week, *devices):
    plain, unlucky, revoked = devices
    counts = [week.count(device, "/auth/login") for device in devices]
    expect(counts == [0, 0, 1], f"logins of the three devices: {counts}")
    told = {device.name: week.state(device)["told"] for device in devices}
    expect(not any(told.values()), f"a user was told of {told}")
    live = week.live()
    ended = [week.sessions[device.name] not in live for device in (plain, unlucky, revoked)]
    expect(ended == [False, False, True], f"whether the sessions of the three devices have ended: {ended}")


def attempts(week, *devices):
    for device in devices:
        names = week.attempts[device.name]
        expect(len(names) > 1 and len(set(names)) == 1, f"{device.name} has given its refreshes {len(set(names))} names, {len(names)} times")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True)
    parser.add_argument("--client", required=True)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    options = parser.parse_args()
    print(f"--seed {options.seed}", flush=True)
    results = Results()
    results.check("the exam comes to its end", lambda: examine(os.path.abspath(options.server), os.path.abspath(options.client), random.Random(options.seed), results))
    print(f"offline: {results.passed} passed, {results.failed} failed")
    return 1 if results.failed else 0


def under_clock():
    """This program again, with a clock that it can set, for itself and all that it starts."""
    with tempfile.TemporaryDirectory(prefix="neuroviews-offline-") as folder:
        # PostgreSQL may run in another account.
        os.chmod(folder, 0o755)
        clock = FakeClock(folder)
        try:
            return subprocess.run([sys.executable, *sys.argv], env={**os.environ, **clock.environment}, check=False).returncode
        finally:
            clock.clean_up()


if __name__ == "__main__":
    sys.exit(main() if CLOCK in os.environ else under_clock())

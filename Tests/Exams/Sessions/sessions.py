#!/usr/bin/env python3
"""A thief with a copied token, and honest sessions that lose answers: `sessions.py --server BINARY [--quick] [--seed N] [--only NAME]`. README.md beside this file describes it.
Ends with "sessions: N passed, M failed"."""
import argparse
import collections
import concurrent.futures
import dataclasses
import itertools
import os
import random
import sys
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "../Client"), os.path.join(HERE, "../../Interface")]
from cluster import Cluster  # noqa: E402
import places  # noqa: E402
from honest import KINDS, TROUBLES  # noqa: E402
from host import SUBJECTS, WORKERS, Host  # noqa: E402
from scene import Breach  # noqa: E402
from thief import COURSES, SIGNED_ONLY, Play  # noqa: E402

# The setting, and whether the session signs by version 3.
WAYS = (("optional", False), ("optional", True), ("required", True))
# Each account has at most 100 sessions.
HONEST_PER_ACCOUNT = 25
BREACHES_SHOWN = 40
# How many of a kind for all ways together, and of a course for each way.
QUICK, WHOLE = {"attempt": 300, "plain": 60, "courses": 3}, {"attempt": 10_000, "plain": 1000, "courses": 20}


@dataclasses.dataclass(frozen=True)
class Task:
    signatures: str
    signs: bool
    kind: str
    number: int

    @property
    def group(self):
        return f"{self.signatures}-{'signed' if self.signs else 'unsigned'} {self.kind}"

    @property
    def name(self):
        return f"{self.group} {self.number}"

    @property
    def account(self):
        """Honest sessions share an account. A thief has one alone, so that its mails are known."""
        return f"{self.group}, account {self.number // (1 if self.kind in COURSES else HONEST_PER_ACCOUNT * len(WAYS))}"

    @property
    def home(self):
        """The address from which the account logs in."""
        return places.some(random.Random(self.account))


def tasks(sizes):
    for place, (signatures, signs) in enumerate(WAYS):
        for kind in COURSES:
            if signs or kind not in SIGNED_ONLY:
                yield from (Task(signatures, signs, kind, number) for number in range(sizes["courses"]))
        for kind in KINDS:
            yield from (Task(signatures, signs, kind, number) for number in range(place, sizes[kind], len(WAYS)))


def take_place(host, account, found, seed):
    """The scenes of an account, one after the other."""
    with host.rows() as rows:
        return [play(host, rows, task, account, seed) for task in found]


def play(host, rows, task, account, seed):
    made = (Play if task.kind in COURSES else KINDS[task.kind])(host, rows, task, account, seed)
    try:
        made.begin()
        made.run()
    except Breach as breach:
        made.breach = str(breach)
    except Exception:  # pylint: disable=broad-except
        made.breach = traceback.format_exc()
    finally:
        made.close()
    return made


def judge(host, scenes):
    """What was expected of sessions, events and mails, against what there is."""
    sessions, mails = host.sessions(), host.mails()
    by_account = collections.defaultdict(list)
    for made in scenes:
        by_account[made.account.email].append(made)
        found, wanted = sessions.get(made.session, (None, None)), (made.ends, made.events)
        if found != wanted and not made.breach:
            made.breach = f"the session is {said(*found)}, not {said(*wanted)}"
    for email, some in by_account.items():
        found, wanted = mails.get(email, set()), {SUBJECTS[kind] for made in some for kind in made.events}
        if found != wanted:
            some[0].breach = some[0].breach or f"the account of it got the mails {sorted(found)}, not {sorted(wanted)}"


def said(ended, events):
    return "gone" if ended is None else f"{'ended' if ended else 'live'} with the events {sorted(events)}"


def examine(binary, cluster, signatures, found, seed):
    """The scenes of one setting. `found` has the tasks of each account."""
    host = Host(binary, cluster, signatures)
    try:
        accounts = host.register([some[0].home for some in found])
        host.open()
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            begun = [pool.submit(take_place, host, account, some, seed) for account, some in zip(accounts, found)]
            scenes = [made for future in begun for made in future.result()]
        judge(host, scenes)
        return scenes
    finally:
        host.close()


def report(scenes, seed, is_whole):
    """How many groups have passed, and failed."""
    groups, counts = collections.defaultdict(list), collections.Counter()
    for made in scenes:
        groups[made.task.group].append(made)
        counts += made.counts
    for group, some in groups.items():
        print(f"{group}: {len(some)} sessions, {sum(made.ends for made in some)} were to end, {sum(bool(made.events) for made in some)} with a mail, "
              f"{sum(bool(made.breach) for made in some)} breaches")
    print(", ".join(f"{number} {what}" for what, number in sorted(counts.items())))
    broken = [made for made in scenes if made.breach]
    for made in broken[:BREACHES_SHOWN]:
        print(f'   breach: {made.breach}\n      again: --seed {seed} --only "{made.task.name}"')
    if len(broken) > BREACHES_SHOWN:
        print(f"   and {len(broken) - BREACHES_SHOWN} more")
    missing = [what for what in TROUBLES if is_whole and not counts[what]]
    print(*(f"   never happened: {what}" for what in missing), sep="\n", end="\n" if missing else "")
    failed = sum(any(made.breach for made in some) for some in groups.values())
    return len(groups) - failed, failed + len(missing)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--only", help="the name of one session, as a breach has it")
    options = parser.parse_args()
    print(f"--seed {options.seed}", flush=True)
    scenes = []
    cluster = Cluster(options.server)
    try:
        wanted = [task for task in tasks(QUICK if options.quick else WHOLE) if options.only in (None, task.name)]
        for signatures in dict.fromkeys(task.signatures for task in wanted):
            begin = time.monotonic()
            # The mails of thieves are sent while the honest sessions take place.
            ordered = sorted((task for task in wanted if task.signatures == signatures), key=lambda task: task.kind in KINDS)
            found = [list(some) for _, some in itertools.groupby(ordered, lambda task: task.account)]
            made = examine(os.path.abspath(options.server), cluster, signatures, found, options.seed)
            print(f"signatures {signatures}: {len(made)} sessions, {time.monotonic() - begin:.0f} s", flush=True)
            scenes += made
    finally:
        cluster.close()
    passed, failed = report(scenes, options.seed, options.only is None)
    print(f"sessions: {passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())

"""One fault with one seed, from the copy of the template to the verdict."""
import collections
import os
import time

import checks
import counts
import events
import template
from files import Files, storage_check
from findings import Findings
from ledger import Ledger
from load import Load
from scenarios.waiting import Lock

STEADY_S = 1.2
WARM_UP_S = 2.0

# Of the devices, of the cameras and of the apps: paths, and then what is open there.
Ledgers = collections.namedtuple("Ledgers", "writes recordings events")


class FaultRun:
    """`folder` is this run's own and exists."""

    def __init__(self, scenario, seed, binary, template_folder, folder, served_within_s, before=None):
        self.seed, self.binary, self.template, self.folder, self.before = seed, binary, template_folder, folder, before
        self.findings, self.load, self.ledgers = Findings(), None, ()
        self.served_within_s = served_within_s
        self.ledger_paths = Ledgers(*(os.path.join(folder, "ledger-of-" + name) for name in Ledgers._fields))
        self.scenario = scenario(self)

    def examine(self):
        """Returns the findings. Raises Skipped."""
        try:
            self.scenario.install()
            self.ledgers = Ledgers(*map(Ledger, self.ledger_paths))
            self.load = Load(template.logins(self.template), self.scenario, self.ledgers, self.findings, self.seed,
                             self.served_within_s)
            before = self.warm_up()
            for number in range(self.scenario.rounds):
                self.fault(number)
            time.sleep(STEADY_S)
            self.load.rest()
            self.judge(before)
        finally:
            if self.load:
                self.load.end()
            for ledger in self.ledgers:
                ledger.close()
            self.scenario.clean_up()
        return self.findings

    def warm_up(self):
        """Has everything used once that is measured: for a moment all writes wait, so that every connection of the pool is
        opened. Returns memory and descriptors of a server at rest."""
        self.load.work()
        time.sleep(WARM_UP_S / 2)
        lock = Lock(self.scenario.database(), "sync_heads", range(template.ACCOUNTS))
        time.sleep(WARM_UP_S / 4)
        lock.release()
        time.sleep(WARM_UP_S / 2)
        self.load.rest()
        time.sleep(0.3)
        figures = self.scenario.server.figures()
        self.load.work()
        return figures

    def fault(self, number):
        time.sleep(STEADY_S * (0.5 + self.scenario.chance.random()))
        before = dict(self.findings.counts)
        self.scenario.strike(number)
        spared = [account for account in self.load.accounts
                  if self.scenario.struck is not None and account not in self.scenario.struck]
        acks = [self.load.acks([account]) for account in spared]
        time.sleep(self.scenario.hold_s)
        for account, count in zip(spared, acks):
            if self.load.acks([account]) == count:
                self.findings.breach(5, f"{account.name} was not served, although the fault was others' alone")
        self.load.forget_served()
        self.scenario.heal()
        self.load.wait_until_served(self.scenario.mended_at)
        if not self.scenario.is_felt(Counts(before), Counts(self.findings.counts)):
            self.findings.breach(4, f"fault {number + 1} had no effect: this run shows nothing")

    def judge(self, before):
        """Also of a server that has ended the writes are judged: the database knows them."""
        full_sets, server = {}, self.scenario.server
        if checks.is_running(server, self.findings):
            full_sets = checks.replays(self.load, self.findings)
            checks.figures(server, before, self.findings)
            if self.load.cameras:
                files = Files(self.load, self.scenario.database(), server.data + "/objects", self.findings)
                files.judge(self.ledger_paths.recordings, lambda *words: storage_check(server, *words))
        events.judge(self.ledger_paths.events, self.scenario.database(), self.findings, self.scenario.may_lose)
        found = checks.writes(self.ledger_paths.writes, self.scenario.database(), self.findings, self.scenario.may_lose)
        checks.contents(full_sets, found, self.findings)
        counts.judge(self.scenario.database(), self.findings)
        checks.resets(self.load, self.scenario.database(), self.findings)
        slowest = max(device.session.slowest_s for device in self.load.devices)
        self.findings.remarks.append(f"slowest answer {slowest:.2f} s")


class Counts(dict):
    """What was not counted is 0."""

    def __missing__(self, key):
        return 0

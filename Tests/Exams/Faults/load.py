"""All devices at work, with a bounded pace."""
import threading
import time

from account import Account
from camera import Camera
from device import Device
from reporter import Reporter
from session import ANSWER_MAX_S, REFUSALS, REFUSALS_OF_THE_LOST, Session
from template import DEVICES

THINK_S = 0.12


class Load:
    """`logins`: of each account by the names of its devices, see template.py. `ledgers`: those of a run, see run_of_fault.py.
    `scenario` says what the fault may do. Everybody rests until `work`."""

    def __init__(self, logins, scenario, ledgers, findings, seed, served_within_s, session_type=Session):
        self.ledgers, self.findings, self.seed, self.think_s, self.port = ledgers, findings, seed, THINK_S, scenario.port
        self.served_within_s, self.may_lose = served_within_s, scenario.may_lose
        self.upload_failures, self.event_ages_s = scenario.upload_failures, scenario.event_ages_s
        # `interrupted` is what waiting devices wait for: it is set while nobody is to work.
        self.is_working, self.interrupted, self.has_ended = threading.Event(), threading.Event(), threading.Event()
        self.interrupted.set()
        self.accounts = [Account(number) for number in range(len(logins))]
        refusals = REFUSALS_OF_THE_LOST if self.may_lose else REFUSALS

        def session(login):
            return session_type(login, self.port, findings, scenario.breaks, refusals)

        self.devices = [Device(self, account, number, session(login)) for account, those in zip(self.accounts, logins)
                        for number in range(DEVICES) for login in [those[f"device-{number}"]]]
        self.cameras = [Camera(self, account, session(those["camera"])) for account, those in zip(self.accounts, logins)
                        if "camera" in those and scenario.has_cameras]
        self.reporters = [Reporter(self, account, session(those["app"])) for account, those in zip(self.accounts, logins)
                          if "app" in those]
        self.workers = self.devices + self.cameras + self.reporters
        for worker in self.workers:
            worker.start()

    def work(self):
        self.interrupted.clear()
        self.is_working.set()

    def rest(self):
        """Returns when everybody has had the last answer and has closed the connection."""
        self.is_working.clear()
        self.interrupted.set()
        deadline = time.monotonic() + 2 * ANSWER_MAX_S
        for worker in self.workers:
            if not worker.is_resting.wait(max(0, deadline - time.monotonic())):
                self.findings.breach(4, f"{worker.name} still waits for an answer")

    def end(self):
        self.has_ended.set()
        self.interrupted.set()
        self.is_working.set()
        for worker in self.workers:
            worker.join(ANSWER_MAX_S)

    def forget_served(self):
        for device in self.devices:
            device.written_at, device.pulled_at = 0.0, 0.0

    def wait_until_served(self, mended_at):
        """Waits until each device has had a write and a pull answered since, and notes how long the last one waited."""
        deadline = mended_at + self.served_within_s
        while time.monotonic() < deadline + 1 and not all(self.served_at(device) for device in self.devices):
            time.sleep(0.02)
        late = [device.name for device in self.devices if not mended_at <= self.served_at(device) <= deadline]
        if late:
            self.findings.breach_by_delay(f"{len(late)} devices were not served within {self.served_within_s} s, such as {late[0]}")
        first = [device.written_at for device in self.devices if device.written_at]
        last = [self.served_at(device) for device in self.devices]
        self.findings.healing_s.append((min(first, default=deadline) - mended_at,
                                        (max(last) if all(last) else deadline) - mended_at))

    def served_at(self, device):
        return max(device.written_at, device.pulled_at) if device.written_at and device.pulled_at else 0.0

    def acks(self, accounts):
        """How many writes of these accounts were acknowledged so far."""
        return sum(device.acks for device in self.devices if device.account in accounts)

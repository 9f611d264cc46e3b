"""A client that works at random, in a thread of its own, while the load does."""
import threading

from session import NoAnswer

REFUSED_PAUSE_S = 0.2


class Worker(threading.Thread):
    """`step` does one thing, such as one request."""

    def __init__(self, load, account, name, session, chance):
        super().__init__(name=f"{account.name}/{name}", daemon=True)
        self.load, self.account, self.session, self.chance = load, account, session, chance
        self.findings = load.findings
        self.is_resting = threading.Event()

    def run(self):
        while not self.load.has_ended.is_set():
            if not self.load.is_working.is_set():
                self.session.close()
                self.is_resting.set()
                self.load.is_working.wait()
                self.is_resting.clear()
                continue
            try:
                self.step()
            except NoAnswer:
                self.load.interrupted.wait(REFUSED_PAUSE_S * (0.5 + self.chance.random()))
            except Exception as error:  # pylint: disable=broad-except
                self.findings.breach(4, f"{self.name}: an answer that can't be read, {error!r}")
            self.load.interrupted.wait(self.load.think_s * 2 * self.chance.random())
        self.session.close()
        self.is_resting.set()

    def step(self):
        raise NotImplementedError

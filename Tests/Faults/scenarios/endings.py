"""The server or PostgreSQL ends, by force or asked to."""
import os
import signal
import time

from postgres import ENDS_MAX_S, children_of
from processes import is_alive, wait_until
from scenarios.scenario import Scenario


class ServerKilled(Scenario):
    """SIGKILL, and a new start that takes over the PostgreSQL that was left."""

    name = "server-killed"
    breaks = frozenset({"refused", "reset", "closed", "cut"})
    hold_s = 0.5

    def strike(self, number):
        self.server.kill()

    def heal(self):
        super().heal()
        self.server.start()


class ServerRestarted(Scenario):
    """SIGTERM: requests under way are answered, and only new connections are refused meanwhile."""

    name = "server-restarted"
    breaks = frozenset({"refused"})
    hold_s = 0.3

    def strike(self, number):
        status = self.server.stop()
        if status != 0:
            self.findings.breach(4, f"the server ended with status {status} after SIGTERM")

    def heal(self):
        super().heal()
        self.server.start()


class PostmasterKilled(Scenario):
    """SIGKILL of PostgreSQL's first process; the server starts it again by itself."""

    name = "postmaster-killed"
    hold_s = 0.0
    signal = signal.SIGKILL

    def strike(self, number):
        """Returns when the old processes are gone, so that nothing they still answered counts as healing."""
        postmaster = self.server.postmaster[0]
        processes = [postmaster, *children_of(postmaster)]
        super().heal()
        os.kill(postmaster, self.signal)
        for process in processes:
            wait_until(lambda process=process: not is_alive(process), ENDS_MAX_S, "PostgreSQL's end")

    def heal(self):
        """Nobody does anything: the time counts from the signal."""
        time.sleep(0)


class PostgresRestarted(PostmasterKilled):
    """A fast shutdown (SIGINT), as by an operator; the server starts PostgreSQL again."""

    name = "postgres-restarted"
    signal = signal.SIGINT

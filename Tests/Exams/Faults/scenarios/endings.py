"""The server or PostgreSQL ends, by force or asked to, or says nothing any more."""
import os
import signal

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
    """SIGTERM: requests under way are answered; new connections are refused meanwhile, and idle ones are closed."""

    name = "server-restarted"
    breaks = frozenset({"refused", "idle"})
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


class PostgresRestarted(PostmasterKilled):
    """A fast shutdown (SIGINT), as by an operator; the server starts PostgreSQL again."""

    name = "postgres-restarted"
    signal = signal.SIGINT


class PostgresSilent(Scenario):
    """All of PostgreSQL stops (SIGSTOP) for longer than the server waits, as behind a line that is cut, and goes on: with
    statements, too, whose clients were told 503 long ago and may have sent them again."""

    name = "postgres-silent"
    rounds = 1
    hold_s = 12.0
    stopped = ()

    def strike(self, number):
        postmaster = self.server.postmaster[0]
        self.stopped = [postmaster, *children_of(postmaster)]
        self.signal_all(signal.SIGSTOP)

    def heal(self):
        super().heal()
        self.signal_all(signal.SIGCONT)
        self.stopped = ()

    def signal_all(self, sent):
        for process in self.stopped:
            try:
                os.kill(process, sent)
            except ProcessLookupError:
                continue

    def clean_up(self):
        self.signal_all(signal.SIGCONT)
        super().clean_up()

"""Clocks that jump while everything runs."""
import time

from fake_clock import FakeClock
from postgres import Cluster
from scenarios.scenario import Scenario
from server import Server, copy_data

JUMPS = ("+1h", "-1h", "+1d", "-1d")


class ClockJumped(Scenario):
    """The server's clock alone jumps by an hour and by a day, ahead and back. As it then differs from PostgreSQL's, which
    says when nonces are forgotten, writes get 503 until it is right again."""

    name = "clock-jumped"
    rounds = len(JUMPS)
    hold_s = 1.0

    def install(self):
        self.clock = FakeClock(self.folder)
        copy_data(self.run.template, self.folder)
        self.server = Server(self.run.binary, self.folder, environment=self.clock.environment)
        self.server.start()

    def strike(self, number):
        self.clock.set(JUMPS[number % len(JUMPS)])

    def heal(self):
        self.clock.set("+0")
        super().heal()

    def is_felt(self, before, after):
        return after["clock-skew"] > before["clock-skew"]

    def clean_up(self):
        super().clean_up()
        if hasattr(self, "clock"):
            self.clock.clean_up()


class BothClocksJumped(ClockJumped):
    """The clocks of server and PostgreSQL jump together: devices are told the time, and nothing else happens."""

    name = "both-clocks-jumped"

    def install(self):
        self.clock = FakeClock(self.folder)
        environment = self.clock.environment
        self.cluster = Cluster(self.folder + "/cluster", self.folder + "/cluster/data", environment)
        self.cluster.take_from(self.run.template)
        self.cluster.start()
        copy_data(self.run.template, self.folder)
        self.server = Server(self.run.binary, self.folder, environment=environment, database=(
            f"host={self.cluster.socket_folder} user=neuroviews dbname=neuroviews"))
        self.server.start()

    def database(self):
        return self.cluster.address()

    def strike(self, number):
        """With both clocks wrong the devices are to be served as with both right."""
        super().strike(number)
        self.run.load.forget_served()
        self.run.load.wait_until_served(time.monotonic())

    def clean_up(self):
        if hasattr(self, "server"):
            self.server.clean_up()
        if hasattr(self, "cluster"):
            self.cluster.clean_up()
        super().clean_up()

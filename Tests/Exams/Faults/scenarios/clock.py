"""Clocks that jump while everything runs."""
import datetime
import time

from fake_clock import FakeClock
from events import kept_months
from postgres import Cluster
from processes import run, wait_until
from scenarios.scenario import Scenario
from server import Server, copy_data

JUMPS = ("+1h", "-1h", "+1d", "-1d")
KEPT_DAYS = 31


class ClockJumped(Scenario):
    """The server's clock alone jumps by an hour and by a day, ahead and back. As it then differs from PostgreSQL's, which
    says when nonces are forgotten, writes get 503 until it is right again."""

    name = "clock-jumped"
    # libfaketime opens a file for each look at the clock.
    is_alone = True
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
        return after["clock-skew"] + after["token-expired"] > before["clock-skew"] + before["token-expired"]

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
        self.server = Server(self.run.binary, self.folder, self.settings, environment, (
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


class MonthTurned(BothClocksJumped):
    """The clocks go to just before the end of a month, and it ends under load; the months that a server makes ahead are used up on the way.
    At last an operator accepts the clock, the server starts anew, and the months before the kept days are dropped. Only devices and apps
    are at work: an upload's time would be over."""

    name = "month-turned"
    settings = ("--analytics-retention-days", str(KEPT_DAYS))
    breaks = frozenset({"refused", "idle"})
    has_cameras = False
    event_ages_s = (0, 27 * 86400)
    rounds = 4
    before_s = 3
    is_last = False

    def strike(self, number):
        self.is_last = number == self.rounds - 1
        now = datetime.datetime.now(datetime.timezone.utc)
        months = now.year * 12 + now.month + number
        self.turn = datetime.datetime(months // 12, months % 12 + 1, 1, tzinfo=datetime.timezone.utc)
        self.clock.set(f"+{(self.turn - now).total_seconds() - self.before_s:.0f}")
        self.run.load.forget_served()
        self.run.load.wait_until_served(time.monotonic())
        time.sleep(self.before_s)

    def heal(self):
        """The clocks stay where they are."""
        self.mended_at = time.monotonic()
        if self.is_last:
            self.server.stop()
            # It is weeks ahead of what the server has noted, so nothing would be dropped.
            run([self.server.binary, "admin", "accept-clock", "--data", self.server.data, *self.server.place], env=self.server.environment)
            self.server.start()
            oldest = f"{self.turn - datetime.timedelta(days=KEPT_DAYS):%Y-%m}"
            wait_until(lambda: min(kept_months(self.database())) >= oldest, 30, f"the end of the months before {oldest}")

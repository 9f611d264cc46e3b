"""What every fault has in common."""
import time

from account import chance_of
from server import Server, copy_data


class Skipped(Exception):
    """This fault can't be made on this machine."""


class Scenario:
    """A fault: `install` brings everything up, `strike` and `heal` make the fault and undo it, `clean_up` ends what is left."""

    name = ""
    # The ways in which this fault itself breaks connections of clients; see NoAnswer.
    breaks = frozenset()
    # What a request to an upload URL may be answered besides.
    upload_failures = frozenset({503})
    settings = ()
    rounds = 2
    has_cameras = True
    # Taken by clocks that have gone ahead or back by a day between two attempts.
    event_ages_s = (50 * 3600, 27 * 86400)
    # Whether writes that were acknowledged are lost.
    may_lose = False
    # How long the fault stays.
    hold_s = 1.0
    # Whether it needs the whole machine; others wait for half of their time.
    is_alone = False

    def __init__(self, run):
        self.run, self.folder, self.findings = run, run.folder, run.findings
        self.chance = chance_of(self.name, run.seed)
        # From when on the 10 seconds count, set by `heal`.
        self.mended_at = 0.0
        # The accounts that the fault concerns; None for all. The others must be served all the time.
        self.struck = None

    def install(self):
        copy_data(self.run.template, self.folder)
        self.server = Server(self.run.binary, self.folder, self.settings)
        self.server.start()

    @property
    def port(self):
        """Where the devices connect."""
        return self.server.port

    def database(self):
        return self.server.database()

    def strike(self, number):
        """Makes the fault for the `number`-th time."""
        raise NotImplementedError

    def heal(self):
        self.mended_at = time.monotonic()

    def is_felt(self, before, after):
        """Whether the devices have noticed, by the counts: a fault without effect shows nothing."""
        return after["503"] + after["no answer"] > before["503"] + before["no answer"]

    def clean_up(self):
        if hasattr(self, "server"):
            self.server.clean_up()

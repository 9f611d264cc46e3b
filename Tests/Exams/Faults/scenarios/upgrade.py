"""An upgrade beside the load: the tables of this release under the server of the release before, and back."""
import template
from processes import run
from scenarios.scenario import Scenario, Skipped
from server import Server, copy_data


class Upgraded(Scenario):
    """The newer server migrates beside the older one. That one is killed and starts again on the newer tables; the newer one takes its
    place; and the older one comes back."""

    name = "upgraded"
    breaks = frozenset({"refused", "reset", "closed", "cut"})
    rounds = 4
    hold_s = 0.5

    def install(self):
        self.before = self.run.before or run(["Tests/Support/release-before"]).strip()
        if not self.before:
            raise Skipped("no release yet, or a clone without its tag")
        self.run.template = template.make(self.before, self.folder + "/template")
        copy_data(self.run.template, self.folder)
        self.server = Server(self.before, self.folder)
        self.server.start()
        self.former = self.migrations()

    def migrations(self):
        return self.database().query("SELECT max(number) FROM schema_migrations")[0][0]

    def strike(self, number):
        self.is_migration = number == 0
        if self.is_migration:
            run([self.run.binary, "migrate", "--data", self.server.data])
        elif number == 1:
            self.server.kill()
        elif self.server.stop() != 0:
            self.findings.breach(4, "the server did not end with status 0 after SIGTERM")

    def heal(self):
        super().heal()
        if self.is_migration:
            return
        self.server.binary = self.run.binary if self.server.starts == 2 else self.before
        self.server.start()

    def is_felt(self, before, after):
        """The migration is not felt by the devices, but by the tables."""
        return self.migrations() != self.former if self.is_migration else super().is_felt(before, after)

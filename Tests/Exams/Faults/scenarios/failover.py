"""The primary is lost and its synchronous standby takes over."""
import os
import signal
import time

from postgres import Cluster, program
from processes import as_postgres, run, wait_until
from scenarios.scenario import Scenario
from server import Server, copy_data


class Failover(Scenario):
    """The line to the standby falls silent, so that commits wait for it, and then the primary is lost with all its processes.
    The standby, which has confirmed every commit that was answered, is promoted. The server knows both by one connection
    string. Nothing that anybody has seen is lost, so nobody's cursor ends."""

    name = "failover"
    synchronous_names = "standby"
    rounds = 1
    hold_s = 1.0
    silence_s = 0.4
    primary = standby = None

    def install(self):
        self.primary = Cluster(self.folder + "/a", self.folder + "/a/data")
        self.primary.take_from(self.run.template)
        self.primary.start()
        self.standby = Cluster(self.folder + "/b", self.folder + "/b/data")
        run(as_postgres([program("pg_basebackup"), "-R", "-X", "stream", "-c", "fast", "-D", self.standby.data, "-d",
                         f"host={self.primary.socket_folder} user=postgres application_name=standby"]), cwd="/")
        os.chmod(self.standby.data, 0o700)
        self.standby.start()
        self.database().query(f"ALTER SYSTEM SET synchronous_standby_names = '{self.synchronous_names}'")
        self.database().query("SELECT pg_reload_conf()")
        state = "sync" if self.synchronous_names else "async"
        wait_until(lambda: self.database().query("SELECT sync_state FROM pg_stat_replication") == [[state]], 30, "the standby")
        copy_data(self.run.template, self.folder)
        hosts = f"{self.primary.socket_folder},{self.standby.socket_folder}"
        self.server = Server(self.run.binary, self.folder, database=(
            f"host={hosts} user=neuroviews dbname=neuroviews target_session_attrs=read-write"))
        self.server.start()

    def database(self):
        return (self.primary if self.primary.process.poll() is None else self.standby).address()

    def strike(self, number):
        [(sender,)] = self.primary.address().query("SELECT pid FROM pg_stat_replication")
        os.kill(int(sender), signal.SIGSTOP)
        time.sleep(self.silence_s)
        self.primary.kill()

    def heal(self):
        # Devices may be served before the answer comes.
        self.mended_at = time.monotonic()
        self.standby.address().query("SELECT pg_promote()")

    def clean_up(self):
        super().clean_up()
        for cluster in (self.primary, self.standby):
            if cluster:
                cluster.clean_up()


class FailoverBehind(Failover):
    """The same with a standby that nobody waits for: what is written while its line is silent is acknowledged, seen by others, and
    lost. Devices that have made or seen such a write are reset, the others go on."""

    name = "failover-behind"
    synchronous_names = ""
    may_lose = True

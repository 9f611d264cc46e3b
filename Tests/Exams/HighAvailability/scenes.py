"""The faults, each from the stroke until everything is as before."""
import signal
import time

from cluster import TTL_S, Look
from processes import wait_until

CALM_S = 5
# After everybody is served again: the scene's figures are to have what comes late.
SETTLED_S = 3
SYNCHRONOUS_MAX_S = 30
PROMOTED_MAX_S = TTL_S + 60


class Scene:
    """`failures`: what did not happen as the scene wants it. `look` has the times of the new primary where there is to be one."""

    name, text = "", ""
    has_new_primary = False

    def __init__(self, cluster, front, load, number):
        self.cluster, self.front, self.load, self.title = cluster, front, load, f"{self.name} {number}"
        self.began_at = self.ended_at = 0.0
        self.look, self.served_s, self.failures = None, None, []

    def play(self):
        self.cluster.wait_until_healthy()
        self.began_at = time.monotonic()
        self.act()
        self.cluster.wait_until_healthy()
        time.sleep(SETTLED_S)
        self.ended_at = time.monotonic()

    def act(self):
        raise NotImplementedError

    def wait_until_served(self, since):
        before = len(self.load.findings.healing_s)
        self.load.forget_served()
        self.load.wait_until_served(since)
        self.served_s = self.load.findings.healing_s[before][1]


class Calm(Scene):
    name, text = "calm", "nothing happens"

    def act(self):
        # What the pace of the devices alone makes of it.
        self.wait_until_served(self.began_at)
        time.sleep(CALM_S)


class Failover(Scene):
    has_new_primary = True

    def act(self):
        primary = self.cluster.primary()
        self.look = Look([machine for machine in self.cluster.machines if machine is not primary])
        self.began_at = time.monotonic()
        self.strike(primary)
        if self.look.wait(PROMOTED_MAX_S):
            self.wait_until_served(self.look.accepts_at)
        else:
            self.failures.append("no standby was promoted: " + "; ".join(self.look.failures[-2:]))
        self.repair(primary)

    def strike(self, primary):
        raise NotImplementedError

    def repair(self, primary):
        """Nothing to do where Patroni does it."""


class Killed(Failover):
    name, text = "primary-killed", "kill -9 of the primary and its Patroni"

    def strike(self, primary):
        primary.kill()

    def repair(self, primary):
        self.cluster.start_node(primary)


class Switchover(Failover):
    name, text = "switchover", "patronictl switchover"

    def strike(self, primary):
        self.cluster.switch(self.cluster.synchronous())


class Stopped(Failover):
    name, text = "primary-stopped", "SIGSTOP of the primary and its Patroni; SIGCONT when there is another one"

    def strike(self, primary):
        primary.signal(signal.SIGSTOP)

    def repair(self, primary):
        primary.signal(signal.SIGCONT)


class Cut(Failover):
    name, text = "primary-cut", "the primary's cable is pulled, and put back when there is another one"

    def strike(self, primary):
        primary.cut()

    def repair(self, primary):
        primary.join()


class StandbyKilled(Scene):
    name, text = "standby-killed", "kill -9 of the standby that confirms commits"

    def act(self):
        standby = self.cluster.synchronous()
        self.began_at = time.monotonic()
        standby.kill()
        self.wait_until_served(self.began_at)
        # Meanwhile commits wait for none.
        wait_until(lambda: self.cluster.synchronous() not in (None, standby), SYNCHRONOUS_MAX_S, "another synchronous standby")
        self.cluster.start_node(standby)


class ServerRestarted(Scene):
    name, text = "server-restarted", "SIGTERM of one server, and a new start"
    last = 1
    # Of the servers that start; None for the same one.
    binary = None

    def act(self):
        for server in self.front.servers[:self.last]:
            status = self.front.restart(server, self.binary)
            if status != 0:
                self.failures.append(f"a server ended with status {status}")
        self.wait_until_served(self.began_at)


class Rolling(ServerRestarted):
    name, text = "rolling-restart", "both servers, one after the other; with --before an upgrade"
    last = 2


ALL = [Calm, Killed, Switchover, Stopped, Cut, StandbyKilled, ServerRestarted, Rolling]

"""A machine of its own for each PostgreSQL: a network namespace, joined by a bridge to the one of the exam."""
import os
import signal
import subprocess

from processes import run, wait_until

HERE = "10.77.0.1"
NAMESPACES = "/run/netns"


def prepare():
    """In the exam's own mount namespace: names made here are seen by nobody else, and go with it."""
    os.makedirs(NAMESPACES, exist_ok=True)
    run(["mount", "-t", "tmpfs", "tmpfs", NAMESPACES])
    for command in ("link set lo up", "link add bridge type bridge", f"address add {HERE}/24 dev bridge", "link set bridge up"):
        run(["ip", *command.split()])


class Machine:
    """All processes in the namespace are this machine's."""

    def __init__(self, number):
        self.name, self.address, self.line = f"node{number}", f"10.77.0.{10 + number}", f"line{number}"
        run(["ip", "netns", "add", self.name])
        run(["ip", "link", "add", self.line, "type", "veth", "peer", "name", "eth0", "netns", self.name])
        run(["ip", "link", "set", self.line, "master", "bridge", "up"])
        for command in ("link set lo up", f"address add {self.address}/24 dev eth0", "link set eth0 up"):
            run(["ip", "-n", self.name, *command.split()])
        self.inode = os.stat(f"{NAMESPACES}/{self.name}").st_ino

    def start(self, command, log, **options):
        with open(log, "a", encoding="utf-8") as file:
            return subprocess.Popen(["nsenter", f"--net={NAMESPACES}/{self.name}", "--", *command], stdin=subprocess.DEVNULL,
                                    stdout=file, stderr=file, cwd="/", start_new_session=True, **options)

    def processes(self):
        found = []
        for name in os.listdir("/proc"):
            try:
                if name.isdigit() and os.stat(f"/proc/{name}/ns/net").st_ino == self.inode:
                    found.append(int(name))
            except OSError:
                # It has ended meanwhile.
                continue
        return found

    def signal(self, number):
        for process in self.processes():
            try:
                os.kill(process, number)
            except ProcessLookupError:
                continue

    def kill(self):
        """Twice and more: a process may start another one meanwhile."""
        def is_empty():
            self.signal(signal.SIGKILL)
            return not self.processes()
        wait_until(is_empty, 30, f"the end of {self.name}")

    def cut(self):
        """As when the cable is pulled: nobody is told."""
        run(["ip", "link", "set", self.line, "down"])

    def join(self):
        run(["ip", "link", "set", self.line, "up"])

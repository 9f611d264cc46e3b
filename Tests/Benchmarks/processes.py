"""What processes take of the machine, from /proc."""
import os
import re
from typing import NamedTuple

TICK_US = 1_000_000 / os.sysconf("SC_CLK_TCK")


class Cpu(NamedTuple):
    """CPU time in microseconds."""

    user: float
    system: float

    @property
    def total(self):
        return self.user + self.system

    def __add__(self, other):
        return Cpu(self.user + other.user, self.system + other.system)

    def __sub__(self, other):
        return Cpu(self.user - other.user, self.system - other.system)


NO_CPU = Cpu(0, 0)


def fields_of(pid):
    """The fields of /proc/PID/stat behind the name; None when the process has ended."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(") ", 1)[1].split()
    except (FileNotFoundError, ProcessLookupError):
        return None


def cpu_of(pid):
    """User and system time, with those of children that have ended."""
    fields = fields_of(pid)
    if fields is None:
        return NO_CPU
    user, system, children_user, children_system = (int(field) * TICK_US for field in fields[11:15])
    return Cpu(user + children_user, system + children_system)


def family(parent):
    """A process and its children."""
    pids = [parent]
    for name in os.listdir("/proc"):
        if name.isdigit():
            fields = fields_of(name)
            if fields and fields[1] == str(parent):
                pids.append(int(name))
    return pids


def cpu_of_family(parent):
    return sum((cpu_of(pid) for pid in family(parent)), NO_CPU)


def rss_kib(pid):
    """Resident memory; 0 when the process has ended."""
    try:
        with open(f"/proc/{pid}/status") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1))
    except (FileNotFoundError, ProcessLookupError):
        return 0


def busy_us():
    """Time in which any core of the machine did something."""
    with open("/proc/stat") as file:
        fields = [int(field) for field in file.readline().split()[1:9]]
    return (sum(fields) - fields[3] - fields[4] - fields[7]) * TICK_US

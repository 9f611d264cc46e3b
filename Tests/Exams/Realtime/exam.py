"""What the points share: their sizes, their servers, and the verdicts."""
import math
import os
import random
import shutil
import statistics
import tempfile

from host import Host

KEPT = ".build/realtime/logs"


def quantile(values, share):
    """Infinite where there are none."""
    return sorted(values)[max(0, math.ceil(len(values) * share) - 1)] if values else float("inf")


class Exam:
    """`options`: those of the command line. With `sample`, sizes and lists are smaller."""

    def __init__(self, options):
        self.options, self.binary, self.against = options, os.path.abspath(options.binary), options.against and os.path.abspath(options.against)
        self.is_sample, self.chance = options.sample, random.Random(options.seed)
        self.passed = self.failed = 0
        self.point, self.hosts, self.folder = "", [], None

    def size(self, whole, sample):
        return sample if self.is_sample else whole

    def say(self, text):
        print(f"{self.point}: {text}", flush=True)

    def expect(self, is_good, text):
        """Counts a verdict. `text` has the figures."""
        if is_good:
            self.passed += 1
        else:
            self.failed += 1
        self.say(("ok   " if is_good else "FAIL ") + text)
        return is_good

    def medians(self, rounds):
        """The median of each column."""
        return [statistics.median(column) for column in zip(*rounds)]

    # Servers

    def begin(self, point):
        self.point, self.folder = point, tempfile.mkdtemp(prefix="nvr-")
        os.chmod(self.folder, 0o755)

    def host(self, name, *settings, beside=None, binary=None, **more):
        """A server that runs. `beside`: the one whose database and secret it uses, too."""
        folder = f"{self.folder}/{name}"
        os.makedirs(folder)
        host = Host(binary or self.binary, folder, list(settings), beside, **more)
        self.hosts.append(host)
        host.start()
        return host

    def end(self):
        """Ends the servers, those with a database last. Logs of a point that failed are kept."""
        for host in reversed(self.hosts):
            host.clean_up()
        for folder in (host.folder for host in self.hosts if self.failed):
            kept = os.path.join(KEPT, self.point, os.path.basename(folder))
            os.makedirs(kept, exist_ok=True)
            for name in os.listdir(folder):
                if name.endswith(".log"):
                    shutil.copy(os.path.join(folder, name), kept)
        self.hosts = []
        shutil.rmtree(self.folder, ignore_errors=True)

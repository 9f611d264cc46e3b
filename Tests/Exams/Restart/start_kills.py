"""Starts the server again and again under load, while processes of its PostgreSQL and the server itself are killed at random
moments. Every start that is not killed itself must become ready, and none may end by itself."""
import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

READY_MAX_S = 180
# Kills come within this time from the start of the server. A start takes one to three seconds under load.
KILLS_WITHIN_S = 3.0
BUSY = "while :; do :; done"
# Small synchronised writes, which make PostgreSQL's own slow.
WRITING = "while :; do dd if=/dev/zero of=\"$0\" bs=8k count=64 conv=fsync status=none; done"


def postgres(cluster):
    """The processes of the cluster, the first one (postmaster) first."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            is_server = os.readlink(f"/proc/{name}/exe").rsplit("/", 1)[-1].startswith("postgres")
            if is_server and os.readlink(f"/proc/{name}/cwd") == cluster:
                found.append(int(name))
        except OSError:
            continue
    try:
        with open(cluster + "/postmaster.pid", encoding="utf-8") as file:
            first = int(file.readline())
    except (OSError, ValueError):
        first = 0
    return sorted(found, key=lambda process: (process != first, process))


def kill(process):
    try:
        os.kill(process, signal.SIGKILL)
        return True
    except ProcessLookupError:
        return False


class Exam:
    """One data folder, whose server is started again and again."""

    def __init__(self, binary, folder, seed):
        self.binary, self.folder, self.random = binary, folder, random.Random(seed)
        self.cluster = os.path.realpath(folder) + "/data/postgres"
        self.starts, self.kills, self.server_kills, self.failures, self.slowest_s = 0, 0, 0, [], 0.0

    def start(self):
        self.starts += 1
        self.log = f"{self.folder}/log-{self.starts}"
        arguments = ["serve", "--listen", "127.0.0.1:0", "--admin-listen", "off", "--data", self.folder + "/data"]
        with open(self.log, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen([self.binary] + arguments, stderr=log, stdout=log)
        self.begin = time.monotonic()

    def read_log(self):
        with open(self.log, encoding="utf-8", errors="replace") as log:
            return log.read()

    def is_ready(self):
        match = re.search(r"listening on 127\.0\.0\.1:(\d+)", self.read_log())
        if not match:
            return False
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{match.group(1)}/v2/readyz", timeout=5) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False

    def fail(self, reason):
        self.failures.append(f"start {self.starts}: {reason}")
        print(f"{self.failures[-1]}\n{self.read_log()}", flush=True)

    def sleep_until(self, moment):
        """Returns false if the server has ended by itself."""
        while time.monotonic() < moment:
            if self.process.poll() is not None:
                self.fail(f"the server ended by itself with status {self.process.returncode}")
                return False
            time.sleep(min(0.01, max(0, moment - time.monotonic())))
        return True

    def kill_some(self, times):
        """Kills PostgreSQL at each of the moments, one time in four a process of it other than the first one."""
        for moment in times:
            if not self.sleep_until(moment):
                return False
            processes = postgres(self.cluster)
            if processes:
                others = processes[1:]
                process = self.random.choice(others) if others and self.random.random() < 0.25 else processes[0]
                self.kills += kill(process)
        return True

    def round(self, is_last):
        self.start()
        times = sorted(self.begin + self.random.uniform(0, KILLS_WITHIN_S) for _ in range(self.random.randrange(4)))
        if is_last or self.random.random() < 0.4:
            return self.kill_some(times) and self.become_ready()
        end = self.begin + self.random.uniform(0, KILLS_WITHIN_S)
        if not self.kill_some([moment for moment in times if moment < end]) or not self.sleep_until(end):
            return False
        # Often both at once: that is how the server was seen to fail.
        if self.random.random() < 0.5:
            for process in postgres(self.cluster)[:1]:
                self.kills += kill(process)
        self.server_kills += kill(self.process.pid)
        status = self.process.wait(60)
        if status != -signal.SIGKILL:
            self.fail(f"the server ended with status {status} before it was killed")
        return status == -signal.SIGKILL

    def become_ready(self):
        while not self.is_ready():
            if not self.sleep_until(time.monotonic() + 0.05):
                return False
            if time.monotonic() - self.begin > READY_MAX_S:
                self.fail(f"the server was not ready within {READY_MAX_S} s")
                self.process.kill()
                self.process.wait(60)
                return False
        self.slowest_s = max(self.slowest_s, time.monotonic() - self.begin)
        # Half of the servers are killed while they serve, and leave their PostgreSQL to the next start.
        if self.random.random() < 0.5:
            self.server_kills += kill(self.process.pid)
            self.process.wait(60)
            return True
        return self.stop()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(120)
        if status != 0:
            self.fail(f"SIGTERM ended the server with status {status}")
        return status == 0

    def run(self, count):
        """Returns the number of starts that went as they must."""
        self.start()
        good = int(self.become_ready())
        for number in range(1, count):
            good += bool(self.round(number == count - 1))
        return good


def load(folder, count):
    shells = [subprocess.Popen(["/bin/sh", "-c", BUSY], start_new_session=True) for _ in range(count)]
    writing = ["/bin/sh", "-c", WRITING, folder + "/written"]
    return shells + [subprocess.Popen(writing, start_new_session=True, stderr=subprocess.DEVNULL)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--starts", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    arguments = parser.parse_args()
    print(f"start kills: seed {arguments.seed}", flush=True)
    folder = tempfile.mkdtemp(prefix="nv-")
    # Root's PostgreSQL is another user.
    os.chmod(folder, 0o711)
    exam = Exam(os.path.abspath(arguments.binary), folder, arguments.seed)
    busy = load(folder, 3 * (os.cpu_count() or 1))
    try:
        good = exam.run(arguments.starts)
    finally:
        for process in busy:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if exam.process.poll() is None:
            exam.process.kill()
            exam.process.wait(60)
        for process in postgres(exam.cluster):
            kill(process)
        if not exam.failures:
            shutil.rmtree(folder, ignore_errors=True)
    kept = f"; logs are in {folder}" if exam.failures else ""
    print(f"{exam.starts} starts, {exam.server_kills} kills of the server, {exam.kills} of PostgreSQL, slowest start "
          f"{exam.slowest_s:.1f} s{kept}")
    print(f"start kills: {good} passed, {exam.starts - good} failed")
    sys.exit(0 if good == exam.starts and good == arguments.starts else 1)


main()

"""Runs the test program until a test fails, and ends all processes that the tests started."""
import ctypes
import os
import pathlib
import re
import signal
import subprocess
import time

# What a test that fails prints, and what a crash does. Logs of servers are elsewhere.
FAILURE = re.compile(rb"^\xe2\x9c\x98 .* recorded an issue|Fatal error", re.MULTILINE)
RAN = re.compile(rb"Test run with (\d+) tests? ")
SKIPPED = re.compile(rb"^\xe2\x9e\x9c Test ", re.MULTILINE)
# The tests' watchdogs remove what a killed test leaves.
CLEANING_SECONDS = 10
SET_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36


def adopt_orphans():
    """From now on this process is the parent of all that its children leave, and ends when its own parent does or says so."""
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    prctl(SET_DEATH_SIGNAL, signal.SIGTERM, 0, 0, 0)
    signal.signal(signal.SIGINT, lambda *_: None)


def run(program, test_filter, log, limit_s):
    """The outcome: `failed`, `passed`, `skipped` or `nothing ran`. Tests that hang have failed."""
    # A backtrace takes longer than the tests, and nobody reads it.
    environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no"}
    command = [program, "--filter", test_filter, "--testing-library", "swift-testing"]
    with open(log, "wb") as output:
        # In a process group of their own, so that a signal to it reaches no worker.
        outside = {"stdin": subprocess.DEVNULL, "stdout": output, "stderr": output, "start_new_session": True}
        tests = subprocess.Popen(command, env=environment, **outside)
    try:
        failed = fails(tests, log, time.monotonic() + limit_s)
    finally:
        end_children(tests, program.parent)
    return "failed" if failed else outcome(log.read_bytes())


def fails(tests, log, deadline):
    """Whether a test fails; what comes after the first failure tells nothing more."""
    rest = b""
    with open(log, "rb") as lines:
        while True:
            has_ended = tests.poll() is not None
            reap(but=tests.pid)
            rest += lines.read()
            if FAILURE.search(rest):
                return True
            if has_ended:
                return tests.returncode < 0
            if time.monotonic() > deadline:
                return True
            rest = rest[rest.rfind(b"\n") + 1:]
            time.sleep(0.05)


def outcome(text):
    ran = int(([b"0"] + RAN.findall(text))[-1])
    if ran == 0:
        return "nothing ran"
    return "skipped" if len(SKIPPED.findall(text)) >= ran else "passed"


def end_children(tests, folder):
    """Kills the tests and their servers, whose programs are in the folder; the rest may clean up for a moment."""
    tests.kill()
    tests.wait()
    deadline = time.monotonic() + CLEANING_SECONDS
    while children := descendants():
        is_late = time.monotonic() > deadline
        for process in children:
            if is_late or program_of(process).startswith(f"{folder}/"):
                kill(process)
        reap()
        time.sleep(0.02)


def descendants():
    parents = {}
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            # The name is in parentheses and may have any characters.
            parents[int(process)] = int(pathlib.Path("/proc", process, "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found, ends = set(), {os.getpid()}
    while ends := {process for process, parent in parents.items() if parent in ends}:
        found |= ends
    return found


def program_of(process):
    try:
        return os.readlink(f"/proc/{process}/exe")
    except OSError:
        return ""


def kill(process):
    try:
        os.kill(process, signal.SIGKILL)
    except OSError:
        pass


def reap(but=0):
    """Notes the ends of adopted processes, as init does: tests wait for some of them. That of one child is left to its own caller."""
    try:
        while (ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)) and ended.si_pid != but:
            os.waitpid(ended.si_pid, 0)
    except ChildProcessError:
        pass

"""A clock for programs that jumps when it is told to, by libfaketime (faketime(1))."""
import os
import subprocess

from postgres import children_of
from processes import wait_until


def write(file, offset):
    """Replaces the file, which is read at any moment."""
    with open(file + ".new", "w", encoding="utf-8") as new:
        new.write(offset + "\n")
    os.chmod(file + ".new", 0o644)
    os.replace(file + ".new", file)


class FakeClock:
    """`environment`: variables that make a program's clock what `set` said, at each look. Waiting takes as long as ever."""

    def __init__(self, folder):
        self.file = folder + "/clock"
        self.set("+0")
        # The library makes a shared memory where it finds none, and then changes the environment, behind which Swift looks
        # for the program's arguments. So one is made here, by the library's own program, open to PostgreSQL's account.
        self.keeper = subprocess.Popen(["faketime", "-f", "+0", "sleep", "86400"], stdin=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
        shared = wait_until(self.shared, 10, "faketime")
        for name in shared["FAKETIME_SHARED"].split():
            path = "/dev/shm" + name.replace("/faketime_sem", "/sem.faketime_sem")
            if os.path.exists(path):
                os.chmod(path, 0o666)
        library = shared["LD_PRELOAD"].replace("libfaketime.so", "libfaketimeMT.so")
        self.environment = {
            "LD_PRELOAD": library, "FAKETIME_SHARED": shared["FAKETIME_SHARED"], "FAKETIME_TIMESTAMP_FILE": self.file,
            "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}

    def shared(self):
        """The variables that faketime gives to what it starts; None while that has not begun."""
        for child in children_of(self.keeper.pid):
            with open(f"/proc/{child}/environ", encoding="utf-8") as file:
                variables = dict(pair.split("=", 1) for pair in file.read().split("\0") if "=" in pair)
            if "FAKETIME_SHARED" in variables:
                return variables
        return None

    def set(self, offset):
        write(self.file, offset)

    def clean_up(self):
        """Ends what it started; faketime then removes the shared memory."""
        for child in children_of(self.keeper.pid):
            os.kill(child, 15)
        self.keeper.wait(30)

"""Programs that were started here, and are ended here, each by its number."""
import os
import pwd
import subprocess
import time

POSTGRES_ACCOUNT = "postgres"


def as_postgres(command):
    """PostgreSQL's programs refuse root: root hands them to their account."""
    if os.geteuid() != 0:
        return command
    entry = pwd.getpwnam(POSTGRES_ACCOUNT)
    return ["setpriv", f"--reuid={entry.pw_uid}", f"--regid={entry.pw_gid}", "--init-groups", "--", *command]


def give_to_postgres(path):
    if os.geteuid() == 0:
        entry = pwd.getpwnam(POSTGRES_ACCOUNT)
        os.chown(path, entry.pw_uid, entry.pw_gid)


def run(command, **options):
    """The output of a program. Raises RuntimeError with what it said when it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}: {(done.stderr or done.stdout).strip()[-1000:]}")
    return done.stdout


def is_alive(number):
    """False for a process that has ended, also when nobody has asked for its status yet."""
    try:
        with open(f"/proc/{number}/stat", encoding="utf-8") as file:
            return file.read().rsplit(") ", 1)[1][0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until(question, seconds, what):
    """Asks until the answer is true, and returns it."""
    deadline = time.monotonic() + seconds
    while True:
        answer = question()
        if answer:
            return answer
        if time.monotonic() > deadline:
            raise RuntimeError(f"{what}: not within {seconds} s")
        time.sleep(0.02)

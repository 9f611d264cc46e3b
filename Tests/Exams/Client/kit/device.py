"""One client under test: its process, its store, its way to the server."""
import json
import os
import shutil
import subprocess
import threading
import uuid

from kit.proxy import Proxy

ANSWERS_MAX_S = 120
PAUSE_MAX_S = "0.01"


class Gone(Exception):
    """The client ended before it answered."""


class Silent(Exception):
    """The client did not answer in time."""


class Device:
    """`decide(device, message)`, `forwarded(device, message)` and `delivered(device, message, status, body)` as in `Proxy`."""

    def __init__(self, name, command, server, account, folder, options, decide, forwarded, delivered):
        self.name, self.command, self.options = name, command, options
        self.store = os.path.join(folder, name)
        self.account = account
        self.id = str(uuid.uuid4())
        self.proxy = Proxy(server, lambda message: decide(self, message), lambda message: forwarded(self, message), lambda *answered: delivered(self, *answered))
        self.crash_is_armed = False
        # While it syncs, and while it gets an older version.
        self.is_busy = self.is_asking = False
        self.starts = 0
        self.start()

    def start(self):
        email, password = self.account
        words = ["--server", self.proxy.url, "--email", email, "--password", password, "--device", self.id, "--store", self.store, "--pause-max", PAUSE_MAX_S]
        self.process = subprocess.Popen([*self.command, *words, *self.options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.answers, self.changed, self.ended, self.number = {}, threading.Condition(), False, 0
        self.starts += 1
        self.crash_is_armed = False
        threading.Thread(target=self.read, args=(self.process, self.changed, self.answers), daemon=True).start()

    def read(self, process, changed, answers):
        for line in process.stdout:
            answer = json.loads(line)
            with changed:
                answers[answer["number"]] = answer
                changed.notify_all()
        with changed:
            answers["end"] = True
            changed.notify_all()

    def begin(self, do, **rest):
        """Sends a command; `Gone` if nobody reads it."""
        with self.changed:
            self.number += 1
            number = self.number
        try:
            self.process.stdin.write(json.dumps({"number": number, "do": do, **rest}) + "\n")
            self.process.stdin.flush()
        except OSError as error:
            raise Gone(self.name) from error
        return number

    def end(self, number):
        """The answer to a command; `Gone` if the client ends before."""
        with self.changed:
            if not self.changed.wait_for(lambda: number in self.answers or "end" in self.answers, ANSWERS_MAX_S):
                raise Silent(f"{self.name}: no answer to command {number}")
            if number not in self.answers:
                raise Gone(self.name)
            return self.answers.pop(number)

    def ask(self, do, **rest):
        return self.end(self.begin(do, **rest))

    def restart(self):
        self.process.kill()
        self.process.wait()
        self.start()

    def back_up(self):
        """Copies the store, while the client does not run."""
        self.process.kill()
        self.process.wait()
        shutil.copytree(self.store, self.store + "-backup")
        self.start()

    def bring_back(self):
        """Brings the copy back, on a device that the system calls by another id."""
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.store)
        os.rename(self.store + "-backup", self.store)
        self.id = str(uuid.uuid4())
        self.start()

    def close(self):
        self.process.kill()
        self.process.wait()
        self.proxy.close()
        shutil.rmtree(self.store, ignore_errors=True)

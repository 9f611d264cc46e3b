#!/usr/bin/env python3
"""Speaks the kit's protocol for the command: `command_client.py --binary neuroviews …`. Each word is a few calls of it, with a profile in the store. README.md beside this file says
what it has no calls for."""
import argparse
import datetime
import json
import os
import subprocess
import sys
import threading
import time
import traceback

# Of `neuroviews help`.
DONE, UNDONE, DATA, NO_INPUT, UNAVAILABLE, BUSY, NOT_UNDERSTOOD, LOG_IN = 0, 1, 65, 66, 69, 75, 76, 77
STATUSES = (DONE, UNDONE, DATA, NO_INPUT, UNAVAILABLE, BUSY, NOT_UNDERSTOOD, LOG_IN)
REFUSED = (DATA, NO_INPUT, LOG_IN)
# How long the command may work until it is killed, for each place that the kit counts.
PLACE_S = 0.004
# As long as `sync-client` waits after a refusal.
REFUSED_S = 1


class Answer:
    def __init__(self, words, status, output, complaint):
        if status not in STATUSES:
            raise RuntimeError(f"neuroviews {' '.join(words)} ended with {status}: {complaint}")
        self.status = status
        self.result = json.loads(output) if output else {}
        # The last line; remarks come before it.
        self.error = json.loads(complaint.rstrip("\n").rpartition("\n")[2]) if complaint else {}

    @property
    def is_done(self):
        return self.status == DONE


class Command:
    """The command, with the profile of one device."""

    def __init__(self, binary, server, store):
        os.makedirs(store, mode=0o700, exist_ok=True)
        # Whoever kills this process means the client. The shell ends at once if that has happened before the signal was set.
        self.command = ["setpriv", "--pdeathsig", "KILL", "--", "sh", "-c", '[ "$PPID" = "$0" ] && exec "$@"', str(os.getpid()), os.path.abspath(binary)]
        usual = {name: value for name, value in os.environ.items() if not name.startswith("NEUROVIEWS_")}
        self.environment = {**usual, "HOME": store, "XDG_DATA_HOME": store, "XDG_CONFIG_HOME": store, "NEUROVIEWS_CLI_SERVER": server}
        self.schema = os.path.join(store, "neuroviews/default/schema.json")
        # How long it may still work, once the kit wants a crash.
        self.left_s = None

    def crash(self, places):
        self.left_s = places * PLACE_S

    def read(self, *words):
        """A call that changes nothing."""
        return self.call(words, "", None)

    def run(self, *words, text=""):
        """A call that may end by a crash."""
        begin = time.monotonic()
        answer = self.call(words, text, self.left_s)
        if self.left_s is not None:
            self.left_s = max(0, self.left_s - (time.monotonic() - begin))
        return answer

    def call(self, words, text, seconds):
        process = subprocess.Popen([*self.command, *words, "--json"], env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
        try:
            output, complaint = process.communicate(text, timeout=seconds)
        except subprocess.TimeoutExpired:
            # The command goes with this process.
            os._exit(9)
        return Answer(words, process.returncode, output, complaint)


class User:
    """Who uses the device: logs in, syncs, and remembers what the command said."""

    def __init__(self, options):
        self.command = Command(options.binary, options.server, options.store)
        self.email, self.password, self.pause_max = options.email, options.password, float(options.pause_max)
        # A byte for each report of a wrong state hash: the kit asks for it after a crash, too.
        self.reports = os.path.join(options.store, "reports")
        self.told = []
        # Until somebody has logged in; after a refusal the kit says when they try again.
        self.logs_in, self.is_refused = True, False
        self.pause_ends = 0

    def wants_login(self):
        self.logs_in, self.is_refused = True, False

    def sync(self):
        """The seconds until the next one; 0 if all is done."""
        rest = self.pause_ends - time.monotonic()
        if rest > 0:
            return rest
        wait = self.log_in() if self.logs_in else 0
        if wait:
            return wait
        answer = self.command.run("sync")
        if answer.status == LOG_IN and not self.is_refused:
            # The session has ended, and its user is there.
            wait = self.log_in()
            if wait:
                return wait
            answer = self.command.run("sync")
        return self.wait_after(answer)

    def log_in(self):
        """Returns a wait if it was not done."""
        state = self.command.read("status").result
        is_own = (state["user"] or {}).get("email") == self.email
        if state["logged_in"] and not is_own:
            self.command.run("logout", "--keep", "--offline")
        if not (state["logged_in"] and is_own):
            answer = self.command.run("login", self.email, "--password-stdin", text=self.password + "\n")
            # With a user, the login was done, and its session ended before the sync: a backup was brought back.
            if answer.status == LOG_IN and "user" not in answer.result:
                self.tell(answer)
                self.logs_in, self.is_refused = False, True
                return REFUSED_S
            if answer.status not in (DONE, UNDONE, LOG_IN):
                # Not the password: a pause.
                return self.pause_max
        self.logs_in = False
        # With it, the command itself would refuse what the server is to refuse.
        if os.path.exists(self.command.schema):
            os.unlink(self.command.schema)
        return 0

    def wait_after(self, answer):
        if answer.status in REFUSED:
            self.tell(answer)
        elif answer.status not in (DONE, UNDONE):
            seconds = answer.error.get("retry_after")
            if seconds is not None:
                self.pause_ends = time.monotonic() + seconds
            return self.pause_max if seconds is None else seconds
        if answer.result.get("differs_from_server"):
            with open(self.reports, "a", encoding="ascii") as file:
                file.write("!")
        if answer.status in REFUSED:
            return self.pause_max
        again = answer.result.get("again")
        return max(datetime.datetime.fromisoformat(again).timestamp() - time.time(), self.pause_max) if again else 0

    def tell(self, answer):
        self.told.append(answer.error.get("code") or answer.error.get("detail", ""))


class Client:
    """The kit's words. A user who edits sees the item first, by a call of its own."""

    def __init__(self, options):
        self.user = User(options)
        self.command = self.user.command
        self.output = threading.Lock()

    def run(self):
        for line in sys.stdin:
            word = json.loads(line)
            if word["do"] == "stop":
                return self.say(word, {})
            if word["do"] in ("sync", "restore"):
                threading.Thread(target=self.answer, args=(word,), daemon=True).start()
            else:
                self.answer(word)
        return None

    def answer(self, word):
        try:
            self.say(word, getattr(self, word["do"])(word))
        except Exception:  # pylint: disable=broad-except
            traceback.print_exc()
            os._exit(70)

    def say(self, word, answer):
        with self.output:
            print(json.dumps({"number": word["number"], **answer}), flush=True)

    def sync(self, _):
        return {"wait": str(self.user.sync())}

    def login(self, _):
        self.user.wants_login()
        return {}

    def crash(self, word):
        self.command.crash(word["after"])
        return {}

    def edit(self, word):
        before = self.shown(word["id"])
        changes = [argument for pointer, value in word.get("set", {}).items() for argument in ("--set", f"{pointer}={json.dumps(value)}")]
        if before is None:
            if not word.get("new"):
                return done(False)
            return done(self.command.run("new", "-", *changes, "--offline", text=json.dumps(word["new"])).is_done)
        changes += [argument for pointer in word.get("remove", []) for argument in ("--remove", pointer)]
        # Without changes it would open an editor.
        return done(not changes or self.command.run("edit", word["id"], *changes, "--offline").is_done, before)

    def delete(self, word):
        before = self.shown(word["id"])
        return done(before is not None and self.command.run("delete", word["id"], "--yes", "--offline").is_done, before)

    def restore(self, word):
        before = self.shown(word["id"])
        return done(before is not None and self.command.run("restore", word["id"], word["version"], "--offline").is_done, before)

    def take_back(self, word):
        entry = self.command.read("lost").result["lost"][word["place"]]
        answer = self.command.run("lost", "bring-back", str(entry["n"]), "--offline")
        return {"done": answer.is_done, "id": answer.result.get("id")}

    def shown(self, id):
        return self.command.read("show", id).result.get("configuration")

    def state(self, _):
        listed, lost = self.command.read("list").result, self.command.read("lost").result["lost"]

        def those(*states):
            return [id for id, state in listed["unsynced"].items() if state in states]
        return {"items": {document["id"].lower(): document for document in listed["configurations"]}, "unsent": those("unsent", "waiting"), "held": those("held"),
                "refused": {id: "refused" for id in those("refused")}, "lost": [loss(entry) for entry in lost], "told": self.user.told, "shares_store": True,
                "reports": os.path.getsize(self.user.reports) if os.path.exists(self.user.reports) else 0}


def done(is_done, before=None):
    return {"done": is_done, "before": before if is_done else None}


def loss(entry):
    """An entry of `lost` in the kit's words."""
    if entry["deletion"]:
        return {"id": entry["id"], "deletion": True}
    if entry["pointer"] is None:
        return {"id": entry["id"], "document": entry["value"]}
    return {name: entry[name] for name in ("id", "pointer", "value") if name in entry}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("binary", "server", "email", "password", "store", "pause-max"):
        parser.add_argument("--" + name, required=True)
    # The command asks the system for the device's id, and has one way to push and to pull.
    for name in ("device", "style", "limit", "cursor"):
        parser.add_argument("--" + name)
    Client(parser.parse_args()).run()


if __name__ == "__main__":
    main()

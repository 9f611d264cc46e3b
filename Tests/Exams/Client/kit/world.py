"""An account with several devices and their users."""
import copy
import os
import random
import sys
import tempfile
import time
import uuid

from cluster import place
from kit.device import Device, Gone
from kit.ledger import Ledger, covers, leaves
from kit.proxy import PASS, TOO_LARGE, operations
from kit.server import Observer

SETTLES_MAX = 15


class Failure(Exception):
    pass


class World:
    def __init__(self, server, command, decide=None, seed=0):
        self.server, self.command = server, command
        # For ids, whose order is the order of choices.
        self.random = random.Random(seed)
        self.place = tempfile.TemporaryDirectory(prefix="neuroviews-client-store-", dir=place())
        self.account = server.register()
        self.observer = Observer(server, self.account)
        self.ledger = Ledger()
        self.devices = []
        self.decide = decide or (lambda device, message: PASS)
        # What was acknowledged since the last backup, and the items of all writes since.
        self.done, self.written = [], set()
        # (device, item) of writes that the device may have given up though they were done; of merges with the number of acts then.
        self.given_up = {}
        # (device, entry) of `lost` that users took back.
        self.taken_back = []
        self.messages = 0

    def __enter__(self):
        return self

    def __exit__(self, *error):
        for device in self.devices:
            device.close()
        self.place.cleanup()

    def device(self, *options):
        device = Device(f"device-{len(self.devices)}", self.command, self.server, self.account, self.place.name, options, self.fate, self.forwarded, self.delivered)
        self.devices.append(device)
        return device

    def fate(self, device, message):
        self.messages += 1
        number = self.messages
        self.say(f"{device.name} sends {number}: {message.method} {message.path} {message.field('if-match') or ''} {message.body.decode()}")
        fate = self.decide(device, message)
        self.say(f"{device.name}'s {number}: {fate}")
        if message.is_write and fate == TOO_LARGE:
            self.give_up(device, message)
        return fate

    def give_up(self, device, message):
        for id in message.ids:
            merged = len(self.ledger.acts.get(id, ())) if message.field("prefer") else None
            self.given_up[device.name, id] = merged or self.given_up.get((device.name, id))

    def forwarded(self, device, message):
        if message.is_write:
            self.written |= message.ids

    def delivered(self, device, message, status, body):
        self.say(f"{device.name} hears of {message.method} {message.path}: {status} {body.decode()}")
        self.done += operations(message, status, body)

    def say(self, text):
        if os.environ.get("CONFORMANCE_TRACE"):
            print(text[:2000], file=sys.stderr, flush=True)

    # The users.

    def new(self, device, **members):
        """A user makes a preset. Returns its id."""
        id = str(uuid.UUID(int=self.random.getrandbits(128), version=4))
        self.edit(device, id, {}, new=self.document(id, **members))
        return id

    def document(self, id, **members):
        fresh = self.ledger.fresh
        return {"id": id, "name": fresh(), "preset": "portrait", "video_format": "H.265", "resolution": "4K UHD", "frame_rate": 30,
                "x0": fresh(), "o": {"a": fresh(), "b": fresh()}, "list": [fresh(), fresh()], **members}

    def edit(self, device, id, members, remove=(), new=None):
        """A user edits what the device shows. Returns whether there was something to edit."""
        def after(before):
            return changed(before if before is not None else new, members, remove)
        is_held = id in self.state(device)["held"]
        before, done = self.act(device, "edit", id, after, [*members, *remove], set=members, remove=list(remove), **({"new": new} if new else {}))
        if done:
            self.ledger.edit(device.name, id, before, after(before), [*members, *remove], is_held)
        return done

    def delete(self, device, id):
        before, done = self.act(device, "delete", id, lambda shown: None, [""])
        if done:
            self.ledger.delete(device.name, id, before)
        return done

    def restore(self, device, id, version):
        """A user wants an older version of what is shown."""
        document = self.observer.version(id, version)
        device.is_asking = True
        try:
            before, done = self.act(device, "restore", id, lambda shown: document, [""], version=version)
        finally:
            device.is_asking = False
        if done:
            self.ledger.edit(device.name, id, before, document, [""])
        return done

    def act(self, device, do, id, after, touched, **rest):
        """What was shown before, and whether it was done; that is seen after the restart if the client crashed meanwhile."""
        shown = self.state(device)["items"].get(id) if device.crash_is_armed else None
        self.say(f"{device.name}: {do} {id} {rest}")
        try:
            answer = device.ask(do, id=id, **rest)
            return answer.get("before"), answer["done"]
        except Gone:
            device.restart()
            now, wanted = self.state(device)["items"].get(id), after(shown)
            if shown is None and do != "edit" or (now is None) != (wanted is None):
                return shown, False
            now, wanted = ({(pointer, value) for pointer, value in leaves(document or {}).items() if any(covers(place, pointer) for place in touched or [""])} for document in (now, wanted))
            return shown, now == wanted

    def state(self, device):
        try:
            return device.ask("state")
        except Gone:
            device.restart()
            return device.ask("state")

    def sync(self, device):
        """Returns how long the client wants to wait for the next one, 0 if all is done."""
        device.is_busy = True
        try:
            return float(device.ask("sync")["wait"])
        except Gone:
            device.restart()
            return 0.05
        finally:
            device.is_busy = False

    def crash(self, device, after):
        self.say(f"{device.name} will crash after {after}")
        try:
            device.ask("crash", after=after)
            device.crash_is_armed = True
        except Gone:
            device.restart()

    # The operator.

    def back_up(self):
        self.say("backup")
        self.done, self.written = [], set()
        return self.server.back_up()

    def bring_back(self, backup):
        self.say("restore")
        shown = [self.state(device)["items"] for device in self.devices]
        self.server.restore(backup)
        # A message from before is delivered before, or never: a server that has forgotten an item can't know its late copies.
        for device in self.devices:
            device.proxy.late.clear()
        self.ledger.forget(self.done, self.written, self.observer.documents(), shown)

    # The end.

    def settle(self, release=None):
        """Syncs all devices, without any fault, until they have nothing left to do. `release(device, id)` does what the user wants with a held or refused item."""
        self.decide = lambda device, message: PASS
        for device in self.devices:
            if device.crash_is_armed:
                device.restart()
        for _ in range(SETTLES_MAX):
            is_quiet = True
            for device in self.devices:
                state = self.state(device)
                for id in [*state["held"], *state["refused"]]:
                    (release or self.release)(device, id)
                before = self.messages
                time.sleep(min(self.sync(device), 1))
                state = self.state(device)
                is_quiet = is_quiet and not (state["unsent"] or state["held"] or state["refused"]) and self.messages - before <= 1
            if is_quiet:
                return
        names = ("unsent", "held", "refused", "told")
        left = [{name: state[name] for name in names} for state in map(self.state, self.devices)]
        raise Failure(f"the devices do not come to rest: {left}, {self.messages - before} messages of the last")

    def release(self, device, id):
        self.edit(device, id, {"/name": self.ledger.fresh(), "/frame_rate": 30})

    def finish(self, release=None):
        """Settles, and judges."""
        self.settle(release)
        final = self.observer.documents()
        wrong, lost = [], []
        for device in self.devices:
            state = self.state(device)
            lost += [(device.name, entry) for entry in state["lost"]]
            shown = {id: {**document, "id": id} for id, document in state["items"].items()}
            for id in set(shown) | set(final):
                if shown.get(id) != (dict(final[id], id=id) if id in final else None):
                    wrong.append(f"{device.name} shows another {id} than the server has: {shown.get(id)} {final.get(id)}")
            if state["reports"]:
                wrong.append(f"{device.name} holds something else than the server, and says so itself")
        given_up = {(device, id): merged and (merged, self.observer.losers(id)) for (device, id), merged in self.given_up.items()}
        # What a user took back was named before.
        wrong += self.ledger.judge(final, lost + self.taken_back, given_up)
        if wrong:
            raise Failure("\n".join(wrong[:8]))
        return final, [entry for _, entry in lost]


def changed(document, members, remove):
    """A document with members set and removed."""
    document = copy.deepcopy(document)
    for pointer, wanted in [*members.items(), *((pointer, None) for pointer in remove)]:
        *parents, last = [name.replace("~1", "/").replace("~0", "~") for name in pointer.split("/")[1:]]
        place = document
        for name in parents:
            if not isinstance(place.get(name), dict):
                place[name] = {}
            place = place[name]
        if pointer in members:
            place[last] = copy.deepcopy(wanted)
        else:
            place.pop(last, None)
    return document

"""One seed: users, faults, crashes and a restored backup at random."""
import json
import random

from kit.ledger import leaves
from kit.proxy import BUSY, CUT_ANSWER, EXPIRED, FAIL, LATE, LIMITED, LOSE_ANSWER, LOSE_REQUEST, PASS, PORTAL, TOO_LARGE, TWICE
from kit.world import World

STEPS = 45
STYLES = ["put", "merge", "patch", "batch", "atomic"]
# Of 100 messages, a quarter are lost on the way there or back.
FATES = [(PASS, 59), (LOSE_REQUEST, 8), (LOSE_ANSWER, 10), (CUT_ANSWER, 2), (LATE, 5), (TWICE, 4), (BUSY, 2), (PORTAL, 2), (LIMITED, 1), (FAIL, 2), (TOO_LARGE, 3), (EXPIRED, 2)]
POINTERS = ["/name", "/x0", "/x1", "/o", "/o/a", "/o/b", "/o/c", "/list", "/p", "/p/q", "/n", "/flag", "/a~1b"]


class Chaos:
    def __init__(self, server, command, seed):
        self.random = random.Random(seed)
        self.depth = 0
        # A backup that is to be restored at some message.
        self.due = None
        self.world = World(server, command, self.decide, seed)
        self.restores = self.random.random() < 0.5

    def run(self):
        choose = self.random
        with self.world as world:
            for _ in range(choose.choice([3, 3, 4])):
                options = ["--style", choose.choice(STYLES)]
                world.device(*options, *(["--limit", "3"] if choose.random() < 0.3 else []))
            backup_at, restore_at = sorted(choose.sample(range(5, STEPS), 2))
            backup = None
            for step in range(STEPS):
                if self.restores and step == backup_at:
                    backup = world.back_up()
                if self.restores and step == restore_at:
                    self.due = backup
                if self.due and choose.random() < 0.2:
                    self.bring_back()
                self.step(choose.choice(world.devices))
            if self.due:
                self.bring_back()
            return world.finish(self.release)

    def bring_back(self):
        backup, self.due = self.due, None
        self.world.bring_back(backup)

    def step(self, device):
        """Something that a user, a device or the network does."""
        choose, world = self.random, self.world
        chance = choose.random()
        if chance < 0.42:
            self.use(device)
        elif chance < 0.92:
            if choose.random() < 0.2:
                world.crash(device, choose.randint(0, 25))
            world.sync(device)
        else:
            device.proxy.deliver_late()

    def use(self, device):
        """What a user does on a device."""
        choose, world = self.random, self.world
        shown = sorted(world.state(device)["items"]) if not device.crash_is_armed else sorted(self.seen(device))
        chance = choose.random()
        if not shown or chance < 0.2:
            world.new(device)
        elif chance < 0.8:
            self.change(device, choose.choice(shown))
        elif chance < 0.93:
            world.delete(device, choose.choice(shown))
        elif chance < 0.97:
            # The server will refuse it.
            world.edit(device, choose.choice(shown), {"/frame_rate": -1, "/name": world.ledger.fresh()})
        elif not device.crash_is_armed:
            id = choose.choice(shown)
            versions = world.observer.versions(id)
            if versions:
                world.restore(device, id, choose.choice(versions))

    def seen(self, device):
        return self.world.state(device)["items"]

    def change(self, device, id):
        choose, document = self.random, self.seen(device).get(id)
        there = leaves(document or {})
        pointers = choose.sample(POINTERS, choose.choice([1, 1, 2, 3]))
        # No pointer below another one in the same edit.
        pointers = [pointer for pointer in pointers if not any(pointer.startswith(other + "/") for other in pointers)]
        can_go = [pointer for pointer in pointers if pointer != "/name" and any(leaf == pointer or leaf.startswith(pointer + "/") for leaf in there)]
        removed = [pointer for pointer in can_go if choose.random() < 0.2]
        members = {pointer: self.content(id, pointer) for pointer in pointers if pointer not in removed}
        self.world.edit(device, id, members, removed)

    def content(self, id, pointer):
        """A new value, or now and then one that was there already."""
        choose, ledger = self.random, self.world.ledger
        fresh, old = ledger.fresh, sorted(ledger.values(id, pointer))
        if old and choose.random() < 0.1:
            return json.loads(choose.choice(old))
        if pointer == "/o":
            return {"a": fresh(), "b": fresh()}
        if pointer == "/list":
            return [fresh() for _ in range(choose.randint(0, 3))]
        if pointer == "/flag":
            return choose.choice([True, False, None])
        return ledger.number() if pointer == "/n" else fresh()

    def release(self, device, id):
        if self.random.random() < 0.3:
            self.world.delete(device, id)
        else:
            self.world.release(device, id)

    def decide(self, device, message):
        """What becomes of a message; meanwhile others go on."""
        choose = self.random
        fates, weights = zip(*FATES)
        if device.is_asking:
            return choose.choices(fates, weights)[0]
        if "/auth/" in message.path:
            fates, weights = zip(*[(fate, weight) for fate, weight in FATES if fate != EXPIRED])
        if self.due and choose.random() < 0.1:
            # Between two messages of a sync; what is on its way arrives after it, or never.
            self.bring_back()
            return choose.choice([PASS, LOSE_REQUEST])
        if self.depth < 2:
            self.depth += 1
            try:
                self.meanwhile(device)
            finally:
                self.depth -= 1
        fate = choose.choices(fates, weights)[0]
        # A refused deletion is tried again after an hour only: there is nothing that a user could edit.
        return PASS if fate == TOO_LARGE and message.method == "DELETE" else fate

    def meanwhile(self, device):
        choose, world = self.random, self.world
        chance = choose.random()
        if chance < 0.25 and not device.crash_is_armed:
            self.use(device)
        elif chance < 0.4:
            others = [other for other in world.devices if other is not device and not other.is_busy]
            if others:
                self.step(choose.choice(others))

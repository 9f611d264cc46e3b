"""The sequences in which clients and servers went wrong, one after the other."""
import concurrent.futures
import json
import shutil
import threading
import time
import uuid

from kit.proxy import EXPIRED, LOSE_ANSWER, LOSE_REQUEST, PASS, PORTAL, Given
from kit.server import Observer, Server, compact, is_for_tests
from kit.world import Failure, World

WRITES_MAX_S = 60
ALL = {}


class Point:
    """`body(server, command)` raises a `Failure`. One that has no client is about the server alone."""

    def __init__(self, body, is_short, has_client):
        self.body, self.is_short, self.has_client = body, is_short, has_client


def point(name, is_short=True, has_client=True):
    def add(body):
        ALL[name] = Point(body, is_short, has_client)
        return body
    return add


def expect(is_so, what):
    if not is_so:
        raise Failure(what)


class Script:
    """What happens at the next messages of a kind, each in its turn: an action, and what becomes of the message."""

    def __init__(self, world, device, *steps, kind="is_write"):
        self.world, self.device, self.steps, self.kind = world, device, list(steps), kind
        self.messages = []
        self.inside = False

    def __call__(self, device, message):
        if device is not self.device or self.inside or not getattr(message, self.kind):
            return PASS
        self.messages.append(message)
        if not self.steps:
            return PASS
        action, fate = self.steps.pop(0)
        self.inside = True
        try:
            action()
        finally:
            self.inside = False
        return fate


def nothing():
    pass


def past_the_second():
    """The times of documents, and the server's, are whole seconds."""
    time.sleep(1.1)


class Scene:
    """Two devices that show the same item."""

    def __init__(self, world, style="put", options=(), **members):
        self.world = world
        self.a, self.b = world.device("--style", style, *options), world.device("--style", "put")
        self.id = world.new(self.a, **members)
        self.share()

    def share(self):
        for device in (self.a, self.b, self.a):
            self.world.sync(device)

    def edit(self, device, pointer="/name", id=None):
        value = self.world.ledger.fresh()
        self.world.edit(device, id or self.id, {pointer: value})
        return value

    def edit_and_sync(self, device, pointer="/name"):
        value = self.edit(device, pointer)
        self.world.sync(device)
        return value

    def at_next_write(self, *steps):
        self.world.decide = Script(self.world, self.a, *steps)
        return self.world.decide

    def final(self):
        documents, lost = self.world.finish()
        return documents.get(self.id), lost


@point("1 edited meanwhile, then merged")
def merged_meanwhile(server, command):
    for pointer in ("/x1", "/name"):
        with World(server, command) as world:
            scene = Scene(world, "merge")
            name = scene.edit(scene.a)
            made = {}

            def meanwhile():
                made["theirs"] = scene.edit_and_sync(scene.b, "/x0")
                made["since"] = scene.edit(scene.a, pointer)
            scene.at_next_write((meanwhile, PASS))
            world.sync(scene.a)
            final, _ = scene.final()
            expect(final["x0"] == made["theirs"] and final[pointer[1:]] == made["since"], f"{final} has not {made}")
            expect(pointer == "/name" or final["name"] == name, "the edit that was sent is gone")
    with World(server, command) as world:
        scene = Scene(world, "merge")
        scene.edit(scene.a)
        scene.at_next_write((lambda: (scene.edit_and_sync(scene.b, "/x0"), world.delete(scene.a, scene.id)), PASS))
        world.sync(scene.a)
        expect(scene.final()[0] is None, "a deletion made meanwhile is forgotten")


@point("2 a reset beside an edit")
def reset(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        other, gone, deleted = (world.new(scene.a) for _ in range(3))
        scene.share()
        backup = world.back_up()
        late = world.new(scene.a)
        scene.share()
        mine, mine_again = scene.edit(scene.a), world.ledger.fresh()
        world.edit(scene.a, late, {"/x1": world.ledger.fresh()})
        world.edit(scene.a, other, {"/name": mine_again})
        world.delete(scene.a, deleted)
        world.bring_back(backup)
        theirs = scene.edit_and_sync(scene.b, "/x0")
        past_the_second()
        later = world.ledger.fresh()
        world.edit(scene.b, other, {"/name": later})
        world.edit(scene.b, deleted, {"/x0": world.ledger.fresh()})
        world.delete(scene.b, gone)
        world.sync(scene.b)
        documents, lost = world.finish()
        expect((documents[scene.id]["name"], documents[scene.id]["x0"]) == (mine, theirs), "the edits of one item are not both there")
        expect(documents[other]["name"] == later, "the earlier edit of a member won")
        expect(any(entry.get("value") == mine_again for entry in lost), "nobody was told which value lost")
        expect(late in documents, "what the backup did not have was not sent again")
        expect(deleted in documents, "a document that had changed was deleted unasked")


@point("2b another member changed elsewhere, unseen")
def unseen_change(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        # Older than the edit of the other device, and pushed just before it.
        theirs = scene.edit(scene.b, "/x0")
        mine = scene.edit(scene.a)
        scene.at_next_write((lambda: world.sync(scene.b), PASS))
        world.sync(scene.a)
        final, _ = scene.final()
        expect((final["name"], final["x0"]) == (mine, theirs), "a write has undone what its device had not seen")


@point("3 an answer older than the server's document")
def older_answer(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        scene.edit(scene.a)
        scene.at_next_write((nothing, LOSE_ANSWER))
        world.sync(scene.a)
        theirs = scene.edit_and_sync(scene.b, "/x0")
        # The other device may be done before the client's own pause is over.
        deadline = time.monotonic() + 10
        while world.sync(scene.a) and time.monotonic() < deadline:
            pass
        shown = world.state(scene.a)["items"][scene.id]
        expect(shown["x0"] == theirs, "the older answer has taken the place of the newer document")
        scene.final()


@point("4 last_sync after a restored backup", has_client=False)
def last_sync(server, command):
    if not is_for_tests(server.binary):
        print("point 4 needs a server built for tests, such as .build/debug/neuroviews-server: a release always looks back for a day")
        return
    own = Server(server.binary, server.cluster, {"NEUROVIEWS_SYNC_OVERLAP_S": "0"})
    try:
        account = own.register()
        observer = Observer(own, account)
        write_one(observer)
        backup = own.back_up()
        for _ in range(2):
            write_one(observer)
            last = observer.get("/configurations")[1]["server_time"]
            own.restore(backup)
            resets = []
            for _ in range(3):
                answer = observer.get(f"/configurations?last_sync={last}")[1]
                resets.append(answer["reset"])
                last = answer["server_time"]
            expect(resets == [True, False, False], f"resets: {resets}")
    finally:
        own.close()


def write_one(observer, **members):
    id = str(uuid.uuid4())
    document = {"id": id, "name": "one", "preset": "portrait", "video_format": "H.265", "resolution": "4K UHD", "frame_rate": 30,
                "created_at": "2026-03-01T12:00:00Z", "modified_at": "2026-03-01T12:00:00Z", **members}
    status, fields, answer = observer.send("POST", "/configurations", {"configuration": document})
    expect(status == 201, answer)
    return document, fields["etag"]


@point("5 the state hash beside unsent edits")
def hash_of_copies(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        world.edit(scene.a, scene.id, {"/frame_rate": -1})
        world.sync(scene.a)
        expect(scene.id in world.state(scene.a)["refused"], "the server's refusal is not told")
        world.decide = Script(world, scene.a, kind="is_pull")
        world.sync(scene.a)
        expect(len(world.decide.messages) == 1 and "sync_token" in world.decide.messages[0].path, "an unsent edit was taken for a wrong state")
        scene.final()


@point("5b an own write that a restored backup has forgotten")
def forgotten_write(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        backup = world.back_up()
        mine = scene.edit(scene.a)
        # The answer to the write is the last that the device hears.
        world.decide = lambda device, message: LOSE_REQUEST if message.is_pull and world.done else PASS
        world.sync(scene.a)
        world.decide = lambda device, message: PASS
        world.bring_back(backup)
        world.sync(scene.a)
        expect(mine in json.dumps(world.state(scene.a)["lost"]), "what only this device had is not named")
        scene.final()


@point("6 a refused atomic batch")
def refused_batch(server, command):
    with World(server, command) as world:
        scene = Scene(world, "atomic")
        others = [world.new(scene.a), world.new(scene.a)]
        mine = scene.edit(scene.a)
        made = []
        script = scene.at_next_write(*[(lambda: made.append(scene.edit_and_sync(scene.b, "/x0")), PASS)] * 3)
        for _ in range(4):
            world.sync(scene.a)
        batches = [message for message in script.messages if message.path.endswith("/batch")]
        expect(len({message.field("idempotency-key") for message in batches}) == len(batches), "a new batch has an old key")
        # A client may send its edits one by one, or without `atomic`.
        atomic = [message for message in batches if json.loads(message.body).get("atomic")]
        expect(len(atomic) in (0, 3), f"{len(atomic)} atomic batches, not three and then one by one")
        documents, _ = world.finish()
        expect((documents[scene.id]["name"], documents[scene.id]["x0"]) == (mine, made[-1]), "not both edits are there")
        expect(set(others) <= set(documents), "the others of the batch are not there")


@point("7 the same version number of another history")
def other_history(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        backup = world.back_up()
        scene.edit_and_sync(scene.a, "/x1")
        mine = scene.edit(scene.a)
        scene.at_next_write((nothing, LOSE_REQUEST))
        world.sync(scene.a)
        world.bring_back(backup)
        theirs = scene.edit_and_sync(scene.b, "/x0")
        final, _ = scene.final()
        expect((final["name"], final["x0"]) == (mine, theirs), "a version of the lost history was taken for the server's")


@point("8 modified_at in whole seconds", has_client=False)
def whole_seconds(server, command):
    observer = Observer(server, server.register())
    document, tag = write_one(observer, x="off")
    for wanted in ("on", "off", "on"):
        document = {**document, "x": wanted}
        status, fields, _ = observer.send("PUT", "/configurations/" + document["id"], {"configuration": document}, [("If-Match", tag)])
        expect(status == 200 and fields["etag"] != tag, "an edit was taken for the repetition of another one")
        tag = fields["etag"]
    expect(tag.startswith('"4-'), tag)


@point("9 two full sets within one paged pull")
def two_full_sets(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        few = world.back_up()
        for _ in range(8):
            world.new(scene.b)
        world.sync(scene.b)
        many = world.server.back_up()
        world.edit(scene.b, scene.id, {"/x0": world.ledger.fresh()})
        world.sync(scene.b)
        paging = world.device("--limit", "3")
        world.decide = Script(world, paging, (nothing, PASS), (lambda: world.bring_back(few), PASS), kind="is_pull")
        world.bring_back(many)
        world.sync(paging)
        world.sync(paging)
        shown = set(world.state(paging)["items"])
        expect(shown == {scene.id}, f"{len(shown)} items are shown; the first full set was not dropped")
        world.finish()


@point("10 what a repeated request has")
def repeated_request(server, command):
    for style in ("merge", "batch", "patch"):
        with World(server, command) as world:
            scene = Scene(world, style)
            scene.edit(scene.a)
            if style == "batch":
                world.new(scene.a)
            script = scene.at_next_write((nothing, LOSE_ANSWER))
            world.sync(scene.a)
            scene.a.restart()
            scene.edit(scene.a, "/x1")
            world.sync(scene.a)
            first, again = script.messages[:2]
            for field in ("prefer", "idempotency-key", "if-match"):
                expect(first.field(field) == again.field(field), f"{field} is not kept")
            # A client may take the styles for one: what its request needs is seen by the request.
            needed = "idempotency-key" if first.path.endswith("/batch") else "if-match" if first.method != "POST" else None
            expect(not needed or first.field(needed), f"{needed} is missing")
            expect((first.method, first.path, first.body) == (again.method, again.path, again.body), "another request was made")
            expect(first.field("x-nonce") != again.field("x-nonce"), "it is not signed anew")
            scene.final()


@point("11 a patch that changes nothing, repeated", has_client=False)
def idle_patch(server, command):
    observer = Observer(server, server.register())
    document, tag = write_one(observer)
    patch = ("PATCH", "/configurations/" + document["id"], {"name": "one"}, [("If-Match", tag), ("Content-Type", "application/merge-patch+json")])
    expect(observer.send(*patch)[1]["etag"] == tag, "it made a version")
    observer.send("PUT", patch[1], {"configuration": {**document, "name": "two"}}, [("If-Match", tag)])
    status, fields, _ = observer.send(*patch)
    expect((status, fields.get("etag")) == (200, tag), f"{status}: the repetition is not known")


@point("12 deleted elsewhere, edited meanwhile")
def deleted_elsewhere(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        sent, since = scene.edit(scene.a), []
        scene.at_next_write((lambda: (world.delete(scene.b, scene.id), world.sync(scene.b), since.append(scene.edit(scene.a, "/x0"))), PASS))
        world.sync(scene.a)
        world.sync(scene.a)
        state = world.state(scene.a)
        expect(scene.id in state["held"], "the edit made meanwhile is not held")
        expect(sent in json.dumps(state["lost"]), "what was sent is not named as lost")
        expect(scene.id not in world.observer.documents(), "it was brought back unasked")
        again = scene.edit(scene.a, "/x1")
        final, _ = scene.final()
        expect(final is not None and (final["x0"], final["x1"]) == (since[0], again), "it was not brought back when the user asked")


@point("13 a clock that is wrong")
def wrong_clock(server, command):
    expect(shutil.which("faketime"), "the program faketime is not installed (Debian: faketime)")
    with World(server, ["faketime", "-f", "+2h", *command]) as world:
        device = world.device()
        id = world.new(device)
        for _ in range(3):
            world.sync(device)
        expect(id in world.observer.documents(), "a device with a wrong clock can't write")


@point("14 a document of the greatest size", has_client=False)
def greatest_document(server, command):
    observer = Observer(server, server.register())
    limit = 1 << 20
    document, tag = write_one(observer)

    def sized(document, size):
        document = {**document, "filler": ""}
        return {**document, "filler": "x" * (size - len(compact(document)))}
    path, exact, over = "/configurations/" + document["id"], sized(document, limit), sized(document, limit + 1)
    status, fields, answer = observer.send("PUT", path, {"configuration": exact}, [("If-Match", tag)])
    expect(status == 200, answer)
    first, tag = tag, fields["etag"]
    expect(observer.send("PUT", path, {"configuration": over}, [("If-Match", tag)])[0] == 403, "a larger one is taken by PUT")
    for what, fate in ((exact, 201), (over, 403)):
        new = sized({**what, "id": str(uuid.uuid4())}, len(compact(what)))
        result = observer.send("POST", "/configurations/batch", {"operations": [{"operation": "create", "configuration": new}]})[2]["results"][0]
        expect(result["status"] == fate, f"in a batch: {result['status']}, not {fate}")
    patch = [("If-Match", tag), ("Content-Type", "application/merge-patch+json")]
    expect(observer.send("PATCH", path, {"name": "four"}, patch)[0] == 413, "a patch makes a larger one")
    status, fields, answer = observer.send("PATCH", path, {"name": "on"}, patch)
    expect(status == 200, answer)
    status, _, answer = observer.send("POST", path + "/restore", {"version": tag.strip('"')}, [("If-Match", fields["etag"])])
    expect(status == 200, answer)
    merge = [("If-Match", first), ("Prefer", "merge")]
    expect(observer.send("PUT", path, {"configuration": {**document, "more": "x"}}, merge)[0] == 412, "a merge makes a larger one")


# Full sets and refusals.

LAST_ID = "ffffffff-ffff-4fff-bfff-ffffffffffff"


def is_named(world, device, id, pointer, value):
    """Whether a device names the value of a member, in a document or by itself."""
    for entry in world.state(device)["lost"]:
        document = entry.get("document") or {}
        if entry["id"] == id and (document.get(pointer[1:]) == value or entry.get("pointer") == pointer and entry.get("value") == value):
            return True
    return False


@point("15 a write that gets 404")
def unknown_item(server, command):
    with World(server, command) as world:
        backup = world.back_up()
        devices = [world.device("--style", style) for style in ("put", "patch", "batch", "atomic")]
        items = [world.new(device) for device in devices]
        for device in 2 * devices:
            world.sync(device)
        values = [world.ledger.fresh() for _ in items]
        for device, id, value in zip(devices, items, values):
            world.edit(device, id, {"/name": value})
        # All have pulled, and none has written, when the backup comes back.
        restored = threading.Barrier(len(devices), lambda: world.bring_back(backup), WRITES_MAX_S)
        writes = {device: [] for device in devices}

        def decide(device, message):
            if not message.is_write:
                return PASS
            writes[device].append(message)
            if len(writes[device]) == 1:
                restored.wait()
            # A client that sends on and on is ended by the fourth.
            return PASS if len(writes[device]) <= 3 else LOSE_REQUEST
        world.decide = decide
        with concurrent.futures.ThreadPoolExecutor(len(devices)) as threads:
            list(threads.map(world.sync, devices))
        expect(not restored.broken, "not each device has written")
        counts = [len(sent) for sent in writes.values()]
        expect(max(counts) <= 3, f"{counts} writes in one sync")
        documents, _ = world.finish()
        for id, value in zip(items, values):
            expect(id in documents and documents[id]["name"] == value, "the edit was not sent again")


def write_and_forget(world, scene, items):
    """The first device's own edits of items are stored, and a restored backup forgets them; then others change the item of the scene twice. Returns the edits' values."""
    backup = world.back_up()
    values = [scene.edit(scene.a, id=id) for id in items]
    for _ in range(2):
        world.sync(scene.a)
    world.bring_back(backup)
    for _ in range(2):
        scene.edit_and_sync(scene.b, "/x0")
    return values


@point("16a a full set with a greater number")
def greater_number(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        mine, = write_and_forget(world, scene, [scene.id])
        world.sync(scene.a)
        expect(is_named(world, scene.a, scene.id, "/name", mine), "what the full set has replaced is not named")
        scene.final()


@point("16b a full set beside an edit")
def full_set_beside_edit(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        # The other one nobody else changes.
        items = [scene.id, world.new(scene.a)]
        scene.share()
        values = write_and_forget(world, scene, items)
        later = [scene.edit(scene.a, "/x1", id) for id in items]
        world.sync(scene.a)
        for id, value in zip(items, values):
            expect(is_named(world, scene.a, id, "/name", value), "what the full set has replaced is not named")
        documents, _ = world.finish()
        expect([documents[id]["x1"] for id in items] == later, "the edit is gone")


@point("16c a refusal by a restored server")
def refused_by_restored(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        backup = world.back_up()
        mine = scene.edit_and_sync(scene.a)
        other = scene.edit(scene.a, "/x1")
        script = scene.at_next_write((lambda: world.bring_back(backup), PASS), *[(nothing, PASS)] * 2, *[(nothing, LOSE_REQUEST)] * 9)
        world.sync(scene.a)
        script.steps.clear()
        expect(len(script.messages) <= 3, f"{len(script.messages)} writes in one sync")
        expect(is_named(world, scene.a, scene.id, "/name", mine), "what the refusal's document has replaced is not named")
        expect(scene.final()[0]["x1"] == other, "the edit is gone")


@point("16d a full set with a tombstone")
def full_set_with_tombstone(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        scene.edit(scene.a)
        scene.at_next_write((lambda: (world.delete(scene.b, scene.id), world.sync(scene.b), scene.edit(scene.a, "/x0")), PASS))
        world.sync(scene.a)
        backup = world.back_up()
        again = scene.edit_and_sync(scene.a, "/x1")
        world.sync(scene.a)
        expect(scene.id in world.observer.documents(), "it was not brought back when the user asked")
        world.bring_back(backup)
        world.sync(scene.a)
        expect(is_named(world, scene.a, scene.id, "/x1", again), "what the tombstone has replaced is not named")
        scene.final()


@point("16e an item that two devices send again")
def sent_by_two(server, command):
    with World(server, command) as world:
        backup = world.back_up()
        scene = Scene(world)
        mine = scene.edit_and_sync(scene.a)
        world.bring_back(backup)
        theirs, other = scene.edit(scene.b, "/x0"), scene.edit(scene.a, "/x1")
        scene.at_next_write((lambda: world.sync(scene.b), PASS))
        world.sync(scene.a)
        expect(is_named(world, scene.a, scene.id, "/name", mine), "what only this device had is not named")
        final, _ = scene.final()
        expect((final["x0"], final["x1"]) == (theirs, other), "not both edits are there")


@point("16g an edit of what waits for a pull")
def edited_while_it_waits(server, command):
    with World(server, command) as world:
        scene, sent = Scene(world), []
        other = world.new(scene.a)
        scene.share()
        for id in (scene.id, other):
            scene.edit(scene.a, id=id)
        script = Script(world, scene.a, (nothing, Given(412, "version-mismatch")), (lambda: scene.edit(scene.a, "/x1", min(script.messages[0].ids)), PASS))
        world.decide = lambda device, message: sent.append(message) or script(device, message)
        world.sync(scene.a)
        second = sent.index(script.messages[1])
        expect(sent[second + 1].is_pull, "the edit was sent before the next pull")
        scene.final()


@point("17 a backup between two writes")
def backup_between_writes(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        backup = world.back_up()
        mine = scene.edit(scene.a)
        world.edit(scene.a, LAST_ID, {}, new=world.document(LAST_ID))
        scene.at_next_write((nothing, PASS), (nothing, LOSE_REQUEST))
        world.sync(scene.a)
        world.bring_back(backup)
        scene.edit_and_sync(scene.b, "/x0")
        world.sync(scene.a)
        expect(is_named(world, scene.a, scene.id, "/name", mine), "the write before the last is forgotten, unnamed")
        documents, _ = world.finish()
        expect(LAST_ID in documents, "the write without an answer is not there")


@point("17b more writes than a pull can name")
def many_writes(server, command):
    with World(server, command) as world:
        device = world.device()
        for _ in range(70):
            world.new(device)
        world.decide = Script(world, device, kind="is_pull")
        world.sync(device)
        counts = [len(message.path.partition("seen=")[2].partition("&")[0].replace("%2C", ",").split(",")) for message in world.decide.messages]
        expect(max(counts) <= 32, f"a pull has sent {max(counts)} heads")
        expect(len(world.finish()[0]) == 70, "not all are there")


@point("18 deleted, made anew, and unknown to the server")
def made_anew(server, command):
    with World(server, command) as world:
        backup = world.back_up()
        scene = Scene(world)
        world.delete(scene.a, scene.id)
        new = world.document(scene.id)
        scene.at_next_write((lambda: (world.bring_back(backup), world.edit(scene.a, scene.id, {}, new=new)), PASS))
        world.sync(scene.a)
        final, _ = scene.final()
        expect(final is not None and final["name"] == new["name"], "the new document went with the deletion of the old one")


@point("18a deleted, and made anew with fewer members")
def made_anew_with_less(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        world.edit(scene.a, scene.id, {"/extra": world.ledger.fresh()})
        scene.at_next_write((lambda: (world.delete(scene.a, scene.id), world.edit(scene.a, scene.id, {}, new=world.document(scene.id))), PASS))
        world.sync(scene.a)
        final, _ = scene.final()
        expect("extra" not in final, "the new document has a member of the deleted one")


@point("19 refused, and the reason goes")
def reason_goes(server, command):
    for also in (True, False):
        with World(server, command) as world:
            scene = Scene(world)
            mine = world.ledger.fresh()
            world.edit(scene.a, scene.id, {"/frame_rate": -1, **({"/name": mine} if also else {})})
            world.sync(scene.a)
            expect(scene.id in world.state(scene.a)["refused"], "the refusal is not told")
            past_the_second()
            world.edit(scene.b, scene.id, {"/frame_rate": 60})
            world.sync(scene.b)
            world.sync(scene.a)
            expect(scene.id not in world.state(scene.a)["refused"], "it is refused still, though nothing refused is left")
            expect(not also or world.observer.documents()[scene.id]["name"] == mine, "the rest of the edit was not sent")
            scene.final()
    with World(server, command) as world:
        scene = Scene(world)
        other = world.new(scene.b)
        scene.share()
        mine = scene.edit(scene.a)
        scene.at_next_write((nothing, Given(403, "quota-exceeded")))
        world.sync(scene.a)
        expect(scene.id in world.state(scene.a)["refused"], "the refusal is not told")
        world.delete(scene.b, other)
        for device in (scene.b, scene.a):
            world.sync(device)
        expect(world.observer.documents()[scene.id]["name"] == mine, "it was not tried again when another device had made room")
        scene.final()


@point("19a refused, and each pull is a full set")
def refused_for_ever(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        gone = world.new(scene.a)
        world.sync(scene.a)
        world.delete(scene.a, gone)
        world.sync(scene.a)
        world.edit(scene.a, scene.id, {"/frame_rate": -1})
        writes = []

        def decide(device, message):
            if device is scene.a and message.is_write:
                writes.append(message)
            return Given(414) if device is scene.a and "sync_token" in message.path and len(writes) < 50 else PASS
        world.decide = decide
        world.sync(scene.a)
        expect(1 <= len(writes) <= 5, f"what is refused was sent {len(writes)} times in one sync")
        world.decide = lambda device, message: PASS
        world.edit(scene.a, scene.id, {"/frame_rate": 60})
        scene.final()


@point("20 401 again and again")
def unauthorized(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        for code in ("signature-invalid", "clock-skew", "token-expired"):
            mine, told = scene.edit(scene.a), world.state(scene.a)["told"]
            given = Given(401, code, server_time=int(time.time()))
            script = scene.at_next_write(*[(nothing, given)] * 30)
            world.sync(scene.a)
            state = world.state(scene.a)
            expect(len(script.messages) <= 3, f"{len(script.messages)} attempts in one sync")
            expect(not state["refused"] and state["unsent"] and not state["lost"], "the edit is given up")
            expect(len(state["told"]) > len(told), "the user is not told")
            script.steps.clear()
            final, _ = scene.final()
            expect(final["name"] == mine, "the edit is gone")


@point("20b a login that is refused")
def login_refused(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        mine, messages = scene.edit(scene.a), []

        def decide(device, message):
            if device is not scene.a:
                return PASS
            messages.append(message)
            return Given(401, "account-disabled")
        world.decide = decide
        for _ in range(3):
            # A pause must not hide a further try.
            time.sleep(min(world.sync(scene.a), 0.1))
        expect(1 <= len(messages) <= 2, f"{len(messages)} messages, though only the user can help")
        expect(world.state(scene.a).get("told"), "the user is not told")
        scene.a.ask("login")
        world.decide = lambda device, message: PASS
        expect(scene.final()[0]["name"] == mine, "the edit is gone")


@point("21 answers of others")
def of_others(server, command):
    gateway, tagged = Given(403, type="about:blank"), Given(200)
    tagged.fields.append(("ETag", '"1-000000000000"'))
    answers = (Given(404), Given(403), Given(200), Given(302), Given(304), gateway, tagged, Given(431, "header-too-large"), Given(405, "method-not-allowed"), Given(503))
    for style in ("put", "batch"):
        with World(server, command) as world:
            scene = Scene(world, style)
            for given in answers:
                mine = scene.edit(scene.a)
                script = scene.at_next_write((nothing, given))
                wait = world.sync(scene.a)
                state = world.state(scene.a)
                expect(state["unsent"] and not state["refused"] and not state["lost"], f"{given.status} was taken for the server's answer")
                time.sleep(min(wait, 1))
                world.sync(scene.a)
                first, again = script.messages[:2]
                expect((first.method, first.path, first.body) == (again.method, again.path, again.body), f"after {given.status} another request was made")
                expect(scene.final()[0]["name"] == mine, "the edit is gone")


@point("21b a proxy that takes no large bodies")
def small_proxy(server, command):
    with World(server, command) as world:
        scene = Scene(world, "batch")
        other = world.new(scene.a)
        mine = scene.edit(scene.a)
        large = lambda device, message: Given(413) if device is scene.a and message.is_write and scene.id in message.path + message.body.decode() else PASS
        world.decide = large
        for _ in range(4):
            time.sleep(min(world.sync(scene.a), 1))
        expect(other in world.observer.documents(), "one document blocks all others")
        expect(scene.id in world.state(scene.a)["refused"], "nobody is told")
        world.decide = lambda device, message: PASS
        again = scene.edit(scene.a, "/x0")
        final, _ = scene.final()
        expect((final["name"], final["x0"]) == (mine, again), "the edit is gone")


@point("22 a document that always gets 500, or answers of others", is_short=False)
def always_unknown(server, command):
    unknown = {"put": (Given(500, "internal-error"), Given(403), Given(404), Given(401, "signature-invalid")), "batch": (LOSE_REQUEST, Given(200))}
    for style, answers in unknown.items():
        with World(server, command) as world:
            scene = Scene(world, style)
            for given in answers:
                give_up(world, scene, given)


def give_up(world, scene, given):
    """The first device edits two items, and one of them always gets this answer."""
    last = world.ledger.fresh()
    world.edit(scene.a, LAST_ID, {"/name": last}, new=world.document(LAST_ID))
    scene.edit(scene.a)
    count, rounds = [], 30

    def decide(device, message):
        if device is scene.a and message.is_write and scene.id in message.path + message.body.decode():
            count.append(message)
            return given
        return PASS
    world.decide = decide
    while rounds:
        time.sleep(min(world.sync(scene.a), 1))
        rounds -= 1
        if rounds % 3 == 0:
            # The number of attempts is on disk.
            scene.a.restart()
        if scene.id in world.state(scene.a)["refused"]:
            # It must stay so.
            rounds = min(rounds, 2)
    expect(world.observer.documents().get(LAST_ID, {}).get("name") == last, "one document blocks all others")
    expect(scene.id in world.state(scene.a)["refused"], "nobody is told")
    expect(10 <= len(count) <= 20, f"{len(count)} attempts")
    world.finish()


@point("22a a portal that answers everything, for long")
def portal_for_long(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        mine = scene.edit(scene.a)
        scene.at_next_write((nothing, LOSE_REQUEST))
        world.sync(scene.a)
        world.decide = lambda device, message: PORTAL if device is scene.a else PASS
        for _ in range(24):
            time.sleep(min(world.sync(scene.a), 0.1))
        state = world.state(scene.a)
        expect(state["unsent"] and not state["refused"], "the edit is given up, though nothing comes through")
        world.decide = lambda device, message: PASS
        expect(scene.final()[0]["name"] == mine, "the edit is gone")


@point("22b a server that never has enough")
def refused_for_ever(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        scene.edit(scene.a)
        script = scene.at_next_write(*[(nothing, Given(412, "version-mismatch"))] * 100)
        world.sync(scene.a)
        expect(len(script.messages) <= 5, f"{len(script.messages)} writes in one sync")
        script.steps.clear()
        scene.final()


@point("22c the tenth try behind a GET without an answer", is_short=False)
def tenth_try(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        mine, writes, asked = scene.edit(scene.a), [], []

        def decide(device, message):
            if device is not scene.a:
                return PASS
            if message.is_write:
                writes.append(message)
                return LOSE_REQUEST if len(writes) < 10 else PASS
            if message.path.endswith("?limit=1"):
                asked.append(message)
                return LOSE_REQUEST
            return PASS
        world.decide = decide
        rounds = 30
        while len(writes) < 10 and len(asked) < 2 and rounds:
            time.sleep(min(world.sync(scene.a), 1))
            rounds -= 1
        expect((len(writes), len(asked)) == (10, 1), f"{len(writes)} writes beside {len(asked)} GETs without an answer")
        expect(scene.final()[0]["name"] == mine, "the edit is gone")


@point("23 an older version wanted back")
def older_version(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        first = world.observer.documents()[scene.id]
        tag = world.observer.versions(scene.id)[0]
        world.edit(scene.a, scene.id, {"/x1": world.ledger.fresh()}, ["/x0"])
        world.sync(scene.a)
        scene.edit(scene.a)
        expect(world.restore(scene.a, scene.id, tag), "it can't be had beside an edit")
        shown = world.state(scene.a)["items"][scene.id]
        expect("x1" not in shown and (shown["x0"], shown["name"]) == (first["x0"], first["name"]), "it is not shown at once")
        theirs = scene.edit(scene.b, "/p")
        world.sync(scene.b)
        world.sync(scene.a)
        final, _ = scene.final()
        expect("x1" not in final and (final["x0"], final["name"], final["p"]) == (first["x0"], first["name"], theirs), "it is not what was wanted")


@point("24 no conflict, and nothing is named")
def nothing_named(server, command):
    for style in ("put", "merge", "patch", "batch", "atomic"):
        with World(server, command) as world:
            scene = Scene(world, style)
            before = world.state(scene.a)["items"][scene.id]["name"]
            scene.edit(scene.a)
            world.edit(scene.a, scene.id, {"/n": 7, "/flag": None}, ["/x0"])
            world.edit(scene.b, scene.id, {"/list": [], "/o/c": True}, ["/o/b"])
            scene.at_next_write((lambda: (scene.edit_and_sync(scene.b, "/x1"), scene.edit(scene.a, "/p")), PASS))
            world.sync(scene.a)
            scene.share()
            world.edit(scene.a, scene.id, {"/name": before})
            final, lost = scene.final()
            expect(not lost, f"named without a reason: {lost}")
            expect("x0" not in final and "b" not in final["o"], "what was removed is there again")
            expect((final["n"], final["flag"], final["list"], final["o"]["c"], final["name"]) == (7, None, [], True, before), f"{final}")


@point("25 a removal against a value")
def removal_against_value(server, command):
    for is_removal_later in (True, False):
        with World(server, command) as world:
            scene = Scene(world)
            old = world.state(scene.a)["items"][scene.id]["x0"]
            remove = lambda: world.edit(scene.a, scene.id, {}, ["/x0"])
            theirs = None if is_removal_later else remove()
            past_the_second()
            theirs = scene.edit_and_sync(scene.b, "/x0")
            if is_removal_later:
                remove()
            final, lost = scene.final()
            expect(("x0" not in final) == is_removal_later, f"the earlier of a removal and a value won: {final}")
            named = [entry for entry in lost if entry.get("pointer") == "/x0"]
            expect(len(named) == 1 and ("value" in named[0]) == is_removal_later and named[0].get("value", theirs) == theirs != old, f"the other one is not named: {lost}")


@point("26 two members whose parent is gone")
def parent_is_gone(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        first = scene.edit(scene.a, "/o/a")
        theirs = scene.edit_and_sync(scene.b, "/o")
        second = scene.edit(scene.a, "/o/b")
        final, lost = scene.final()
        expect(final["o"] == {"a": first, "b": second}, f"the members did not go together: {final['o']}")
        expect([(entry.get("pointer"), entry.get("value")) for entry in lost] == [("/o", theirs)], f"{lost}")


@point("27 a page that is lost")
def lost_page(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        for _ in range(8):
            world.new(scene.b)
        world.sync(scene.b)
        paging = world.device("--limit", "3")
        world.decide = Script(world, paging, *[(nothing, PASS), (nothing, LOSE_ANSWER)] * 2, kind="is_pull")
        for _ in range(3):
            time.sleep(min(world.sync(paging), 1))
        paths = [message.path for message in world.decide.messages]
        expect(paths[1] == paths[2] and paths[3] == paths[4], f"a lost page is not asked for again: {paths}")
        expect(len(world.state(paging)["items"]) == 9, "not all are there")
        world.finish()


@point("27a a pull that is refused")
def refused_pull(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        for _ in range(4):
            world.new(scene.b)
        world.sync(scene.b)
        refused = Given(400, "invalid-parameter")
        paging = world.device("--limit", "3")
        world.decide = Script(world, paging, (nothing, PASS), *[(nothing, refused)] * 50, kind="is_pull")
        time.sleep(min(world.sync(paging), 1))
        expect(len(world.decide.messages) == 2, f"a page of a full set that is refused is asked for {len(world.decide.messages) - 1} times in one sync")
        world.decide.steps.clear()
        world.sync(paging)
        expect(len(world.state(paging)["items"]) == 5, "not all are there")
        # A token that the server doesn't take is worth a full set.
        world.decide = Script(world, paging, (nothing, refused), kind="is_pull")
        world.sync(paging)
        expect("sync_token" not in world.decide.messages[1].path, "no full set is asked for")
        world.finish()


@point("28 a crash at each place of a sync", is_short=False)
def crash_anywhere(server, command):
    for is_refused in (False, True):
        with World(server, command) as world:
            scene = Scene(world)
            for place in range(60):
                other = world.new(scene.b)
                scene.edit_and_sync(scene.b, "/x0")
                mine = scene.edit(scene.a)
                starts = scene.a.starts
                world.crash(scene.a, place)
                if is_refused:
                    scene.at_next_write((lambda: scene.edit_and_sync(scene.b, "/x1"), PASS))
                world.sync(scene.a)
                if scene.a.starts == starts:
                    break
                for _ in range(2):
                    world.sync(scene.a)
                items = world.state(scene.a)["items"]
                expect(other in items and items[scene.id]["name"] == mine, f"after a crash at place {place} something is not there")
            _, lost = world.finish()
            expect(not lost, f"named without a reason: {lost}")


@point("29 a deletion beside a document that the server may have")
def deletion_beside_post(server, command):
    with World(server, command) as world:
        device, fates = world.device(), [PASS, LOSE_ANSWER, Given(413), LOSE_REQUEST]
        id = world.new(device)
        # A pull, the write, its repetition, and the pull after it.
        world.decide = lambda device, message: fates.pop(0) if fates and "/configurations" in message.path else PASS
        for _ in range(2):
            time.sleep(min(world.sync(device), 0.1))
        expect(not fates and id in world.observer.documents(), "the write was not given up")
        world.delete(device, id)
        world.given_up[device.name, id] = None
        world.finish()
    with World(server, command) as world:
        scene, id = Scene(world), "10000000-0000-4000-8000-000000000000"
        world.edit(scene.a, id, {}, new=world.document(id))

        def meanwhile():
            world.edit(scene.b, id, {}, new=world.document(id))
            world.sync(scene.b)
            world.delete(scene.a, id)
        scene.at_next_write((meanwhile, PASS))
        world.sync(scene.a)
        scene.final()


@point("30 Retry-After of any length, and of others")
def any_retry_after(server, command):
    for given, least, most in ((Given(503, "overloaded", retry_after=0), 1, 3600), (Given(429, "rate-limited", retry_after=10**9), 60, 3600), (Given(503, retry_after=10**9), 0, 300)):
        with World(server, command) as world:
            scene = Scene(world)
            scene.edit(scene.a)
            scene.at_next_write((nothing, given))
            wait = world.sync(scene.a)
            expect(least <= wait <= most, f"a pause of {wait} s after {given}")
            scene.a.restart()
            scene.final()


@point("31 a merge, and a value that was there")
def merge_of_the_same(server, command):
    for pointer, mine in (("/name", None), ("/o", {"a": "of mine"})):
        with World(server, command) as world:
            scene = Scene(world, "merge")
            before = world.state(scene.a)["items"][scene.id]
            mine = before["name"] if mine is None else {**mine, "b": before["o"]["b"]}
            theirs = scene.edit(scene.b, "/name" if pointer == "/name" else "/o/b")
            world.edit(scene.a, scene.id, {pointer: mine})
            scene.at_next_write((lambda: world.sync(scene.b), PASS))
            world.sync(scene.a)
            final, lost = scene.final()
            expect(final[pointer[1:]] == mine, f"the later value was dropped: {final}")
            expect(theirs in json.dumps(lost), "nobody was told that the earlier one lost")


@point("32 refused, and an hour goes by")
def hour_goes_by(server, command):
    expect(shutil.which("faketime"), "the program faketime is not installed (Debian: faketime)")
    with World(server, command) as world:
        scene = Scene(world)
        mine = scene.edit(scene.a)
        scene.at_next_write((nothing, Given(413)))
        world.sync(scene.a)
        expect(scene.id in world.state(scene.a)["refused"], "nobody is told")
        scene.a.command = ["faketime", "-f", "+61m", *command]
        scene.a.restart()
        world.sync(scene.a)
        expect(world.observer.documents()[scene.id]["name"] == mine, "it was not tried again")
        expect(scene.id not in world.state(scene.a)["refused"], "it is refused still")


@point("33 times that few clocks show")
def rare_times(server, command):
    for time_of_others in ("2016-12-31t23:59:60z", "0000-02-29T00:00:00.123456789+23:59"):
        with World(server, command) as world:
            scene = Scene(world)
            mine = scene.edit(scene.a)
            document = {**world.observer.documents()[scene.id], "name": world.ledger.fresh(), "modified_at": time_of_others}
            status, _, answer = world.observer.send("PUT", f"/configurations/{scene.id}", {"configuration": document}, [("If-Match", "*")])
            expect(status == 200, answer)
            for _ in range(2):
                world.sync(scene.a)
            expect(world.observer.documents()[scene.id]["name"] == mine, f"the earlier edit won, of {time_of_others}")
            expect(is_named(world, scene.a, scene.id, "/name", document["name"]), "nobody was told that the earlier one lost")


@point("34 given up though it was done, and changed back by others")
def given_up_and_changed_back(server, command):
    for style in ("put", "batch"):
        with World(server, command) as world:
            scene = Scene(world, style)
            before = world.state(scene.a)["items"][scene.id]["name"]
            scene.edit(scene.a)

            def change_back():
                world.sync(scene.b)
                past_the_second()
                world.edit(scene.b, scene.id, {"/name": before})
                world.sync(scene.b)
            scene.at_next_write((nothing, LOSE_ANSWER), (change_back, Given(413)))
            for _ in range(2):
                time.sleep(min(world.sync(scene.a), 0.1))
            world.decide = lambda device, message: PASS
            world.given_up[scene.a.name, scene.id] = None
            expect(scene.final()[0]["name"] == before, "the later edit is undone")


@point("35 a second deletion beside the first")
def deletion_beside_deletion(server, command):
    with World(server, command) as world:
        scene, done = Scene(world), []

        def first(step):
            is_first = step not in done
            done.append(step)
            return is_first

        def decide(device, message):
            if device is scene.a and message.is_write and first("deletion"):
                world.edit(scene.a, scene.id, {}, new=world.document(scene.id))
                world.delete(scene.a, scene.id)
            elif device is scene.a and message.is_pull and "deletion" in done and first("pull"):
                return LOSE_REQUEST
            elif device is scene.b and message.is_write and first("edit"):
                scene.edit(scene.b, "/p")
                world.sync(scene.a)
            return PASS
        world.delete(scene.a, scene.id)
        scene.edit(scene.b)
        world.decide = decide
        world.sync(scene.b)
        expect(scene.id in world.state(scene.b)["held"], "the edit made meanwhile is not held")
        # The user brings the item back.
        scene.edit_and_sync(scene.b, "/x1")
        time.sleep(0.05)
        world.sync(scene.a)
        expect(any(entry.get("deletion") for entry in world.state(scene.a)["lost"]), "the second deletion is undone, and nobody was told")
        scene.final()


# Sessions and accounts.


@point("36 a refresh whose answer is lost")
def lost_refresh(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        expired, attempts, is_due = set(), [], [True]

        def decide(device, message):
            if device is not scene.a or message.path.endswith("/auth/login"):
                return PASS
            if message.is_refresh:
                attempts.append(json.loads(message.body or b"{}").get("attempt"))
                if len(attempts) > 1:
                    return PASS
                # The app ends before it can store the new token.
                scene.a.process.kill()
                return LOSE_ANSWER
            if is_due:
                expired.add(message.field("authorization"))
                is_due.clear()
            return EXPIRED if message.field("authorization") in expired else PASS
        world.decide = decide
        for _ in range(2):
            time.sleep(min(world.sync(scene.a), 1))
        is_due.append(True)
        mine = scene.edit(scene.a)
        world.sync(scene.a)
        expect(len(attempts) == 3, f"{len(attempts)} refreshes, not one that was lost, its repetition, and one of the next token")
        first, again, later = (str(uuid.UUID(attempt or "")) for attempt in attempts)
        expect(first == again, "the repetition is another attempt")
        expect(later != first, "the next refresh has the attempt of the one before")
        expect(scene.final()[0]["name"] == mine, "the edit is gone")


@point("37 a token that is outdated")
def outdated_token(server, command):
    outdated = Given(401, "token-outdated")
    for answer in (PASS, Given(401, "session-ended")):
        with World(server, command) as world:
            scene = Scene(world)
            mine, paths = scene.edit(scene.a), []

            def decide(device, message):
                if device is not scene.a or message.is_pull:
                    return PASS
                paths.append(message.path)
                return outdated if len(paths) == 1 else answer if message.is_refresh else PASS
            world.decide = decide
            world.sync(scene.a)
            expect(paths[1].endswith("/auth/refresh"), "without a newer token the client does not refresh with its own")
            is_new = any(path.endswith("/auth/login") for path in paths)
            expect(is_new == (answer != PASS), "the client did not log in after a refresh that got 401" if answer != PASS else "the client has logged in, though the session is good")
            expect(not world.state(scene.a)["told"], "the user was told of something that the client can mend")
            expect(scene.final()[0]["name"] == mine, "the edit is gone")
    with World(server, command) as world:
        scene = Scene(world)
        tag, mine, refreshes, done = world.observer.versions(scene.id)[0], scene.edit(scene.a), [], []

        def first(step):
            is_first = step not in done
            done.append(step)
            return is_first

        def meanwhile(device, message):
            if device is not scene.a:
                return PASS
            if message.is_refresh:
                refreshes.append(message)
            if "/versions/" in message.path and first("version"):
                return EXPIRED
            if message.is_write and first("write"):
                # Another exchange of the device gets the next token.
                expect(world.restore(scene.a, scene.id, tag), "an older version can't be had beside a sync")
                return outdated
            return PASS
        world.decide = meanwhile
        world.sync(scene.a)
        expect(len(refreshes) == 1, f"{len(refreshes)} refreshes, though a newer token was stored")
        final, _ = scene.final()
        expect(final["name"] != mine, "the older version is forgotten")


@point("37a a refresh that is refused for its clock or its nonce")
def resigned_refresh(server, command):
    expect(shutil.which("faketime"), "the program faketime is not installed (Debian: faketime)")
    for code in ("clock-skew", "nonce-used"):
        with World(server, command) as world:
            scene = Scene(world)
            if code == "clock-skew":
                # The clock goes wrong while the token expires. The server itself refuses.
                scene.a.command = ["faketime", "-f", "+2h", *command]
                scene.a.restart()
            mine, expired, messages = scene.edit(scene.a), [], []

            def decide(device, message):
                if device is not scene.a:
                    return PASS
                messages.append(message)
                # A client whose clock says so refreshes first.
                expired.append(message.field("authorization"))
                if message.is_refresh:
                    return Given(401, code) if code == "nonce-used" and len(refreshes()) == 1 else PASS
                return EXPIRED if message.field("authorization") == expired[0] else PASS

            def refreshes():
                return [json.loads(message.body or b"{}").get("attempt") for message in messages if message.is_refresh]
            world.decide = decide
            world.sync(scene.a)
            expect(not any(message.path.endswith("/auth/login") for message in messages), "the client has logged in, though the session is good")
            expect(len(refreshes()) == 2, f"{len(refreshes())} refreshes, not one that was refused and its repetition")
            expect(len(set(refreshes())) == 1, "the repetition is another attempt")
            expect(not world.state(scene.a)["told"], "the user was told of something that the client can mend")
            expect(scene.final()[0]["name"] == mine, "the edit is gone")


@point("38 an erased account, and a new one of the same address")
def erased_account(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        world.new(scene.a)
        scene.at_next_write((nothing, LOSE_REQUEST))
        world.sync(scene.a)
        scene.edit(scene.a)
        email, password = world.account
        status, _, answer = world.observer.send("DELETE", "/account", {"password": password})
        expect(status == 200, answer)
        server.register(email)
        # Nothing of the erased account is expected any more.
        world.ledger.acts.clear()
        for device in 3 * world.devices:
            time.sleep(min(world.sync(device), 1))
        state = world.state(scene.a)
        expect(not world.observer.documents(), "the new account has got what the erased one had")
        expect(not (state["items"] or state["unsent"] or state["lost"]), "what the erased account had is shown in the new one")
        id = world.new(scene.a)
        documents, _ = world.finish()
        expect(list(documents) == [id], "the new account is not in use")


@point("38a another account, and the first one again")
def account_again(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        mine, first, other = scene.edit(scene.a), scene.a.account, server.register()
        for account in (other, first):
            scene.a.account = account
            scene.a.restart()
            for _ in range(3):
                time.sleep(min(world.sync(scene.a), 1))
            items = world.state(scene.a)["items"]
            expect(list(items) == ([scene.id] if account == first else []), f"{len(items)} items are shown")
        expect(world.observer.documents()[scene.id]["name"] == mine, "the edit of the first account is gone")
        scene.final()


# Clocks, cursors and stores.

AHEAD = "2099-01-01T00:00:00Z"


def write_ahead(world, id, pointer):
    """A device whose clock is ahead changes an item. Returns its value."""
    # The times of a history that has just begun are up to a second ahead, too.
    past_the_second()
    before, value = world.observer.documents()[id], world.ledger.fresh()
    after = {**before, pointer[1:]: value, "modified_at": AHEAD}
    status, _, answer = world.observer.send("PUT", f"/configurations/{id}", {"configuration": after}, [("If-Match", "*")])
    expect(status == 200, answer)
    world.ledger.edit("ahead", id, before, after, [pointer])
    return value


@point("39 a clock that is ahead", is_short=False)
def clock_ahead(server, command):
    for is_mine_later in (True, False):
        with World(server, command) as world:
            scene = Scene(world)
            mine = None if is_mine_later else scene.edit(scene.a)
            theirs = write_ahead(world, scene.id, "/name")
            if is_mine_later:
                past_the_second()
                mine = scene.edit(scene.a)
            final, lost = scene.final()
            winner, loser = (mine, theirs) if is_mine_later else (theirs, mine)
            expect(final["name"] == winner, "the earlier edit won")
            expect(loser in json.dumps(lost), "nobody was told which value lost")


@point("39a a clock that is ahead, and a merge whose answer is late", is_short=False)
def clock_ahead_of_merge(server, command):
    with World(server, command) as world:
        scene, theirs = Scene(world, "merge"), []
        scene.edit(scene.a)
        scene.at_next_write((lambda: theirs.append(write_ahead(world, scene.id, "/x0")), LOSE_ANSWER))
        world.sync(scene.a)
        past_the_second()
        mine = scene.edit(scene.a, "/x0")
        final, lost = scene.final()
        expect(final["x0"] == mine, "the earlier edit won")
        expect(theirs[0] in json.dumps(lost), "nobody was told that the earlier one lost")


@point("40 last_sync, and another member changed elsewhere")
def last_sync_unseen(server, command):
    with World(server, command) as world:
        scene = Scene(world, options=("--cursor", "last_sync"))
        theirs, mine = scene.edit(scene.b, "/x0"), scene.edit(scene.a)
        script = scene.at_next_write((lambda: world.sync(scene.b), PASS))
        world.sync(scene.a)
        expect(script.messages[0].field("if-match"), "a write has no If-Match")
        final, _ = scene.final()
        expect((final["name"], final["x0"]) == (mine, theirs), "a write has undone what its device had not seen")


@point("41 a store that came back")
def store_came_back(server, command):
    for is_sent in (True, False):
        with World(server, command) as world:
            scene = Scene(world)
            before = world.state(scene.a)["items"][scene.id]["name"]
            mine = scene.edit(scene.a)
            if is_sent:
                scene.at_next_write((nothing, LOSE_ANSWER))
                world.sync(scene.a)
            scene.a.back_up()
            for device in (scene.a, scene.b):
                time.sleep(min(world.sync(device), 1))
            past_the_second()
            world.edit(scene.b, scene.id, {"/name": before})
            world.sync(scene.b)
            scene.a.bring_back()
            # It may name what the full set replaces.
            world.ledger.has_backup = True
            world.sync(scene.a)
            expect(is_named(world, scene.a, scene.id, "/name", mine), "nobody was told that the earlier edit lost")
            expect(scene.final()[0]["name"] == before, "the later edit is undone")


@point("41a a store and a server that came back")
def both_came_back(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        backup = world.back_up()
        mine = scene.edit_and_sync(scene.a)
        later = scene.edit(scene.a, "/x1")
        scene.a.back_up()
        world.sync(scene.a)
        world.bring_back(backup)
        scene.a.bring_back()
        world.sync(scene.a)
        expect(is_named(world, scene.a, scene.id, "/name", mine), "what only the store has is not named")
        expect(scene.final()[0]["x1"] == later, "the edit of the store is gone")


@point("42 created_at of what was made anew")
def created_anew(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        created = world.observer.documents()[scene.id]["created_at"]
        past_the_second()
        world.delete(scene.a, scene.id)
        world.edit(scene.a, scene.id, {}, new=world.document(scene.id))
        theirs = scene.edit_and_sync(scene.b, "/p")
        final, _ = scene.final()
        expect((final["created_at"], final["p"]) == (created, theirs), "a rebase does not begin with the arriving document")


@point("42a documents in whole seconds")
def whole_seconds_of_clients(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        scene.edit(scene.a)
        scene.edit_and_sync(scene.b, "/x0")
        for _ in range(2):
            # The first one is another device's edit, the second one a rebase.
            document = world.observer.documents()[scene.id]
            times = [document[name] for name in ("created_at", "modified_at")]
            expect(not any("." in text for text in times), f"decoders of older systems refuse such times: {times}")
            world.sync(scene.a)
        scene.final()


@point("43 both documents of a merge", has_client=False)
def both_documents(server, command):
    observer = Observer(server, server.register())
    document, tag = write_one(observer, a="0", b="0")
    path = "/configurations/" + document["id"]

    def put(base, merge, hour, **members):
        """The document that was sent, and the status, tag and content of the answer."""
        sent = {**document, **members, "modified_at": f"2026-03-01T{hour}:00:00Z"}
        status, fields, answer = observer.send("PUT", path, {"configuration": sent}, [("If-Match", base), *([("Prefer", "merge")] if merge else [])])
        return sent, status, fields.get("etag"), answer

    def kept():
        losers = [conflict["document"] for conflict in observer.get(path + "/conflicts")[1]["conflicts"]]
        return losers, [observer.version(document["id"], version) for version in observer.versions(document["id"])]
    theirs, _, _, _ = put(tag, False, 14, a="theirs")
    mine, status, tag, answer = put(tag, True, 13, a="mine", b="mine")
    expect(status == 200 and answer["configuration"]["a"] == "theirs", answer)
    losers, versions = kept()
    expect(losers == [mine] and theirs in versions, "a merge has not kept the document whose value lost, and the version before")
    document = answer["configuration"]
    theirs, _, _, _ = put(tag, False, 15, a="theirs again")
    _, status, tag, answer = put(tag, True, 16, a="mine again")
    expect(status == 200 and answer["configuration"]["a"] == "mine again", answer)
    losers, versions = kept()
    expect(losers == [mine] and theirs in versions, "a merge that took each value has kept a loser, or not the version before")
    expect(put("\"1-000000000000\"", False, 17, a="refused")[1] == 412 and kept()[0] == [mine], "what If-Match refused is kept")


# They are in the same table.
import kit.more_points  # noqa: E402,F401  pylint: disable=wrong-import-position,cyclic-import

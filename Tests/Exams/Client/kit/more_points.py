"""Sequences about entries that are taken back, pulls without news, header fields of any text, names of any text, and processes that share a store."""
import contextlib
import copy
import json
import time
import uuid

from kit.device import Gone
from kit.points import Scene, Script, expect, nothing, past_the_second, point
from kit.proxy import PASS, Given
from kit.world import World


# What is lost, and wanted back.

def take_back(world, device, place):
    """The user takes an entry of `lost` back. Returns the item that has it then, or None."""
    state = world.state(device)
    before = state["items"]
    answer = device.ask("take_back", place=place)
    if not answer["done"]:
        return None
    world.taken_back.append((device.name, state["lost"][place]))
    id, after = answer["id"], world.state(device)["items"]
    changed = [""] if id not in before else ["/" + name for name in {**before[id], **after[id]} if before[id].get(name) != after[id].get(name)]
    world.ledger.edit(device.name, id, before.get(id), after[id], changed)
    return id


def place_of(world, device, **wanted):
    """The place of the one entry that has these members."""
    lost = world.state(device)["lost"]
    places = [place for place, entry in enumerate(lost) if wanted.items() <= entry.items()]
    expect(len(places) == 1, f"{len(places)} entries have {wanted}: {lost}")
    return places[0]


@point("44 a lost value, taken back")
def lost_value(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        mine = scene.edit(scene.a)
        past_the_second()
        theirs = scene.edit_and_sync(scene.b)
        world.sync(scene.a)
        expect(world.state(scene.a)["items"][scene.id]["name"] == theirs, "the earlier edit won")
        place = place_of(world, scene.a, pointer="/name", value=mine)
        expect(take_back(world, scene.a, place) == scene.id, "a value of an item that is shown can't be taken back")
        expect(world.state(scene.a)["items"][scene.id]["name"] == mine, "it is not shown at once")
        scene.a.restart()
        final, _ = scene.final()
        expect(final["name"] == mine, "what was taken back is no edit")


@point("44a a removal that was lost, taken back")
def lost_removal(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        world.edit(scene.a, scene.id, {}, ["/x0"])
        past_the_second()
        scene.edit_and_sync(scene.b, "/x0")
        world.sync(scene.a)
        expect("x0" in world.state(scene.a)["items"][scene.id], "the earlier edit won")
        take_back(world, scene.a, place_of(world, scene.a, pointer="/x0"))
        expect("x0" not in scene.final()[0], "the removal that was taken back is no edit")


@point("45 a lost document, taken back after a deletion")
def lost_document(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        mine = scene.edit(scene.a)
        world.delete(scene.b, scene.id)
        for device in (scene.b, scene.a):
            world.sync(device)
        entry = place_of(world, scene.a, id=scene.id)
        expect(scene.id not in world.state(scene.a)["items"], "what was deleted is shown")
        id = take_back(world, scene.a, entry)
        expect(id not in (None, scene.id), f"after a deletion it has no id of its own: {id}")
        scene.a.restart()
        documents, _ = world.finish()
        expect(documents.get(id, {}).get("name") == mine, "what was taken back is not on the server")
        expect(scene.id not in documents, "the deletion of others is undone")


# Pulls without news.

@point("46 a pull that brings nothing")
def nothing_new(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        fresh = world.device()
        world.decide = Script(world, fresh, kind="is_pull")
        for _ in range(3):
            world.sync(fresh)
        conditional = [message for message in world.decide.messages if message.field("if-none-match")]
        expect(all("sync_token" in message.path for message in conditional), "a pull without a token has If-None-Match")
        theirs = scene.edit_and_sync(scene.b, "/x0")
        world.decide = lambda device, message: PASS
        world.sync(fresh)
        expect(world.state(fresh)["items"][scene.id]["x0"] == theirs, "news are taken for none")
        # The item waits for a pull, which brings nothing.
        scene.share()
        mine = scene.edit(scene.a)
        scene.at_next_write((nothing, Given(412, "version-mismatch")))
        world.sync(scene.a)
        for _ in range(2):
            time.sleep(min(world.sync(scene.a), 0.1))
        expect(world.observer.documents()[scene.id]["name"] == mine, "an edit waits for ever behind pulls that bring nothing")
        scene.final()


@point("46a a 304 that nobody asked for")
def unasked_304(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        theirs = scene.edit_and_sync(scene.b, "/x0")
        fresh = world.device()
        unasked = lambda device, message: Given(304) if device is fresh and message.is_pull and not message.field("if-none-match") else PASS
        world.decide = unasked
        wait = world.sync(fresh)
        expect(wait > 0, "after a 304 to a pull without If-None-Match all is done")
        time.sleep(min(wait, 0.1))
        world.decide = lambda device, message: PASS
        world.sync(fresh)
        expect(world.state(fresh)["items"].get(scene.id, {}).get("x0") == theirs, "what others have done is not shown")
        scene.final()


# Header fields.

@point("47 Retry-After of any text")
def retry_after_texts(server, command):
    for text in ("nan", "inf", "1e9", "-1", "+7", "0x20", "\xb2", "1 1", "9" * 400, "Fri, 31 Dec 1999 23:59:59 GMT"):
        with World(server, command) as world:
            scene = Scene(world)
            mine = scene.edit(scene.a)
            scene.at_next_write((nothing, Given(503, "overloaded", retry_after=text)))
            wait, starts = world.sync(scene.a), scene.a.starts
            expect(0 < wait <= 3600, f"a pause of {wait} s after Retry-After: {text[:20]}")
            expect(text[0] == "9" or wait <= 300, f"Retry-After: {text} is no number of seconds, and made a pause of {wait} s")
            expect(mine in json.dumps(world.state(scene.a)["items"]) and scene.a.starts == starts, f"the client ended at Retry-After: {text[:20]}")
            scene.a.restart()
            scene.final()


# Names.

@point("48 members of any name")
def any_name(server, command):
    names = ["line\nfeed", "\nfirst", "last\n", "carriage\r\nreturn", "tab\t", "", " ", "\u2028", "a/b", "~", "~1", "e\u0301", "\u00e9", "\u0001", "\U0001f4f7"]
    pointers = ["/" + name.replace("~", "~0").replace("/", "~1") for name in names]
    with World(server, command) as world:
        scene = Scene(world)
        theirs = {pointer: world.ledger.fresh() for pointer in pointers}
        world.edit(scene.b, scene.id, theirs)
        world.sync(scene.b)
        world.sync(scene.a)
        shown = world.state(scene.a)["items"][scene.id]
        expect(all(shown.get(name) == theirs[pointer] for name, pointer in zip(names, pointers)), "a member of another device is not shown")
        mine = {pointer: world.ledger.fresh() for pointer in pointers}
        world.edit(scene.a, scene.id, mine)
        # The names go to the disk and come back, alone and in a request without an answer.
        scene.a.restart()
        other = scene.edit_and_sync(scene.b, "/x0")
        world.sync(scene.a)
        final, lost = scene.final()
        expect(all(final.get(name) == mine[pointer] for name, pointer in zip(names, pointers)), f"not each member is there: {final}")
        expect(final["x0"] == other and not lost, f"named without a reason: {lost}")


@point("48a a conflict at members of any name")
def conflict_at_any_name(server, command):
    pointers = ["/line\nfeed", "/", "/a~1b", "/~01", "/o/x\ny"]
    with World(server, command) as world:
        scene = Scene(world)
        earlier = {pointer: world.ledger.fresh() for pointer in pointers}
        world.edit(scene.a, scene.id, earlier)
        scene.a.restart()
        past_the_second()
        world.edit(scene.b, scene.id, {pointer: world.ledger.fresh() for pointer in pointers})
        world.sync(scene.b)
        world.sync(scene.a)
        for pointer, value in earlier.items():
            place_of(world, scene.a, id=scene.id, pointer=pointer, value=value)
        scene.final()


# Processes.

@contextlib.contextmanager
def beside(world, device):
    """Another process with the store of a device, and with its way to the server; None if the client has a store for itself."""
    if not world.state(device).get("shares_store"):
        print("the client does not share its store between processes: not tried")
        yield None
        return
    twin = copy.copy(device)
    twin.start()
    try:
        yield twin
    finally:
        twin.process.kill()
        twin.process.wait()


@point("49 two processes with one store")
def two_processes(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        with beside(world, scene.a) as twin:
            if twin is None:
                return
            mine = [scene.edit(device, pointer) for device, pointer in ((scene.a, "/name"), (twin, "/x1"), (scene.a, "/p"))]
            shown = [world.state(device)["items"][scene.id] for device in (scene.a, twin)]
            expect(shown[0] == shown[1], "an edit of one process is not seen by the other one")
            syncs = [(device, device.begin("sync")) for device in (scene.a, twin)]
            late = scene.edit(twin, "/x2")
            for device, number in syncs:
                device.end(number)
            for device in (twin, scene.a):
                world.sync(device)
            final, _ = scene.final()
            expect([final[name] for name in ("name", "x1", "p", "x2")] == [*mine, late], f"an edit of one of them is gone: {final}")


@point("49a one of two processes ends while it syncs")
def one_of_two_ends(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        with beside(world, scene.a) as twin:
            if twin is None:
                return
            for place in range(2, 30, 3):
                mine, other = scene.edit(scene.a), scene.edit(twin, "/x1")
                world.crash(scene.a, place)
                numbers = [(device, device.begin("sync")) for device in (scene.a, twin)]
                for device, number in numbers:
                    end(device, number)
                world.sync(twin)
                document = world.observer.documents()[scene.id]
                expect((document["name"], document["x1"]) == (mine, other), f"after a crash at place {place} an edit is not there")
                if scene.a.crash_is_armed:
                    scene.a.restart()
            _, lost = scene.final()
            expect(not lost, f"named without a reason: {lost}")


def end(device, number):
    """Waits for the end of a sync. A process that ended is started again."""
    try:
        device.end(number)
    except Gone:
        device.restart()


@point("49b two processes, and a refresh that both need")
def two_refreshes(server, command):
    with World(server, command) as world:
        scene = Scene(world)
        with beside(world, scene.a) as twin:
            if twin is None:
                return
            expired, refreshes = set(), []

            def decide(device, message):
                if device is not scene.a:
                    return PASS
                if message.is_refresh:
                    refreshes.append(str(uuid.UUID(json.loads(message.body)["attempt"])))
                    return PASS
                if not refreshes and not message.path.endswith("/auth/login"):
                    expired.add(message.field("authorization"))
                return Given(401, "token-expired") if message.field("authorization") in expired else PASS
            mine = scene.edit(scene.a)
            world.decide = decide
            numbers = [(device, device.begin("sync")) for device in (scene.a, twin)]
            for device, number in numbers:
                device.end(number)
            for device in (scene.a, twin):
                world.sync(device)
            expect(1 <= len(set(refreshes)) <= 2 and not world.state(scene.a)["told"], f"{len(refreshes)} refreshes of one token")
            expect(scene.final()[0]["name"] == mine, "the edit is gone")

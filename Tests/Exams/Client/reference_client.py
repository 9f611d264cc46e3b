#!/usr/bin/env python3
"""The client of docs/client.md, and nothing else. The kit drives it by commands: see README.md beside it."""
import argparse
import copy
import json
import os
import random
import threading
import time
import uuid
from decimal import Decimal
from urllib.parse import quote

from commands import Commands
from instants import instant, now, whole
from members import MISSING, difference, note, put, reachable, same, top, value
from session import JSON, NO_ANSWER, OtherAccount, Pause, Session
from state_hash import canonical, state_hash

ROUNDS_MAX = 5
REFUSALS_MAX = 3
FAILURES_MAX = 10
SEEN_MAX = 16
BATCH_MAX = 50
PAUSE_MAX_S = 300
HOUR_S = 3600
DAY_S = 86400
# What is sent of a pull, and what its last page has for the next one.
CURSORS = {"sync_token": "sync_token", "last_sync": "server_time"}
PATCH = [("Content-Type", "application/merge-patch+json")]


class Store:
    """What is kept on disk: a session, and the stores of its accounts by their ids. A step is over when `commit` returns: all of it is there, or nothing."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "store.json")
        self.crash_after = None
        os.makedirs(folder, exist_ok=True)
        # Before the first login the account has no id.
        session = {"user": "", "email": None, "session": None, "attempt": None, "clock": 0, "is_signed_out": False}
        self.content = {"session": session, "accounts": {"": self.empty()}}
        if os.path.exists(self.path):
            with open(self.path) as file:
                self.content = json.load(file, parse_int=Decimal, parse_float=Decimal)

    @staticmethod
    def empty():
        return {"device": None, "items": {}, "request": None, "token": None, "etag": None, "seen": [], "lost": [], "refusals": 0, "reports": 0, "wrong_at": None, "told": []}

    @property
    def session(self):
        return self.content["session"]

    @property
    def data(self):
        """The store of the account."""
        return self.content["accounts"][self.session["user"]]

    def enter(self, user):
        """`data` is another account's from now on; the former one's stays on disk. The first account has the store from before its login."""
        accounts = self.content["accounts"]
        if "" in accounts:
            accounts[user] = accounts.pop("")
        accounts.setdefault(user, self.empty())
        self.session["user"] = user

    def commit(self):
        self.point()
        with open(self.path + ".new", "w") as file:
            file.write(canonical(self.content))
            file.flush()
            os.fsync(file.fileno())
        os.replace(self.path + ".new", self.path)
        self.point()

    def point(self):
        """A place where the process may end."""
        if self.crash_after is not None:
            self.crash_after -= 1
            if self.crash_after < 0:
                os._exit(9)


class Items:
    """The items: what the user does, and what becomes of it when a copy arrives."""

    def __init__(self, store):
        self.store = store

    @property
    def data(self):
        return self.store.data

    @property
    def items(self):
        return self.data["items"]

    @property
    def request(self):
        return self.data["request"]

    def part(self, id):
        """The item's part of the request without an answer."""
        parts = self.request["parts"] if self.request else []
        return next((part for part in parts if part["id"] == id), None)

    def shown(self, id):
        """The document that the app shows, or None."""
        item = self.items.get(id)
        if item is None:
            return None
        if item["edit"]:
            return item["edit"].get("document")
        part = self.part(id)
        if part:
            return part["edit"].get("document")
        return item["copy"]["document"] if item["copy"] else None

    def edit(self, id, members, removed, new):
        """Sets and removes members of what is shown, or begins with `new`. Returns what was shown, or False if there is nothing to edit."""
        shown = self.shown(id)
        if shown is None and new is None:
            return False
        if shown is None:
            self.replace(id, {**new, "created_at": whole(now())})
        item, document, time = self.items[id], copy.deepcopy(self.shown(id)), now()
        noted = item["edit"]["members"] if item["edit"] else {}
        for pointer, wanted in [*members.items(), *((pointer, MISSING) for pointer in removed)]:
            place = reachable(document, pointer)
            put(document, place, wanted if place == pointer else nested(pointer[len(place):], wanted))
            note(noted, pointer, time)
        self.keep(item, {"document": {**document, "modified_at": whole(time)}, "members": noted})
        return shown

    def replace(self, id, document):
        """A whole document takes the place of what is shown, or of nothing."""
        item, time, part = self.items.setdefault(id, item_of(None)), now(), self.part(id)
        documents = [document, self.shown(id), part and part["edit"].get("document"), item["copy"] and item["copy"]["document"]]
        names = {name for known in documents for name in known or {}} - {"id", "created_at", "modified_at"}
        noted = {top(name): time for name in names}
        self.keep(item, {"document": {**document, "modified_at": whole(time)}, "members": noted})

    @staticmethod
    def keep(item, edit):
        item["edit"], item["refused"], item["held"] = edit, None, False

    def delete(self, id):
        """Returns what was shown, or False if there is nothing to delete."""
        item, shown = self.items.get(id), self.shown(id)
        if shown is None:
            return False
        self.keep(item, {"deletion": True})
        return shown

    def take_back(self, place):
        """The user takes an entry of `lost` back. Returns the id of the item that has it then, or None if it can't be had."""
        entry = self.data["lost"][place]
        id = entry["id"]
        shown = self.shown(id)
        if "document" in entry:
            # After a deletion it is another item.
            id = id if shown is not None else str(uuid.uuid4())
            self.replace(id, {**entry["document"], "id": id})
        elif shown is None:
            return None
        elif "pointer" in entry:
            removed = [] if "value" in entry else [entry["pointer"]]
            self.edit(id, {} if removed else {entry["pointer"]: entry["value"]}, removed, None)
        else:
            self.delete(id)
        del self.data["lost"][place]
        return id

    @staticmethod
    def is_needless(item):
        """A deletion of what the server does not have needs no request."""
        return bool(item["edit"] and item["edit"].get("deletion") and not (item["copy"] and item["copy"]["document"]))

    def lose(self, id, why, **what):
        self.data["lost"].append({"id": id, "why": why, "at": now(), **what})

    def arrive(self, id, new, full=False, latest=None):
        """A copy arrives: {tag, document} or, for a tombstone, a document that is None; None: a full set does not list the item. `latest`: see `rebased`."""
        item = self.items.get(id)
        if item is None:
            if new and new["document"] is not None:
                self.items[id] = item_of(new)
            return
        old, edit = item["copy"], item["edit"]
        if old == new or old and new and old["tag"] == new["tag"] and same(old["document"], new["document"]):
            return
        before, document = old and old["document"], new and new["document"]
        base = None if item["unsure"] else before
        item["copy"], item["refused"], item["unsure"] = new, None, False
        if full and before is not None and not same(before, document):
            self.lose(id, "replaced by a full set", document=before)
        if document is not None:
            item["held"] = False
            if edit and not edit.get("deletion"):
                item["edit"] = self.rebased(id, edit, base, document, latest)
            elif edit and not same(base, document):
                # The user was not asked: the document stays.
                self.lose(id, "changed elsewhere", deletion=True)
                item["edit"] = None
        elif not edit or edit.get("deletion"):
            del self.items[id]
        elif new and not item["held"]:
            self.lose(id, "deleted elsewhere", document=edit["document"])
            del self.items[id]

    def rebased(self, id, edit, old, new, latest):
        """The edit on the document `new`, whose members were chosen when `old` was shown; None if nothing is left of it. `latest`: when `new` was there by the server's clock,
        however far the clock of its device is ahead."""
        document, placed, members = copy.deepcopy(new), {}, {}
        for pointer, time in sorted(edit["members"].items(), key=lambda member: instant(member[1])):
            note(placed, reachable(new, pointer), time)
        for pointer, time in placed.items():
            mine, theirs = value(edit["document"], pointer), value(new, pointer)
            if same(mine, theirs):
                continue
            if old is None or not same(theirs, value(old, pointer)):
                if instant(time) <= min(instant(new["modified_at"]), latest):
                    self.lose_value(id, pointer, mine)
                    continue
                self.lose_value(id, pointer, theirs)
            put(document, pointer, mine)
            members[pointer] = time
        return {"document": {**document, "modified_at": whole(now())}, "members": members} if members else None

    def lose_value(self, id, pointer, lost):
        self.lose(id, "conflict", pointer=pointer, **({} if lost is MISSING else {"value": lost}))


def item_of(copy):
    """An item without an edit."""
    return {"copy": copy, "edit": None, "waits": False, "refused": None, "held": False, "unsure": False}


def nested(pointer, wanted):
    """The object that holds a value at a pointer."""
    for name in reversed(pointer.split("/")[1:]):
        wanted = {} if wanted is MISSING else {name.replace("~1", "/").replace("~0", "~"): wanted}
    return wanted


class Requests(Items):
    """Requests are made of edits, and their answers handled."""

    def __init__(self, store, style):
        super().__init__(store)
        self.style = style

    def unsent(self):
        """The items to push, those that wait included."""
        return [id for id, item in sorted(self.items.items()) if item["edit"] and not item["held"] and not self.is_refused(item)]

    def dirty(self):
        return [id for id in self.unsent() if not self.items[id]["waits"] and not self.is_needless(self.items[id])]

    @staticmethod
    def is_refused(item):
        return item["refused"] and is_within(item["refused"]["at"], HOUR_S)

    def make(self):
        """Stores the next request. Returns whether there is something to push."""
        dirty = self.dirty()
        together = self.style in ("batch", "atomic") and self.data["refusals"] < REFUSALS_MAX
        if not self.unsent():
            self.data["refusals"] = 0
        if not dirty or len(self.data["seen"]) >= SEEN_MAX:
            return False
        if together:
            parts = [self.take(id) for id in dirty[:BATCH_MAX]]
            body = {"operations": [operation(part) for part in parts], **({"atomic": True} if self.style == "atomic" else {})}
            request = {"method": "POST", "path": "/configurations/batch", "fields": [*JSON, ("Idempotency-Key", key())], "body": canonical(body)}
        else:
            parts = [self.take(dirty[0])]
            request = self.single(parts[0])
        self.data["request"] = {**request, "fields": [list(field) for field in request["fields"]], "parts": parts, "failures": 0}
        self.store.commit()
        return True

    def take(self, id):
        """The item's edit, on its way into a request."""
        item = self.items[id]
        edit, item["edit"], item["refused"] = item["edit"], None, None
        return {"id": id, "copy": item["copy"], "edit": edit, "document": edit.get("document")}

    def single(self, part):
        path, condition = "/configurations/" + quote(part["id"]), if_match(part["copy"])
        if part["document"] is None:
            return {"method": "DELETE", "path": path, "fields": condition, "body": ""}
        body = canonical({"configuration": part["document"]})
        if not part["copy"]:
            return {"method": "POST", "path": "/configurations", "fields": JSON, "body": body}
        patch = difference(part["copy"]["document"], part["document"]) if self.style == "patch" and part["copy"]["document"] else MISSING
        if patch is not MISSING:
            return {"method": "PATCH", "path": path, "fields": [*PATCH, *condition], "body": canonical(patch)}
        prefer = [("Prefer", "merge")] if self.style == "merge" and can_merge(part) else []
        return {"method": "PUT", "path": path, "fields": [*JSON, *condition, *prefer], "body": body}

    def handle(self, answer):
        """Handles the answer to the request, in one step."""
        request, self.data["request"] = self.request, None
        head = answer.fields.get("sync-head")
        if head and head not in self.data["seen"]:
            self.data["seen"].append(head)
        if not request["path"].endswith("/batch"):
            self.one(request["parts"][0], answer.status, answer.tag, answer.json)
            if not answer.is_certain:
                self.items[request["parts"][0]["id"]]["unsure"] = True
        elif answer.status == 200:
            self.data["refusals"] = self.data["refusals"] + 1 if answer.json["outcome"] == "refused" else 0
            for part, result in zip(request["parts"], answer.json["results"]):
                self.one(part, int(result["status"]), result.get("version"), result.get("problem") or {})
        elif answer.problem == "idempotency-key-reused":
            for part in request["parts"]:
                self.one(part, answer.status, None, answer.json)
        else:
            # Which of them it is about, the next requests will tell.
            self.data["refusals"] = REFUSALS_MAX
            for part in request["parts"]:
                self.give_back(part)
                if not answer.is_certain:
                    self.items[part["id"]]["unsure"] = True

    def one(self, part, status, tag, json):
        """Handles what became of one item."""
        id, kind, document = part["id"], str(json.get("type", "")).rpartition("/")[2], part["document"]
        item = self.items[id]
        since = item["edit"]
        if status in (200, 201):
            self.done(item, part, tag, json)
        elif status == 404 and document is None:
            self.is_deleted(item, part, None)
        elif kind == "configuration-deleted" and document is not None:
            self.lose(id, "deleted elsewhere", document=document)
            self.is_deleted(item, part, {"tag": json["version"], "document": None})
            item["held"] = item["edit"] is not None and not self.is_needless(item)
        else:
            self.give_back(part)
            if status in (404, 409, 412, 424) or kind == "idempotency-key-reused":
                item["waits"] = True
            elif since is None:
                item["refused"] = {"type": kind, "title": json.get("title", ""), "at": str(time.time())}

    def is_deleted(self, item, part, copy):
        """What the user did since stays."""
        item["copy"] = copy
        if not item["edit"]:
            del self.items[part["id"]]

    def done(self, item, part, tag, json):
        id, sent, since = part["id"], part["document"], item["edit"]
        for conflict in json.get("conflicts", []):
            self.lose_value(id, conflict["pointer"], conflict.get("theirs" if conflict["winner"] == "mine" else "mine", MISSING))
        document = json.get("configuration") or sent
        # A document as it was sent is in no conflict.
        latest = latest_at(json["updated_at"]) if "configuration" in json else None
        item["copy"], item["unsure"] = {"tag": tag, "document": document}, False
        if sent is None:
            self.is_deleted(item, part, item["copy"])
        elif since and not since.get("deletion"):
            item["edit"] = self.rebased(id, since, sent, document, latest)
        elif since and not same(document, sent):
            self.lose(id, "deleted unseen", document=document)

    def give_back(self, part):
        """The members return."""
        item = self.items[part["id"]]
        since = item["edit"]
        if since is None:
            item["edit"] = part["edit"]
        elif part["document"] is not None and not since.get("deletion"):
            members = dict(part["edit"]["members"])
            for pointer, time in since["members"].items():
                note(members, pointer, time)
            item["edit"] = {"document": since["document"], "members": members}


def latest_at(time_of_server):
    """The end of a second, since the server's times are whole ones."""
    return instant(time_of_server) + 1


def if_match(copy):
    return [("If-Match", f'"{copy["tag"]}"')] if copy else []


def can_merge(part):
    """Whether each member has a value of its own: the server takes an equal one, or a part of an object, for unchanged."""
    before, mine = ([value(content, pointer) for pointer in part["edit"]["members"]] for content in (part["copy"]["document"], part["document"]))
    return all(not same(old, new) and not isinstance(new, dict) for old, new in zip(before, mine))


def is_within(time_ago, seconds):
    """Whether a time is less than so long ago; one to come isn't, for the clock was wrong then."""
    return 0 <= time.time() - float(time_ago) < seconds


def key():
    return f'"{uuid.uuid4()}"'


def operation(part):
    condition = {"if_match": part["copy"]["tag"]} if part["copy"] else {}
    if part["document"] is None:
        return {"operation": "delete", "id": part["id"], **condition}
    return {"operation": "replace" if part["copy"] else "create", "configuration": part["document"], **condition}


class Client(Requests):
    """The whole: pulls, pushes, and obeys the server's pauses."""

    def __init__(self, store, options):
        super().__init__(store, "put" if options.one_by_one else options.style)
        self.limit, self.cursor, self.pause_max, self.device = options.limit, options.cursor, options.pause_max, options.device
        self.session = Session(options.server, options.email, options.password, options.device, store.session, self.keep_session, lambda text: self.data["told"].append(text))
        # Held while a step reads and writes what is stored, never while the network is waited for.
        self.lock = threading.RLock()
        self.stage, self.pause, self.again = None, 1, 0
        self.look_at_device()

    def keep_session(self, **changes):
        """Changes what is stored of the session."""
        with self.lock:
            if "user" in changes:
                self.store.enter(changes["user"])
                self.look_at_device()
            self.store.session.update(changes)
            self.store.commit()

    def look_at_device(self):
        """On another device the store is a clone, or came back from a backup: each edit may have been sent since."""
        data, known = self.data, self.data["device"]
        data["device"] = self.device
        if known in (None, self.device):
            return
        for part in self.request["parts"] if self.request else []:
            self.give_back(part)
        data["request"], data["token"], data["etag"], data["seen"] = None, None, None, []
        for item in self.items.values():
            item["unsure"] = item["unsure"] or item["edit"] is not None
        self.store.session.update(session=None, attempt=None)
        self.store.commit()

    def sync(self):
        """Returns how many seconds to wait before the next one, 0 when all is done."""
        wait = self.again - time.monotonic()
        if wait > 0 or self.store.session["is_signed_out"]:
            return max(wait, 1)
        try:
            self.resume()
            refused = 0
            while refused < ROUNDS_MAX:
                self.pull()
                before = self.refused()
                if not self.push():
                    return 0
                refused = refused + 1 if self.refused() - before else 0
            raise Pause(min(60, self.pause_max))
        except OtherAccount as other:
            # The next sync is the other account's: nothing of the former one's goes there.
            self.keep_session(**other.entered)
            self.stage = None
            return 0.001
        except Pause as pause:
            seconds = pause.seconds
            if seconds is None:
                seconds = min(self.pause * random.uniform(2 / 3, 1), self.pause_max)
                self.pause = min(self.pause * 2, PAUSE_MAX_S)
            with self.lock:
                self.store.commit()
            self.again = time.monotonic() + seconds
            return max(seconds, 0.001)

    def refused(self):
        with self.lock:
            return {id for id, item in self.items.items() if item["waits"] or item["refused"]}

    def exchange(self, method, path, fields, body):
        self.store.point()
        answer = self.session.send(method, path, fields, body)
        self.store.point()
        self.pause = 1
        return answer

    def resume(self):
        """Repeats the request without an answer, and handles its answer."""
        request = self.request
        if not request:
            return
        is_last = request["failures"] >= FAILURES_MAX - 1 and self.is_served()
        try:
            answer = self.exchange(request["method"], request["path"], [tuple(field) for field in request["fields"]], request["body"])
        except Pause:
            # `sync` stores it with the pause.
            request["failures"] += 1
            if not is_last:
                raise
            answer = NO_ANSWER
        with self.lock:
            self.handle(answer)
            self.store.commit()

    def is_served(self):
        """Whether the server answers other requests."""
        try:
            return self.exchange("GET", "/configurations?limit=1", [], "").status == 200
        except Pause:
            return False

    def push(self):
        """Returns whether anything was pushed."""
        pushed = False
        while True:
            with self.lock:
                if not self.make():
                    return pushed
            self.resume()
            pushed = True

    def older(self, id, tag):
        """An older version is wanted back. Returns what was shown, or False if it can't be had."""
        try:
            answer = self.session.send("GET", f"/configurations/{quote(id)}/versions/{tag.partition('-')[0]}")
        except (Pause, OtherAccount):
            return False
        with self.lock:
            shown = self.shown(id)
            if answer.status != 200 or answer.tag != tag or shown is None:
                return False
            self.replace(id, answer.json)
            return shown

    def pull(self):
        wrong_at, found = self.data["wrong_at"], self.pages(self.data["token"])
        if found is None:
            # 304: a complete pull that brought nothing, without a check.
            with self.lock:
                self.end_pull(False)
                self.store.commit()
            return
        if self.apply(*found) or wrong_at and is_within(wrong_at, DAY_S):
            return
        if not self.apply(*self.pages(None)):
            with self.lock:
                self.data["wrong_at"], self.data["reports"] = str(time.time()), self.data["reports"] + 1
                self.store.commit()

    def pages(self, token):
        """All pages of a pull: the copies by id, whether they are a full set, and the last page. What is staged outlives a pause."""
        self.stage = self.stage or {"copies": {}, "is_full": token is None, "cursor": self.cursor, "token": token, "seen": self.data["seen"] if token else []}
        while True:
            stage = self.stage
            query = [f"{stage['cursor']}={quote(stage['token'])}"] if stage["token"] else []
            query += [f"seen={quote(','.join(stage['seen']))}"] if stage["seen"] else []
            query += [f"limit={self.limit}"] if self.limit else []
            etag = self.data["etag"] or {}
            known = [("If-None-Match", etag["tag"])] if query and query[0].startswith("sync_token=") and etag.get("query") == query else []
            answer = self.exchange("GET", "/configurations" + "?" * bool(query) + "&".join(query), known, "")
            if answer.status == 304:
                self.stage = None
                return None
            if answer.status != 200:
                self.stage = None
                if answer.status not in (400, 414) or stage["is_full"]:
                    self.session.tell(f"{answer.status} {answer.problem}")
                    raise Pause(min(60, self.pause_max))
                self.stage = {"copies": {}, "is_full": True, "cursor": self.cursor, "token": None, "seen": []}
                continue
            page = answer.json
            latest = latest_at(page["server_time"])
            if page["reset"]:
                stage["copies"], stage["is_full"] = {}, True
            for document in page["configurations"]:
                stage["copies"][document["id"].lower()] = {"tag": page["versions"][document["id"]], "document": document}, latest
            for id in page["deleted"]:
                stage["copies"][id.lower()] = {"tag": page["versions"][id], "document": None}, latest
            stage["cursor"], stage["token"] = "sync_token", page["sync_token"]
            if not page.get("has_more"):
                self.stage = None
                # A tag is of one query, and the next pull has the same only if nothing was new.
                self.data["etag"] = {"query": query, "tag": answer.fields["etag"]} if "etag" in answer.fields else None
                return stage["copies"], stage["is_full"], page

    def end_pull(self, brings_deletion):
        """The marks that end with a complete pull."""
        self.data["seen"] = []
        for id, item in list(self.items.items()):
            item["waits"] = False
            if brings_deletion:
                item["refused"] = None
            if self.is_needless(item):
                del self.items[id]

    def apply(self, staged, full, page):
        """Stores a complete pull in one step. Returns whether the copies are what the server has."""
        with self.lock:
            for id, new in staged.items():
                self.arrive(id, new[0], full, new[1])
            for id in [id for id in self.items if full and id not in staged]:
                self.arrive(id, None, full)
            self.data["token"] = page[CURSORS[self.cursor]]
            self.end_pull(any(new["document"] is None for new, _ in staged.values()))
            copies = [item["copy"]["document"] for item in self.items.values() if item["copy"] and item["copy"]["document"] is not None]
            is_right = state_hash(copies) == page["state_hash"]
            self.data["wrong_at"] = None if is_right else self.data["wrong_at"]
            self.store.commit()
            return is_right


def main():
    parser = argparse.ArgumentParser()
    for name in ("server", "email", "password", "device", "store"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--style", choices=["put", "merge", "patch", "batch", "atomic"], default="put")
    parser.add_argument("--one-by-one", action="store_true", help="takes each style for put, as a client may")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--cursor", choices=CURSORS, default="sync_token")
    parser.add_argument("--pause-max", type=float, default=PAUSE_MAX_S)
    options = parser.parse_args()
    Commands(Client(Store(options.store), options)).run()


if __name__ == "__main__":
    main()

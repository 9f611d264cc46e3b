#!/usr/bin/env python3
"""The client of docs/client.md, and nothing else. The kit drives it by commands: see README.md beside it."""
import argparse
import copy
import json
import os
import threading
import time
import uuid
from datetime import datetime, timezone
from decimal import Decimal
from urllib.parse import quote

from commands import Commands
from members import MISSING, difference, note, put, reachable, same, value
from session import Later, NoAnswer, Session
from state_hash import canonical, state_hash

ROUNDS_MAX = 10
REFUSALS_MAX = 3
BATCH_MAX = 50
JSON = [("Content-Type", "application/json")]
PATCH = [("Content-Type", "application/merge-patch+json")]


def now():
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def is_later(time, other):
    return datetime.fromisoformat(time) > datetime.fromisoformat(other)


def number(tag):
    return int(tag.partition("-")[0])


class Store:
    """What is kept on disk. A step is over when `commit` returns: all of it is there, or nothing."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "store.json")
        self.crash_after = None
        os.makedirs(folder, exist_ok=True)
        self.data = {"items": {}, "request": None, "token": None, "seen": None, "lost": [], "session": {}, "refusals": 0, "reports": 0,
                     "is_wrong": False, "again": None}
        if os.path.exists(self.path):
            with open(self.path) as file:
                self.data = json.load(file, parse_int=Decimal, parse_float=Decimal)

    def commit(self):
        self.point()
        with open(self.path + ".new", "w") as file:
            file.write(canonical(self.data))
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
        self.store, self.data = store, store.data

    @property
    def items(self):
        return self.data["items"]

    @property
    def request(self):
        return self.data["request"]

    def part(self, id):
        """The item's part of the request without an answer."""
        parts = self.request["parts"] if self.request else []
        return next((part for part in parts if part["id"] == id and part["kind"] != "restore"), None)

    def shown(self, id):
        """The document that the app shows, or None."""
        item = self.items.get(id)
        if item is None:
            return None
        if item["edit"]:
            return item["edit"].get("document")
        part = self.part(id)
        if part:
            return part["document"]
        return item["copy"]["document"] if item["copy"] else None

    def edit(self, id, members, removed, new):
        """Sets and removes members of what is shown, or begins with `new`. Returns what was shown, or False if there is nothing to edit."""
        shown = self.shown(id)
        if shown is None and new is None:
            return False
        document = copy.deepcopy(shown if shown is not None else {**new, "created_at": now()})
        item = self.items.setdefault(id, {"copy": None, "edit": None, "refused": None, "held": False})
        edit = item["edit"] or {"members": {}}
        time = now()
        for name in self.all_members(item, document) if shown is None else []:
            note(edit.setdefault("members", {}), "/" + name.replace("~", "~0").replace("/", "~1"), time)
        for pointer, wanted in [*members.items(), *((pointer, MISSING) for pointer in removed)]:
            place = reachable(document, pointer)
            put(document, place, wanted if place == pointer else nested(pointer[len(place):], wanted))
            note(edit["members"], place, time)
        item["edit"] = {"document": {**document, "modified_at": time}, "members": edit["members"]}
        item["refused"], item["held"] = None, False
        return shown

    @staticmethod
    def all_members(item, document):
        """Those of a document that takes the place of the copy's."""
        old = item["copy"] and item["copy"]["document"] or {}
        return {*old, *document} - {"id", "created_at", "modified_at"}

    def delete(self, id):
        """Returns what was shown, or False if there is nothing to delete."""
        item, shown = self.items.get(id), self.shown(id)
        if shown is None:
            return False
        item["refused"] = None
        item["edit"] = {"deletion": True}
        self.drop_needless(id)
        return shown

    def drop_needless(self, id):
        """A deletion of what the server does not have needs no request."""
        item = self.items[id]
        if item["edit"] and item["edit"].get("deletion") and not self.part(id) and not (item["copy"] and item["copy"]["document"]):
            del self.items[id]

    def lose(self, id, why, **what):
        self.data["lost"].append({"id": id, "why": why, "at": now(), **what})

    def arrive(self, id, new, full=False):
        """A copy arrives: {tag, document} or, for a tombstone, a document that is None; None: a full set does not list the item."""
        item = self.items.get(id)
        if item is None:
            if new and new["document"] is not None:
                self.items[id] = {"copy": new, "edit": None, "refused": None, "held": False}
            return
        old, item["copy"] = item["copy"], new
        if old and new and old["tag"] == new["tag"]:
            return
        document = new and new["document"]
        if not item["edit"]:
            if full and old and forgotten(old, new):
                self.lose(id, "forgotten by the server", document=old["document"])
            if document is None:
                del self.items[id]
        elif document is not None:
            self.onto(id, item, old and old["document"], document)
        elif not item["held"] and (new or item["edit"].get("deletion")):
            if not item["edit"].get("deletion"):
                self.lose(id, "deleted elsewhere", document=item["edit"]["document"])
            del self.items[id]

    def onto(self, id, item, old, new):
        """Puts an edit onto another document."""
        item["held"] = False
        if not item["edit"].get("deletion"):
            item["edit"] = self.rebased(id, item["edit"], old, new)
        elif old is None or not same(old, new):
            # The user was not asked: the document stays.
            self.lose(id, "changed elsewhere", deletion=True)
            item["edit"] = None

    def rebased(self, id, edit, old, new):
        """The edit on the document `new`, whose members were chosen when `old` was shown; None if nothing is left of it."""
        document, members = copy.deepcopy(new), {}
        for noted, time in sorted(edit["members"].items()):
            pointer = reachable(document, noted)
            mine, theirs = value(edit["document"], pointer), value(new, pointer)
            before = value(old, pointer) if old is not None else None
            if same(mine, theirs):
                continue
            if old is None or not same(theirs, before):
                if not is_later(time, new["modified_at"]):
                    self.lose_value(id, pointer, mine)
                    continue
                self.lose_value(id, pointer, theirs)
            put(document, pointer, mine)
            note(members, pointer, time)
        return {"document": {**document, "modified_at": now()}, "members": members} if members else None

    def lose_value(self, id, pointer, lost):
        self.lose(id, "conflict", pointer=pointer, **({} if lost is MISSING else {"value": lost}))


def nested(pointer, wanted):
    """The object that holds a value at a pointer."""
    for name in reversed(pointer.split("/")[1:]):
        wanted = {} if wanted is MISSING else {name.replace("~1", "/").replace("~0", "~"): wanted}
    return wanted


def forgotten(old, new):
    return old["document"] is not None and (new is None or new["document"] is not None and number(new["tag"]) <= number(old["tag"]))


class Requests(Items):
    """Requests are made of edits, and their answers handled."""

    def __init__(self, store, style):
        super().__init__(store)
        self.style = style

    def dirty(self):
        return [id for id, item in sorted(self.items.items()) if item["edit"] and not item["refused"] and not item["held"]]

    def make(self):
        """Stores the next request. Returns whether there is something to push."""
        dirty = self.dirty()
        together = self.style in ("batch", "atomic") and self.data["refusals"] < REFUSALS_MAX
        if not dirty:
            self.data["refusals"] = 0
            return False
        if together:
            parts = [self.take(id) for id in dirty[:BATCH_MAX]]
            body = {"operations": [operation(part) for part in parts], **({"atomic": True} if self.style == "atomic" else {})}
            request = {"method": "POST", "path": "/configurations/batch", "fields": [*JSON, ("Idempotency-Key", key())], "body": canonical(body)}
        else:
            parts = [self.take(dirty[0])]
            request = self.single(parts[0])
        self.data["request"] = {**request, "fields": [list(field) for field in request["fields"]], "parts": parts}
        self.store.commit()
        return True

    def take(self, id):
        """The item's edit, on its way into a request."""
        item = self.items[id]
        edit, item["edit"] = item["edit"], None
        return {"id": id, "kind": "write", "copy": item["copy"], "document": edit.get("document"), "members": edit.get("members")}

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
        prefer = [("Prefer", "merge")] if self.style == "merge" else []
        return {"method": "PUT", "path": path, "fields": [*JSON, *condition, *prefer], "body": body}

    def restore(self, id, version):
        """Asks for an older version of an item that has no edit. Returns whether the request is stored."""
        item = self.items.get(id)
        if self.request or not item or item["edit"] or not item["copy"]:
            return False
        fields = [*JSON, *if_match(item["copy"]), ("Idempotency-Key", key())]
        part = {"id": id, "kind": "restore", "copy": item["copy"], "document": None, "members": None}
        self.data["request"] = {"method": "POST", "path": f"/configurations/{quote(id)}/restore", "fields": [list(field) for field in fields],
                                "body": canonical({"version": version}), "parts": [part]}
        return True

    def handle(self, answer):
        """Handles the answer to the request, in one step."""
        request, self.data["request"] = self.request, None
        self.data["seen"] = answer.fields.get("sync-head") or self.data["seen"]
        if request["path"].endswith("/batch") and answer.status == 200:
            is_refused = answer.json["outcome"] == "refused"
            self.data["refusals"] = self.data["refusals"] + 1 if is_refused else 0
            for part, result in zip(request["parts"], answer.json["results"]):
                self.one(part, result["status"], result.get("version"), result.get("problem") or {})
        elif request["path"].endswith("/batch"):
            # Which of them it is about, the next requests will tell.
            self.data["refusals"] = REFUSALS_MAX
            for part in request["parts"]:
                self.give_back(self.items[part["id"]], part)
                self.drop_needless(part["id"])
        else:
            self.one(request["parts"][0], answer.status, answer.tag, answer.json)

    def one(self, part, status, tag, json):
        """Handles what became of one item."""
        id, kind = part["id"], json.get("type", "").rpartition("/")[2]
        item = self.items[id]
        if status in (200, 201):
            self.done(item, part, tag, json)
        elif kind == "configuration-deleted" and part["document"] is not None:
            self.lose(id, "deleted elsewhere", document=part["document"])
            self.gone(item, part, json["version"])
        elif status == 404 and part["kind"] == "write" and part["document"] is None and not item["edit"]:
            del self.items[id]
        else:
            # What the user did since may be what the server takes.
            is_same = item["edit"] is None and part["kind"] == "write"
            self.give_back(item, part)
            if status in (409, 412) and json.get("current"):
                self.arrive(id, {"tag": json["version"], "document": json["current"]})
            elif status not in (404, 409, 412, 424) and kind != "idempotency-key-reused" and is_same:
                item["refused"] = {"status": status, "type": kind, "title": json.get("title", "")}
            if id in self.items:
                self.drop_needless(id)

    def done(self, item, part, tag, json):
        id = part["id"]
        if part["kind"] == "restore":
            return
        for conflict in json.get("conflicts", []):
            self.lose_value(id, conflict["pointer"], conflict.get("theirs" if conflict["winner"] == "mine" else "mine", MISSING))
        merged = json.get("configuration")
        document = item["copy"] = {"tag": tag, "document": merged or part["document"]}
        document = document["document"]
        edit = item["edit"]
        if document is None:
            self.make_room()
            if not edit or edit.get("deletion"):
                del self.items[id]
        elif edit and edit.get("deletion"):
            if merged and not same(merged, part["document"]):
                self.lose(id, "deleted unseen", document=merged)
        elif edit:
            item["edit"] = self.rebased(id, edit, part["document"], document)

    def make_room(self):
        for item in self.items.values():
            if item["refused"] and item["refused"]["status"] == 403:
                item["refused"] = None

    def gone(self, item, part, tag):
        """Another device has deleted the item. What was edited since waits for the user."""
        item["copy"] = {"tag": tag, "document": None}
        if item["edit"] and not item["edit"].get("deletion"):
            item["held"] = True
        else:
            del self.items[part["id"]]

    def give_back(self, item, part):
        """Nothing was applied: the request's members are the edit's again."""
        if part["kind"] == "restore":
            return
        since = item["edit"]
        if part["document"] is None:
            item["edit"] = since or {"deletion": True}
        elif since is None:
            item["edit"] = {"document": part["document"], "members": part["members"]}
        elif not since.get("deletion"):
            members = dict(part["members"])
            for pointer, time in since["members"].items():
                note(members, pointer, time)
            item["edit"] = {"document": since["document"], "members": members}


def if_match(copy):
    return [("If-Match", f'"{copy["tag"]}"')] if copy else []


def key():
    return f'"{uuid.uuid4()}"'


def operation(part):
    condition = {"if_match": part["copy"]["tag"]} if part["copy"] else {}
    if part["document"] is None:
        return {"operation": "delete", "id": part["id"], **condition}
    return {"operation": "replace" if part["copy"] else "create", "configuration": part["document"], **condition}


class Client(Requests):
    """The whole: pulls, pushes, and obeys the server's pauses."""

    def __init__(self, store, session, style, limit):
        super().__init__(store, style)
        self.session, self.limit = session, limit
        # Held while a step reads and writes what is stored, never while the network is waited for.
        self.lock = threading.RLock()

    def sync(self):
        """Returns how many seconds to wait before the next one, 0 when all is done."""
        wait = float(self.data["again"] or 0) - time.time()
        if wait > 0:
            return wait
        try:
            self.resume()
            for _ in range(ROUNDS_MAX):
                self.pull()
                if not self.push():
                    break
        except NoAnswer:
            return 1
        except Later as later:
            with self.lock:
                self.data["again"] = str(time.time() + later.seconds)
                self.store.commit()
            return max(later.seconds, 0.001)
        return 0

    def exchange(self, method, path, fields, body):
        self.store.point()
        answer = self.session.send(method, path, fields, body)
        self.store.point()
        return answer

    def resume(self):
        """Repeats the request without an answer, and handles its answer."""
        request = self.request
        if not request:
            return
        answer = self.exchange(request["method"], request["path"], [tuple(field) for field in request["fields"]], request["body"])
        with self.lock:
            self.handle(answer)
            self.store.commit()

    def push(self):
        """Returns whether anything was pushed."""
        pushed = False
        for _ in range(ROUNDS_MAX * 100):
            with self.lock:
                if not self.make():
                    break
            self.resume()
            pushed = True
        return pushed

    def pull(self):
        if self.apply(*self.pages(self.data["token"])) or self.data["is_wrong"]:
            return
        if not self.apply(*self.pages(None)):
            self.data["is_wrong"], self.data["reports"] = True, self.data["reports"] + 1

    def pages(self, token):
        """All pages of a pull: the copies by id, whether they are a full set, and the last page."""
        staged, full = {}, token is None
        while True:
            seen = f"&seen={quote(self.data['seen'])}" if self.data["seen"] and token else ""
            limit = f"&limit={self.limit}" if self.limit else ""
            query = (f"&sync_token={quote(token)}{seen}" if token else "") + limit
            answer = self.exchange("GET", "/configurations" + ("?" + query[1:] if query else ""), [], "")
            if answer.status in (400, 414) and token:
                staged, full, token = {}, True, None
                continue
            if answer.status != 200:
                raise Later(60)
            page = answer.json
            if page["reset"]:
                staged, full = {}, True
            for document in page["configurations"]:
                staged[document["id"].lower()] = {"tag": page["versions"][document["id"]], "document": document}
            for id in page["deleted"]:
                staged[id.lower()] = {"tag": page["versions"][id], "document": None}
            token = page["sync_token"]
            if not page.get("has_more"):
                return staged, full, page

    def apply(self, staged, full, page):
        """Stores a complete pull in one step. Returns whether the copies are what the server has."""
        with self.lock:
            for id, new in staged.items():
                self.arrive(id, new, full)
            for id in [id for id in self.items if full and id not in staged]:
                self.arrive(id, None, full)
            self.data["token"], self.data["seen"] = page["sync_token"], None
            copies = [item["copy"]["document"] for item in self.items.values() if item["copy"] and item["copy"]["document"] is not None]
            is_right = state_hash(copies) == page["state_hash"]
            self.data["is_wrong"] = self.data["is_wrong"] and not is_right
            self.store.commit()
            return is_right


def main():
    parser = argparse.ArgumentParser()
    for name in ("server", "email", "password", "device", "store"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--style", choices=["put", "merge", "patch", "batch", "atomic"], default="put")
    parser.add_argument("--limit", type=int, default=0)
    options = parser.parse_args()
    store = Store(options.store)
    session = Session(options.server, options.email, options.password, options.device, store.data["session"])
    Commands(Client(store, session, options.style, options.limit)).run()


if __name__ == "__main__":
    main()

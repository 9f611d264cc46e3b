"""Breaks the reference client in one way after the other, and expects the kit to notice: `mutants.py --server BINARY [NAME…]`. Ends with "mutants: N passed, M failed"."""
import argparse
import os
import shutil
import sys
import tempfile

from kit import points
from kit.trials import Trials
from cluster import place  # Its folder is known to the kit.

HERE = os.path.dirname(os.path.abspath(__file__))
SEEDS = range(1, 21)
FILES = ("reference_client.py", "session.py", "instants.py")
# Name, what is wrong, what notices (points by their number, also with a newer server, or seeds), and the pairs of texts.
HASH = ('if self.apply(*found) or wrong_at and', 'if self.apply(*found) or True or wrong_at and')
FULL = 'if full and before is not None and not same(before, document):'
WAITS = 'item["waits"] = True'
NEWER = "newer "
MUTANTS = [
    ("merged-base", "After a merge the copy is what was sent", "1", [('document = json.get("configuration") or sent\n', 'document = sent\n')]),
    ("since-not-rebased", "What was edited meanwhile is not put onto the merged document", "1",
     [('item["edit"] = self.rebased(id, since, sent, document, latest)', 'pass')]),
    ("since-forgotten", "An answer ends also what was edited meanwhile", "1",
     [('item["edit"] = self.rebased(id, since, sent, document, latest)', 'item["edit"] = None')]),
    ("deletion-since-forgotten", "An answer ends a deletion that was made meanwhile", "1",
     [('        elif since and not same(document, sent):', '        elif since:\n            item["edit"] = None')]),
    ("reset-without-rebase", "The edit's document is sent with the tag of the copy that arrived", "2",
     [('item["edit"] = self.rebased(id, edit, base, document, latest)', 'pass')]),
    ("mine-always-wins", "Of two values of a member the own one stays", "2", [('if instant(time) <= min(instant(new["modified_at"]), latest):', 'if False:')]),
    ("conflict-unnamed", "The value that loses is not named", "2", [('self.lose_value(id, pointer, mine)\n', 'pass\n')]),
    ("winner-unnamed", "The value of others that loses is not named", "26", [('self.lose_value(id, pointer, theirs)\n', 'pass\n')]),
    ("deletes-what-changed", "A deletion goes on though the document has changed", "2", [('elif edit and not same(base, document):', 'elif False:')]),
    ("reset-drops-edits", "A full set drops an edit that it does not list", "2", [('elif new and not item["held"]:', 'elif not item["held"]:')]),
    ("reset-keeps-copies", "A full set leaves what it does not list", "9",
     [('for id in [id for id in self.items if full and id not in staged]:', 'for id in []:'), HASH]),
    ("stage-not-emptied", "A second full set keeps the pages of the first", "9", [('stage["copies"], stage["is_full"] = {}, True', 'stage["is_full"] = True'), HASH]),
    ("page-anew", "A lost page drops the pages before it", "27",
     [('        self.stage = self.stage or {', '        self.stage = {')]),
    ("refused-page-for-ever", "A full set is asked for again without a pause", "27a", [('or stage["is_full"]:', 'or not stage["token"]:')]),
    ("older-copy-wins", "A pull does not take the place of an answer's copy", "3",
     [('        before, document = old and', '        if old and new and int(new["tag"].split("-")[0]) == int(old["tag"].split("-")[0]) + 1:\n            return\n        before, document = old and')]),
    ("hash-over-edits", "The state hash is computed over what is shown", "5",
     [('copies = [item["copy"]["document"] for item in self.items.values() if item["copy"] and item["copy"]["document"] is not None]',
       'copies = [self.shown(id) for id in self.items if self.shown(id) is not None]')]),
    ("batch-key-again", "A new batch has the key of the refused one", "6",
     [('("Idempotency-Key", key())], "body": canonical(body)}', '("Idempotency-Key", \'"00000000-0000-4000-8000-000000000000"\')], "body": canonical(body)}')]),
    ("batch-for-ever", "A refused batch is tried without end", "6", [("REFUSALS_MAX = 3", "REFUSALS_MAX = 30")]),
    ("no-condition", "Writes have no If-Match", "2b",
     [('''return [("If-Match", f'"{copy["tag"]}"')] if copy else []''', "return []")]),
    ("made-anew", "A request without an answer is forgotten", "10",
     [('        except Pause:\n            # `sync` stores it with the pause.\n',
       '        except Pause:\n            for part in request["parts"]:\n                self.give_back(part)\n            self.data["request"] = None\n            self.store.commit()\n            raise\n')]),
    ("deleted-unnamed", "What was sent for a deleted item is not named", "12",
     [('            self.lose(id, "deleted elsewhere", document=document)\n', '')]),
    ("held-is-sent", "What was edited meanwhile brings a deleted item back unasked", "12", [('            item["held"] = item["edit"] is not None and not self.is_needless(item)\n', '')]),
    ("held-is-dropped", "What was edited meanwhile goes with the deleted item", "12", [('        if not item["edit"]:\n            del', '        if True:\n            del')]),
    ("token-before-copies", "The token is stored before what it stands for", "28",
     [('            for id, new in staged.items():\n', '            self.data["token"] = page["sync_token"]\n            self.store.commit()\n            for id, new in staged.items():\n'), HASH]),
    ("answer-stored-in-two-steps", "The request is forgotten before its answer is stored", "28",
     [('        request, self.data["request"] = self.request, None\n', '        request, self.data["request"] = self.request, None\n        self.store.commit()\n')]),
    ("lost-history-unseen", "Neither Sync-Head nor state hash are looked at", "5b", [('self.data["seen"].append(head)', 'pass'), HASH]),
    ("one-seen", "Only the newest Sync-Head is kept", "17", [('self.data["seen"].append(head)', 'self.data["seen"] = [head]')]),
    ("seen-unbounded", "More heads are kept than a pull can send", "17b", [("SEEN_MAX = 16", "SEEN_MAX = 320")]),
    ("clock-unmended", "A clock that is wrong stays wrong", "13",
     [('self.stored["clock"] = int(answer.json["server_time"]) - int(time.time())', 'pass')]),
    ("refused-is-dropped", "What the server refuses is forgotten", "seeds",
     [('                item["refused"] = {"type"', '                item["edit"] = None\n                item["refused"] = {"type"')]),
    ("refused-stays", "An item stays refused though its copy has changed", "19", [('item["copy"], item["refused"], item["unsure"] = new, None, False', 'item["copy"], item["unsure"] = new, False')]),
    ("no-room-again", "What got 403 waits for a further edit", "19", [('            if brings_deletion:\n', '            if False:\n')]),
    ("wait-ends-with-an-edit", "A further edit of what waits is sent before the next pull", "16g",
     [('edit, None, False\n\n    def delete', 'edit, None, False\n        item["waits"] = False\n\n    def delete')]),
    ("404-without-pull", "A write that got 404 is sent again before the next pull", "15", [(WAITS, 'item["waits"] = status != 404')]),
    ("412-without-pull", "A write that got 412 is sent again before the next pull", "16c", [(WAITS, 'item["waits"] = status != 412')]),
    ("full-set-unnamed", "What a full set replaces is not named beside an edit", "16b", [(FULL, FULL[:-1] + " and not edit:")]),
    ("greater-number-unnamed", "What a full set replaces by a greater number is not named", "16a",
     [(FULL, FULL[:-1] + ' and not (new and int(new["tag"].split("-")[0]) > int(old["tag"].split("-")[0])):')]),
    ("tombstone-unnamed", "What a full set replaces by a tombstone is not named", "16d", [(FULL, FULL[:-1] + " and (not new or document):")]),
    ("unlisted-unnamed", "What a full set does not list is not named beside an edit", "16e", [(FULL, FULL[:-1] + " and (new or not edit):")]),
    ("request-unnoted", "A document made anew keeps members of the one that is being sent", "18a",
     [(', part and part["edit"].get("document"), item["copy"]', ', item["copy"]')]),
    ("refused-without-pause", "A sync with full sets alone sends what is refused without end", "19a", [('if item["waits"] or item["refused"]}', 'if item["waits"]}')]),
    ("gone-with-404", "A document made anew goes with the deletion that got 404", "18",
     [('            self.is_deleted(item, part, None)\n', '            del self.items[id]\n')]),
    ("401-for-ever", "A 401 is mended without end", "20", [('        if repair in repaired:', '        if False:')]),
    ("login-for-ever", "A login that was refused is tried at each sync", "20b", [('self.stored["is_signed_out"] = True', 'pass')]),
    ("portal-believed", "The answer of a captive portal is taken for the server's", "21",
     [('if is_unknown or not answer.is_of_server(needed(method, path), has_tag, is_conditional):', 'if is_unknown:')]),
    ("gateway-believed", "A gateway's problem is taken for the server's", "21", [(' and "/problems/" in str(self.json.get("type", ""))', '')]),
    ("304-believed", "A 304 to a write is taken for its answer", "21", [('            return is_conditional\n', '            return True\n')]),
    ("304-unasked", "A 304 to a pull without If-None-Match is taken for the server's", "46a", [('            return is_conditional\n', '            return True\n')]),
    ("304-ends-nothing", "After a 304 items wait still", "46", [('                self.end_pull(False)\n', '                pass\n')]),
    ("304-without-token", "A pull without a token has If-None-Match", "46",
     [('if query and query[0].startswith("sync_token=") and etag.get("query") == query else []', 'if etag else [("If-None-Match", "*")]')]),
    ("500-for-ever", "A document that always gets 500 blocks the others", "22", [("FAILURES_MAX = 10", "FAILURES_MAX = 500")]),
    ("count-not-stored", "The number of attempts is forgotten when the app ends", "22",
     [('            with self.lock:\n                self.store.commit()\n            self.again', '            self.again')]),
    ("given-up-in-a-portal", "A write is given up though nothing comes through", "22a", [('FAILURES_MAX - 1 and self.is_served()', 'FAILURES_MAX - 1')]),
    ("tag-believed", "Any 200 with a tag is taken for the server's", "21", [('return all(name in self.json for name in needs) and', 'return')]),
    ("given-up-and-sure", "A write that was given up counts as not done", "34",
     [('        base = None if item["unsure"] else before\n', '        base = before\n')]),
    ("deletion-since-dropped", "A deletion goes with the answer to the one before", "35", [('        if not item["edit"]:\n            del', '        if not item["edit"] or item["edit"].get("deletion"):\n            del')]),
    ("deletion-is-dropped", "A deletion goes at once if there is no copy", "29",
     [('        self.keep(item, {"deletion": True})\n', '        self.keep(item, {"deletion": True})\n        if not item["copy"] and not self.part(id):\n            del self.items[id]\n')]),
    ("deletion-does-not-wait", "A deletion without a copy goes with the refusal of the document", "29",
     [('            self.give_back(part)\n            if status in', '            self.give_back(part)\n            if self.is_needless(item):\n                del self.items[id]\n            if status in')]),
    ("retry-after-obeyed", "Any Retry-After is obeyed", "30", [('float(min(max(int(seconds), PAUSE_MIN_S), PAUSE_MAX_S))', 'float(seconds)')]),
    ("retry-after-any-text", "A Retry-After that is no number of seconds is obeyed", "47",
     [('float(min(max(int(seconds), PAUSE_MIN_S), PAUSE_MAX_S)) if seconds.isdecimal() and', 'float(min(max(float(seconds.partition(" ")[0]), PAUSE_MIN_S), PAUSE_MAX_S)) if seconds and')]),
    ("lines-of-names", "A name ends at a line feed", "48", [('            note(noted, pointer, time)\n        self', '            note(noted, pointer.partition("\\n")[0], time)\n        self')]),
    ("back-with-the-id", "What comes back after a deletion has the id of the deleted item", "45",
     [('id = id if shown is not None else str(uuid.uuid4())', 'id = entry["id"]')]),
    ("back-unnoted", "A value that is taken back is shown, and no edit", "44",
     [('            self.edit(id, {} if removed else {entry["pointer"]: entry["value"]}, removed, None)\n', '            pass\n')]),
    ("removal-not-back", "A removal can't be taken back", "44a", [('removed = [] if "value" in entry else [entry["pointer"]]', 'removed = []\n            entry.setdefault("value", None)')]),
    ("retry-after-of-others", "The Retry-After of a gateway is obeyed", "30", [('if seconds.isdecimal() and self.is_problem else None', 'if seconds.isdecimal() else None')]),
    ("merges-the-same", "What was there is sent to be merged", "31", [('not same(old, new) and not isinstance(new, dict) for', 'not isinstance(new, dict) for')]),
    ("merges-objects", "A whole object is sent to be merged", "31", [('not same(old, new) and not isinstance(new, dict) for', 'not same(old, new) for')]),
    ("refused-for-ever", "What was refused waits for a further edit", "32", [('return item["refused"] and is_within(item["refused"]["at"], HOUR_S)', 'return item["refused"]')]),
    ("no-year-0", "Not each time of RFC 3339 is read", "33", [('+ int(year) // 400 * DAYS_OF_400_YEARS', '+ (int(year) or 9000) // 400 * DAYS_OF_400_YEARS')]),
    ("rounds-unbounded", "A sync has no end", "22b", [("ROUNDS_MAX = 5", "ROUNDS_MAX = 50")]),
    ("wish-forgotten", "An older version that is wanted back is not noted", "23",
     [('            self.replace(id, answer.json)\n', '            pass\n')]),
    ("wish-without-members", "Of an older version only the shown members are noted", "23",
     [('for known in documents for name', 'for known in documents[:1] for name')]),
    ("removal-forgotten", "A member that the user removed is there again after a rebase", "25",
     [('            put(document, pointer, mine)\n            members', '            if mine is MISSING:\n                continue\n            put(document, pointer, mine)\n            members')]),
    ("removal-forgotten-2", "The same, noticed by seeds", "seeds",
     [('            put(document, pointer, mine)\n            members', '            if mine is MISSING:\n                continue\n            put(document, pointer, mine)\n            members')]),
    ("names-everything", "Each member that is rebased is named", "24",
     [('            if same(mine, theirs):\n', '            self.lose_value(id, pointer, theirs)\n            if same(mine, theirs):\n')]),
    ("names-everything-2", "The same, noticed by seeds", "seeds",
     [('            if same(mine, theirs):\n', '            self.lose_value(id, pointer, theirs)\n            if same(mine, theirs):\n')]),
    ("full-set-unnamed-2", "Nothing that a full set replaces is named, noticed by seeds", "seeds", [(FULL, 'if False:')]),
    ("members-apart", "Members that meet in their parent are compared one by one", "26",
     [('            note(placed, reachable(new, pointer), time)\n        for pointer, time in placed.items():', '            placed[pointer] = time\n        for pointer, time in placed.items():\n            pointer = reachable(document, pointer)')]),
    ("members-closed", "A page with an unknown member is not the server's", "newer 5",
     [('            page = answer.json\n',
       '            page = answer.json\n            if set(page) - set("configurations deleted versions sync_token server_time state_hash reset has_more".split()):\n                raise Pause()\n')]),
    ("codes-closed", "A refusal with an unknown code is not the server's", "newer 5",
     [(' and "/problems/" in str(self.json.get("type", ""))', ' and "/problems/" in str(self.json.get("type", "")) and self.problem in ("invalid-document", "version-mismatch", "edited-later")')]),
    ("attempt-anew", "A refresh without an answer is made anew", "36", [('        if not self.stored["attempt"]:\n', '        if True:\n')]),
    ("attempt-unsaved", "The attempt is not stored before the refresh is sent", "36",
     [('            self.keep(attempt=str(uuid.uuid4()))', '            self.stored["attempt"] = str(uuid.uuid4())')]),
    ("attempt-for-ever", "The next refresh has the attempt of the one before", "36",
     [('if answer.status == 200 else None, attempt=None)', 'if answer.status == 200 else None)')]),
    ("outdated-logs-in", "An outdated token ends the session", "37", [('OUTDATED = ("token-expired", "token-outdated")', 'OUTDATED = ("token-expired",)')]),
    ("newer-token-unread", "The token is not read again", "37", [('        if self.stored["session"] != session:\n', '        if False:\n')]),
    ("refused-refresh", "A session whose refresh got 401 goes on", "37",
     [('self.keep(session={**session, "token": answer.json["token"]} if answer.status == 200 else None, attempt', 'self.keep(session={**session, "token": answer.json["token"]} if answer.status == 200 else session, attempt')]),
    ("refresh-without-clock", "A refresh with a wrong clock ends with a login", "37a", [('not in RESIGNED', '!= "nonce-used"')]),
    ("refresh-without-nonce", "A refresh whose nonce was used ends with a login", "37a", [('not in RESIGNED', '!= "clock-skew"')]),
    ("one-account", "Another account is taken for the same", "38",
     [('        if self.stored["user"] not in ("", user):\n', '        user = self.stored["user"] or user\n        if False:\n')]),
    ("one-store", "Another account begins with the store of the former", "38",
     [('        accounts.setdefault(user, self.empty())\n', '        accounts.setdefault(user, self.data)\n')]),
    ("former-store-dropped", "The store of the former account is deleted", "38a",
     [('        accounts.setdefault(user, self.empty())\n', '        accounts.clear()\n        accounts.setdefault(user, self.empty())\n')]),
    ("ahead-wins", "What has a time to come wins each rebase", "39", [('min(instant(new["modified_at"]), latest):', 'instant(new["modified_at"]):')]),
    ("ahead-loses", "What has a time to come loses each rebase", "39",
     [('if instant(time) <= min(instant(new["modified_at"]), latest):', 'if instant(time) <= instant(new["modified_at"]) <= latest:')]),
    ("ahead-wins-after-merge", "What has a time to come wins the rebase after a merge", "39a",
     [('latest_at(json["updated_at"]) if "configuration" in json else None', 'Decimal("Infinity")')]),
    ("no-condition-2", "The same, of a device with last_sync", "40",
     [('''return [("If-Match", f'"{copy["tag"]}"')] if copy else []''', "return []")]),
    ("came-back-and-sure", "No edit of a store that came back may have been done", "41",
     [('item["unsure"] = item["unsure"] or item["edit"] is not None', 'pass')]),
    ("came-back-half-sure", "Of a store that came back only the request may have been done", "41",
     [('            self.give_back(part)\n        data["request"]', '            self.give_back(part)\n            self.items[part["id"]]["unsure"] = True\n        data["request"]'),
      ('item["unsure"] = item["unsure"] or item["edit"] is not None', 'pass')]),
    ("tenth-try-unsent", "The tenth try ends with the GET", "22c",
     [('        except Pause:\n            return False\n\n    def push', '        except Pause:\n            raise\n\n    def push')]),
    ("created-anew", "A rebase keeps the created_at of the edit", "42",
     [('return {"document": {**document, "modified_at": whole(now())}, "members"', 'return {"document": {**document, "created_at": edit["document"]["created_at"], "modified_at": whole(now())}, "members"')]),
    ("fraction-in-document", "The times of a document have a fraction of a second", "42a", [('return time[:19] + "Z"', 'return time')]),
    ("fraction-after-rebase", "A rebased document has a fraction of a second", "42a", [('"modified_at": whole(now())}, "members"', '"modified_at": now()}, "members"')]),
    ("numbers-unnoted", "Only texts that the user sets are noted", "seeds",
     [('            note(noted, pointer, time)\n        self', '            if isinstance(wanted, (str, dict)):\n                note(noted, pointer, time)\n        self')]),
]


def place_of(name, folder, text):
    """The file that has the text, which must be there once."""
    places = [path for path in (f"{folder}/{file}" for file in FILES) for _ in range(read(path).count(text))]
    if len(places) != 1:
        sys.exit(f"{name}: the text to replace is there {len(places)} times: {text}")
    return places[0]


def read(path):
    with open(path) as file:
        return file.read()


def replace(name, folder, old, new):
    path = place_of(name, folder, old)
    text = read(path).replace(old, new)
    with open(path, "w") as file:
        file.write(text)


def made(mutant, folder):
    """The command of the reference client, broken, in a folder of its own."""
    name, _, _, pairs = mutant
    home = f"{folder}/{name}/Exams/Client"
    shutil.copytree(HERE, home)
    shutil.copytree(HERE + "/../../Interface", f"{folder}/{name}/Interface")
    for old, new in pairs:
        replace(name, home, old, new)
    return [sys.executable, "-S", home + "/reference_client.py"]


def names(by):
    """Where it must be noticed."""
    return SEEDS if by == "seeds" else [name for name in points.ALL if name.split()[0] == by.removeprefix(NEWER)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--reasons", action="store_true", help="also what the kit said")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    # Seeds take long, so they come first.
    chosen = sorted((mutant for mutant in MUTANTS if not options.names or mutant[0] in options.names), key=lambda mutant: mutant[2] != "seeds")
    caught = 0
    with tempfile.TemporaryDirectory(dir=place()) as folder, Trials(options.server, options.jobs) as trials:
        for mutant, trial in [(mutant, trials.start(made(mutant, folder), names(mutant[2]), mutant[2].startswith(NEWER))) for mutant in chosen]:
            failures = trial.result()
            caught += bool(failures)
            print(f"{mutant[0]:28} {'caught' if failures else 'SURVIVED'}   {mutant[1]}", flush=True)
            if failures and options.reasons:
                print("    " + failures[0].strip().replace(folder, ""), flush=True)
    print(f"mutants: {caught} passed, {len(chosen) - caught} failed")
    return 0 if caught == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())

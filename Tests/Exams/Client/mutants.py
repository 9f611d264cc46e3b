"""Breaks the reference client in one way after the other, and expects the kit to notice: `mutants.py --server BINARY [NAME…]`. Ends with "mutants: N passed, M failed"."""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SEEDS = "1..12"
FILES = ("reference_client.py", "session.py")
# Name, what is wrong, what notices (points by their number, or seeds), and the pairs of texts.
MUTANTS = [
    ("merged-base", "After a merge the copy is what was sent", "1",
     [('"document": merged or part["document"]}', '"document": part["document"]}')]),
    ("since-not-rebased", "What was edited meanwhile is not put onto the merged document", "1",
     [('item["edit"] = self.rebased(id, edit, part["document"], document)', 'pass')]),
    ("since-forgotten", "An answer ends also what was edited meanwhile", "1",
     [('item["edit"] = self.rebased(id, edit, part["document"], document)', 'item["edit"] = None')]),
    ("deletion-since-forgotten", "An answer ends a deletion that was made meanwhile", "1",
     [('            if merged and not same(merged, part["document"]):', '            item["edit"] = None\n            if merged and not same(merged, part["document"]):')]),
    ("reset-without-rebase", "After a refusal or a reset the edit's document is sent with the new tag", "2",
     [('item["edit"] = self.rebased(id, item["edit"], old, new)', 'pass')]),
    ("mine-always-wins", "Of two values of a member the own one stays", "2",
     [('if not is_later(time, new["modified_at"]):', 'if False:')]),
    ("conflict-unnamed", "The value that loses is not named", "2",
     [('self.lose_value(id, pointer, mine)\n', 'pass\n')]),
    ("deletes-what-changed", "A deletion goes on though the document has changed", "2",
     [('elif old is None or not same(old, new):', 'elif False:')]),
    ("reset-drops-edits", "A full set drops an edit that it does not list", "2",
     [('elif not item["held"] and (new or item["edit"].get("deletion")):', 'elif not item["held"]:')]),
    ("reset-keeps-copies", "A full set leaves what it does not list", "9",
     [('for id in [id for id in self.items if full and id not in staged]:', 'for id in []:'), ('if self.apply(*self.pages(self.data["token"])) or self.data["is_wrong"]:', 'if self.apply(*self.pages(self.data["token"])) or True:')]),
    ("stage-not-emptied", "A second full set keeps the pages of the first", "9",
     [('            if page["reset"]:\n                staged, full = {}, True', '            if page["reset"]:\n                full = True'),
      ('if self.apply(*self.pages(self.data["token"])) or self.data["is_wrong"]:', 'if self.apply(*self.pages(self.data["token"])) or True:')]),
    ("older-copy-wins", "A pull does not take the place of an answer's copy", "3",
     [('        document = new and new["document"]\n', '        if old and new and number(new["tag"]) == number(old["tag"]) + 1:\n            item["copy"] = old\n            return\n        document = new and new["document"]\n')]),
    ("hash-over-edits", "The state hash is computed over what is shown", "5",
     [('copies = [item["copy"]["document"] for item in self.items.values() if item["copy"] and item["copy"]["document"] is not None]',
       'copies = [self.shown(id) for id in self.items if self.shown(id) is not None]')]),
    ("batch-key-again", "A new batch has the key of the refused one", "6",
     [('("Idempotency-Key", key())], "body": canonical(body)}', '("Idempotency-Key", \'"00000000-0000-4000-8000-000000000000"\')], "body": canonical(body)}')]),
    ("batch-for-ever", "A refused batch is tried without end", "6", [("REFUSALS_MAX = 3", "REFUSALS_MAX = 30")]),
    ("no-condition", "Writes have no If-Match", "2b",
     [('''return [("If-Match", f'"{copy["tag"]}"')] if copy else []''', "return []")]),
    ("made-anew", "A request without an answer is forgotten", "10",
     [('        except NoAnswer:\n', '        except NoAnswer:\n            for part in self.request["parts"] if self.request else []:\n                self.give_back(self.items[part["id"]], part)\n            self.data["request"] = None\n            self.store.commit()\n')]),
    ("deleted-unnamed", "What was sent for a deleted item is not named", "12",
     [('            self.lose(id, "deleted elsewhere", document=part["document"])\n', '')]),
    ("held-is-sent", "What was edited meanwhile brings a deleted item back unasked", "12",
     [('            item["held"] = True\n', '')]),
    ("held-is-dropped", "What was edited meanwhile goes with the deleted item", "12",
     [('if item["edit"] and not item["edit"].get("deletion"):\n            item["held"]', 'if False:\n            item["held"]')]),
    ("token-before-copies", "The token is stored before what it stands for", "seeds",
     [('            for id, new in staged.items():\n', '            self.data["token"] = page["sync_token"]\n            self.store.commit()\n            for id, new in staged.items():\n'),
      ('if self.apply(*self.pages(self.data["token"])) or self.data["is_wrong"]:', 'if self.apply(*self.pages(self.data["token"])) or True:')]),
    ("answer-stored-in-two-steps", "The request is forgotten before its answer is stored", "seeds",
     [('        request, self.data["request"] = self.request, None\n', '        request, self.data["request"] = self.request, None\n        self.store.commit()\n')]),
    ("lost-history-unseen", "Neither Sync-Head nor state hash are looked at", "5b",
     [('self.data["seen"] = answer.fields.get("sync-head") or self.data["seen"]', 'self.data["seen"] = None'),
      ('if self.apply(*self.pages(self.data["token"])) or self.data["is_wrong"]:', 'if self.apply(*self.pages(self.data["token"])) or True:')]),
    ("clock-unmended", "A clock that is wrong stays wrong", "13",
     [('self.stored["clock"] = int(answer.json["server_time"]) - int(time.time())', 'pass')]),
    ("refused-is-dropped", "What the server refuses is forgotten", "seeds",
     [('                item["refused"] = {"status"', '                item["edit"] = None\n                item["refused"] = {"status"')]),
]


def is_caught(server, folder, by):
    words = ["--seeds", SEEDS, "--first-failure"] if by == "seeds" else ["--points", by]
    program = [sys.executable, folder + "/conformance", "--server", server, *words, "--", sys.executable, folder + "/reference_client.py"]
    return subprocess.run(program, capture_output=True, text=True).returncode == 1


def replace(name, folder, old, new):
    """In whichever file has the text, which must be there once."""
    texts = {}
    for path in (f"{folder}/{file}" for file in FILES):
        with open(path) as file:
            texts[path] = file.read()
    count = sum(text.count(old) for text in texts.values())
    if count != 1:
        sys.exit(f"{name}: the text to replace is there {count} times: {old}")
    path = next(path for path, text in texts.items() if old in text)
    with open(path, "w") as file:
        file.write(texts[path].replace(old, new))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    survived, tried = [], 0
    for name, title, by, pairs in MUTANTS:
        if options.names and name not in options.names:
            continue
        with tempfile.TemporaryDirectory() as place:
            folder = place + "/Exams/Client"
            shutil.copytree(HERE, folder)
            shutil.copytree(HERE + "/../../Interface", place + "/Interface")
            for old, new in pairs:
                replace(name, folder, old, new)
            tried += 1
            caught = is_caught(options.server, folder, by)
        print(f"{name:28} {'caught' if caught else 'SURVIVED'}   {title}", flush=True)
        survived += [] if caught else [name]
    print(f"mutants: {tried - len(survived)} passed, {len(survived)} failed")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())

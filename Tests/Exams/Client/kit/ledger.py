"""What the users did, and whether all of it is accounted for in the end. Every value that a user sets is set once: wherever it is found, it is that edit. Knows no version,
no tag, and no code of a client."""
import re

UNIQUE = re.compile(r"^e\d+$")


def values(content):
    """All unique values in a JSON value."""
    if isinstance(content, dict):
        return set().union(*map(values, content.values())) if content else set()
    if isinstance(content, list):
        return set().union(*map(values, content)) if content else set()
    return {content} if isinstance(content, str) and UNIQUE.match(content) else set()


def places(content, pointer=""):
    """The unique values of a JSON value and the pointers of their members; an array is one value."""
    if isinstance(content, dict):
        return {place for name, inner in content.items() for place in places(inner, f"{pointer}/{name}")}
    return {(found, pointer) for found in values(content)}


def covers(pointer, other):
    return other == pointer or other.startswith(pointer + "/") or pointer.startswith(other + "/")


class Ledger:
    def __init__(self):
        # By value: the item and the pointer that it was set at.
        self.edits = {}
        # (id, values that the user saw go)
        self.replaced = set()
        self.deletions = []
        self.revived = set()
        # Values, and ids: of an item that a restored backup lacks, each device has its own knowledge.
        self.forgotten, self.forgotten_ids = set(), set()
        self.count = 0

    def fresh(self):
        """A value that nobody has set."""
        self.count += 1
        return f"e{self.count}"

    def edit(self, id, before, members, removed=(), new=None, is_held=False):
        """A user has edited what was shown before: None, and `new` is the document. What was held is wanted back by that."""
        if before is None or is_held:
            self.revived.add(id)
        if before is None:
            for value, pointer in places(new):
                self.edits[value] = (id, pointer)
        for pointer, content in members.items():
            for value, place in places(content, pointer):
                self.edits[value] = (id, place)
        touched = [*members, *removed]
        gone = {(value, place) for value, place in places(before or new) if any(covers(pointer, place) for pointer in touched)}
        self.replaced |= {(id, value) for value, _ in gone}

    def delete(self, id, before):
        self.deletions.append(id)
        self.revived.discard(id)
        self.replaced |= {(id, value) for value in values(before)}

    def restore(self, id, before):
        """A user has brought an older version back."""
        self.replaced |= {(id, value) for value in values(before)}

    def forget(self, done):
        """A backup was restored: what was acknowledged since it was made may be gone. `done`: (method, id, content)."""
        for method, id, content in done:
            self.forgotten |= values(content)
            if method in ("DELETE", "POST"):
                self.forgotten_ids.add(id)

    def judge(self, final, lost):
        """What is wrong with the final documents by id, and what all devices have named as lost."""
        wrong = []
        named, there = values(lost), {id: values(document) for id, document in final.items()}
        kept_deletions = {entry["id"] for entry in lost if entry.get("deletion")}
        for value, (id, pointer) in self.edits.items():
            if value in there.get(id, ()) or value in named or (id, value) in self.replaced or value in self.forgotten:
                continue
            wrong.append(f"{value} ({id} {pointer}) is lost, and nobody was told")
        for id in set(self.deletions) - kept_deletions - self.revived - self.forgotten_ids:
            if id in final:
                wrong.append(f"{id} was deleted and is there again")
        for id, document in final.items():
            for value, pointer in places(document):
                if self.edits.get(value) != (id, pointer):
                    wrong.append(f"{value} at {id} {pointer} was never set there")
        return wrong

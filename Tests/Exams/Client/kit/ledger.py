"""What the users did, and whether all of it is accounted for in the end. It counts members by their values: a string, a number, an array, a member that was removed. It knows no
version, no tag, and no code of a client."""
import json

MISSING = None
# The client and the server may write them.
UNJUDGED = ("/id", "/created_at", "/modified_at")


def leaves(content, pointer=""):
    """The values in a JSON value by their pointers; an array is one value. An empty object has none."""
    if isinstance(content, dict):
        found = {}
        for name, inner in content.items():
            found.update(leaves(inner, f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}"))
        return found
    return {} if pointer in UNJUDGED else {pointer: json.dumps(content, sort_keys=True)}


def covers(pointer, other):
    return other == pointer or other.startswith(pointer + "/") or pointer.startswith(other + "/")


class Act:
    """What one user did to one item: before and after by pointer (None: not shown), and the pointers that it was about, "" for all."""

    def __init__(self, device, before, after, touched, is_revival=False):
        self.device, self.before, self.after, self.touched, self.is_revival = device, before, after, touched, is_revival
        # (pointer, value) that the user wanted; a value that was there counts.
        self.changes = {(pointer, value) for pointer, value in (after or {}).items() if self.touches(pointer)}
        self.changes |= {(pointer, MISSING) for pointer in before or () if after is not None and pointer not in after}

    def touches(self, pointer):
        return any(covers(touched, pointer) for touched in self.touched)

    def saw(self, other, pointer, earlier):
        """Whether it was made upon what another device's earlier act left there, and not upon the same value of its own device."""
        if self.before is None or other.after is None or self.before.get(pointer, MISSING) != other.after.get(pointer, MISSING):
            return False
        return not any(own.device == self.device and (pointer, self.before.get(pointer, MISSING)) in own.changes for own in earlier)

    def shows(self, pointer, value):
        """Whether the value was there before or after."""
        return any(state is not None and state.get(pointer, MISSING) == value for state in (self.before, self.after))

    def replaces(self, pointer, value):
        """Whether the user saw the value and changed it."""
        is_seen = self.before is not None and self.touches(pointer) and self.before.get(pointer, MISSING) == value
        return is_seen and (self.after is None or self.after.get(pointer, MISSING) != value)


class Ledger:
    def __init__(self):
        # By id, in order.
        self.acts = {}
        # (id, pointer, value) that a restored backup may have taken away; items that it lacks, of which each device has its own knowledge; items whose copies it may have replaced.
        self.forgotten, self.unknown, self.replaced = set(), set(), set()
        # By id, how many acts there were when a backup brought an item back.
        self.brought_back = {}
        self.has_backup = False
        self.count = 0

    def number(self):
        self.count += 1
        return self.count

    def fresh(self):
        """A text that nobody has set."""
        return f"e{self.number()}"

    def edit(self, device, id, before, after, touched, is_held=False):
        """A user has edited what was shown before (None: nothing). What was held is wanted back by that."""
        is_revival = before is None or is_held
        self.acts.setdefault(id, []).append(Act(device, before and leaves(before), leaves(after), [""] if before is None else list(touched), is_revival))

    def delete(self, device, id, before):
        self.acts.setdefault(id, []).append(Act(device, leaves(before), None, [""]))

    def values(self, id, pointer):
        """What was ever at that place."""
        return {state[pointer] for act in self.acts.get(id, ()) for state in (act.before, act.after) if state and pointer in state}

    def forget(self, done, written, restored, shown):
        """A backup was restored. `done`: (method, id, content) that was acknowledged since it was made; `written`: the items of all writes since; `restored`: what it has; `shown`:
        what each device shows. What the backup lacks and no device shows can't be known any more."""
        self.has_backup = True
        there = [{id: leaves(document) for id, document in documents.items()} for documents in (restored, *shown)]
        self.unknown |= set(self.acts) - set(restored)
        self.replaced |= set(written)
        self.brought_back.update({id: len(self.acts.get(id, ())) for method, id, _ in done if method == "DELETE"})
        for id in {id for _, id, _ in done}:
            for pointer, value in set().union(*(act.changes for act in self.acts.get(id, ()))):
                is_there = any(id in documents and documents[id].get(pointer, MISSING) == value for documents in there)
                if not is_there and any(by == id and has(method, content, pointer, value) for method, by, content in done):
                    self.forgotten.add((id, pointer, value))

    def judge(self, final, lost, given_up=()):
        """What is wrong with the final documents by id, and with what the devices have named as lost: pairs of a device and an entry. `given_up`: (device, id) of writes that the
        device may have given up though they were done; of merges also how many acts there were then, and the documents that the server keeps."""
        final, given_up = {id: leaves(document) for id, document in final.items()}, dict(given_up)
        return [*self.unaccounted(final, lost, given_up), *self.undone(final, lost), *self.invented(final), *self.unjustified(lost, given_up)]

    def unaccounted(self, final, lost, given_up):
        for id, acts in self.acts.items():
            named = [entry for _, entry in lost if entry["id"].lower() == id]
            merges = [merge for (_, item), merge in given_up.items() if item == id and merge]
            for number, act in enumerate(acts):
                kept = [{"document": document} for count, documents in merges if number < count for document in documents]
                for pointer, value in act.changes:
                    is_there = id in final and final[id].get(pointer, MISSING) == value
                    if is_there or (id, pointer, value) in self.forgotten or any(names(entry, pointer, value) for entry in [*named, *kept]):
                        continue
                    # A value that was there before may count as unchanged, and of two equal edits the later may go with the earlier.
                    is_old = act.before is not None and act.before.get(pointer, MISSING) == value or any(other.shows(pointer, value) for other in acts[:number])
                    is_old = is_old or any(other.device != act.device and (pointer, value) in other.changes for other in acts)
                    unseen = [other for other in acts[:number] if is_old and other.device != act.device and not act.saw(other, pointer, acts[:number])]
                    if not any(other.replaces(pointer, value) for other in [*unseen, *acts[number + 1 :]]):
                        yield f"{id} {pointer} = {'removed' if value is MISSING else value} by {act.device} is lost, and nobody was told"

    def undone(self, final, lost):
        """Deletions that are undone: nobody brought the item back later, and the device that deleted does not name it."""
        for id in set(final) - self.unknown:
            acts, counts = self.acts.get(id, []), {}
            for number, act in enumerate(acts):
                if number >= self.brought_back.get(id, 0) and act.after is None and not any(other.is_revival for other in acts[number + 1 :]):
                    counts[act.device] = counts.get(act.device, 0) + 1
            for device, count in counts.items():
                if sum(by == device and entry["id"].lower() == id and bool(entry.get("deletion")) for by, entry in lost) < count:
                    yield f"{id} was deleted by {device} and is there again"

    def invented(self, final):
        for id, document in final.items():
            for pointer, value in document.items():
                if value not in self.values(id, pointer):
                    yield f"{value} at {id} {pointer} was never set there"

    def unjustified(self, lost, given_up):
        """A name needs a reason: others who changed the same, or a restored backup; and what it names was there."""
        for device, entry in lost:
            id, acts = entry["id"].lower(), self.acts.get(entry["id"].lower(), [])
            content = entry.get("document", entry.get("value"))
            for pointer, value in (leaves(content, entry.get("pointer", "")) if "document" in entry or "value" in entry else {}).items():
                if value not in self.values(id, pointer):
                    yield f"{device} names {value} at {id} {pointer}, which never was there"
            if id in self.unknown | self.replaced or (device, id) in given_up:
                continue
            if entry.get("deletion"):
                is_justified = any(act.after is None and act.device == device for act in acts) and any(act.after is not None and act.device != device for act in acts)
            elif "document" in entry:
                # A full set replaces also what others have changed since.
                is_justified = any(act.after is None for act in acts) or self.has_backup and len(acts) > 1
            else:
                is_justified = len({act.device for act in acts[1:] if act.touches(entry["pointer"])}) > 1
            if not is_justified:
                yield f"{device} names {entry} without a reason"


def has(method, content, pointer, value):
    """Whether a write that was done has this value of this member. What a PATCH removes is null there."""
    found = leaves(content)
    if method != "PATCH" or value is not MISSING:
        return found.get(pointer, MISSING) == value
    return any(covers(removed, pointer) and nothing == "null" for removed, nothing in found.items())


def names(entry, pointer, value):
    """Whether an entry of a list of lost things has this value of this member."""
    if "document" in entry:
        return leaves(entry["document"]).get(pointer, MISSING) == value
    if "pointer" not in entry or not covers(entry["pointer"], pointer):
        return False
    return (leaves(entry["value"], entry["pointer"]) if "value" in entry else {}).get(pointer, MISSING) == value

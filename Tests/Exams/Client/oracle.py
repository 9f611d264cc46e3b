"""Tries the kit's oracle (kit/ledger.py) on what it must notice, and on what it must not: `oracle.py`. Ends with "oracle: N passed, M failed"."""
import sys

from kit.ledger import Ledger

DOCUMENT = {"id": "i", "name": "e1", "x0": "e2", "n": 1, "flag": True, "list": ["e3"], "o": {"a": "e4", "b": "e5"}}


def made():
    ledger = Ledger()
    ledger.edit("A", "i", None, DOCUMENT, [])
    return ledger


def edited(changes, removed=(), by="B"):
    """A ledger with one more edit, and the document after it."""
    ledger, after = made(), {name: value for name, value in {**DOCUMENT, **changes}.items() if name not in removed}
    ledger.edit(by, "i", DOCUMENT, after, ["/" + name for name in [*changes, *removed]])
    return ledger, after


def deleted():
    ledger = made()
    ledger.delete("B", "i", DOCUMENT)
    return ledger


def restored(shown):
    """An edit that was acknowledged, a backup from before it, and what a device shows then."""
    ledger, after = edited({"name": "e9"})
    ledger.forget([("PUT", "i", after)], {"i"}, {"i": DOCUMENT}, [{"i": after if shown else DOCUMENT}])
    return ledger


def cases():
    """Name, what is wrong by the oracle, and whether something must be."""
    for name, changes, removed in (("text", {"name": "e9"}, ()), ("number", {"n": 2}, ()), ("boolean", {"flag": False}, ()), ("null", {"flag": None}, ()),
                                   ("empty array", {"list": []}, ()), ("member of an object", {"o": {"a": "e9", "b": "e5"}}, ()), ("removal", {}, ("x0",))):
        ledger, after = edited(changes, removed)
        pointer = "/x0" if removed else "/" + next(iter(changes))
        named = {"id": "i", "pointer": pointer, **({} if removed else {"value": after[pointer[1:]]})}
        yield f"{name} lost", ledger.judge({"i": DOCUMENT}, []), True
        yield f"{name} there", ledger.judge({"i": after}, []), False
        yield f"{name} named at another pointer", ledger.judge({"i": DOCUMENT}, [("B", {**named, "pointer": "/q"})]), True
        yield f"{name} named for another item", ledger.judge({"i": DOCUMENT}, [("B", {**named, "id": "z"})]), True
        yield f"{name} named without a reason", ledger.judge({"i": after}, [("B", named)]), True
        ledger.edit("A", "i", DOCUMENT, {**DOCUMENT, pointer[1:]: "e10"}, [pointer])
        yield f"{name} named after a conflict", ledger.judge({"i": {**DOCUMENT, pointer[1:]: "e10"}}, [("A", named)]), False
        yield f"{name} unnamed after a conflict", ledger.judge({"i": {**DOCUMENT, pointer[1:]: "e10"}}, []), True
    ledger, after = edited({"name": "e9"})
    yield "invented", ledger.judge({"i": {**after, "x9": "e77"}}, []), True
    yield "at another place", ledger.judge({"i": {**after, "x0": "e9"}}, []), True
    yield "document gone", ledger.judge({}, []), True
    yield "document gone and named without a deletion", ledger.judge({}, [("A", {"id": "i", "document": after})]), True
    yield "deleted", deleted().judge({}, []), False
    yield "deletion undone", deleted().judge({"i": DOCUMENT}, []), True
    yield "deletion undone, and another device's named", deleted().judge({"i": DOCUMENT}, [("A", {"id": "i", "deletion": True})]), True
    again = deleted()
    again.edit("A", "i", DOCUMENT, {**DOCUMENT, "name": "e9"}, ["/name"])
    yield "deletion named", again.judge({"i": {**DOCUMENT, "name": "e9"}}, [("B", {"id": "i", "deletion": True})]), False
    again.delete("B", "i", {**DOCUMENT, "name": "e9"})
    yield "a second deletion undone", again.judge({"i": {**DOCUMENT, "name": "e9"}}, [("B", {"id": "i", "deletion": True})]), True
    doubtful = deleted()
    doubtful.forget([("DELETE", "i", {})], {"i"}, {"i": DOCUMENT}, [])
    yield "backup: a deletion from before it undone", doubtful.judge({"i": DOCUMENT}, []), False
    doubtful.delete("A", "i", DOCUMENT)
    yield "backup: a deletion from after it undone", doubtful.judge({"i": DOCUMENT}, []), True
    untouched = made()
    untouched.forget([], set(), {"i": DOCUMENT}, [])
    yield "backup: of an item that nobody wrote, named without a reason", untouched.judge({"i": DOCUMENT}, [("A", {"id": "i", "pointer": "/x0", "value": "e2"})]), True
    ledger, _ = edited({"name": "e9"})
    yield "given up: in what the server keeps", ledger.judge({"i": DOCUMENT}, [], {("A", "i"): (2, [{**DOCUMENT, "name": "e9"}])}), False
    yield "given up: before it was made", ledger.judge({"i": DOCUMENT}, [], {("A", "i"): (1, [{**DOCUMENT, "name": "e9"}])}), True
    yield "given up: nowhere", ledger.judge({"i": DOCUMENT}, [], {("A", "i"): (2, [])}), True
    toggled, after = edited({"name": "e9"}, by="A")
    toggled.edit("A", "i", after, DOCUMENT, ["/name"])
    yield "set back by the same device, and lost", toggled.judge({"i": after}, []), True
    added, after = edited({"x9": "e9"}, by="A")
    added.edit("B", "i", after, DOCUMENT, ["/x9"])
    yield "added and removed by another who saw it, and lost", added.judge({"i": after}, []), True
    added.edit("B", "i", DOCUMENT, after, ["/x9"])
    added.edit("B", "i", after, DOCUMENT, ["/x9"])
    yield "set to the same and removed by another who saw neither", added.judge({"i": after}, []), False
    yield "backup: shown by a device, unnamed", restored(True).judge({"i": DOCUMENT}, []), True
    yield "backup: shown by a device, named", restored(True).judge({"i": DOCUMENT}, [("B", {"id": "i", "document": {**DOCUMENT, "name": "e9"}})]), False
    yield "backup: known to nobody", restored(False).judge({"i": DOCUMENT}, []), False
    yield "backup: what it has is lost", restored(False).judge({"i": {**DOCUMENT, "x0": "e1"}}, []), True


def main():
    outcomes = []
    for name, wrong, is_expected in cases():
        outcomes.append(bool(wrong) == is_expected)
        if not outcomes[-1]:
            print(f"{name}: {'nothing' if is_expected else wrong} was found")
    print(f"oracle: {sum(outcomes)} passed, {len(outcomes) - sum(outcomes)} failed")
    return 0 if all(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())

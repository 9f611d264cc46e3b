"""Members of documents, named by JSON Pointers (RFC 6901)."""
import copy

from session import canonical

MISSING = object()


def same(left, right):
    """Whether two values are one, or both are missing."""
    if left is MISSING or right is MISSING:
        return left is right
    return canonical(left) == canonical(right)


def names(pointer):
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def top(name):
    """The pointer of a member at the top."""
    return "/" + name.replace("~", "~0").replace("/", "~1")


def value(document, pointer):
    for name in names(pointer):
        if not isinstance(document, dict) or name not in document:
            return MISSING
        document = document[name]
    return document


def put(document, pointer, new):
    """Sets a member of an object that is there; MISSING removes it."""
    *parents, last = names(pointer)
    for name in parents:
        document = document[name]
    if new is MISSING:
        document.pop(last, None)
    else:
        document[last] = copy.deepcopy(new)


def reachable(document, pointer):
    """The nearest pointer for which the document has an object to put it into."""
    while pointer.count("/") > 1 and not isinstance(value(document, pointer.rpartition("/")[0]), dict):
        pointer = pointer.rpartition("/")[0]
    return pointer


def note(members, pointer, time):
    """Adds a member to a set of members; what lies below another one is part of it."""
    for other in list(members):
        if pointer == other or pointer.startswith(other + "/"):
            members[other] = time
            return
        if other.startswith(pointer + "/"):
            del members[other]
    members[pointer] = time


def difference(old, new):
    """The merge patch (RFC 7396) that makes `new` of `old`, or MISSING where there is none: a null can't be set."""
    if new is None:
        return MISSING
    if not isinstance(new, dict):
        return new
    patch = {name: None for name in (old if isinstance(old, dict) else {}) if name not in new}
    for name, wanted in new.items():
        before = old.get(name, MISSING) if isinstance(old, dict) else MISSING
        if before is not MISSING and same(before, wanted):
            continue
        patch[name] = difference(before, wanted)
        if patch[name] is MISSING:
            return MISSING
    return patch

"""The cases of Autobahn|Testsuite, which are Python 2, as classes of this Python.

The cases treat text as bytes. Their files are read as Latin-1, so each of their bytes is a character here, and a peer sends the characters as bytes again.
"""
import binascii
import builtins
import importlib
import importlib.abc
import importlib.machinery
import pathlib
import re
import sys
import types

# Python 2 that the files have, outside of functions that no case calls. The last one is a division of whole numbers.
CHANGES = [
    (re.compile(r"\(object, Case, \)"), "(Case, )"),
    (re.compile(r"^( *)print( .*)?$", re.MULTILINE), r"\1pass"),
    (re.compile(r"len\(self\.payload\) / self\.p\.autoFragmentSize"), "len(self.payload) // self.p.autoFragmentSize"),
]
# The compression that the server does not offer, and a case that the suite itself leaves out.
LEFT_OUT = re.compile(r"case(12_|9_9_)")


class CaseFiles(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads the files of cases, which import each other by their names."""

    def __init__(self, folder):
        self.folder = folder

    def find_spec(self, name, path=None, target=None):
        if (self.folder / f"{name}.py").is_file():
            return importlib.machinery.ModuleSpec(name, self)
        return None

    def exec_module(self, module):
        text = (self.folder / f"{module.__name__}.py").read_text(encoding="latin-1")
        for pattern, change in CHANGES:
            text = pattern.sub(change, text)
        exec(compile(text, module.__name__, "exec"), module.__dict__)


class Validator:
    """What one case asks of the suite's own validator: whether a text is UTF-8, and whether it ends with a whole character."""

    def reset(self):
        pass

    def validate(self, text):
        try:
            text.encode("latin-1").decode("utf-8")
        except UnicodeDecodeError as error:
            return error.reason == "unexpected end of data", False
        return True, True


def module(name, **members):
    made = types.ModuleType(name)
    made.__dict__.update(members)
    sys.modules[name] = made


class States:
    """The constants that cases take from the suite's protocol."""

    MESSAGE_TYPE_TEXT = 1
    MESSAGE_TYPE_BINARY = 2
    STATE_CONNECTING = 1
    STATE_CLOSING = 2
    STATE_OPEN = 3
    STATE_CLOSED = 0
    CLOSE_STATUS_CODE_NORMAL = 1000
    CLOSE_STATUS_CODE_GOING_AWAY = 1001
    CLOSE_STATUS_CODE_PROTOCOL_ERROR = 1002
    CLOSE_STATUS_CODE_INVALID_PAYLOAD = 1007


def number(name):
    return tuple(int(part) for part in name.split("_"))


def load(folder):
    """All cases as pairs of their number and their class, in order."""
    builtins.xrange = range
    module("autobahn")
    module("autobahn.websocket")
    module("autobahn.websocket.protocol", WebSocketProtocol=States)
    module("autobahn.websocket.utf8validator", Utf8Validator=Validator)
    sys.meta_path.insert(0, CaseFiles(pathlib.Path(folder)))
    sys.modules["binascii"] = types.SimpleNamespace(b2a_hex=lambda text: text.encode("latin-1").hex())
    found = {}
    try:
        for path in sorted(pathlib.Path(folder).glob("case*.py")):
            if LEFT_OUT.match(path.name):
                continue
            for value in vars(importlib.import_module(path.stem)).values():
                for case in value if isinstance(value, list) else [value]:
                    named = re.fullmatch(r"Case(\d+(?:_\d+)+)", getattr(case, "__name__", ""))
                    if named and isinstance(case, type):
                        found[number(named[1])] = case
    finally:
        sys.modules["binascii"] = binascii
    # Equal events are equal; the suite compares their pickles, which also depend on which objects are the same one.
    sys.modules["case"].Case.compare = lambda self, first, second: first == second
    return sorted(found.items())

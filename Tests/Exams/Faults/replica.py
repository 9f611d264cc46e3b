"""What a device has: the items by replaying deltas, and where it stands."""
import hashlib
import json
from urllib.parse import quote

from tags import number


class Cursor:
    """A sync_token taken apart. For clients it is opaque; the exam looks inside."""

    def __init__(self, token):
        own, *read_at = token.split("~")
        parts = own.split(".")
        # A page that is not the last one also names the newest change when it was read.
        self.read_at = [Cursor(head) for head in read_at]
        self.token, self.seq, self.chain, self.is_in_full_set = token, int(parts[0]), parts[1], len(parts) == 6

    def changes(self):
        """Those that the history must have."""
        return [self, *self.read_at]


class Pull:
    """What a pull named, and what it was answered: held against the history when everything is over."""

    def __init__(self, account, named, page, is_by_time):
        self.account, self.answer = account, Cursor(page["sync_token"])
        self.named = [change for token in named for change in Cursor(token).changes()]
        self.is_reset, self.is_by_time, self.is_cut = page["reset"], is_by_time, page.get("has_more", False)


class Replica:
    """`items`: by id in lower case the version's tag and the document, which is None for a tombstone. `seen`: the heads of writes since
    the last pull that was stored."""

    def __init__(self, account, findings, limit=None):
        self.account, self.findings, self.limit = account, findings, limit
        self.items, self.cursor, self.server_time, self.seen = {}, None, None, []
        self.pulls, self.has_reset = [], False

    def pull(self, session, by_time=False):
        """Takes what is new, page by page. False when an answer was no success: what came before it is kept, unless it was
        a part of a full set. Raises NoAnswer."""
        self.has_reset = False
        full, cursor = (None, self.cursor) if self.cursor else ({}, None)
        if by_time and self.server_time and not self.limit:
            self.pull_by_time(session)
            cursor = self.cursor
        while True:
            answer = session.ask("GET", self.path(cursor))
            if not answer.is_success:
                return False
            page, before, cursor = answer.body, cursor, Cursor(answer.body["sync_token"])
            self.judge(page, before, cursor)
            self.note_pull(before, page)
            if page["reset"]:
                full, self.has_reset = {}, True
            self.store(page, self.items if full is None else full, full is None)
            if page.get("has_more"):
                if full is None:
                    self.cursor = cursor
                continue
            if full is not None:
                self.items = full
            self.cursor, self.server_time, self.seen = cursor, page["server_time"], []
            self.check_hash(page)
            return True

    def pull_by_time(self, session):
        """Takes what is new since the time of the last answer, from which the cursor then goes on. A reset is left to the pull by the
        cursor, which follows: a time of an earlier history gets one also where nothing was lost."""
        answer = session.ask("GET", "/configurations?last_sync=" + quote(self.server_time) + self.seen_parameter())
        if not answer.is_success:
            return
        page, cursor = answer.body, Cursor(answer.body["sync_token"])
        self.note_pull(None, page, is_by_time=True)
        if not page["reset"]:
            self.judge(page, self.cursor, cursor)
            self.store(page, self.items, True)
            self.cursor, self.server_time = cursor, page["server_time"]
            self.check_hash(page)
            self.findings.count("pulls by time")

    def check_hash(self, page):
        if page.get("state_hash", self.state_hash()) != self.state_hash():
            self.findings.breach(2, f"{self.account.name}: another state_hash than {self.state_hash()} at {page['sync_token']}")

    def state_hash(self):
        """The XOR over the live items of SHA-256 of the id and the digest of the document's canonical form, which of documents
        with plain names, texts and whole numbers is what is written here. Servers that have none are not asked for it."""
        total = 0
        for item, (_, document) in self.items.items():
            if document is not None:
                text = json.dumps(document | {"id": item}, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
                digest = hashlib.sha256(text.encode()).digest()
                total ^= int.from_bytes(hashlib.sha256(item.encode() + digest).digest(), "big")
        return f"{total:064x}"

    def path(self, cursor):
        parameters = ([f"sync_token={quote(cursor.token)}"] if cursor else []) + \
            ([f"limit={self.limit}"] if self.limit else [])
        return "/configurations?" + "&".join(parameters) + self.seen_parameter()

    def seen_parameter(self):
        return "&seen=" + quote(",".join(self.seen)) if self.seen else ""

    def note_pull(self, before, page, is_by_time=False):
        named = [before.token] if before else []
        if not (before and before.is_in_full_set):
            named += self.seen
        if named:
            self.pulls.append(Pull(self.account.number, named, page, is_by_time))

    def judge(self, page, before, cursor):
        """The cursor goes on, except by a reset."""
        if page["reset"]:
            self.findings.count("resets")
        elif before and cursor.seq < before.seq:
            self.findings.breach(3, f"{self.account.name}: back from {before.token} to {cursor.token}")

    def store(self, page, items, goes_on):
        documents = {document["id"].lower(): document for document in page["configurations"]}
        versions = {item.lower(): version for item, version in page["versions"].items()}
        if versions.keys() != documents.keys() | {item.lower() for item in page["deleted"]}:
            self.findings.breach(2, f"{self.account.name}: versions and items differ in {page['sync_token']}")
        for item, version in versions.items():
            document = documents.get(item)
            self.account.judge(item, document, self.findings)
            if goes_on and item in items and version != items[item][0] and number(version) <= number(items[item][0]):
                self.findings.breach(3, f"{item}: from version {items[item][0]} back to {version}")
            items[item] = (version, document)

    def differences(self, other):
        """Items that are not the same in both."""
        return sorted(item for item in self.items.keys() | other.items.keys()
                      if self.items.get(item) != other.items.get(item))

"""An account: its mark, its ids, and the documents that its devices have sent."""
import datetime
import random
import threading
import uuid

MERGED = "merge "


class Account:
    def __init__(self, number):
        self.number, self.name = number, f"account-{number}"
        # By their marks; what comes back must be among them, member for member.
        self.sent, self.lock = {}, threading.Lock()

    def new_item(self, chance):
        """An id that tells whose it is, in one of the two spellings that clients use."""
        text = str(uuid.UUID(int=((0xFA << 24 | self.number) << 96) | (4 << 76) | (8 << 60) | chance.getrandbits(60)))
        return text.upper() if chance.random() < 0.5 else text

    def owns(self, item):
        return item[:8].lower() == f"{0xFA << 24 | self.number:08x}"

    def document(self, item, write, chance):
        """A configuration that bears the marks of its account and of its write."""
        now = time_of_edit()
        document = {
            "id": item, "name": f"{self.name} {write}", "preset": chance.choice(["auto", "macro", "night", "sport"]),
            "video_format": "H.265", "resolution": "4K UHD", "frame_rate": chance.randint(1, 240), "created_at": now,
            "modified_at": now, "account": self.name, "write": write, "ballast": "b" * chance.randint(0, 800)}
        self.note(write, document)
        return document

    def patch(self, document, write, chance):
        """A merge patch for a document, whose mark becomes the patch's."""
        patch = {"name": f"{self.name} {write}", "frame_rate": chance.randint(1, 240), "modified_at": time_of_edit(),
                 "write": write, "ballast": "p" * chance.randint(0, 800)}
        self.note(write, document | patch)
        return patch

    def merged(self, document, write):
        """An edit that nobody else's is in conflict with: it adds a mark and leaves the document its own."""
        edited = document | {MERGED + write: 1, "modified_at": time_of_edit()}
        self.note(write, edited)
        return edited

    def note(self, write, document):
        with self.lock:
            self.sent[write] = document

    def judge(self, item, document, findings):
        """Whether an item that came back is this account's, and as it was sent."""
        if not self.owns(item) or document is not None and document.get("account") != self.name:
            return findings.breach(7, f"{self.name} was given {item} {document}")
        if document is None:
            return None
        sent = self.sent.get(document.get("write"))
        # A merge takes the later time of the two edits.
        times = {self.sent.get(mark, {}).get("modified_at") for mark in merges(document) | {document.get("write")}}
        # The id comes back as the creator spelled it.
        if sent is None or document["modified_at"] not in times or plain(document) != plain(sent) | {
                "id": document["id"], "modified_at": document["modified_at"]} or not merges(document) <= self.sent.keys():
            findings.breach(7, f"{self.name}: {item} came back as {document}, sent was {sent}")
        return None


def time_of_edit():
    return datetime.datetime.now(datetime.timezone.utc).isoformat().replace("+00:00", "Z")


def merges(document):
    """The marks of the merges that a document has in it."""
    return {name.removeprefix(MERGED) for name in document if name.startswith(MERGED)}


def plain(document):
    return {name: value for name, value in document.items() if not name.startswith(MERGED)}


def chance_of(*parts):
    """Random numbers that are the same for the same parts."""
    return random.Random("/".join(map(str, parts)))

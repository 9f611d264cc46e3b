"""An account: its mark, its ids, and the documents that its devices have sent."""
import datetime
import random
import threading
import uuid


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
        now = datetime.datetime.now(datetime.timezone.utc).isoformat().replace("+00:00", "Z")
        document = {
            "id": item, "name": f"{self.name} {write}", "preset": chance.choice(["auto", "macro", "night", "sport"]),
            "video_format": "H.265", "resolution": "4K UHD", "frame_rate": chance.randint(1, 240), "created_at": now,
            "modified_at": now, "account": self.name, "write": write, "ballast": "b" * chance.randint(0, 800)}
        with self.lock:
            self.sent[write] = document
        return document

    def judge(self, item, document, findings):
        """Whether an item that came back is this account's, and as it was sent."""
        if not self.owns(item) or document is not None and document.get("account") != self.name:
            return findings.breach(7, f"{self.name} was given {item} {document}")
        if document is None:
            return None
        sent = self.sent.get(document.get("write"))
        # The id comes back as the creator spelled it.
        if sent is None or sent | {"id": document["id"]} != document:
            findings.breach(7, f"{self.name}: {item} came back as {document}, sent was {sent}")
        return None


def chance_of(*parts):
    """Random numbers that are the same for the same parts."""
    return random.Random("/".join(map(str, parts)))

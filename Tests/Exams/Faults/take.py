"""A recording as its camera knows it: its bytes, which seed and id make again, and how far it has come."""
import base64
import hashlib

from account import chance_of, time_of_edit

SMALLEST_BYTES, LARGEST_BYTES = 10 << 10, 3 << 20
JPEGS_SHARE = 0.05
DIGESTS_SHARE = 0.5
OTHER, JPEG = "application/octet-stream", "image/jpeg"
# A small picture, which whatever follows leaves one: the server measures it and makes a thumbnail.
PICTURE = base64.b64decode(
    "/9j/4AAQSkZJRgABAgAAAQABAAD/2wBDAAg+Pkk+SVVVVVVVVWRdZGhoaGRkZGRoaGhwcHCDg4NwcHBoaHBwfHyDg4+Tj4eHg4eTk5ubm7q6sr"
    "LZ2eD/////xABKAAEAAAAAAAAAAAAAAAAAAAAAAQEAAAAAAAAAAAAAAAAAAAAAEAEAAAAAAAAAAAAAAAAAAAAAEQEAAAAAAAAAAAAAAAAAAAAA"
    "/8AAEQgAMABAAwEiAAIRAAMRAP/aAAwDAQACEQMRAD8AAAAAAAAAAAAAAAAAAAAAAAAA/9k=")


def content(seed, item, size, content_type):
    head = PICTURE if content_type == JPEG else b""
    return head + chance_of("take", seed, item.lower()).randbytes(size - len(head))


def digest(data):
    """As the API spells it."""
    return base64.b64encode(hashlib.sha256(data).digest()).decode()


class Take:
    def __init__(self, item, way, seed, chance):
        self.item, self.way = item, way
        # Small ones are as likely as large ones.
        self.size = int(SMALLEST_BYTES * (LARGEST_BYTES / SMALLEST_BYTES) ** chance.random())
        self.content_type = JPEG if chance.random() < JPEGS_SHARE else OTHER
        self.bytes = content(seed, item, self.size, self.content_type)
        self.sha256 = digest(self.bytes)
        self.wish = {"file_size": self.size, "content_type": self.content_type}
        if chance.random() < DIGESTS_SHARE:
            self.wish["sha256"] = self.sha256
        self.metadata = {"filename": item[:8] + ".bin", "created_at": time_of_edit(), "take": item}
        # The upload URL's path, and how much of the file the server has confirmed.
        self.target, self.offset = None, 0
        # The most that the server can have.
        self.sent = 0
        # Whether a request was sent to the URL, whether the server must be asked how far it has come, and whether it has all.
        self.is_begun, self.is_unsure, self.is_whole = False, False, False
        # Whether `complete` was ever asked for: from then on there may be no upload any more.
        self.is_completing = False

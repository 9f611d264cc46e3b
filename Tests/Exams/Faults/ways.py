"""How bytes are sent to an upload URL: by one PUT, by the IETF's draft, and by tus."""

PIECES_MAX = 4


class Plain:
    """The file in one request; after a break again from the start."""
    resumes = False

    def __init__(self, _chance):
        pass

    def request(self, take):
        """Method, fields and bytes of the next request."""
        return "PUT", {"Content-Type": take.content_type}, take.bytes


class Draft:
    """Pieces of any length, the last of which says so. Version 6 and version 8 are those of Apple's URLSession."""
    resumes = True

    def __init__(self, chance):
        self.version, self.pieces = chance.choice([6, 8]), chance.randint(1, PIECES_MAX)
        self.begins_by_put = chance.random() < 0.7
        self.question = {"Upload-Draft-Interop-Version": str(self.version)}

    def request(self, take):
        piece = piece_of(take, self.pieces)
        is_last = take.offset + len(piece) == take.size
        fields = self.question | {"Upload-Complete": "?1" if is_last else "?0"}
        if take.offset == 0 and not take.is_begun and self.begins_by_put:
            return "PUT", fields, piece
        return "PATCH", fields | {"Upload-Offset": str(take.offset), "Content-Type": "application/partial-upload"}, piece


class Tus:
    """A request that creates, and pieces; the upload ends with its length."""
    resumes = True
    question = {"Tus-Resumable": "1.0.0"}

    def __init__(self, chance):
        self.pieces = chance.randint(1, PIECES_MAX)

    def request(self, take):
        if not take.is_begun:
            return "POST", self.question | {"Upload-Length": str(take.size)}, b""
        fields = {"Upload-Offset": str(take.offset), "Content-Type": "application/offset+octet-stream"}
        return "PATCH", self.question | fields, piece_of(take, self.pieces)


WAYS = (Plain, Draft, Draft, Tus)


def piece_of(take, pieces):
    return take.bytes[take.offset:take.offset + take.size // pieces + 1]

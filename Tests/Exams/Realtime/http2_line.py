"""A WebSocket over HTTP/2 (RFC 8441) with the few frames that it needs. Header fields are sent as literals, and of the answer only the status is read."""
import socket

from frames import PATIENCE_S, TEXT, V2, frame, take_frame

DATA, HEADERS, SETTINGS, PING, GOAWAY, WINDOW = 0, 1, 4, 6, 7, 8
ACK, END_HEADERS = 1, 4
ENABLE_CONNECT_PROTOCOL = 8
STREAM = 1
# Of a status of 200 in HPACK's static table.
STATUS_200 = 0x88
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def literal(name, value):
    """Shorter than 127 bytes each, or with a length of more bytes."""
    return b"\0" + text(name.encode()) + text(value.encode())


def text(content):
    length = len(content)
    if length < 127:
        return bytes([length]) + content
    head, length = b"\x7f", length - 127
    while length > 127:
        head += bytes([0x80 | length & 0x7F])
        length >>= 7
    return head + bytes([length]) + content


class Http2Line:
    """`stream`: a TLS connection that has agreed on h2."""

    def __init__(self, stream, authority, token):
        self.stream, self.input, self.received = stream, bytearray(), bytearray()
        stream.settimeout(PATIENCE_S)
        stream.sendall(PREFACE + self.frame(SETTINGS, 0, 0, b""))
        while True:
            kind, flags, _, payload = self.next_frame()
            if kind == SETTINGS and not flags & ACK:
                break
        settings = {int.from_bytes(payload[place:place + 2], "big"): int.from_bytes(payload[place + 2:place + 6], "big") for place in range(0, len(payload), 6)}
        self.is_possible = settings.get(ENABLE_CONNECT_PROTOCOL) == 1
        fields = {":method": "CONNECT", ":protocol": "websocket", ":scheme": "https", ":path": "/v2", ":authority": authority,
                  "sec-websocket-version": "13", "sec-websocket-protocol": V2, "authorization": "Bearer " + token}
        block = b"".join(literal(name, value) for name, value in fields.items())
        stream.sendall(self.frame(HEADERS, END_HEADERS, STREAM, block))
        while True:
            kind, _, number, payload = self.next_frame()
            if kind == HEADERS and number == STREAM:
                # A change of the table's size may come first.
                self.is_open = STATUS_200 in payload[:4]
                return
            if kind == GOAWAY:
                self.is_open = False
                return

    @staticmethod
    def frame(kind, flags, number, payload):
        return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + number.to_bytes(4, "big") + payload

    def need(self, count):
        while len(self.input) < count:
            piece = self.stream.recv(65_536)
            if not piece:
                raise ConnectionError("the proxy ended the connection")
            self.input += piece

    def next_frame(self):
        """Kind, flags, stream and payload; settings and pings are answered."""
        self.need(9)
        length = int.from_bytes(self.input[:3], "big")
        self.need(9 + length)
        kind, flags, number = self.input[3], self.input[4], int.from_bytes(self.input[5:9], "big")
        payload = bytes(self.input[9:9 + length])
        del self.input[:9 + length]
        if kind in (SETTINGS, PING) and not flags & ACK:
            self.stream.sendall(self.frame(kind, ACK, 0, payload if kind == PING else b""))
        if kind == DATA and payload:
            more = len(payload).to_bytes(4, "big")
            self.stream.sendall(self.frame(WINDOW, 0, 0, more) + self.frame(WINDOW, 0, number, more))
        return kind, flags, number, payload

    def send(self, payload, opcode=TEXT):
        self.stream.sendall(self.frame(DATA, 0, STREAM, frame(payload, opcode)))

    def next(self):
        """The next WebSocket frame of the server."""
        while True:
            found = take_frame(self.received)
            if found:
                return found
            kind, _, number, payload = self.next_frame()
            if kind == DATA and number == STREAM:
                self.received += payload
            elif kind == GOAWAY:
                raise ConnectionError("the proxy goes away")

    def close(self):
        try:
            self.stream.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.stream.close()

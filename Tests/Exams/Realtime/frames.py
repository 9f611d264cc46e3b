"""WebSocket frames of a client (RFC 6455) on bare sockets: what a library would never send is sent, too."""
import base64
import hashlib
import os
import socket
import time

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
V2 = "neuroviews.v2"
GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
PATIENCE_S = 10
PIECE_BYTES = 65_536


def frame(payload, opcode=TEXT, is_final=True):
    key, length = os.urandom(4), len(payload)
    first = bytes([(0x80 if is_final else 0) | opcode])
    if length < 126:
        head = first + bytes([0x80 | length])
    elif length < 65_536:
        head = first + bytes([0x80 | 126]) + length.to_bytes(2, "big")
    else:
        head = first + bytes([0x80 | 127]) + length.to_bytes(8, "big")
    stream = (key * (length // 4 + 1))[:length]
    return head + key + (int.from_bytes(payload, "big") ^ int.from_bytes(stream, "big")).to_bytes(length, "big")


def request(host, token, target="/v2", protocol=V2, fields=(), key=None):
    """The head of an upgrade, and the value that must accept it."""
    key = key or base64.b64encode(os.urandom(16))
    lines = [f"GET {target} HTTP/1.1", f"Host: {host}", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
             "Sec-WebSocket-Key: " + key.decode(), *fields]
    if token:
        lines.append("Authorization: Bearer " + token)
    if protocol:
        lines.append("Sec-WebSocket-Protocol: " + protocol)
    return "\r\n".join([*lines, "", ""]).encode(), base64.b64encode(hashlib.sha1(key + GUID).digest()).decode()


def take_frame(received):
    """Takes the first whole frame of the server from a bytearray: opcode and payload. None when there is none yet."""
    if len(received) < 2:
        return None
    length, start = received[1], 2
    if length > 125:
        size = 2 if length == 126 else 8
        start = 2 + size
        if len(received) < start:
            return None
        length = int.from_bytes(received[2:start], "big")
    if len(received) < start + length:
        return None
    opcode, payload = received[0] & 0x0F, bytes(received[start:start + length])
    del received[:start + length]
    return opcode, payload


def close_of(payload):
    """Code and reason of a close frame."""
    return (int.from_bytes(payload[:2], "big") if len(payload) > 1 else 1005), payload[2:].decode("utf-8", "replace")


def connect(address, source=None, wrap=None):
    """`address`: host and port. `wrap` makes TLS of it."""
    plain = socket.create_connection(address, timeout=PATIENCE_S, source_address=(source, 0) if source else None)
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return wrap(plain) if wrap else plain


class Refused(Exception):
    """The upgrade got another answer than 101."""

    def __init__(self, status, text):
        super().__init__(f"{status} {text[:200]}")
        self.status, self.text = status, text


class Line:
    """One socket that waits for each answer."""

    def __init__(self, address, token, source=None, protocol=V2, target="/v2", fields=(), wrap=None, host=None):
        self.socket = connect(address, source, wrap)
        head, accept = request(host or f"{address[0]}:{address[1]}", token, target, protocol, fields)
        self.received, self.code, self.reason = bytearray(), None, ""
        self.socket.sendall(head)
        while b"\r\n\r\n" not in self.received:
            self.receive()
        end = self.received.index(b"\r\n\r\n")
        answer = self.received[:end].decode()
        del self.received[:end + 4]
        self.status = int(answer.split(" ", 2)[1])
        if self.status != 101 or accept not in answer:
            self.socket.close()
            raise Refused(self.status, answer)

    def receive(self):
        piece = self.socket.recv(PIECE_BYTES)
        if not piece:
            raise ConnectionError("the server ended the connection")
        self.received += piece

    def send(self, payload, opcode=TEXT):
        self.socket.sendall(frame(payload, opcode))

    def next(self, seconds=PATIENCE_S):
        """The next frame; its pings are answered. Raises TimeoutError and ConnectionError."""
        deadline = time.monotonic() + seconds
        while True:
            found = take_frame(self.received)
            if found is None:
                self.socket.settimeout(max(0.001, deadline - time.monotonic()))
                self.receive()
            elif found[0] == PING:
                self.send(found[1], PONG)
            else:
                if found[0] == CLOSE:
                    self.code, self.reason = close_of(found[1])
                return found

    def ping(self):
        """The seconds until its pong; other frames are dropped."""
        begun = time.monotonic()
        self.send(b"ping", PING)
        while self.next()[0] != PONG:
            if self.code is not None:
                raise ConnectionError(f"closed with {self.code}")
        return time.monotonic() - begun

    def close(self):
        self.socket.close()

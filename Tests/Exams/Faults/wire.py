"""Requests to upload and download URLs: on a connection of their own, with interim answers, and cut where the client wants it."""
import email.parser
import http.client
import socket
import struct

from session import ANSWER_MAX_S

LINE_MAX_BYTES = 65536


class WireAnswer:
    """The final one; interim ones are left out."""

    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body

    @property
    def offset(self):
        """None where the answer tells none."""
        text = self.fields.get("Upload-Offset", "")
        return int(text) if text.isdecimal() else None

    @property
    def is_complete(self):
        return self.fields.get("Upload-Complete") == "?1"


class Cut:
    """Ends a connection after so many bytes of the body, by a reset or a usual end. `meanwhile` is called before."""

    def __init__(self, sent, is_reset, meanwhile=None):
        self.sent, self.is_reset, self.meanwhile = sent, is_reset, meanwhile


def exchange(port, method, target, fields=None, body=b"", cut=None):
    """The answer; None after a cut. Raises OSError and HTTPException."""
    with socket.create_connection(("127.0.0.1", port), timeout=ANSWER_MAX_S) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        lines = [f"{method} {target} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Connection: close"]
        lines += [f"{name}: {value}" for name, value in (fields or {}).items()]
        if method in ("PUT", "POST", "PATCH"):
            lines.append(f"Content-Length: {len(body)}")
        try:
            connection.sendall("\r\n".join([*lines, "", ""]).encode())
            connection.sendall(body[:cut.sent] if cut else body)
        except (ConnectionResetError, BrokenPipeError):
            # The server may have answered, and closed, before it has read everything.
            if cut:
                return None
        if cut:
            return end(connection, cut)
        with connection.makefile("rb") as file:
            return read_answer(file, method)


def end(connection, cut):
    if cut.meanwhile:
        cut.meanwhile()
    if cut.is_reset:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def read_answer(file, method):
    """http.client takes 104 for the final answer, and an end in the middle of the header for the header's end."""
    while True:
        line = file.readline(LINE_MAX_BYTES)
        if not line:
            raise http.client.RemoteDisconnected("no answer")
        header = b""
        while not header.endswith(b"\n\r\n") and header != b"\r\n":
            more = file.readline(LINE_MAX_BYTES)
            if not more.endswith(b"\n"):
                raise http.client.IncompleteRead(header)
            header += more
        status = int(line.split(b" ")[1])
        if status < 200:
            continue
        fields = email.parser.BytesHeaderParser().parsebytes(header)
        length = 0 if method == "HEAD" or status == 204 else int(fields["Content-Length"])
        body = file.read(length)
        if len(body) < length:
            raise http.client.IncompleteRead(body, length - len(body))
        return WireAnswer(status, fields, body)

"""Thousands of sockets in one thread: each answers pings, and notes its frames and its end."""
import collections
import select
import ssl
import time

from frames import CLOSE, PIECE_BYTES, PING, PONG, close_of, connect, frame, request, take_frame


class Member:
    """One socket. `status` is that of the upgrade's answer, `code` that of the close frame, 1006 without one."""

    __slots__ = ("crowd", "socket", "tag", "status", "code", "reason", "input", "output", "accept", "opened_at", "closed_at", "pinged_at",
                 "text", "number")

    def __init__(self, crowd, stream, tag):
        self.crowd, self.socket, self.tag, self.number = crowd, stream, tag, stream.fileno()
        self.input, self.output, self.text = bytearray(), b"", ""
        self.status = self.code = self.opened_at = self.closed_at = self.pinged_at = None
        self.reason = self.accept = ""

    @property
    def is_open(self):
        return self.status == 101 and self.closed_at is None

    @property
    def is_decided(self):
        return self.status is not None or self.closed_at is not None

    def send(self, data):
        """Keeps what the server does not take yet."""
        if self.closed_at is not None:
            return
        if self.output:
            self.output += data
            return
        try:
            sent = self.socket.send(data)
        except (BlockingIOError, ssl.SSLWantWriteError):
            sent = 0
        except OSError:
            self.end()
            return
        if sent < len(data):
            self.output = data[sent:]
            self.crowd.epoll.modify(self.number, select.EPOLLIN | select.EPOLLOUT)

    def flush(self):
        data, self.output = self.output, b""
        self.crowd.epoll.modify(self.number, select.EPOLLIN)
        self.send(data)

    def read(self):
        while self.closed_at is None:
            try:
                piece = self.socket.recv(PIECE_BYTES)
            except (BlockingIOError, ssl.SSLWantReadError):
                return
            except OSError:
                piece = b""
            if not piece:
                self.end()
                return
            self.input += piece
            self.take()
            # TLS may keep more in its own buffer, of which epoll knows nothing.
            if self.crowd.wrap is None:
                return

    def take(self):
        if self.status is None:
            end = self.input.find(b"\r\n\r\n")
            if end < 0:
                return
            self.text = self.input[:end].decode("latin-1")
            del self.input[:end + 4]
            self.status = int(self.text.split(" ", 2)[1]) if self.accept in self.text or " 101 " not in self.text[:14] else 0
            if self.status != 101:
                self.end()
                return
            self.opened_at, self.text = time.monotonic(), ""
        while self.closed_at is None:
            found = take_frame(self.input)
            if found is None:
                return
            opcode, payload = found
            if opcode == PING:
                self.pinged_at = time.monotonic()
                self.send(frame(payload, PONG))
            elif opcode == CLOSE:
                self.code, self.reason = close_of(payload)
                self.send(frame(payload[:2], CLOSE))
                self.end()
            elif self.crowd.on_frame:
                self.crowd.on_frame(self, opcode, payload)

    def end(self):
        if self.closed_at is not None:
            return
        self.closed_at, self.code = time.monotonic(), self.code or 1006
        self.crowd.drop(self)

    def cut(self):
        """Without a close frame."""
        self.end()


class Crowd:
    """`on_frame` gets member, opcode and payload of each data frame, `on_end` a member. `wrap` makes TLS of a connection."""

    def __init__(self, on_frame=None, on_end=None, wrap=None):
        self.on_frame, self.on_end, self.wrap = on_frame, on_end, wrap
        self.epoll, self.members, self.all = select.epoll(), {}, []

    def add(self, address, token, tag=None, source=None, host=None, **more):
        """Sends an upgrade; `step` receives its answer. `host`: as the client calls the server."""
        member = Member(self, connect(address, source, self.wrap), tag)
        head, member.accept = request(host or f"{address[0]}:{address[1]}", token, **more)
        member.socket.sendall(head)
        member.socket.setblocking(False)
        self.members[member.number] = member
        self.all.append(member)
        self.epoll.register(member.number, select.EPOLLIN)
        return member

    def drop(self, member):
        if self.members.pop(member.number, None):
            self.epoll.unregister(member.number)
        member.socket.close()
        if self.on_end:
            self.on_end(member)

    def step(self, seconds=0.05):
        for number, events in self.epoll.poll(seconds):
            member = self.members.get(number)
            if member and events & select.EPOLLOUT:
                member.flush()
            if member and events & ~select.EPOLLOUT:
                member.read()

    def run(self, seconds, until=lambda: False):
        """Returns whether `until` became true in time."""
        deadline = time.monotonic() + seconds
        while not until():
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            self.step(min(0.05, left))
        return True

    def open(self, wishes, at_once=64, seconds=120):
        """Opens a socket for each of the keyword lists. Returns the members; those that were refused have another status."""
        begun, waiting, opened = time.monotonic(), collections.deque(), []
        for wish in wishes:
            member = self.add(**wish)
            opened.append(member)
            waiting.append(member)
            while len(waiting) >= at_once and time.monotonic() < begun + seconds:
                self.step()
                waiting = collections.deque(one for one in waiting if not one.is_decided)
        self.run(seconds, lambda: all(one.is_decided for one in opened))
        return opened

    def count(self):
        return sum(member.is_open for member in self.all)

    def pinged(self, since):
        """The sockets that got a ping after that time."""
        return sum((member.pinged_at or 0) > since for member in self.all)

    def close(self):
        for member in list(self.members.values()):
            member.cut()
        self.epoll.close()

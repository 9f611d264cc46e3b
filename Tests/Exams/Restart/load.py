"""Clients that keep their connections, never repeat a request, and count what became of each."""
import collections
import errno
import random
import re
import select
import socket
import threading
import time

ANSWER_MAX_S = 60
HEAD_END = b"\r\n\r\n"
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.I)
CLOSE = re.compile(rb"\r\nconnection: *close", re.I)


class Client:
    """One connection at a time. `think_s`: it waits up to so long before each request, else not at all."""

    def __init__(self, load, think_s):
        self.load, self.think_s = load, think_s
        self.socket, self.is_new, self.is_connecting, self.input, self.deadline = None, True, False, b"", None

    def begin(self):
        """Sends the next request, over the connection that is there when the server still has it."""
        self.load.due.pop(self, None)
        if self.socket and self.is_closed():
            self.load.counts["closed while unused"] += 1
            self.drop()
        if self.socket:
            self.send()
        else:
            self.connect()

    def send(self):
        self.input, self.deadline = b"", time.monotonic() + ANSWER_MAX_S
        try:
            self.load.sent += 1
            self.socket.send(random.choice(self.load.requests))
        except OSError as error:
            self.fail(error)

    def is_closed(self):
        try:
            return self.socket.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True

    def connect(self):
        self.socket = socket.socket()
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setblocking(False)
        self.is_new, self.is_connecting = True, True
        self.socket.connect_ex(self.load.address)
        self.load.epoll.register(self.socket, select.EPOLLOUT)
        self.load.clients[self.socket.fileno()] = self

    def connected(self):
        code = self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if code:
            self.drop()
            return self.load.not_connected(self, code)
        self.is_connecting = False
        self.load.epoll.modify(self.socket, select.EPOLLIN)
        self.send()

    def drop(self):
        if self.socket.fileno() in self.load.clients:
            self.load.epoll.unregister(self.socket)
            del self.load.clients[self.socket.fileno()]
        self.socket.close()
        self.socket, self.deadline = None, None

    def ready(self):
        if self.is_connecting:
            return self.connected()
        try:
            piece = self.socket.recv(65536)
        except OSError as error:
            return self.fail(error)
        if self.deadline is None:
            # Nothing was asked: the server ends the connection.
            self.load.counts["closed while unused"] += 1
            return self.drop()
        if not piece:
            return self.fail(None)
        self.input += piece
        end = self.input.find(HEAD_END)
        if end < 0:
            return
        head = self.input[:end]
        length = LENGTH.search(head)
        if length and len(self.input) >= end + 4 + int(length.group(1)):
            self.answered(head)

    def answered(self, head):
        self.deadline = None
        self.is_new = False
        if head.startswith(b"HTTP/1.1 200 "):
            self.load.answered += 1
        else:
            self.load.failures[head[9:12].decode()] += 1
        if CLOSE.search(head):
            self.load.counts["told to close"] += 1
            self.drop()
        self.load.next(self)

    def fail(self, error):
        where = "new" if self.is_new else "used"
        what = "cut off" if self.input else f"closed before the answer, {where} connection"
        self.load.failures[f"{what} ({errno.errorcode[error.errno] if error else 'end'})"] += 1
        self.drop()
        self.load.next(self)


class Load:
    """Runs clients on a thread until `stop`."""

    def __init__(self, address, requests, clients, thinkers):
        self.address, self.requests = address, requests
        self.epoll, self.clients, self.due = select.epoll(), {}, {}
        self.sent, self.answered = 0, 0
        self.failures, self.counts = collections.Counter(), collections.Counter()
        # Whether a refused connection is the end for a client, and no failure.
        self.may_refuse, self.is_stopping = False, False
        self.left = clients + thinkers
        for number in range(self.left):
            self.due[Client(self, 0.6 if number >= clients else 0)] = 0
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        while self.left > 0:
            now = time.monotonic()
            for client in [client for client, due in self.due.items() if due <= now]:
                client.begin()
            for descriptor, _ in self.epoll.poll(0.005):
                if descriptor in self.clients:
                    self.clients[descriptor].ready()
            for client in [c for c in self.clients.values() if c.deadline and c.deadline < now]:
                client.input = b""
                self.failures["no answer"] += 1
                client.drop()
                self.next(client)

    def next(self, client):
        if self.is_stopping:
            self.left -= 1
            if client.socket:
                client.drop()
        elif client.think_s:
            self.due[client] = time.monotonic() + random.uniform(0, client.think_s)
        else:
            client.begin()

    def not_connected(self, client, code):
        if self.may_refuse and code == errno.ECONNREFUSED:
            self.left -= 1
            return
        self.failures[f"not connected ({errno.errorcode[code]})"] += 1
        self.due[client] = time.monotonic() + 0.05

    def stop(self):
        """Lets each client have its last answer."""
        self.is_stopping = True
        self.thread.join(ANSWER_MAX_S + 10)

    def until(self, answered, server):
        """Waits until so many requests in all have been answered."""
        deadline = time.monotonic() + 600
        while self.answered < answered and time.monotonic() < deadline and server.poll() is None:
            time.sleep(0.01)

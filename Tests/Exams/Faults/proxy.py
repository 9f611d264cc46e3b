"""A TCP proxy that forwards every request and loses some of the answers."""
import selectors
import socket
import threading

PIECE_BYTES = 65536


class LosingProxy(threading.Thread):
    """`share`: how many answers are lost, of which half are cut in the middle. One thread, many connections."""

    def __init__(self, server_port, chance):
        super().__init__(name="proxy", daemon=True)
        self.server_port, self.chance, self.share, self.lost = server_port, chance, 0.0, 0
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.listener.setblocking(False)
        self.port = self.listener.getsockname()[1]
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.listener, selectors.EVENT_READ)
        # Each socket's other side.
        self.others = {}
        self.has_ended = threading.Event()

    def run(self):
        while not self.has_ended.is_set():
            for key, _ in self.selector.select(0.1):
                if key.fileobj is self.listener:
                    self.accept()
                elif key.fileobj in self.others:
                    self.forward(key.fileobj, key.data)
        while self.others:
            self.drop(next(iter(self.others)))
        self.listener.close()
        self.selector.close()

    def end(self):
        self.has_ended.set()
        if self.ident:
            self.join(10)

    def accept(self):
        client, _ = self.listener.accept()
        try:
            server = socket.create_connection(("127.0.0.1", self.server_port), timeout=10)
        except OSError:
            client.close()
            return
        for side, other, is_server in ((client, server, False), (server, client, True)):
            side.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.others[side] = other
            self.selector.register(side, selectors.EVENT_READ, is_server)

    def forward(self, side, is_server):
        """Answers are small and come in one piece, so a piece from the server is where an answer begins."""
        try:
            piece = side.recv(PIECE_BYTES)
        except OSError:
            piece = b""
        is_lost = is_server and piece and self.chance.random() < self.share
        if is_lost:
            self.lost += 1
            piece = piece[:len(piece) // 2] if self.chance.random() < 0.5 else b""
        try:
            if piece:
                self.others[side].sendall(piece)
        except OSError:
            piece = b""
        if is_lost or not piece:
            self.drop(side)

    def drop(self, side):
        for end in (side, self.others.pop(side)):
            self.others.pop(end, None)
            self.selector.unregister(end)
            end.close()

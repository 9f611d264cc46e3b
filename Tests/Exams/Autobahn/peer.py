"""The client that runs one case of Autobahn|Testsuite. It sends whatever the case wants, also what breaks the protocol, and notes how the connection ended.

Its members are those that cases use of the suite's own client, with the same rules: which side closes, whether the end was clean, who dropped the connection.
Texts are of Latin-1: each character is a byte.
"""
import asyncio
import base64
import codecs
import collections
import hashlib
import os
import struct

from suite import States

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
# Of the suite's client.
TIMEOUT_SECONDS = 1
VALID_CODES = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011]


def masked(payload, key, offset=0):
    """The bytes of a payload under the key, whose byte of `offset` is the first one."""
    if not payload:
        return payload
    turned = key[offset % 4:] + key[:offset % 4]
    stream = (turned * (len(payload) // 4 + 1))[:len(payload)]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(stream, "big")).to_bytes(len(payload), "big")


def head(opcode, length, fin, rsv, key):
    first = (0x80 if fin else 0) | rsv << 4 | opcode
    if length <= 125:
        return struct.pack("!BB", first, 0x80 | length) + key
    if length <= 0xFFFF:
        return struct.pack("!BBH", first, 0x80 | 126, length) + key
    return struct.pack("!BBQ", first, 0x80 | 127, length) + key


class Peer(asyncio.Protocol, States):
    """One connection for one case."""

    class factory:
        isServer = False

    def __init__(self, case, patience):
        self.loop = asyncio.get_running_loop()
        self.ended = self.loop.create_future()
        self.patience = patience
        self.state = States.STATE_CONNECTING
        self.input = bytearray()
        self.output = collections.deque()
        self.is_pumping = False
        self.timers = []
        self.key = base64.b64encode(os.urandom(16))
        # What cases read.
        self.autoFragmentSize = 0
        self.createWirelog = True
        self.trafficStats = None
        self.txFrameStats = collections.Counter()
        self.connectionWasOpen = False
        self.closedByMe = self.failedByMe = self.droppedByMe = self.wasClean = False
        self.localCloseCode = self.localCloseReason = None
        self.remoteCloseCode = self.remoteCloseReason = None
        # The message that is received, and the one that is sent in parts.
        self.message = None
        self.is_binary = False
        self.decoder = None
        self.part = None
        self.case = case(self)

    # The connection

    def connection_made(self, transport):
        self.transport = transport
        transport.write(
            b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            b"Sec-WebSocket-Key: " + self.key + b"\r\n\r\n"
        )

    def data_received(self, data):
        self.input += data
        if self.state == States.STATE_CONNECTING:
            end = self.input.find(b"\r\n\r\n")
            if end < 0:
                return
            answer = bytes(self.input[:end]).split(b"\r\n")
            del self.input[:end + 4]
            accept = base64.b64encode(hashlib.sha1(self.key + GUID).digest())
            if not answer[0].startswith(b"HTTP/1.1 101 ") or b"Sec-WebSocket-Accept: " + accept not in answer:
                self.transport.abort()
                return
            self.state = States.STATE_OPEN
            self.connectionWasOpen = True
            self.case.onOpen()
        while self.state != States.STATE_CLOSED and self.take_frame():
            pass

    def connection_lost(self, error):
        self.state = States.STATE_CLOSED
        for timer in self.timers:
            timer.cancel()
        code = self.remoteCloseCode if self.wasClean else 1006
        self.case.onClose(self.wasClean, code, self.remoteCloseReason)
        self.case.onConnectionLost(self.failedByMe)
        self.ended.set_result(None)

    def later(self, seconds, call, *arguments):
        def guarded():
            if self.state != States.STATE_CLOSED:
                call(*arguments)

        self.timers.append(self.loop.call_later(seconds, guarded))

    # Reading

    def take_frame(self):
        """Takes a frame of the server. Returns false if none has arrived whole."""
        if len(self.input) < 2:
            return False
        first, second = self.input[0], self.input[1]
        length, start = second & 0x7F, 2
        if length > 125:
            size = 2 if length == 126 else 8
            if len(self.input) < 2 + size:
                return False
            length, start = int.from_bytes(self.input[2:2 + size], "big"), 2 + size
        opcode, fin = first & 0x0F, first & 0x80 != 0
        if first & 0x70 or second & 0x80 or opcode not in (0, 1, 2, 8, 9, 10) or (opcode > 7 and (not fin or length > 125)):
            self.failConnection(States.CLOSE_STATUS_CODE_PROTOCOL_ERROR)
            return False
        if len(self.input) < start + length:
            return False
        payload = bytes(self.input[start:start + length])
        del self.input[:start + length]
        self.take(opcode, fin, payload)
        return True

    def take(self, opcode, fin, payload):
        if opcode == 8:
            self.take_close(payload)
        elif opcode == 9:
            if self.state == States.STATE_OPEN:
                self.sendFrame(10, payload.decode("latin-1"))
        elif opcode == 10:
            self.case.onPong(payload.decode("latin-1"))
        else:
            self.take_message(opcode, fin, payload)

    def take_message(self, opcode, fin, payload):
        if (opcode == 0) == (self.message is None):
            self.failConnection(States.CLOSE_STATUS_CODE_PROTOCOL_ERROR)
            return
        if opcode:
            self.message, self.is_binary = bytearray(), opcode == 2
            self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.message += payload
        if not self.is_binary:
            try:
                self.decoder.decode(payload, fin)
            except UnicodeDecodeError:
                self.failConnection(States.CLOSE_STATUS_CODE_INVALID_PAYLOAD)
                return
        if fin:
            message, self.message = self.message.decode("latin-1"), None
            if not self.failedByMe:
                self.case.onMessage(message, self.is_binary)

    def take_close(self, payload):
        code = int.from_bytes(payload[:2], "big") if payload else None
        self.remoteCloseCode = code
        if len(payload) == 1 or (code is not None and code not in VALID_CODES and not 3000 <= code < 5000):
            self.failConnection(States.CLOSE_STATUS_CODE_PROTOCOL_ERROR)
            return
        self.remoteCloseReason = payload[2:].decode("utf-8", "replace")
        self.wasClean = True
        if self.state == States.STATE_CLOSING:
            self.later(TIMEOUT_SECONDS * self.patience, self.drop_unclean)
        else:
            self.sendCloseFrame(States.CLOSE_STATUS_CODE_NORMAL, isReply=True)

    # The end

    def drop_unclean(self):
        """The server has not answered, or not dropped the connection, in time."""
        self.wasClean = False
        self.dropConnection()

    def dropConnection(self):
        if self.state != States.STATE_CLOSED:
            self.droppedByMe = True
            self.state = States.STATE_CLOSED
            self.transport.abort()

    def failConnection(self, code=States.CLOSE_STATUS_CODE_GOING_AWAY):
        if self.state == States.STATE_CLOSED:
            return
        self.failedByMe = True
        if self.state == States.STATE_OPEN:
            self.sendCloseFrame(code)
        else:
            self.dropConnection()

    def sendClose(self, code=None, reason=None):
        self.sendCloseFrame(code, reason)

    def sendCloseFrame(self, code=None, reasonUtf8=None, isReply=False):
        if self.state != States.STATE_OPEN:
            return
        number = b"" if code is None else struct.pack("!H", code)
        self.sendFrame(8, number.decode("latin-1") + (reasonUtf8 or ""))
        self.state = States.STATE_CLOSING
        self.closedByMe = not isReply
        self.localCloseCode, self.localCloseReason = code, reasonUtf8
        if self.closedByMe:
            self.later(TIMEOUT_SECONDS * self.patience, self.close_unanswered)

    def close_unanswered(self):
        if not self.wasClean:
            self.drop_unclean()

    # What cases call

    def enableWirelog(self, enable):
        self.createWirelog = enable

    def continueLater(self, seconds, call, tag=None):
        self.later(seconds, call)

    def killAfter(self, seconds):
        self.later(seconds * self.patience, self.failConnection)

    def closeAfter(self, seconds):
        self.later(seconds * self.patience, self.sendClose)

    def sendMessage(self, payload, isBinary=False, fragmentSize=None):
        size = fragmentSize or self.autoFragmentSize or len(payload)
        opcode, start = (2 if isBinary else 1), 0
        while True:
            end = start + size
            self.sendFrame(opcode, payload[start:end], fin=end >= len(payload))
            opcode, start = 0, end
            if start >= len(payload):
                return

    def sendFrame(self, opcode, payload="", fin=True, rsv=0, mask=None, payload_len=None, chopsize=None, sync=False):
        content = payload.encode("latin-1")
        if payload_len is not None:
            content = (content * (payload_len // len(content) + 1))[:payload_len]
        self.txFrameStats[opcode] += 1
        key = os.urandom(4)
        self.send(head(opcode, len(content), fin, rsv, key) + masked(content, key), chopsize, sync)

    def beginMessage(self, isBinary=False):
        self.part = {"opcode": 2 if isBinary else 1}

    def beginMessageFrame(self, length):
        key = os.urandom(4)
        self.part.update(key=key, sent=0)
        self.send(head(self.part["opcode"], length, False, 0, key))
        self.part["opcode"] = 0

    def sendMessageFrameData(self, payload):
        if self.state == States.STATE_OPEN:
            content = payload.encode("latin-1")
            self.send(masked(content, self.part["key"], self.part["sent"]))
            self.part["sent"] += len(content)

    def endMessage(self):
        if self.state == States.STATE_OPEN:
            self.sendFrame(0)

    # Writing

    def send(self, data, chopsize=None, sync=False):
        """Sends bytes, in pieces of `chopsize` that are written one by one."""
        if self.state == States.STATE_CLOSED:
            return
        if not chopsize and not sync and not self.is_pumping:
            self.transport.write(data)
            return
        size = chopsize or len(data)
        self.output.extend(data[start:start + size] for start in range(0, len(data), size))
        if not self.is_pumping:
            self.is_pumping = True
            self.loop.call_soon(self.pump)

    def pump(self):
        if self.state == States.STATE_CLOSED or not self.output:
            self.output.clear()
            self.is_pumping = False
            return
        self.transport.write(self.output.popleft())
        self.loop.call_soon(self.pump)

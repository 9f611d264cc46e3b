"""A device that is online: a WebSocket of RFC 6455, as far as short text messages need one."""
import base64
import contextlib
import json
import os
import socket
import struct
import threading

import signing

COMMANDS = ["start_video_recording", "stop_video_recording", "capture_photo", "load_configuration"]


class Phone:
    """Reports its status, and answers commands unless it is silent."""

    def __init__(self, device, is_silent=False):
        self.device, self.is_silent, self.commands = device, is_silent, []
        self.socket = socket.create_connection(("127.0.0.1", device.house.port), 30)
        self.file = self.socket.makefile("rb")
        self.shake_hands()
        self.send("device_status", {"device_id": device.id, "status": {"state": "recording_ready", "battery": 0.8, "accepts": COMMANDS}})
        threading.Thread(target=self.listen, daemon=True).start()

    def shake_hands(self):
        signed = signing.headers(self.device.session["signing_key"], "GET", self.device.house.origin + "/v2", b"")
        fields = {"Host": f"127.0.0.1:{self.device.house.port}", "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
                  "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(), "Sec-WebSocket-Protocol": "neuroviews.v2",
                  "Authorization": "Bearer " + self.device.session["token"], **signed}
        self.socket.sendall(("GET /v2 HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items()) + "\r\n").encode())
        status = self.file.readline()
        assert b" 101 " in status, status
        while self.file.readline().strip():
            pass

    def send(self, kind, data, **others):
        self.frame(1, json.dumps({"type": kind, "data": data, **others}).encode())

    def frame(self, code, content):
        mask, size = os.urandom(4), len(content)
        length = struct.pack(">B", 128 | size) if size < 126 else struct.pack(">BH", 128 | 126, size)
        self.socket.sendall(struct.pack(">B", 128 | code) + length + mask + bytes(byte ^ mask[index % 4] for index, byte in enumerate(content)))

    def listen(self):
        # Until `close`, or until the server ends it.
        with contextlib.suppress(OSError, ValueError):
            while head := self.file.read(2):
                self.answer(head[0] & 15, self.file.read(self.length(head[1] & 127)))

    def length(self, short):
        return struct.unpack(">H", self.file.read(2))[0] if short == 126 else struct.unpack(">Q", self.file.read(8))[0] if short == 127 else short

    def answer(self, code, content):
        if code == 9:
            self.frame(10, content)
        elif code in (1, 2):
            self.receive(json.loads(content))

    def receive(self, message):
        if message["type"] != "remote_command":
            return
        self.commands.append(message["data"])
        if not self.is_silent:
            self.send("command_result", {"reply_to": message["id"], "status": "done"})

    def close(self):
        self.socket.close()

"""Clients that control a camera: one that knows the specification alone, a watch with nothing but urllib, and devices that must sign."""
import asyncio
import json
import time
import urllib.error
import urllib.request
import uuid

import websockets
from asking import Asker, asked_once, signing
from people import preset
from processes import wait_until

FIVE = {"streaming_started", "streaming_metrics", "streaming_error", "device_status", "remote_command"}
WAIT_S = 20


def status_of(device, state="idle", **more):
    status = {"state": state, "accepts": ["capture_photo", "set_zoom", "start_video_recording"], **more}
    return json.dumps({"type": "device_status", "data": {"device_id": device, "status": status}}).encode()


def wait_until_seen(host, person, device, by="phone", seconds=WAIT_S):
    """Until the device's status is in the state that this server shows."""
    asker = Asker(host.place_of_clients, person.token(by))

    def question():
        answer = asker.ask("GET", "/realtime/state")
        return answer.status == 200 and any(one["device_id"] == device for one in answer.content["devices"])

    wait_until(question, seconds, f"the device {device}")
    asker.close()


def specification(exam):
    """Five types in binary frames, as `JSONEncoder` and `URLSessionWebSocketTask` send them; no subprotocol, no ids."""
    host = exam.host("server")
    [person] = host.people("old", 1, ("phone", "tablet", "watch"))
    asyncio.run(play_specification(exam, host, person))


async def play_specification(exam, host, person):
    def opened(device):
        # It offers compression, which the server does not take.
        return websockets.connect(f"ws://127.0.0.1:{host.port}/v2", additional_headers={"Authorization": "Bearer " + person.token(device)})

    async def send(socket, kind, **data):
        await socket.send(json.dumps({"type": kind, "data": data}).encode())

    async def ask(*words):
        return await asyncio.to_thread(asked_once, host.place_of_clients, person.token("watch"), *words)

    seen = []

    async def expect_type(socket, kind):
        while True:
            message = json.loads(await asyncio.wait_for(socket.recv(), WAIT_S))
            seen.append(message["type"])
            if message["type"] == kind:
                return message

    stream = str(uuid.uuid4())
    async with opened("tablet") as camera, opened("phone") as phone:
        await send(camera, "device_status", device_id="tablet", status={"battery": 80})
        message = await expect_type(phone, "device_status")
        exam.expect(message["data"] == {"device_id": "tablet", "status": {"battery": 80}}, "a status arrives unchanged")
        await send(phone, "remote_command", command="capture_photo", parameters={"flash": False})
        message = await expect_type(camera, "remote_command")
        exam.expect(message["data"] == {"command": "capture_photo", "parameters": {"flash": False}}, "a command without an id reaches the one other device")
        destination = {"id": str(uuid.uuid4()), "name": "Club", "protocol": "RTMP", "url": "rtmp://live.example.org/app", "stream_key": "secret-key",
                       "configuration": {}}
        await send(camera, "streaming_started", session_id=stream, destinations=[destination])
        message = await expect_type(phone, "streaming_started")
        text = json.dumps(message)
        exam.expect("secret-key" not in text and message["data"]["destinations"][0]["name"] == "Club", "a stream arrives without its key")
        await send(camera, "streaming_metrics", session_id=stream, metrics={"bitrate": 6_000_000})
        exam.expect((await expect_type(phone, "streaming_metrics"))["data"]["metrics"] == {"bitrate": 6_000_000}, "metrics arrive")
        await send(camera, "streaming_error", session_id=stream, error={"code": 7})
        exam.expect((await expect_type(phone, "streaming_error"))["data"]["error"] == {"code": 7}, "an error arrives")
        # One that connects later gets the present state in the same types.
        async with opened("watch") as late:
            found = {(await expect_type(late, "streaming_started"))["type"]}
            exam.expect(found == {"streaming_started"}, "a client that comes later gets the stream")
        # None of these brings it a type beyond the five.
        await phone.send('{"type":"lights","data":{}}')
        made = await ask("POST", "/configurations", {"configuration": preset(1)})
        exam.expect(made.status == 201, f"another device writes: {made.status}")
        answer = await ask("POST", "/realtime/commands", {"command": "capture_photo", "to": "tablet"})
        exam.expect(answer.content.get("status") == "delivered", f"a command to it ends as {answer.content.get('status')}")
        await send(camera, "device_status", device_id="tablet", status="last")
        while (await expect_type(phone, "device_status"))["data"]["status"] != "last":
            pass
    exam.expect(set(seen) <= FIVE, f"it got no type but the five: {sorted(set(seen))}")


class Watch:
    """Nothing but urllib."""

    def __init__(self, host, token, key=None):
        self.url, self.token, self.key = f"http://127.0.0.1:{host.port}/v2", token, key

    def ask(self, method, path, content=None, tag=None):
        """Status, content and tag."""
        body = json.dumps(content).encode() if content else b""
        fields = {"Authorization": "Bearer " + self.token, **({"Content-Type": "application/json"} if body else {}), **({"If-None-Match": tag} if tag else {})}
        if self.key:
            fields |= signing.headers(self.key, method, self.url + path, body, list(fields.items()))
        wish = urllib.request.Request(self.url + path, body or None, fields, method=method)
        try:
            with urllib.request.urlopen(wish, timeout=70) as answer:
                return answer.status, json.load(answer), answer.headers["ETag"]
        except urllib.error.HTTPError as error:
            text = error.read()
            return error.code, json.loads(text) if text else {}, error.headers["ETag"]


def watch(exam):
    host = exam.host("server")
    [person] = host.people("wrist", 1, ("camera", "watch"))
    asyncio.run(play_watch(exam, host, person, None))


def signed(exam):
    """The server requires version 3; the socket's opening is signed over the ws URL, and once more over the http URL."""
    host = exam.host("server", signatures="required-v3")
    [person] = host.people("signer", 1, ("camera", "watch"))
    asyncio.run(play_watch(exam, host, person, person.signing_key))
    url = f"http://127.0.0.1:{host.port}/v2"
    headers = signing.headers(person.signing_key("camera"), "GET", url, b"")
    headers["Authorization"] = "Bearer " + person.token("camera")
    statuses = [asyncio.run(opening(host, headers)) for _ in range(2)]
    exam.expect(statuses == [101, 401], f"an opening signed over the http URL gets {statuses[0]}, and its replay {statuses[1]}")
    exam.expect(asyncio.run(opening(host, {"Authorization": headers["Authorization"]})) == 401, "an opening without a signature gets 401")


async def opening(host, headers):
    try:
        async with websockets.connect(f"ws://127.0.0.1:{host.port}/v2", additional_headers=headers, compression=None):
            return 101
    except websockets.exceptions.InvalidStatus as error:
        return error.response.status_code


async def camera_of(host, person, ready, key):
    """A camera of docs/interface.md that carries out what comes, until it is cancelled."""
    url = f"ws://127.0.0.1:{host.port}/v2"
    headers = {"Authorization": "Bearer " + person.token("camera")}
    if key:
        headers |= signing.headers(key("camera"), "GET", url, b"")
    async with websockets.connect(url, additional_headers=headers, subprotocols=["neuroviews.v2"], compression=None) as socket:
        await socket.send(status_of("camera").decode())
        ready.set()
        zoom = 1.0
        async for text in socket:
            message = json.loads(text)
            if message["type"] != "remote_command":
                continue
            command, parameters = message["data"]["command"], message["data"].get("parameters")
            if command == "set_zoom":
                zoom = parameters["factor"]
                await socket.send(status_of("camera", zoom=zoom).decode())
            data = {"reply_to": message["id"], "status": "done" if command in ("set_zoom", "capture_photo") else "refused", "result": {"factor": zoom}}
            await socket.send(json.dumps({"type": "command_result", "data": data}))


async def play_watch(exam, host, person, key):
    ready = asyncio.Event()
    camera = asyncio.create_task(camera_of(host, person, ready, key))
    await asyncio.wait_for(ready.wait(), WAIT_S)
    wrist = Watch(host, person.token("watch"), key and key("watch"))
    status, content, tag = await asyncio.to_thread(wrist.ask, "GET", "/realtime/state")
    while status == 200 and not content["devices"]:
        status, content, tag = await asyncio.to_thread(wrist.ask, "GET", "/realtime/state?wait_s=20", None, tag)
    exam.expect([device["device_id"] for device in content.get("devices", [])] == ["camera"], f"the state has the camera: {status}")
    waiting = asyncio.create_task(asyncio.to_thread(wrist.ask, "GET", "/realtime/state?wait_s=30", None, tag))
    zoomed = {"id": str(uuid.uuid4()), "command": "set_zoom", "parameters": {"factor": 2.5}}
    status, answer, _ = await asyncio.to_thread(wrist.ask, "POST", "/realtime/commands", zoomed)
    exam.expect((status, answer.get("status"), answer.get("result")) == (200, "done", {"factor": 2.5}), f"set_zoom: {status} {answer}")
    begun = time.monotonic()
    status, content, tag = await waiting
    exam.expect(status == 200 and content["devices"][0]["status"].get("zoom") == 2.5 and time.monotonic() - begun < 2,
                f"the wait ends with the new status: {status}")
    again = await asyncio.to_thread(wrist.ask, "POST", "/realtime/commands", zoomed)
    exam.expect(again[1] == answer, "the same id again gets the same outcome")
    status, answer, _ = await asyncio.to_thread(wrist.ask, "POST", "/realtime/commands", {"command": "switch_camera", "to": "camera"})
    exam.expect(answer.get("status") == "refused", f"a command that it refuses ends as {answer.get('status')}")
    status, _, _ = await asyncio.to_thread(wrist.ask, "GET", "/realtime/state?wait_s=1", None, tag)
    exam.expect(status == 304, f"a wait without a change ends with 304: {status}")
    status, answer, _ = await asyncio.to_thread(wrist.ask, "POST", "/realtime/commands", {"command": "capture_photo", "to": "drone"})
    exam.expect(answer.get("status") == "unreachable", f"a command to a device that is away ends as {answer.get('status')}")
    camera.cancel()
    await asyncio.gather(camera, return_exceptions=True)

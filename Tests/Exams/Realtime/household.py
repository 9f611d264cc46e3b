"""An account's devices while things break: a phone that writes, a camera that carries out commands, a watch that sends them; phone and camera have sockets."""
import asyncio
import collections
import json
import time
import uuid

import websockets
from asking import asked_once
from people import preset

# A client of docs/client.md waits up to 60 s; so long a pause would only make each seed longer.
PAUSE_S, PAUSE_MAX_S = 1.0, 8.0
TIMEOUTS_MS = (500, 2000, 5000)
OPEN_S = 10
# Between the server's write and the client's look at its clock.
LATE_S = 0.5
TIMEOUT_MIN_MS = 500
OFFLINE = {"state": "offline"}


class Follower:
    """A device with a socket: it connects to any server, again and again, and keeps what it was last told."""

    def __init__(self, house, name):
        self.house, self.name = house, name
        self.heads, self.shown, self.opened, self.ends = None, {}, 0, collections.Counter()
        self.status, self.socket, self.port = None, None, None
        # True for a device that stays away when its server is gone.
        self.is_leaving = False
        # A task that nobody keeps may be collected.
        self.works = set()

    async def run(self):
        failures = 0
        while not (self.house.is_over or self.is_leaving):
            pause = None
            try:
                failures, pause = await self.live()
            except (OSError, asyncio.TimeoutError, websockets.exceptions.WebSocketException) as error:
                self.ends[type(error).__name__] += 1
                failures += 1
            self.socket = None
            wait = pause if pause is not None else self.house.chance.uniform(0, min(PAUSE_MAX_S, PAUSE_S * 2 ** failures))
            await asyncio.sleep(wait)

    async def live(self):
        """Returns the number of failures in a row, and the pause that the server asks for."""
        port, person = self.house.chance.choice(self.house.ports), self.house.person
        headers = {"Authorization": "Bearer " + person.token(self.name)}
        async with websockets.connect(f"ws://127.0.0.1:{port}/v2", additional_headers=headers, subprotocols=["neuroviews.v2"], compression=None,
                                      open_timeout=OPEN_S, ping_interval=5, ping_timeout=10, close_timeout=2) as socket:
            self.opened, self.socket, self.port = self.opened + 1, socket, port
            # The present state follows.
            self.heads, self.shown = None, {}
            await self.tell(str(uuid.uuid4()))
            try:
                async for text in socket:
                    await self.take(json.loads(text), socket)
            except websockets.exceptions.ConnectionClosed:
                pass
            self.ends[socket.close_code] += 1
            return 0, int(socket.close_reason) / 1000 if socket.close_code == 1012 else None

    def leave_with(self, port):
        """Stays away after that server's end, if it is there."""
        self.is_leaving = self.socket is not None and self.port == port

    async def tell(self, mark):
        """Another status, which everybody else must know in the end."""
        socket, self.status = self.socket, {"state": "idle", "mark": mark, **({"accepts": ["capture_photo"]} if self.name == "camera" else {})}
        if socket:
            await socket.send(json.dumps({"type": "device_status", "data": {"device_id": self.name, "status": self.status}}))

    async def take(self, message, socket):
        kind, data = message["type"], message["data"]
        if kind == "account_changed":
            self.heads = data["configurations"]
        elif kind == "device_status":
            self.shown[data["device_id"]] = data["status"]
        elif kind == "remote_command":
            # By the clock of the machine, which PostgreSQL has, too.
            self.house.done.append((message["id"], time.time()))
            self.works.add(asyncio.create_task(self.carry_out(message["id"], socket)))

    async def carry_out(self, number, socket):
        """Takes its time, while others arrive."""
        await asyncio.sleep(self.house.chance.choice((0, 0, 0.05, 1)))
        result = {"reply_to": number, "status": "done", "result": {"count": len(self.house.done)}}
        try:
            await socket.send(json.dumps({"type": "command_result", "data": result}))
        except websockets.exceptions.WebSocketException:
            self.house.counts["lost results"] += 1


class Household:
    def __init__(self, person, ports, chance):
        self.person, self.ports, self.chance = person, ports, chance
        self.is_over = self.is_resting = False
        self.followers = [Follower(self, name) for name in ("phone", "camera")]
        self.done, self.made, self.talks = [], [], []
        # Of each command the outcomes that its sender got.
        self.outcomes = collections.defaultdict(list)
        self.counts = collections.Counter()

    def tasks(self):
        followers = [asyncio.create_task(follower.run()) for follower in self.followers]
        self.talks = [asyncio.create_task(work()) for work in (self.write, self.command, self.chatter)]
        return followers + self.talks

    async def quiet(self):
        """Returns when it has rested so long that its last requests are answered."""
        await asyncio.gather(*self.talks, return_exceptions=True)

    async def ask(self, device, method, path, content=None, port=None):
        """The answer of any server, or None."""
        address = ("127.0.0.1", port or self.chance.choice(self.ports))
        try:
            return await asyncio.to_thread(asked_once, address, self.person.token(device), method, path, content)
        except Exception:  # pylint: disable=broad-except
            self.counts["no answer"] += 1
            return None

    async def write(self):
        while not self.is_resting:
            await asyncio.sleep(self.chance.uniform(0.1, 0.8))
            document = preset(f"{self.person.name}-{len(self.made)}")
            answer = await self.ask("phone", "POST", "/configurations", {"configuration": document})
            self.made.append(document["id"])
            self.counts["writes" if answer and answer.status == 201 else "failed writes"] += 1

    async def chatter(self):
        while not self.is_resting:
            await asyncio.sleep(self.chance.uniform(0.3, 2))
            try:
                await self.chance.choice(self.followers).tell(str(uuid.uuid4()))
            except websockets.exceptions.WebSocketException:
                self.counts["lost statuses"] += 1

    async def command(self):
        while not self.is_resting:
            await asyncio.sleep(self.chance.uniform(0.1, 0.6))
            body = {"id": str(uuid.uuid4()), "to": "camera", "command": "capture_photo"}
            left_ms = self.chance.choice(TIMEOUTS_MS)
            until = time.monotonic() + left_ms / 1000
            self.counts["commands"] += 1
            self.outcomes[body["id"]] = []
            # The same id only within its time.
            while left_ms >= TIMEOUT_MIN_MS and not self.outcomes[body["id"]]:
                answer = await self.ask("watch", "POST", "/realtime/commands", {**body, "timeout_ms": left_ms})
                if answer and answer.status == 200:
                    self.outcomes[body["id"]].append((answer.content["status"], answer.content.get("result")))
                await asyncio.sleep(0 if answer and answer.status == 200 else 0.2)
                left_ms = int((until - time.monotonic()) * 1000)

    # What must hold in the end

    async def differences(self):
        """What is not as it should be; empty when all has converged."""
        found, pulled = [], await self.ask("watch", "GET", "/configurations", port=self.ports[0])
        if not pulled or pulled.status != 200:
            return ["no pull is answered"]
        head = pulled.content["sync_token"]
        here = [follower for follower in self.followers if not follower.is_leaving]
        expected = {follower.name: follower.status for follower in here}
        for follower in here:
            if follower.heads != head:
                found.append(f"{follower.name} knows {follower.heads}, not {head}")
            for other in self.followers:
                # A device that is away is not in the state with which a socket begins.
                shown, status = follower.shown.get(other.name, OFFLINE), expected.get(other.name, OFFLINE)
                if other is not follower and shown != status:
                    found.append(f"{follower.name} sees {shown}, not {status} of {other.name}")
        for port in self.ports:
            answer = await self.ask("watch", "GET", "/realtime/state", port=port)
            shown = {device["device_id"]: device["status"] for device in answer.content["devices"]} if answer and answer.status == 200 else None
            if shown != expected:
                found.append(f"the state has {shown}, not {expected}")
            elif answer.content["heads"]["configurations"] != head:
                found.append("the state has another head")
        return found

    async def breaches_of_commands(self, rows):
        """`rows`: of each command outcome and deadline in Unix seconds. Asks every server for each."""
        found, times = [], collections.Counter(number for number, _ in self.done)
        found += [f"command {number} was done {count} times" for number, count in times.items() if count > 1]
        for number, at in self.done:
            if number not in rows:
                found.append(f"command {number} was done and has no row")
            elif at > rows[number][1] + LATE_S:
                found.append(f"command {number} was done {at - rows[number][1]:.2f} s late")
        for number, heard in self.outcomes.items():
            if number not in rows:
                found += [f"command {number} ended as {heard[0]} and has no row"] if heard else []
                continue
            outcome = rows[number][0]
            if any(status != outcome for status, _ in heard):
                found.append(f"command {number} ended as {outcome}; its sender was told {heard}")
            if (outcome == "unreachable" and times[number]) or (outcome == "done" and not times[number]):
                found.append(f"command {number} ended as {outcome}, and was done {times[number]} times")
            for port in self.ports:
                answer = await self.ask("watch", "POST", "/realtime/commands", {"id": number, "to": "camera", "command": "capture_photo"}, port)
                if not answer or answer.content.get("status") != outcome:
                    found.append(f"command {number}: a server says {answer and answer.body}, not {outcome}")
        return found

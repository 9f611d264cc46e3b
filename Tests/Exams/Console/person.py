"""An account, and a device of it that uses the API alone."""
import base64
import datetime
import hashlib
import hmac
import itertools
import json
import struct
import subprocess
import time
import uuid

import signing
from house import wait_for

PASSWORD = "nine old lenses on the shelf"
MERGE = "application/merge-patch+json"


def moment(minutes=0):
    """A time so many minutes ago, as documents have it."""
    now = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(minutes=minutes)
    return now.strftime("%Y-%m-%dT%H:%M:%S.") + f"{now.microsecond // 1000:03}Z"


NUMBERS = itertools.count(1)


def preset(name, minutes=60, **members):
    """A document that was edited so many minutes ago."""
    # Some lists are in the order of ids, which is that of their making.
    identifier = uuid.UUID(int=next(NUMBERS) << 96 | uuid.uuid4().int & (1 << 96) - 1)
    return {"id": str(identifier), "name": name, "preset": "landscape", "video_format": "H.265", "resolution": "4K UHD", "frame_rate": 24,
            "created_at": moment(minutes + 1440), "modified_at": moment(minutes), **members}


class Person:
    def __init__(self, house, name="ana"):
        self.house, self.email, self.password = house, f"{name}-{uuid.uuid4().hex[:8]}@example.org", PASSWORD
        content = json.dumps({"email": self.email, "password": self.password}).encode()
        status, _, answer = house.exchange("POST", "/v2/auth/register", content, {"Content-Type": "application/json"})
        assert status == 201, (status, answer)

    def device(self, name="Tablet"):
        return Device(self, name)


class Device:
    def __init__(self, person, name):
        self.person, self.house, self.name, self.id = person, person.house, name, f"{name.lower()}-{uuid.uuid4().hex[:8]}"
        content = {"email": person.email, "password": person.password, "device_id": self.id, "device_name": name}
        status, _, answer = self.house.exchange("POST", "/v2/auth/login", json.dumps(content).encode(), {"Content-Type": "application/json"})
        assert status == 200, (status, answer)
        self.session = json.loads(answer)

    def ask(self, method, path, content=None, *, fields=(), kind="application/json"):
        """Status, fields and content of the answer to a signed request."""
        body = b"" if content is None else json.dumps(content).encode()
        sent = [*fields, *([] if content is None else [("Content-Type", kind)])]
        signed = signing.headers(self.session["signing_key"], method, f"{self.house.origin}/v2{path}", body, sent)
        all_fields = {**dict(sent), **signed, "Authorization": "Bearer " + self.session["token"]}
        status, received, answer = self.house.exchange(method, "/v2" + path, body or None, all_fields)
        return status, received, json.loads(answer) if answer and "json" in received.get("content-type", "") else answer

    def must(self, method, path, content=None, **others):
        """The content of an answer that is no refusal."""
        status, _, answer = self.ask(method, path, content, **others)
        assert status < 300, (method, path, status, answer)
        return answer

    # Presets

    def create(self, document):
        self.must("POST", "/configurations", {"configuration": document})
        return document

    def document(self, identifier):
        status, _, answer = self.ask("GET", f"/configurations/{identifier}")
        return answer if status == 200 else None

    def documents(self):
        return {document["id"].lower(): document for document in self.must("GET", "/configurations")["configurations"]}

    def patch(self, identifier, **members):
        return self.must("PATCH", f"/configurations/{identifier}", members, kind=MERGE)

    def lose(self, document, **members):
        """An edit that is older than what stands: the server keeps it as a conflict."""
        status, _, answer = self.ask("PUT", f"/configurations/{document['id']}", {"configuration": {**document, **members, "modified_at": moment(24 * 60)}})
        assert status == 409, (status, answer)

    def fill(self, count, batch=100):
        """Many presets."""
        for start in range(0, count, batch):
            operations = [{"operation": "create", "configuration": preset(f"Preset {number:04} {'harbour' if number % 7 else 'moss'}", number)}
                          for number in range(start, min(start + batch, count))]
            answer = self.must("POST", "/configurations/batch", {"operations": operations})
            assert all(200 <= result.get("status", 200) < 300 for result in answer.get("results", [])), answer

    # Recordings

    def seal(self, key_id, recorded):
        """The id of a sealed recording. Nobody can open it: its bytes are zeros."""
        envelope = {"scheme": "tink-aes256-gcm-hkdf-1mb", "version": 1, "segment_size": 1 << 20, "nonce_prefix": "", "key_id": key_id, "wrapped_key": base64.b64encode(bytes(60)).decode()}
        box = base64.b64encode(bytes(60)).decode()
        return self.upload(bytes(1500), None, "application/octet-stream", sealed_by=envelope, created_at=recorded, sealed_metadata=box)

    def upload(self, content, filename, kind="video/mp4", made_with=None, sealed_by=None, **metadata):
        """The id of a recording with this file, made with a preset. It is complete, but perhaps not verified yet."""
        identifier = str(uuid.uuid4()).upper()
        asked = {"file_size": len(content), "content_type": kind} | ({"encryption": sealed_by} if sealed_by else {})
        if made_with:
            _, received, _ = self.ask("GET", f"/configurations/{made_with['id']}")
            asked |= {"configuration_id": made_with["id"], "configuration_version": received["etag"].strip('"')}
        grant = self.must("POST", f"/recordings/{identifier}/upload-url", asked)
        status, _, answer = self.house.exchange("PUT", "/v2" + grant["upload_url"].split("/v2", 1)[1], content, {"Content-Type": kind})
        assert status < 300, (status, answer)
        self.must("POST", f"/recordings/{identifier}/complete", {"metadata": {"filename": filename, "created_at": moment(30)[:19] + "Z", **metadata}})
        return identifier

    def await_recording(self, identifier, state="ready"):
        wait_for(f"the recording to be {state}", lambda: self.must("GET", f"/recordings/{identifier}")["processing_status"] == state, 120)

    def spoil(self, content, filename):
        """A recording whose file on the disk was damaged, as the operator's check finds it."""
        before = set(self.house.objects())
        identifier = self.upload(content, filename)
        self.await_recording(identifier)
        path = next(path for path, size in self.house.objects().items() if path not in before and size == len(content))
        with open(path, "r+b") as file:
            file.write(bytes(byte ^ 255 for byte in content[:64]))
        self.house.operate("storage", "check", "--digests", "--repair", statuses=(0, 1))
        # The server looks for jobs of other processes every half minute, and after each upload of its own.
        self.upload(content, "Next.mp4")
        self.await_recording(identifier, "failed")
        return identifier

    # The account

    def consent(self):
        """Agrees to usage events, and reports some."""
        consents = {category: {"granted": True, "version": "2026-11"} for category in ("analytics", "usage_metrics")}
        self.must("PUT", "/account/consents", {"consents": consents})
        self.must("POST", "/analytics/events", {"events": [{"name": "recording_started", "timestamp": moment(minutes)} for minutes in (5, 10, 2000)]})

    def add_app(self):
        """An authenticator app; returns the recovery codes, and what makes codes."""
        secret = self.must("POST", "/account/totp")["secret"]
        codes = self.must("POST", "/account/totp/confirm", {"code": one_time_code(secret)})["recovery_codes"]
        return codes, secret

    def end_others(self):
        """Ends every other session of the account."""
        self.must("DELETE", "/auth/sessions")

    def sessions(self):
        return self.must("GET", "/auth/sessions")["sessions"]


def one_time_code(secret, at=None):
    """RFC 6238."""
    counter = struct.pack(">Q", int((at or time.time()) // 30))
    digest = hmac.new(base64.b32decode(secret + "=" * (-len(secret) % 8)), counter, hashlib.sha1).digest()
    start = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[start:start + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


def age_proofs(house, email):
    """The person of this account has proven nothing for an hour."""
    house.administer(f"UPDATE neuroviews.sessions SET proven_at = now() - interval '1 hour' FROM neuroviews.users u WHERE u.id = user_id AND u.email = '{email}'")


def photo(path, number):
    """A JPEG of a gradient, and its bytes."""
    source = ["-f", "lavfi", "-i", f"gradients=size=640x480:duration=1:nb_colors=3:seed={number}"]
    subprocess.run(["ffmpeg", "-y", "-v", "error", *source, "-frames:v", "1", "-pix_fmt", "yuvj420p", path], check=True)
    with open(path, "rb") as file:
        return file.read()


def film(path, seconds=2, codec="libx264", size="640x360"):
    """A film with a tone, and its bytes."""
    source = ["-f", "lavfi", "-i", f"testsrc=duration={seconds}:size={size}:rate=24", "-f", "lavfi", "-i", f"sine=duration={seconds}"]
    coding = ["-c:v", codec, "-pix_fmt", "yuv420p", "-c:a", "aac", "-movflags", "+faststart", "-shortest"]
    subprocess.run(["ffmpeg", "-y", "-v", "error", *source, *coding, path], check=True)
    with open(path, "rb") as file:
        return file.read()

"""Scenes with sealed recordings: `sealed.py --server BINARY --command BINARY`. others.py has the implementations that the command is compared with."""
import argparse
import base64
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.error
import urllib.request
import uuid

from others import ROOT, SEGMENT, Documented, envelope, tink_opens, tink_seals

sys.path.insert(0, ROOT + "/Tests/Interface")
import server  # noqa: E402

PASSWORD, READY_MAX_S = "three quiet lenses", 60
# Of `neuroviews help`.
DATA, NO_KEY = 65, 77
# All that the server may answer of a sealed recording: its own members, and empty ones. `expires_at` and others are of uploads alone.
SHOWN = {"id", "creation_date", "created_at", "filename", "device_model", "app_version", "camera_position", "custom_tags", "processing_status", "failure", "device_id", "configuration_id",
         "configuration_version", "content_type", "sha256", "uploaded_at", "probe", "receipt", "thumbnail_url", "version", "encryption", "sealed_metadata"}
EMPTY = {"device_model": "", "app_version": "", "camera_position": "unspecified", "custom_tags": {}, "configuration_id": None, "configuration_version": None, "probe": None,
         "thumbnail_url": None, "content_type": "application/octet-stream"}


class World:
    """A server, an account with two devices that are the command, and its API."""

    def __init__(self, options, url, log, folder):
        self.options, self.url, self.log, self.folder = options, url, log, folder
        self.email, self.documented, self.key = f"ana-{uuid.uuid4().hex[:8]}@example.org", Documented(), None
        self.ask("POST", "/auth/register", {"email": self.email, "password": PASSWORD})
        self.token = self.ask("POST", "/auth/login", {"email": self.email, "password": PASSWORD, "device_id": "exam"})["token"]
        for profile in ("phone", "tablet"):
            self.must(profile, "login", self.email, "--password-stdin", text=PASSWORD + "\n")

    def ask(self, method, path, content=None, *, data=None, kind="application/json"):
        """The answer to a request, which must be no refusal. A path may be a whole URL, which has its own permission."""
        fields = {"Content-Type": kind} | ({"Authorization": "Bearer " + self.token} if hasattr(self, "token") and path.startswith("/") else {})
        body = json.dumps(content).encode() if content is not None else data
        request = urllib.request.Request(self.url + path if path.startswith("/") else path, body, fields, method=method)
        try:
            with urllib.request.urlopen(request) as answer:
                received = answer.read()
                return json.loads(received) if "json" in answer.headers.get("Content-Type", "") else received
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.code} {error.read()[:500]}") from error

    def run(self, profile, *words, text=""):
        """The command as one of the devices."""
        home = f"{self.folder}/{profile}"
        os.makedirs(home, mode=0o700, exist_ok=True)
        usual = {name: value for name, value in os.environ.items() if not name.startswith("NEUROVIEWS_")}
        environment = {**usual, "HOME": home, "XDG_DATA_HOME": home, "XDG_CONFIG_HOME": home, "NEUROVIEWS_CLI_SERVER": self.url.removesuffix("/v2")}
        command = os.path.abspath(self.options.command)
        return subprocess.run([command, *words, "--json"], input=text, env=environment, capture_output=True, text=True, check=False, cwd=self.folder)

    def must(self, profile, *words, text=""):
        """The command's result. It must succeed."""
        done = self.run(profile, *words, text=text)
        assert done.returncode == 0, (words, done.returncode, done.stderr)
        # Of `upload` each line is a state; the last one counts.
        return json.loads(done.stdout.splitlines()[-1]) if done.stdout else None

    def file(self, name, content):
        path = f"{self.folder}/{name}"
        with open(path, "wb") as file:
            file.write(content)
        return path

    def raw_key(self):
        return self.documented.program["recording_key"](self.key)

    def upload(self, sealed, wrapped, identifier, metadata):
        """By the API. Returns when the server has read the file back."""
        digest = base64.b64encode(hashlib.sha256(sealed).digest()).decode()
        kind = "application/octet-stream"
        asked = {"file_size": len(sealed), "content_type": kind, "sha256": digest} | ({"encryption": wrapped} if wrapped else {})
        grant = self.ask("POST", f"/recordings/{identifier}/upload-url", asked)
        self.ask("PUT", grant["upload_url"], data=sealed, kind=kind)
        self.ask("POST", f"/recordings/{identifier}/complete", {"metadata": {"creation_date": "2026-03-01T12:00:00Z"} | metadata})
        deadline = time.monotonic() + READY_MAX_S
        while self.ask("GET", f"/recordings/{identifier}")["processing_status"] != "ready":
            assert time.monotonic() < deadline, "the recording is not ready"
            time.sleep(0.1)

    def refuses(self, identifier, status, profile="phone"):
        """The command opens nothing of it."""
        target = f"{self.folder}/{uuid.uuid4().hex}"
        done = self.run(profile, "download", identifier, target)
        assert done.returncode == status, (done.returncode, done.stderr)
        assert not os.path.exists(target), "the target has something"

    def opens(self, identifier, content, profile="phone"):
        target = f"{self.folder}/{uuid.uuid4().hex}"
        self.must(profile, "download", identifier, target)
        with open(target, "rb") as file:
            assert file.read() == content, "another content"


def example(world):
    """The printed example opens by the printed program, and its file by Tink."""
    printed, documented = world.documented.example, world.documented
    recording = {"id": "6F9619FF-8B86-4D11-B42D-00C04FC964FF", "sealed_metadata": printed["sealed_metadata"],
                 "encryption": {"scheme": "tink-aes256-gcm-hkdf-1mb", "version": 1, "key_id": printed["key_id"], "wrapped_key": printed["wrapped_key"]}}
    file_key = documented.file_key(printed["key"].lower(), recording)
    file = base64.b64decode(printed["file (Base64)"])
    assert file_key == bytes(range(32, 64))
    assert documented.content(file, file_key) == tink_opens(file, file_key) == b"NeuroViews"
    assert documented.details(file_key, recording) == {"filename": "a.mov"}


def command_seals(world):
    """The printed program and Tink open a file and details that the command has sealed; the server shows nothing of them."""
    world.key = world.must("phone", "keys", "show", "--yes")["key"]
    world.mark = "canary" + uuid.uuid4().hex
    # Three segments, the last one of few bytes.
    content = (world.mark.encode() * (SEGMENT // 16))[:2 * SEGMENT + 5]
    world.must("phone", "upload", "--sealed", world.file(world.mark + ".mov", content))
    recording = world.ask("GET", "/recordings")["recordings"][0]
    assert set(recording) <= SHOWN, set(recording) - SHOWN
    assert recording["filename"].endswith("Z.bin") and EMPTY.items() <= recording.items(), recording
    sealed = world.ask("GET", f"/recordings/{recording['id']}/content")
    file_key = world.documented.file_key(world.key, recording)
    assert world.documented.content(sealed, file_key) == content and tink_opens(sealed, file_key) == content
    details = world.documented.details(file_key, recording)
    assert details["filename"] == world.mark + ".mov" and details["content_type"] == "video/quicktime", details
    world.command_made = recording["id"], content


def tink_seals_for_command(world):
    """The command opens files and details that Tink has sealed: one byte, segments that are just full, one byte more."""
    for size in (1, SEGMENT - 56, SEGMENT - 55, 2 * SEGMENT - 72):
        content, file_key, identifier = os.urandom(size), os.urandom(32), str(uuid.uuid4())
        details = {"filename": f"{world.mark}-{size}.mov", "tags": [world.mark], "custom_tags": {"x": world.mark}, "location": {"latitude": 1, "longitude": 2, "x": world.mark}}
        box = base64.b64encode(tink_seals(json.dumps(details).encode(), file_key, b"sealed_metadata")).decode()
        world.upload(tink_seals(content, file_key), envelope(world.raw_key(), file_key, identifier), identifier, {"sealed_metadata": box})
        world.opens(identifier, content)
        shown = next(one for one in world.must("phone", "recordings")["recordings"] if one["id"].lower() == identifier)
        assert {name: shown.get(name) for name in details} == details, shown


def second_device(world):
    """A second device gets only sealed bytes, refuses a mistyped key, and opens with the right one."""
    identifier, content = world.command_made
    world.refuses(identifier, NO_KEY, "tablet")
    target = f"{world.folder}/{uuid.uuid4().hex}"
    world.must("tablet", "download", identifier, target, "--raw")
    with open(target, "rb") as file:
        assert file.read() == world.ask("GET", f"/recordings/{identifier}/content")
    mistyped = world.key[:-1] + ("A" if world.key[-1] != "A" else "B")
    assert world.run("tablet", "keys", "enter", text=mistyped + "\n").returncode == DATA
    world.must("tablet", "keys", "enter", text=world.key.lower() + "\n")
    world.opens(identifier, content, "tablet")


def spoiled(sealed, other):
    """What a hostile store could make of a file of three segments, by name."""
    segments = [sealed[start:start + SEGMENT] for start in range(0, len(sealed), SEGMENT)]
    changed = bytearray(sealed)
    changed[SEGMENT + 7] ^= 1
    return {
        "changed": bytes(changed), "cut in a segment": sealed[:-5], "cut behind a segment": b"".join(segments[:2]), "cut in the header": sealed[:60],
        "swapped": segments[0] + segments[2] + segments[1], "another's segment": segments[0] + other[SEGMENT:2 * SEGMENT] + segments[2], "lengthened": sealed + bytes(20),
        "another salt": sealed[:1] + bytes(32) + sealed[33:],
    }


def changed_files(world):
    """Changed, cut, swapped and foreign segments are refused by the command and the printed program, and the target stays untouched."""
    file_key = os.urandom(32)
    # Segments of one length can be swapped.
    sealed, other = (tink_seals(os.urandom(3 * SEGMENT - 40 - 3 * 16), key) for key in (file_key, os.urandom(32)))
    for name, content in spoiled(sealed, other).items():
        identifier = str(uuid.uuid4())
        world.upload(content, envelope(world.raw_key(), file_key, identifier), identifier, {})
        try:
            world.refuses(identifier, DATA)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error
        try:
            world.documented.content(content, file_key)
        except Exception:  # pylint: disable=broad-except
            continue
        raise AssertionError(f"the printed program opens it: {name}")


def changed_envelopes(world):
    """A newer scheme, and the wrapped key of another recording or of another key, are refused."""
    file_key, identifiers = os.urandom(32), [str(uuid.uuid4()) for _ in range(3)]
    sealed, key = tink_seals(b"x", file_key), world.raw_key()
    foreign = envelope(os.urandom(32), file_key, identifiers[2])
    for identifier, wrapped, status in ((identifiers[0], envelope(key, file_key, identifiers[0]) | {"version": 2}, DATA), (identifiers[1], envelope(key, file_key, identifiers[0]), DATA),
                                        (identifiers[2], foreign, NO_KEY)):
        world.upload(sealed, wrapped, identifier, {})
        world.refuses(identifier, status)


def canary(world):
    """Name, labels, place and content are in no file of the cluster, the store, the log and a backup."""
    control = "control" + uuid.uuid4().hex
    world.upload(control.encode(), None, str(uuid.uuid4()), {"filename": control})
    home = os.path.dirname(world.log)
    backup = f"{world.folder}/backup"
    os.makedirs(backup, mode=0o700)
    with open(backup + "/key", "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
        file.write(os.urandom(32).hex())
    own = [os.path.abspath(world.options.server), "backup", backup + "/all.tar", "--key-file", backup + "/key", "--data", home + "/data"]
    done = subprocess.run(own, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    subprocess.run(["tar", "--extract", "--file", backup + "/all.tar", "--directory", backup], check=True)
    dumps = [path for path in files(backup) if magic(path) == b"PGDMP"]
    assert len(dumps) == 1, dumps
    subprocess.run(["pg_restore", "--file", backup + "/dump.sql", dumps[0]], check=True)
    for place in (home, backup):
        assert found(control, place), f"nothing is ever found in {place}"
        assert not found(world.mark, place), found(world.mark, place)


def files(folder):
    return [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names]


def magic(path):
    with open(path, "rb") as file:
        return file.read(5)


def found(text, folder):
    done = subprocess.run(["grep", "--recursive", "--files-with-matches", "--fixed-strings", "--no-messages", text, folder], capture_output=True, text=True, check=False)
    return done.stdout.split()


SCENES = (example, command_seals, tink_seals_for_command, second_device, changed_files, changed_envelopes, canary)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--server", required=True)
    parser.add_argument("--command", required=True)
    options = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="neuroviews-sealed-") as folder, server.running(options.server, NEUROVIEWS_SIGNATURES="optional") as (url, log):
        world = World(options, url, log, folder)
        for scene in SCENES:
            try:
                scene(world)
                passed += 1
                print(f"ok   {scene.__doc__}", flush=True)
            except Exception:  # pylint: disable=broad-except
                failed += 1
                print(f"FAIL {scene.__doc__}\n{traceback.format_exc()}", flush=True)
    print(f"sealed: {passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

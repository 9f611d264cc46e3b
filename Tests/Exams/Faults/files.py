"""8: recordings and their files, when everything is healed, the cameras rest and the jobs are done."""
import collections
import hashlib
import json
import os
import subprocess
import time
from urllib.parse import urlsplit

import ledger
import take
from camera import COMPLETE, DELETE, WHOLE
from checks import number_of
from processes import wait_until
from recordings import Recordings, listed
from wire import exchange

# The lease of a server that was killed, the pause before the jobs are looked for again, and as much for a slow machine.
JOBS_MAX_S = 180

Row = collections.namedtuple("Row", "account item state failure upload offset size object_key verified")


class Filed:
    """What the ledger says of a recording: of each step, what came of its attempts."""

    def __init__(self, entry):
        self.item, self.account, self.size, self.type = entry["item"], entry["account"], entry["size"], entry["type"]
        self.outcomes = collections.defaultdict(list)

    def is_sent(self, step):
        return bool(self.outcomes[step])

    def is_acked(self, step):
        return ledger.ACKED in self.outcomes[step]


def read(path):
    """By item."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for entry in map(json.loads, file):
            outcomes = found.setdefault(entry["item"], Filed(entry)).outcomes[entry["step"]]
            if entry["state"] == "sent":
                outcomes.append(ledger.UNKNOWN)
            else:
                outcomes[-1] = entry["state"]
    return found


def without_link(recording):
    """The link of a thumbnail is no part of a version: it changes with the day, and so when the server's clock jumps."""
    return recording and {name: value for name, value in recording.items() if name != "thumbnail_url"}


class Files:
    """`objects`: the folder with the server's files."""

    def __init__(self, load, address, objects, findings):
        self.load, self.address, self.objects, self.findings = load, address, objects, findings
        self.cameras = {camera.account.number: camera for camera in load.cameras}
        self.lost = 0

    def breach(self, text):
        self.findings.breach(8, text)

    def judge(self, path, check):
        """`path`: the ledger. `check`: runs `storage check` with further words."""
        self.wait_for_jobs()
        filed, rows = read(path), self.rows()
        for entry in filed.values():
            self.judge_entry(entry, rows.get(entry.item))
        for row in rows.values():
            self.judge_row(row, filed.get(row.item))
        self.judge_names({row.object_key for row in rows.values()})
        for camera in self.load.cameras:
            self.judge_confirmed(camera.take, rows)
            self.judge_deltas(camera)
            camera.session.close()
        self.judge_heads()
        self.judge_check(check)
        self.remark(filed, rows)

    def wait_for_jobs(self):
        begin = time.monotonic()
        try:
            wait_until(lambda: self.address.query("SELECT 1 FROM jobs LIMIT 1") == [], JOBS_MAX_S, "the jobs' end")
            self.findings.remarks.append(f"jobs done after {time.monotonic() - begin:.1f} s")
        except RuntimeError:
            for job in self.address.query("SELECT kind, attempts, run_at - now(), lease, recording_id FROM jobs"):
                self.breach(f"a job is still there: {job}")

    def rows(self):
        columns = "u.email, f.id, f.state, coalesce(f.failure, ''), f.upload, f.upload_offset, f.size, f.object_key, " \
            "coalesce(encode(f.verified_sha256, 'base64'), '')"
        found = {}
        for email, item, state, failure, upload, offset, size, key, verified in self.address.query(
                f"SELECT {columns} FROM recording_files f JOIN users u ON u.id = f.user_id"):
            found[item] = Row(number_of(email), item, state, failure, upload, int(offset), int(size), key, verified)
        return found

    # What was answered

    def judge_entry(self, entry, row):
        """Held against the row, and what the API answers."""
        if entry.is_acked(DELETE):
            return self.judge_deleted(entry, row)
        if entry.is_sent(DELETE) and row is None:
            return None
        if row is None or row.upload != "complete":
            if entry.is_acked(WHOLE):
                return self.miss(entry, f"was uploaded, and its row is {row}")
            return None
        if entry.is_acked(COMPLETE) and row.state != "ready":
            return self.miss(entry, f"was completed, and its row is {row}")
        if row.state == "ready":
            self.judge_ready(entry)
        return None

    def judge_confirmed(self, under_way, rows):
        """An upload URL that was answered is good, and what was confirmed of its bytes is stored."""
        if under_way and under_way.target:
            row = rows.get(under_way.item.lower())
            if row is None or row.offset < under_way.offset:
                self.miss(under_way, f"was confirmed to {under_way.offset}, and its row is {row}")

    def miss(self, entry, text):
        """Something that was acknowledged is not there."""
        self.lost += 1
        if not self.load.may_lose:
            self.breach(f"{entry.item} {text}")

    def judge_deleted(self, entry, row):
        if row:
            return self.miss(entry, f"was deleted, and its row is {row}")
        for path in ("", "/content"):
            status = self.get(entry, path).status
            if status != 404:
                self.breach(f"{entry.item} was deleted, and GET {path} is answered {status}")
        return None

    def get(self, entry, path=""):
        return self.cameras[entry.account].session.ask("GET", f"/recordings/{entry.item}{path}", expected={307, 404})

    def judge_ready(self, entry):
        answer, link = self.get(entry), self.get(entry, "/content")
        if answer.status != 200 or link.status != 307:
            return self.breach(f"{entry.item} is ready, and GET is answered {answer.status}, of the content {link.status}")
        expected = self.digest(entry)
        receipt = answer.body["receipt"]
        if answer.body["processing_status"] != "ready" or answer.body["sha256"] != expected or not receipt \
                or (receipt["size"], receipt["sha256"]) != (entry.size, expected):
            self.breach(f"{entry.item} of {entry.size} bytes, {expected}, is answered {answer.body}")
        content = exchange(self.load.port, "GET", urlsplit(link.fields["Location"]).path)
        if content.status != 200 or take.digest(content.body) != expected:
            self.breach(f"{entry.item}: the content is answered {content.status} with {len(content.body)} bytes, and is not what "
                        f"was sent, {entry.size} bytes")
        return None

    def bytes(self, entry):
        return take.content(self.load.seed, entry.item, entry.size, entry.type)

    def digest(self, entry):
        return take.digest(self.bytes(entry))

    # What is there

    def judge_row(self, row, entry):
        """Held against its file. A deletion that was lost leaves a row behind its file."""
        if entry is None or entry.account != row.account:
            return self.breach(f"nobody has asked for {row}")
        if row.state == "failed" and not entry.is_sent(DELETE):
            return self.breach(f"failed: {row}")
        found = self.file(row)
        if found is None:
            is_needed = row.upload == "complete" or row.offset > 0
            if is_needed and not (self.load.may_lose and entry.is_sent(DELETE)):
                self.breach(f"no file: {row}")
            return None
        sent = self.bytes(entry)
        least = row.size if row.upload == "complete" else row.offset
        if len(found) < least or found[:least] != sent[:least]:
            self.breach(f"the file has {len(found)} bytes, and not what was sent: {row}")
        if row.verified and row.verified != take.digest(sent):
            self.breach(f"verified as another file: {row}")
        return None

    def file(self, row):
        """Of an upload under way, or of the recording. An upload is its object already while its row is not told."""
        for path in (self.object_path(row), f"{self.objects}/uploads/{row.object_key}"):
            try:
                with open(path, "rb") as file:
                    return file.read()
            except FileNotFoundError:
                continue
        return None

    def object_path(self, row):
        return f"{self.objects}/objects/{hashlib.sha256(row.object_key.encode()).hexdigest()[:2]}/{row.object_key}"

    def judge_names(self, keys):
        """No file is nobody's, unless rows were lost: then the sweep deletes it, when it is a day old."""
        for folder, _, names in os.walk(self.objects):
            for name in names:
                # Whose store it is, which is no recording's.
                if name != "store-id" and name.split(".")[0] not in keys and not self.load.may_lose:
                    self.breach(f"no recording has {os.path.relpath(os.path.join(folder, name), self.objects)}")

    def judge_deltas(self, camera):
        """What the camera has replayed, a full set and the list are the same."""
        fresh = Recordings(camera.account, self.findings)
        if not (camera.recordings.pull(camera.session) and fresh.pull(camera.session)):
            return self.breach(f"{camera.name} is not served after healing")
        names = (listed(camera.session), camera.recordings.live, fresh.live)
        for item in sorted({item for those in names for item in those}):
            those = [without_link(each.get(item)) for each in names]
            if not those[0] == those[1] == those[2]:
                self.breach(f"{camera.name}: {item} is {those[0]} in the list, {those[1]} by deltas, {those[2]} in the full set")
        return None

    def judge_heads(self):
        for email, seq, versions in self.address.query(
                "SELECT u.email, h.seq, (SELECT count(*) FROM recording_versions v WHERE v.user_id = h.user_id) "
                "FROM sync_heads h JOIN users u ON u.id = h.user_id WHERE h.collection = 'recordings'"):
            if seq != versions:
                self.breach(f"{email}: head {seq} of recordings, {versions} versions")

    def judge_check(self, check):
        """The operator's tool sees the same; it deletes what a lost history has left. Files that only a lost deletion explains stay
        missing, see `judge_row`."""
        done = check()
        if self.load.may_lose and done.returncode == 1:
            self.findings.remarks.append("storage check: " + done.stdout.strip().splitlines()[-1])
            check("--repair")
            left = [line for line in check().stdout.splitlines()[:-1] if not line.startswith("missing: ")]
            if left:
                self.breach(f"storage check --repair has left {left}")
        elif done.returncode != 0:
            self.breach(f"storage check: {done.returncode} {(done.stdout + done.stderr).strip()[-1000:]}")

    def remark(self, filed, rows):
        states = collections.Counter(row.state for row in rows.values())
        deleted = sum(entry.is_acked(DELETE) for entry in filed.values())
        self.findings.remarks.append("recordings: " + ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
                                     + f", {deleted} deleted" + (f", {self.lost} lost" if self.lost else ""))
        if not states["ready"]:
            self.breach("no recording is ready: this run shows nothing")


def storage_check(server, *words):
    return subprocess.run([server.binary, "storage", "check", *words, "--data", server.data, *server.place], capture_output=True,
                          text=True, check=False, timeout=120)

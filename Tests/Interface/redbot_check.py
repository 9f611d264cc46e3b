"""Has REDbot look at each GET of a server of its own, and fails for whatever it finds bad or warns of."""
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from configparser import ConfigParser

import thor
from redbot.resource import HttpResource

STARTS_MAX_S = 90
CHECK_MAX_S = 60


def start(binary, folder):
    log = os.path.join(folder, "log")
    settings = dict(os.environ, NEUROVIEWS_REGISTRATION="open", NEUROVIEWS_SIGNATURES="optional",
                    NEUROVIEWS_LOG_FORMAT="text", NEUROVIEWS_CORS_ORIGINS="https://app.example.org")
    server = subprocess.Popen(
        [binary, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data", folder + "/data"],
        stderr=open(log, "w"), env=settings)
    deadline = time.monotonic() + STARTS_MAX_S
    while time.monotonic() < deadline and server.poll() is None:
        match = re.search(r"listening on (\S+) admin=(\S+)", open(log).read())
        if match:
            return server, "http://" + match.group(1), "http://" + match.group(2)
        time.sleep(0.05)
    server.kill()
    sys.exit("the server did not start:\n" + open(log).read())


def post(url, body, token=None):
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    if token:
        request.add_header("Authorization", "Bearer " + token)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def account(url):
    credentials = {"email": "redbot@example.org", "password": "three quiet lenses"}
    post(url + "/v2/auth/register", credentials)
    token = post(url + "/v2/auth/login", credentials)["token"]
    item = "11111111-0000-4000-8000-000000000001"
    post(url + "/v2/configurations", {"configuration": {
        "id": item, "name": "Moss", "preset": "macro", "video_format": "H.265", "resolution": "4K UHD", "frame_rate": 30,
        "created_at": "2026-11-20T18:00:00Z", "modified_at": "2026-11-20T18:00:00Z"}}, token)
    return token, item


def look(url, fields):
    """Prints REDbot's notes on a URL, and on what it asked besides, as JSON: level, name and text of each."""
    config = ConfigParser()
    config.read_dict({"redbot": {"enable_local_access": "True"}})
    resource = HttpResource(config["redbot"])
    resource.set_request(url, headers=fields)
    resource.on("check_done", thor.stop)
    resource.check()
    thor.run()
    if not resource.response.complete:
        sys.exit(f"no answer: {resource.fetch_error}")
    notes = list(resource.response.notes) + list(resource.request.notes)
    for other in resource.subreqs.values():
        notes += list(other.response.notes)
    json.dump([(note.level.value, type(note).__name__, str(note.summary)) for note in notes], sys.stdout)


def check(url, fields):
    """In a process of its own: REDbot's loop can be used once."""
    words = [word for field in fields for word in field]
    looked = subprocess.run([sys.executable, __file__, "--look", url, *words], capture_output=True, text=True,
                            timeout=CHECK_MAX_S)
    if looked.returncode != 0:
        return [("bad", "no answer", looked.stderr)]
    return [tuple(note) for note in json.loads(looked.stdout)]


def main():
    worst = 0
    with tempfile.TemporaryDirectory(prefix="neuroviews-redbot-") as folder:
        os.chmod(folder, 0o755)
        server, url, admin = start(sys.argv[1], folder)
        try:
            token, item = account(url)
            mine = [("Authorization", "Bearer " + token)]
            targets = [(url + "/healthz", []), (url + "/v2/version", []), (url + "/v2/openapi.json", []),
                       (url + "/v2/schemas/login.json", []), (url + "/v2/problems", []),
                       (url + "/v2/problems/not-found", []), (url + "/v2/configurations", mine),
                       (url + "/v2/configurations/" + item, mine), (url + "/v2/configurations", []),
                       (url + "/v2/nothing", []), (admin + "/healthz", []), (admin + "/readyz", []),
                       (admin + "/metrics", [])]
            for target, fields in targets:
                seen = sorted(set(check(target, fields)), key=lambda note: note[1])
                bad = [note for note in seen if note[0] in ("bad", "warning")]
                worst += len(bad)
                print(f"{'FAILED' if bad else 'ok':6} {target} ({len(seen)} notes)")
                for level, name, text in bad if "-v" not in sys.argv else seen:
                    print(f"       {level}: {name}: {text}")
        finally:
            server.terminate()
            server.wait(60)
    sys.exit(1 if worst else 0)


if __name__ == "__main__":
    if sys.argv[1] == "--look":
        look(sys.argv[2], list(zip(sys.argv[3::2], sys.argv[4::2])))
    else:
        main()

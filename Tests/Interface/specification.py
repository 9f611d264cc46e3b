"""Runs a client that knows only the specification, on an empty account and on one with presets and recordings of other clients:
specification.py CLIENT [BINARY]. The last line has the counts."""
import os
import re
import subprocess
import sys
import tempfile
import uuid

import httpx

import server

PASSWORD = "three quiet lenses"
# What other clients upload: the type, and the metadata.
OTHERS = [
    ("video/quicktime", {"filename": "a.mov", "created_at": "2026-11-20T18:00:00Z"}),
    ("audio/mp4", {"filename": "memo.m4a", "created_at": "2026-11-20T18:01:00.25Z", "camera_position": None, "custom_tags": None}),
    ("image/jpeg", {"creation_date": "2026-11-20T18:02:00Z", "camera_position": "front", "lens": {"name": "35"}}),
]


def log_in(client, url, email):
    answer = client.post(url + "/auth/login", json={"email": email, "password": PASSWORD}).raise_for_status().json()
    client.headers["Authorization"] = "Bearer " + answer["token"]


def account(url, email, *recordings):
    """An account that takes part in analytics."""
    with httpx.Client(timeout=60) as client:
        client.post(url + "/auth/register", json={"email": email, "password": PASSWORD}).raise_for_status()
        log_in(client, url, email)
        consents = {"consents": {"analytics": {"granted": True, "version": "2026-11"}}}
        client.put(url + "/account/consents", json=consents).raise_for_status()
        for content_type, metadata in recordings:
            path = f"{url}/recordings/{uuid.uuid4()}"
            wish = {"file_size": 5, "content_type": content_type}
            upload = client.post(path + "/upload-url", json=wish).raise_for_status().json()["upload_url"]
            httpx.put(upload, content=b"hello").raise_for_status()
            client.post(path + "/complete", json={"metadata": metadata}).raise_for_status()
    return email


def write_preset(url, email, command):
    """The command writes a preset. Returns whether its times are in whole seconds: this machine's Foundation reads fractions, those before Swift 6.2
    read none."""
    calls = [(["login", email, "--server", url, "--password-stdin"], PASSWORD + "\n"),
             (["new", "--set", '/name="Pier"', "--set", '/lens={"name":"35"}'], "")]
    with tempfile.TemporaryDirectory() as home:
        for words, text in calls:
            subprocess.run([command, *words], input=text, env={"HOME": home, "LANG": "C.UTF-8"}, encoding="utf-8", check=True, timeout=60)
    with httpx.Client(timeout=60) as client:
        log_in(client, url, email)
        text = client.get(url + "/configurations").raise_for_status().text
    return '"Pier"' in text and not re.search(r"T\d\d:\d\d:\d\d\.", text)


def main():
    client, binary = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ".build/debug/neuroviews-server"
    results = []
    with server.running(binary, NEUROVIEWS_SIGNATURES="optional") as (url, _):
        accounts = {"an empty account": account(url, "new@example.org"),
                    "an account with presets and recordings of other clients": account(url, "old@example.org", *OTHERS)}
        results.append(write_preset(url, "old@example.org", os.path.join(os.path.dirname(os.path.abspath(binary)), "neuroviews")))
        print(f"a preset of the command in whole seconds: {'passed' if results[-1] else 'FAILED'}", flush=True)
        for name, email in accounts.items():
            done = subprocess.run([os.path.abspath(client), url, email, PASSWORD], check=False, timeout=300)
            results.append(done.returncode == 0)
            print(f"a client of the specification on {name}: {'passed' if results[-1] else 'FAILED'}", flush=True)
    print(f"specification: {results.count(True)} passed, {results.count(False)} failed")
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()

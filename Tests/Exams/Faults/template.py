"""A data folder with the accounts and sessions of the exam, made once and copied for each run: passwords are slow to check."""
import concurrent.futures
import json
import os
import urllib.request

from findings import Findings
from server import Server
from session import Session

ACCOUNTS, DEVICES = 20, 3
# Every so manieth account has a camera beside its devices; another has an app that reports events.
CAMERAS_EVERY = 4
CONSENTS = {"consents": {"analytics": {"granted": True, "version": "1"}}}
PASSWORD = "three quiet lenses"


def email(number):
    return f"account-{number}@example.org"


def make(binary, folder):
    """Returns the folder; `logins` reads what is in it."""
    os.makedirs(folder)
    os.chmod(folder, 0o755)
    server = Server(binary, folder)
    try:
        server.start()
        with concurrent.futures.ThreadPoolExecutor(4) as threads:
            logins = list(threads.map(lambda number: account(server.port, number), range(ACCOUNTS)))
        status = server.stop()
        if status != 0:
            raise RuntimeError(f"the server ended with {status}")
    finally:
        server.clean_up()
    with open(folder + "/logins.json", "w", encoding="utf-8") as file:
        json.dump(logins, file)
    return folder


def logins(folder):
    """Of each account the logins by the names of its devices, `camera` and `app` among them where it has these."""
    with open(folder + "/logins.json", encoding="utf-8") as file:
        return json.load(file)


def account(port, number):
    credentials = {"email": email(number), "password": PASSWORD}
    call(port, "register", credentials)
    names = [f"device-{device}" for device in range(DEVICES)] + {0: ["camera"], 2: ["app"]}.get(number % CAMERAS_EVERY, [])
    found = {name: call(port, "login", credentials | {"device_id": name}) for name in names}
    if "app" in found:
        agree(port, found["app"])
    return found


def agree(port, login):
    answer = Session(login, port, Findings(), frozenset(), frozenset()).ask("PUT", "/account/consents", CONSENTS)
    if not answer.is_success:
        raise RuntimeError(f"the consent was answered {answer.status} {answer.body}")


def call(port, name, body):
    request = urllib.request.Request(f"http://127.0.0.1:{port}/v2/auth/{name}", json.dumps(body).encode(),
                                     {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)

"""A data folder with the accounts and sessions of the exam, made once and copied for each run: passwords are slow to check."""
import concurrent.futures
import json
import os
import urllib.request

from server import Server

ACCOUNTS, DEVICES = 20, 3
# Every so manieth account has a camera beside its devices.
CAMERAS_EVERY = 4
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
    """Of each account the logins of its devices, and after them that of its camera, where it has one."""
    with open(folder + "/logins.json", encoding="utf-8") as file:
        return json.load(file)


def account(port, number):
    credentials = {"email": email(number), "password": PASSWORD}
    call(port, "register", credentials)
    names = [f"device-{device}" for device in range(DEVICES)] + (["camera"] if number % CAMERAS_EVERY == 0 else [])
    return [call(port, "login", credentials | {"device_id": name}) for name in names]


def call(port, name, body):
    request = urllib.request.Request(f"http://127.0.0.1:{port}/v2/auth/{name}", json.dumps(body).encode(),
                                     {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)

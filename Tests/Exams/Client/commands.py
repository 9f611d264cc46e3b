"""The commands by which the kit drives the reference client: JSON objects, one a line, on standard input, and answers on standard output. README.md has them."""
import json
import os
import sys
import threading
import traceback
from decimal import Decimal

import session  # noqa: F401  It says where the next module is.
from state_hash import canonical


class Commands:
    """Reads commands and answers them. A sync runs beside them, so that the user can edit meanwhile."""

    def __init__(self, client):
        self.client = client
        self.output = threading.Lock()

    def run(self):
        for line in sys.stdin:
            command = json.loads(line, parse_int=Decimal, parse_float=Decimal)
            if command["do"] == "stop":
                self.say(command, {})
                return
            if command["do"] == "sync":
                threading.Thread(target=self.sync, args=(command,), daemon=True).start()
            else:
                self.say(command, self.local(command))

    def sync(self, command):
        try:
            self.say(command, {"wait": str(self.client.sync())})
        except Exception:
            # A client that goes on after a step that it did not finish would store half of it.
            traceback.print_exc()
            os._exit(70)

    def local(self, command):
        client, id = self.client, command.get("id", "").lower()
        if command["do"] == "login":
            client.store.session["is_signed_out"] = False
            return {}
        if command["do"] == "crash":
            client.store.crash_after = int(command["after"])
            return {}
        # It waits for the server, so it is no step.
        before = client.older(id, command["version"]) if command["do"] == "restore" else None
        with client.lock:
            if command["do"] == "state":
                return self.state()
            if command["do"] == "take_back":
                taken = client.take_back(int(command["place"]))
                client.store.commit()
                return {"done": taken is not None, "id": taken}
            if command["do"] == "edit":
                before = client.edit(id, command.get("set", {}), command.get("remove", []), command.get("new"))
            elif command["do"] == "delete":
                before = client.delete(id)
            client.store.commit()
        return {"done": before is not False, "before": before or None}

    def state(self):
        client = self.client
        shown = {id: client.shown(id) for id in client.items}
        return {"items": {id: document for id, document in shown.items() if document is not None}, "unsent": client.unsent() or (["request"] if client.request else []),
                "held": [id for id, item in client.items.items() if item["held"]], "lost": client.data["lost"],
                "refused": {id: item["refused"] for id, item in client.items.items() if item["refused"]}, "reports": client.data["reports"],
                "told": client.data["told"]}

    def say(self, command, answer):
        with self.output:
            print(canonical({"number": command["number"], **answer}), flush=True)

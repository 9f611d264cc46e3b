"""Requests of one client over a connection of its own. A trusted proxy seems to have sent them: X-Forwarded-For has the client's address."""
import http.client
import json

import signing

TIMEOUT_S = 60


class Answer:
    def __init__(self, status, body):
        self.status = status
        self.json = json.loads(body) if body else {}

    @property
    def verdict(self):
        """The status, and the code of a problem."""
        problem = str(self.json.get("type", "")).rpartition("/")[2]
        return f"{self.status} {problem}" if problem else str(self.status)


class Wire:
    def __init__(self, address):
        """`address` is the server's."""
        self.origin = "http://{}:{}".format(*address)
        self.connection = http.client.HTTPConnection(*address, timeout=TIMEOUT_S)

    def begin(self, method, path, client, session=None, content=None):
        """Sends a request of a client at an address. `session`: a token, and the key to sign by or None."""
        body = b"" if content is None else json.dumps(content).encode()
        fields = {} if content is None else {"Content-Type": "application/json"}
        if session:
            token, key = session
            if key:
                fields |= signing.headers(key, method, f"{self.origin}/v2{path}", body, list(fields.items()))
            fields["Authorization"] = "Bearer " + token
        self.connection.request(method, "/v2" + path, body or None, {**fields, "X-Forwarded-For": client})

    def end(self):
        """The answer to the request that was begun."""
        answer = self.connection.getresponse()
        return Answer(answer.status, answer.read())

    def ask(self, *request, **more):
        self.begin(*request, **more)
        return self.end()

    def close(self):
        self.connection.close()

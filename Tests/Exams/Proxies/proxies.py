"""Asks the server through each proxy, with the configuration that deploy/proxy documents."""
import base64
import hashlib
import hmac
import json
import os
import re
import secrets
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import uuid

sys.path.append("Tests/Support")
from ports import reserved_port  # noqa: E402

BINARY = os.environ.get("SERVER_PROGRAM")
# The exam of the console takes the configurations from here.
ROOT = os.path.abspath(sys.argv[1] if __name__ == "__main__" else ".build/proxies")
NAME = "cloud.example.org"
CLIENT = "127.0.0.7"
PREFIX = "/cameras"
SIGNED_FIELDS = ["Content-Type", "Content-Encoding", "If-Match", "If-None-Match", "Idempotency-Key", "Prefer"]


def wait_for(what, condition, seconds=30):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise RuntimeError(f"waited {seconds} s for {what}")


def is_listening(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    except OSError:
        return False


class Server:
    def __init__(self, folder, proxy_port):
        self.log = folder + "/server.log"
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                [BINARY, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data", folder + "/data",
                 "--registration", "open", "--signatures", "optional", "--public-url",
                 f"https://elsewhere.example.org/v2,https://{NAME}:{proxy_port}{PREFIX}/v2",
                 "--trusted-proxies", "127.0.0.1", "--log-format", "text"], stderr=log)
        try:
            self.port = wait_for("the server", self.listening_port, 300)
        except RuntimeError:
            self.process.terminate()
            raise

    def listening_port(self):
        if self.process.poll() is not None:
            raise RuntimeError("the server ended: " + self.text())
        match = re.search(r"listening on (?:https?://)?127\.0\.0\.1:(\d+)", self.text())
        return match and int(match.group(1))

    def text(self):
        return open(self.log).read()

    def line(self, identifier):
        """What the server logged about a request."""
        return wait_for("a line of the log", lambda: re.search(rf".* id={re.escape(identifier)} .*", self.text())).group(0)

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


def changed(path, *changes):
    """A configuration with its addresses and certificates changed; each must be there, or the test would test another one."""
    text = open(path).read()
    for old, new in changes:
        if old not in text:
            raise RuntimeError(f"{path} has no {old}")
        text = text.replace(old, new)
    return text


def caddy(folder, port, server):
    changes = [("127.0.0.1:8080", f"127.0.0.1:{server.port}"), (f"{NAME} {{", f"{NAME}:{port} {{"),
               ("# A certificate of your own instead: tls /etc/ssl/cloud.pem /etc/ssl/cloud.key",
                f"tls {folder}/cert.pem {folder}/key.pem"),
               ("#uri strip_prefix", "uri strip_prefix"),
               ("{\n\t# The clients'", "{\n\tadmin off\n\tauto_https disable_redirects\n\t# The clients'")]
    with open(folder + "/Caddyfile", "w") as file:
        file.write(changed("deploy/proxy/Caddyfile", *changes))
    return [ROOT + "/usr/bin/caddy", "run", "--adapter", "caddyfile", "--config", folder + "/Caddyfile"]


def haproxy(folder, port, server):
    changes = [("127.0.0.1:8080", f"127.0.0.1:{server.port}"), ("bind :443", f"bind 127.0.0.1:{port}"),
               ("/etc/ssl/private/cloud.pem", folder + "/both.pem"), ("#http-request replace-pathq", "http-request replace-pathq")]
    with open(folder + "/haproxy.cfg", "w") as file:
        file.write(changed("deploy/proxy/haproxy.cfg", *changes))
    return [ROOT + "/usr/sbin/haproxy", "-db", "-f", folder + "/haproxy.cfg"]


def nginx(folder, port, server):
    changes = [("127.0.0.1:8080", f"127.0.0.1:{server.port}"), ("listen 443", f"listen 127.0.0.1:{port}"),
               ("/etc/ssl/cloud.pem", folder + "/cert.pem"), ("/etc/ssl/private/cloud.key", folder + "/key.pem"),
               ("/run/nginx.pid", folder + "/nginx.pid"),
               ("#location /cameras/ {\n        #    proxy_pass http://neuroviews$below_cameras;\n        #}",
                "location /cameras/ {\n            proxy_pass http://neuroviews$below_cameras;\n        }")]
    text = changed("deploy/proxy/nginx.conf", *changes)
    # It wants a folder for each, and root's nginx would write into those of the system.
    paths = "".join(f"    {kind}_temp_path {folder}/{kind};\n" for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    with open(folder + "/nginx.conf", "w") as file:
        file.write(text.replace("http {\n", "http {\n" + paths, 1))
    return [ROOT + "/usr/sbin/nginx", "-p", folder, "-e", "stderr", "-g", "daemon off;", "-c", folder + "/nginx.conf"]


PROXIES = {"caddy": caddy, "haproxy": haproxy, "nginx": nginx}


class Answer:
    def __init__(self, output, body):
        blocks = [block for block in output.replace("\r", "").split("\n\n") if block.strip()]
        self.interim = [block.split()[1] for block in blocks[:-1]]
        lines = blocks[-1].splitlines()
        self.status = int(lines[0].split()[1])
        self.fields = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            self.fields[name.lower()] = value.strip()
        self.body = body

    def json(self):
        return json.loads(self.body)


class Client:
    """curl at 127.0.0.7, through the proxy."""

    def __init__(self, folder, port):
        self.folder = folder
        self.port = port
        self.origin = f"https://{NAME}:{port}"

    def connection(self):
        """A connection without curl, for WebSockets."""
        context = ssl.create_default_context(cafile=self.folder + "/cert.pem")
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=30, source_address=(CLIENT, 0))
        return context.wrap_socket(plain, server_hostname=NAME)

    def ask(self, method, target, *arguments, body=None):
        command = ["curl", "-sS", "--max-time", "30", "--interface", CLIENT, "--cacert", self.folder + "/cert.pem", "--resolve",
                   f"{NAME}:{self.port}:127.0.0.1", "--path-as-is", "-D", self.folder + "/head", "-o", self.folder + "/body"]
        command += ["-I"] if method == "HEAD" else ["-X", method]
        if body is not None:
            with open(self.folder + "/sent", "wb") as file:
                file.write(body)
            command += ["--data-binary", "@" + self.folder + "/sent", "-H", "Content-Type: application/json"]
        # curl leaves the file alone when there is no content.
        open(self.folder + "/body", "wb").close()
        done = subprocess.run([*command, *arguments, self.origin + target], capture_output=True, text=True)
        if done.returncode:
            raise AssertionError(f"curl {method} {target}: {done.stderr.strip()}")
        content = open(self.folder + "/body", "rb").read() if method != "HEAD" else b""
        return Answer(open(self.folder + "/head").read(), content)


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def document(identifier, size=0):
    moment = "2026-01-01T10:00:00Z"
    return json.dumps({"configuration": {
        "id": identifier, "name": "Moss", "preset": "macro", "video_format": "H.265", "resolution": "4K UHD", "frame_rate": 30,
        "created_at": moment, "modified_at": moment, "notes": "x" * size}}).encode()


class Scene:
    """One proxy before one server, and what is asked through them."""

    def __init__(self, client, server):
        self.client = client
        self.server = server

    def log_in(self):
        credentials = {"email": f"{uuid.uuid4()}@example.org", "password": "three quiet lenses", "device_id": "phone"}
        body = json.dumps(credentials).encode()
        expect(self.client.ask("POST", "/v2/auth/register", body=body).status == 201, "register")
        login = self.client.ask("POST", "/v2/auth/login", body=body).json()
        self.bearer = ["-H", "Authorization: Bearer " + login["token"]]
        self.key = base64.b64decode(login["signing_key"])
        signer = self.client.ask("POST", "/v2/auth/login", body=body).json()
        self.signer = ["-H", "Authorization: Bearer " + signer["token"]]
        self.signer_key = base64.b64decode(signer["signing_key"])

    def logged(self, answer):
        return self.server.line(answer.fields["x-request-id"])

    def client_address(self):
        """The log has the client's address, not the proxy's."""
        line = self.logged(self.client.ask("GET", "/healthz"))
        expect(f" peer={CLIENT}" in line, line)

    def spoofed(self):
        """What the client writes itself into the proxies' fields is not believed."""
        for fields in (["X-Forwarded-For: 203.0.113.9"], ["X-Forwarded-For: 203.0.113.9, 127.0.0.1"], ["Forwarded: for=203.0.113.9"],
                       ["X-Forwarded-For: 203.0.113.9", "X-Forwarded-For: 127.0.0.1"], ["X-Real-IP: 203.0.113.9"],
                       ["X-Forwarded-For: unknown", "Forwarded: for=\"", "X-Forwarded-Host: evil.example.org"]):
            arguments = [word for field in fields for word in ("-H", field)]
            line = self.logged(self.client.ask("GET", "/healthz", *arguments))
            expect(f" peer={CLIENT}" in line, f"{fields}: {line}")

    def direct(self):
        """Nor what one writes who reaches the server itself, and is no proxy."""
        done = subprocess.run(["curl", "-sS", "-D", "-", "-o", "/dev/null", "--interface", CLIENT, "-H", "X-Forwarded-For: 203.0.113.9",
                               f"http://127.0.0.1:{self.server.port}/healthz"], capture_output=True, text=True, check=True)
        line = self.logged(Answer(done.stdout, b""))
        expect(f" peer={CLIENT}" in line, line)

    def signed(self):
        """A signature over the URL as the client wrote it holds, though the server's public URL is another one; and only that."""
        for target, url_target in [("/v2/configurations", None), ("/v2/configurations?device_id=a%2fb&x=%C3%A9+%20", None),
                                   ("/v2/configurations?", None), ("/v2/configurations", "/v2/configurations?x")]:
            url = self.client.origin + (url_target or target)
            answer = self.client.ask("GET", target, *self.bearer, *self.signature("GET", url))
            expect(answer.status == (401 if url_target else 200), f"{target}: {answer.status} {answer.body}")
        identifier = str(uuid.uuid4())
        body = document(identifier)
        fields = self.signature("POST", self.client.origin + "/v2/configurations", body)
        expect(self.client.ask("POST", "/v2/configurations", *self.bearer, *fields, body=body).status == 201, "signed POST")
        # The fields that version 3 covers come as they were sent.
        covered = {"Content-Type": "application/json", "Content-Encoding": "identity", "If-Match": "*", "If-None-Match": '"1-000000000000"',
                   "Prefer": "return=minimal"}
        sent = [word for name, value in covered.items() for word in ("-H", f"{name}: {value}") if name != "Content-Type"]
        target = f"/v2/configurations/{identifier}"
        fields = self.signature("PUT", self.client.origin + target, body, covered)
        answer = self.client.ask("PUT", target, *self.signer, *fields, *sent, body=body)
        expect(answer.status == 200, f"signed PUT: {answer.status} {answer.body}")

    def signature(self, method, url, body=b"", covered=None):
        """By version 1, or with `covered` by version 3 and another session: that one then signs everything."""
        moment, nonce = str(int(time.time())), secrets.token_hex(16)
        signed = [covered.get(name, "") for name in SIGNED_FIELDS] + [base64.b64encode(hashlib.sha256(body).digest()).decode()] if covered else []
        text = "\n".join([method, url, moment, nonce, *signed])
        key = self.signer_key if covered else self.key
        value = base64.b64encode(hmac.new(key, text.encode(), hashlib.sha256).digest()).decode()
        fields = {"X-Timestamp": moment, "X-Nonce": nonce, "X-Signature": value, "X-Signature-Version": "3" if covered else "1"}
        return [word for name, field in fields.items() for word in ("-H", f"{name}: {field}")]

    def semantics(self):
        """HEAD, 304, 404 and 405 come as the server gives them."""
        whole = self.client.ask("GET", "/v2/openapi.json")
        head = self.client.ask("HEAD", "/v2/openapi.json")
        expect(head.status == 200 and head.fields.get("content-length") == str(len(whole.body)), f"HEAD: {head.fields}")
        listed = self.client.ask("GET", "/v2/configurations", *self.bearer)
        tag = listed.fields["etag"]
        again = self.client.ask("GET", "/v2/configurations", *self.bearer, "-H", f"If-None-Match: {tag}")
        expect(again.status == 304 and again.body == b"" and again.fields["etag"] == tag, f"304: {again.status} {again.fields}")
        expect(self.client.ask("GET", "/v2/nothing").fields["content-type"] == "application/problem+json", "404")
        expect(self.client.ask("DELETE", "/healthz").fields.get("allow"), "405 without Allow")
        expect("strict-transport-security" in whole.fields, "no HSTS")

    def bodies(self):
        """Large bodies go both ways unchanged, with a length, chunked, and with 100-continue; a body too large is 413."""
        for arguments in ([], ["-H", "Transfer-Encoding: chunked"], ["--http1.1"], ["--http1.1", "-H", "Expect: 100-continue"],
                          ["--http1.1", "-H", "Transfer-Encoding: chunked"]):
            identifier = str(uuid.uuid4())
            body = document(identifier, 900_000)
            answer = self.client.ask("POST", "/v2/configurations", *self.bearer, *arguments, body=body)
            expect(answer.status == 201, f"{arguments}: {answer.status} {answer.body[:300]}")
            if "Expect: 100-continue" in arguments:
                expect("100" in answer.interim, "no 100 Continue")
            got = self.client.ask("GET", f"/v2/configurations/{identifier}", *self.bearer)
            expect(got.json()["notes"] == "x" * 900_000, "the body changed on its way")
        answer = self.client.ask("POST", "/v2/configurations", *self.bearer, body=b"[" * 3_000_000)
        expect(answer.status == 413, f"3 MB: {answer.status}")

    def long_names(self):
        """A file with the longest name is sent: its name is in the head of the answer twice, once with three characters a byte."""
        identifier = str(uuid.uuid4())
        wish = json.dumps({"file_size": 4, "content_type": "video/mp4"}).encode()
        opened = self.client.ask("POST", f"/v2/recordings/{identifier}/upload-url", *self.bearer, body=wish).json()
        with open(self.client.folder + "/film", "wb") as file:
            file.write(b"film")
        sent = self.client.ask("PUT", self.target(opened["upload_url"]), "-T", self.client.folder + "/film")
        expect(sent.status < 300, f"PUT: {sent.status} {sent.body}")
        metadata = json.dumps({"metadata": {"filename": "\U0001f3ac" * 251 + ".mp4", "created_at": "2026-01-01T10:00:00Z"}}).encode()
        done = self.client.ask("POST", f"/v2/recordings/{identifier}/complete", *self.bearer, body=metadata)
        expect(done.status == 200, f"complete: {done.status} {done.body}")
        link = self.client.ask("GET", f"/v2/recordings/{identifier}/content", *self.bearer).fields["location"]
        got = self.client.ask("GET", self.target(link))
        expect(got.status == 200 and got.body == b"film", f"download: {got.status} {got.body[:200]}")
        expect(len(got.fields["content-disposition"]) > 3000, "the name was cut")

    def target(self, url):
        """The target of a link in an answer, which has the public URL with the host of the request."""
        expect(url.startswith(self.client.origin + PREFIX + "/v2/"), url)
        return url.removeprefix(self.client.origin)

    def prefix(self):
        """Below a path of the proxy: the server sees the rest as it was written, and signatures and links have the whole URL."""
        for target in ("/v2/configurations", "/v2/configurations?device_id=a%2fb&x=%C3%A9+%20"):
            url = self.client.origin + PREFIX + target
            answer = self.client.ask("GET", PREFIX + target, *self.bearer, *self.signature("GET", url))
            expect(answer.status == 200, f"{target}: {answer.status} {answer.body}")
        identifier = str(uuid.uuid4())
        made = self.client.ask("POST", PREFIX + "/v2/configurations", *self.bearer, body=document(identifier))
        expect(made.status == 201, f"POST: {made.status} {made.body}")
        expect(self.client.ask("GET", self.target(made.fields["location"]), *self.bearer).status == 200, made.fields["location"])
        # The path is signed as it is written: a proxy that decodes it spoils the signature.
        target = f"{PREFIX}/v2/configurations/%{ord(identifier[0]):02x}{identifier[1:]}"
        answer = self.client.ask("GET", target, *self.bearer, *self.signature("GET", self.client.origin + target))
        expect(answer.status == 200, f"{target}: {answer.status} {answer.body}")

    def strong_tags(self):
        """Tags stay strong for a client that takes compressed answers, and a weak one that comes back counts."""
        identifier = str(uuid.uuid4())
        body = document(identifier, 100_000)
        expect(self.client.ask("POST", "/v2/configurations", *self.bearer, body=body).status == 201, "POST")
        got = self.client.ask("GET", f"/v2/configurations/{identifier}", *self.bearer, "-H", "Accept-Encoding: gzip")
        expect(got.fields["etag"].startswith('"'), got.fields["etag"])
        weak = ["-H", "If-Match: W/" + got.fields["etag"]]
        answer = self.client.ask("PUT", f"/v2/configurations/{identifier}", *self.bearer, *weak, body=document(identifier, 10))
        expect(answer.status == 200, f"{answer.status} {answer.body}")

    def upgrades(self):
        """A WebSocket opens, and frames go both ways; elsewhere the request for one is answered like any other."""
        # HAProxy refuses one without a key (RFC 6455, 4.1).
        fields = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]
        arguments = [word for field in fields for word in ("-H", field)]
        expect(self.client.ask("GET", "/healthz", "--http1.1", *arguments).status == 200, "upgrade")
        fields += [f"Host: {NAME}:{self.client.port}", self.bearer[1], "Sec-WebSocket-Protocol: neuroviews.v2"]
        with self.client.connection() as stream:
            stream.sendall("\r\n".join(["GET /v2 HTTP/1.1", *fields, "", ""]).encode())
            reader = stream.makefile("rb")
            head = b"".join(iter(reader.readline, b"\r\n")).decode()
            expect(head.startswith("HTTP/1.1 101 ") and "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in head, head)
            # A ping, masked with zeros. Its pong and the account's present state follow, in any order.
            stream.sendall(b"\x89\x82\x00\x00\x00\x00hi")
            awaited = {b"hi", b"account_changed"}
            while awaited:
                first, length = reader.read(2)
                if length == 126:
                    length = int.from_bytes(reader.read(2), "big")
                content = reader.read(length)
                expect(first in (0x81, 0x8A), f"frame {first:02x} {content}")
                awaited -= {word for word in awaited if word in content}

    def keeps_connections(self):
        """The proxy uses its connections to the server again."""
        before = self.established()
        for _ in range(20):
            self.client.ask("GET", "/healthz")
        expect(self.established() - before <= 4, "each request opened a connection")

    def established(self):
        """Connections that the proxy opened to the server, those included that it has closed a moment ago."""
        wanted = f"0100007F:{self.server.port:04X}"
        return sum(1 for line in open("/proc/net/tcp").read().splitlines()[1:]
                   if line.split()[2] == wanted and line.split()[3] != "0A")

    def steps(self):
        return [self.log_in, self.client_address, self.spoofed, self.direct, self.signed, self.semantics, self.bodies,
                self.long_names, self.prefix, self.strong_tags, self.upgrades, self.keeps_connections]


def run(name, folder):
    port = reserved_port()
    server = Server(folder, port)
    proxy = None
    try:
        command = PROXIES[name](folder, port, server)
        with open(folder + "/proxy.log", "w") as log:
            proxy = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT,
                                     env=dict(os.environ, HOME=folder, XDG_DATA_HOME=folder, XDG_CONFIG_HOME=folder))
        wait_for(name, lambda: is_listening(port) or proxy.poll() is not None)
        if proxy.poll() is not None:
            raise RuntimeError(f"{name} ended: " + open(folder + "/proxy.log").read())
        scene = Scene(Client(folder, port), server)
        passed = failed = 0
        for step in scene.steps():
            try:
                step()
                passed += 1
            except (AssertionError, RuntimeError, KeyError, ValueError) as error:
                failed += 1
                print(f"{name} {step.__name__}: {error!r}")
        print(f"{name}: {passed} passed, {failed} failed")
        return passed, failed
    finally:
        if proxy and proxy.poll() is None:
            proxy.terminate()
            proxy.wait(30)
        server.stop()


def main():
    names = sys.argv[2:] or list(PROXIES)
    if set(names) - set(PROXIES):
        sys.exit(f"there are {', '.join(PROXIES)}")
    totals = [0, 0]
    for name in names:
        with tempfile.TemporaryDirectory(prefix="neuroviews-proxies-") as folder:
            # PostgreSQL's account must be able to enter the folder.
            os.chmod(folder, 0o755)
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}", "-addext",
                            f"subjectAltName=DNS:{NAME}", "-keyout", folder + "/key.pem", "-out", folder + "/cert.pem"],
                           check=True, capture_output=True)
            with open(folder + "/both.pem", "w") as file:
                file.write(open(folder + "/cert.pem").read() + open(folder + "/key.pem").read())
            for index, count in enumerate(run(name, folder)):
                totals[index] += count
    print(f"proxies: {totals[0]} passed, {totals[1]} failed")
    sys.exit(1 if totals[1] else 0)


if __name__ == "__main__":
    main()

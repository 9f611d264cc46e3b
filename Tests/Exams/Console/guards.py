"""What neither another site nor another program gets from the pages: their answers, fields, tokens and codes."""
import base64
import contextlib
import glob
import hashlib
import http.server
import json
import os
import subprocess
import threading

from playwright.sync_api import expect

from browser import go, log_in, settled
from house import Console
from person import preset
from user_screens import furnished

WEB, EMBED = "Sources/Console/web", "Sources/EmbedFiles/embed"
# The bearer token of the page, and whether its key leaves the browser.
STOLEN = """async () => {
    const [{ name }] = await indexedDB.databases();
    const database = await new Promise((resolve) => { const open = indexedDB.open(name); open.onsuccess = () => resolve(open.result); });
    const kept = await new Promise((resolve) => { const read = database.transaction('session').objectStore('session').get('current'); read.onsuccess = () => resolve(read.result); });
    database.close();
    return [kept.token, await crypto.subtle.exportKey('raw', kept.key).then(() => 'exported', () => 'refused')];
}"""
# Everything that another site's page can try by itself.
FOREIGN = """<!doctype html><title>Foreign</title><iframe name="inside" src="{page}"></iframe><img src="{page}/icon.svg">
<form id="form" method="post" action="{action}" enctype="text/plain" target="inside"><input name='{{"x":"' value='"}}'></form>"""
FETCHES = """async ({ targets }) => Promise.all(targets.flatMap((target) => ['GET', 'POST', 'DELETE'].flatMap((method) => ['cors', 'no-cors'].map((mode) => fetch(target,
    { method, mode: method === 'DELETE' ? 'cors' : mode, credentials: 'include', body: method === 'POST' ? '{}' : undefined, headers: mode === 'cors' ? { Authorization: 'Bearer x' } : {} })
    .then((answer) => answer.type, () => 'refused')))))"""


def checks(_):
    yield "Each served file is the repository's, with the fields that confine it", served_files
    yield "No answer sets a cookie, and the page has none", no_cookies
    yield "A copied token is refused, and its key can't be copied", copied_token
    yield "Another site's page changes nothing and reads nothing", foreign_page
    yield "The operators' page refuses other hosts, used codes and wrong ones", operator_doors
    yield "No port of the server has an operator's route", no_operator_routes
    yield "A read-only console shows accounts and changes none", read_only


def files(door):
    """The files of a page by name, as the build embeds them."""
    paths = [path for folder in ("shared", door) for path in glob.glob(f"{WEB}/{folder}/*")]
    return {os.path.basename(path): subprocess.run([EMBED, "--content", path], check=True, capture_output=True).stdout for path in paths}


def own_style(door):
    """The digest of the style in the page itself, as the policy has it."""
    style = files(door)["index.html"].partition(b"<style>")[2].partition(b"</style>")[0]
    return base64.b64encode(hashlib.sha256(style).digest()).decode()


def served_files(world):
    house, process = world.house, Console(world.house)
    try:
        doors = [("user", house.port, "/console", "/console/"), ("operator", process.port, "/", "/")]
        for door, port, index, folder in doors:
            for name, content in files(door).items():
                target = index if name == "index.html" else folder + name
                fields = {"Host": f"127.0.0.1:{port}"}
                status, received, body = house.exchange("GET", target, None, fields, port)
                assert status == 200 and hashlib.sha256(body).digest() == hashlib.sha256(content).digest(), (target, status)
                policy = received["content-security-policy"]
                for part in ("default-src 'none'", "script-src 'self'", f"style-src 'self' 'sha256-{own_style(door)}'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'",
                             "require-trusted-types-for 'script'", "trusted-types 'none'"):
                    assert part in policy.split("; "), (target, part, policy)
                assert received["x-content-type-options"] == "nosniff" and received["referrer-policy"] == "no-referrer", (target, received)
                assert received["cross-origin-opener-policy"] == received["cross-origin-resource-policy"] == "same-origin", (target, received)
    finally:
        process.stop()


def no_cookies(world):
    person, _, _ = furnished(world)
    credentials = json.dumps({"email": person.email, "password": person.password}).encode()
    for method, target, body in (("GET", "/console", None), ("GET", "/v2/version", None), ("POST", "/v2/auth/login", credentials)):
        _, received, _ = world.house.exchange(method, target, body, {"Content-Type": "application/json"} if body else {})
        assert "set-cookie" not in received, (target, received)
    page = world.browser.window()
    log_in(page, person)
    for route, title in (("#/account", "Account"), ("#/usage", "Usage"), ("#/recordings", "Recordings")):
        go(page, route)
        settled(page, title)
    assert not page.context.cookies(), page.context.cookies()


def copied_token(world):
    person, _, _ = furnished(world)
    page = world.browser.window()
    log_in(page, person)
    token, exported = page.evaluate(STOLEN)
    assert exported == "refused", "the key can be exported"
    for method, path in (("GET", "/configurations"), ("POST", "/auth/refresh"), ("DELETE", "/auth/sessions"), ("GET", "/account/export")):
        fields = {"Authorization": "Bearer " + token, **({"Content-Type": "application/json"} if method == "POST" else {})}
        status, _, answer = world.house.exchange(method, "/v2" + path, b"{}" if method == "POST" else None, fields)
        assert status == 401, (method, path, status, answer)
    page.reload()
    settled(page, "Presets")


@contextlib.contextmanager
def site(content, fields=()):
    """Another origin, with one page; `fields` are header fields of it."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            for name, value in (("Content-Type", "text/html; charset=utf-8"), *fields):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content.encode())

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def foreign_page(world):
    person, tablet, made = furnished(world)
    process = Console(world.house)
    try:
        page = world.browser.window()
        log_in(page, person, stay=True)
        page.goto(process.address)
        settled(page, "Health")
        before, sessions = tablet.documents(), len(tablet.sessions())
        house, identifier = world.house.origin, made["Moss"]["id"]
        targets = [f"{house}/console", f"{house}/v2/configurations", f"{house}/v2/configurations/{identifier}", f"{house}/v2/auth/logout", f"{process.origin}/",
                   f"{process.origin}/api/metrics", f"{process.origin}/api/session", f"{process.origin}/api/accounts/{person.email}/disable"]
        for target in targets:
            with site(FOREIGN.format(page=world.house.page, action=target)) as address:
                page.goto(address)
                # Chromium shows a page of its own where it refuses to frame one.
                assert [frame.url for frame in page.frames[1:]] == ["chrome-error://chromewebdata/"], "the page is framed"
                results = page.evaluate(FETCHES, {"targets": [target]})
                assert set(results) <= {"refused", "opaque"}, (target, results)
                page.evaluate("() => document.getElementById('form').submit()")
                page.wait_for_load_state()
        # What the foreign page itself caused is its own matter.
        world.browser.take_faults()
        page.goto(world.house.page)
        settled(page, "Presets")
        assert tablet.documents() == before and len(tablet.sessions()) == sessions
        assert "disabled_at: -" in world.house.operate("user", "show", person.email)
    finally:
        process.stop()


def operator_doors(world):
    process = Console(world.house)
    try:
        def ask(method, target, body=None, host=None, **fields):
            sent = {"Host": host or f"127.0.0.1:{process.port}", **({"Content-Type": "application/json"} if body else {}), **fields}
            return world.house.exchange(method, target, json.dumps(body).encode() if body else None, sent, process.port)
        for host in ("example.org", "127.0.0.1", f"127.0.0.2:{process.port}", f"example.org:{process.port}", f"127.0.0.1.example.org:{process.port}"):
            assert ask("GET", "/", host=host)[0] == 421, host
        assert ask("GET", "/", host=f"localhost:{process.port}")[0] == 200
        for target in ("/api/metrics", "/api/ready", "/api/accounts", "/api/trail", "/api/usage"):
            assert ask("GET", target)[0] == 401 and ask("GET", target, Authorization="Bearer " + process.code)[0] == 401, target
        assert ask("POST", "/api/session", {"code": "A" * 43})[0] == 401
        status, _, answer = ask("POST", "/api/session", {"code": process.code})
        assert status == 200, answer
        token = json.loads(answer)["token"]
        assert ask("GET", "/api/ready", Authorization="Bearer " + token)[0] == 200
        # With the wrong one before, these are five.
        for _ in range(4):
            assert ask("POST", "/api/session", {"code": process.code})[0] == 401
        process.process.wait(30)
    finally:
        process.stop()
    page = world.browser.window()
    with contextlib.suppress(Exception):
        page.goto(process.address)
    assert page.locator("[data-test=health]").count() == 0


def no_operator_routes(world):
    for port in (world.house.port, world.house.admin_port):
        for target in ("/api/session", "/api/metrics", "/api/accounts", "/api/trail", "/api/doctor", "/admin", "/operator", "/console/health.js", "/console/calls.js", "/console/index.html"):
            for method in ("GET", "POST"):
                status, _, _ = world.house.exchange(method, target, None, {"Host": f"127.0.0.1:{port}"}, port)
                assert status in (404, 405), (port, method, target, status)


def read_only(world):
    person = world.person()
    person.device().create(preset("Moss"))
    process = Console(world.house, "--read-only")
    try:
        page = world.browser.window()
        page.goto(process.address)
        settled(page, "Health")
        go(page, f"#/accounts/{person.email}")
        settled(page, person.email)
        expect(page.get_by_text("This page is read only")).to_be_visible()
        refused = page.evaluate("""async (email) => (await fetch(`/api/accounts/${email}/disable`,
            { method: 'POST', headers: { Authorization: `Bearer ${JSON.parse(sessionStorage.operator).token}` } })).status""", person.email)
        assert refused == 403, refused
    finally:
        process.stop()

"""Texts that would be markup, addresses or commands elsewhere, in every field of every screen: they stay texts."""
import re
import uuid

from playwright.sync_api import expect

from browser import go, log_in, settled
from house import Console
from media_screens import png
from person import moment, preset

LEFT, RIGHT = "\u202e", "\u05e9\u05dc\u05d5\u05dd"
TEXTS = ["<img src=x onerror=alert(1)>", "javascript:alert(1)", "\"><script>alert(1)</script>", "{\"type\":\"b\",\"props\":{\"innerHTML\":\"x\"}}", f"{LEFT}gpj.exe {RIGHT}",
         "Z\u0351\u036b\u0343a\u0301\u0302\u0303\u0304l\u0323\u0324\u0325g\u035c\u0360o\u0315", "\U0001f3ac\u200d\U0001f469\U0001f3fd" * 3, "constructor", "__proto__"]
# JSON that a library would take for an element.
ELEMENT = {"__html": "<img src=x onerror=alert(1)>", "nodeType": 1, "tag": "img", "type": "img", "props": {"src": "x", "onerror": "alert(1)"}, "children": ["x"]}
LARGE = "W" * 100_000


def checks(_):
    yield "Hostile texts in presets, their history and conflicts stay texts", presets
    yield "Hostile texts of recordings, devices and tags stay texts", recordings
    yield "Hostile texts stay texts on the operators' page", operator
    yield "A document of a megabyte opens, is edited and compared", megabyte
    yield "Hostile texts in addresses of the page lead nowhere", addresses


def unharmed(page):
    """No text became an element, and nothing sticks out."""
    found = page.evaluate("""() => [...document.querySelectorAll('img, script:not([src]), iframe, [onerror], a[href^="javascript:"]')]
        .filter((element) => element.matches('script, iframe, [onerror], a') || element.getAttribute('src') === 'x').map((element) => element.outerHTML.slice(0, 200))""")
    assert not found, found
    width, seen = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
    assert width <= seen, f"{page.url}: {width} pixels are wider than {seen}"


def hostile_account(world, house=None):
    person = world.person(house=house)
    device = person.device("Camera")
    made = []
    for number, text in enumerate(TEXTS):
        name = text[:100]
        made.append(device.create(preset(name, number, **{text[:60]: text, "element": ELEMENT, "list": [ELEMENT, text]})))
    made.append(device.create(preset("Large", 20, notes=LARGE, **{"x" * 200: LARGE[:1000]})))
    device.ask("PATCH", f"/devices/{device.id}", {"name": TEXTS[0]}, kind="application/merge-patch+json")
    return person, device, made


def presets(world):
    person, device, made = hostile_account(world)
    for document in made:
        device.patch(document["id"], frame_rate=25)
        device.lose(document, name=TEXTS[2], element="<b>lost</b>")
    for look in ("wide", "phone"):
        page = world.browser.window(look)
        log_in(page, person)
        unharmed(page)
        page.get_by_label("Search presets").fill(TEXTS[0])
        unharmed(page)
        for document in made:
            visit(page, f"#/presets/{document['id']}", document["name"])
            page.locator("details").filter(has_text="kept as sent").locator("summary").click()
            unharmed(page)
            visit(page, f"#/presets/{document['id']}/history", f"History of {document['name']}")
            expect(page.get_by_role("table", name="Differences")).to_be_attached()
            unharmed(page)
        conflicts = device.must("GET", "/conflicts")["conflicts"]
        assert len(conflicts) == len(made), conflicts
        for conflict in conflicts:
            go(page, f"#/conflicts/{conflict['configuration_id']}/{conflict['digest']}")
            expect(page.get_by_role("button", name="Save the mix")).to_be_visible()
            unharmed(page)
        go(page, "#/conflicts")
        settled(page, "Conflicts")
        unharmed(page)
        page.context.close()


def visit(page, route, title):
    """Titles compare as texts without repeated white space."""
    go(page, route)
    expect(page.locator("#main h1")).to_have_text(re.compile(re.escape(title[:12])))


def recordings(world):
    person, device, _ = hostile_account(world)
    for text in TEXTS[:6]:
        metadata = {"custom_tags": {text[:50]: text}, "tags": [text, {"name": text, "color": "red;}"}], "device_model": text, "app_version": text[:90], "camera_position": text[:90],
                    "element": ELEMENT}
        device.await_recording(device.upload(png(), f"{text.replace('/', ' ')}.png"[-255:], "image/png", **metadata))
    for look in ("wide", "phone"):
        page = world.browser.window(look)
        log_in(page, person)
        for recording in device.must("GET", "/recordings")["recordings"]:
            visit(page, f"#/recordings/{recording['id']}", recording["filename"])
            expect(page.locator(".player img")).to_be_visible()
            unharmed(page)
        for route, title in (("#/recordings", "Recordings"), ("#/account", "Account"), ("#/usage?days=7", "Usage")):
            go(page, route)
            settled(page, title)
            expect(page.locator("main .skeleton")).to_have_count(0)
            unharmed(page)
        page.context.close()


def operator(world):
    person, device, _ = hostile_account(world)
    device.must("PUT", "/account/consents", {"consents": {category: {"granted": True, "version": "1"} for category in ("analytics", "usage_metrics")}})
    device.must("POST", "/analytics/events", {"events": [{"name": text[:100], "timestamp": moment(5)} for text in TEXTS]})
    process = Console(world.house)
    try:
        page = world.browser.window()
        page.goto(process.address)
        settled(page, "Health")
        for route, title in ((f"#/accounts/{person.email}", person.email), ("#/trail", "Trail"), ("#/usage?days=7", "Usage"), ("#/requests", "Requests"), ("#/accounts", "Accounts")):
            go(page, route)
            settled(page, title)
            unharmed(page)
        for text in TEXTS:
            page.get_by_label("Beginning of the address").fill(text)
            page.get_by_role("button", name="Search").click()
            expect(page.locator("#main h1")).to_have_text("Accounts")
            unharmed(page)
    finally:
        process.stop()


def megabyte(world):
    person = world.person()
    device = person.device()
    points = {f"point {number}": {"x": number / 7, "y": "curve " * 20} for number in range(5000)}
    document = device.create(preset("Large curve", curve=points))
    page = world.browser.window()
    log_in(page, person)
    go(page, f"#/presets/{document['id']}")
    settled(page, "Large curve")
    page.get_by_label("Frame rate").fill("25")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[data-test=editor]")).to_have_attribute("data-state", "saved")
    page.get_by_role("link", name="History").click()
    settled(page, "History of Large curve")
    expect(page.get_by_role("table", name="Differences")).to_contain_text("25")
    assert device.document(document["id"])["curve"] == points
    unharmed(page)


def addresses(world):
    person = world.person()
    page = world.browser.window()
    log_in(page, person)
    for text in [*TEXTS, "%", "%00", "../../etc/passwd", "https://example.org/", str(uuid.uuid4()), "x" * 5000]:
        for route in ("#/presets/", "#/recordings/", "#/conflicts/", "#/usage?days=", "#/account?part=", "#/login?next=", "#/"):
            page.goto(world.house.page + route + text)
            expect(page.locator("#main h1")).to_be_visible()
            assert page.url.startswith(world.house.page), page.url
            unharmed(page)

"""Uploads that are cut, continued and refused: the server has the file, byte for byte, or the page says why not."""
import base64
import hashlib
import os
import re

from playwright.sync_api import expect

from browser import dialog, go, log_in, settled
from house import wait_for
from media_screens import ROW, begun, choose, network, opened, played

ENDS_MAX_MS = 120_000


def checks(_):
    yield "An upload goes on after the network was cut and the server was killed", cut
    yield "An upload goes on after a reload when its file is chosen again, and no other file is taken", again
    yield "A file that has changed since is sent from its beginning", changed_file
    yield "A recording that became complete before its upload was cancelled stays", late_cancel
    yield "An upload goes to an S3 service that permits the page, and plays from there", store
    yield "A full disk and a file of an unknown type are named", refused


def done(page):
    expect(page.locator(ROW)).to_have_attribute("data-state", "done", timeout=ENDS_MAX_MS)


def stored(person, path):
    """Exactly this file, verified."""
    device = person.device("Checker")
    with open(path, "rb") as file:
        digest = base64.b64encode(hashlib.sha256(file.read()).digest()).decode()

    def sums():
        return [recording.get("sha256") for recording in device.must("GET", "/recordings")["recordings"] if recording["filename"] == os.path.basename(path)]
    wait_for("the digest of the recording", lambda: sums() == [digest], 120)


def cut(world):
    house = world.build("cut")
    page = world.browser.window()
    person, row, wire = begun(world, page, world.person(house=house))
    network(wire, offline=True)
    expect(row).to_have_attribute("data-state", "cut")
    network(wire)
    expect(row).to_have_attribute("data-state", "sending", timeout=ENDS_MAX_MS)
    house.kill()
    expect(row).to_have_attribute("data-state", "cut")
    house.start()
    network(wire, -1)
    done(page)
    stored(person, world.large_file())
    # Its bytes are those of chance: nothing can play them.
    expect(page.locator("[data-test=recording-row]")).to_contain_text("Not measured", timeout=ENDS_MAX_MS)


def offsets(page):
    """Where the pieces begin that are sent from now on."""
    found = []
    page.on("request", lambda request: found.append(int(request.headers["upload-offset"])) if "upload-offset" in request.headers else None)
    return found


def again(world):
    page = world.browser.window()
    person, _, wire = begun(world, page)
    reloaded(page, wire)
    choose(page, world.large_file(9), "Choose the file")
    expect(page.locator("#toasts")).to_contain_text("That is another file.")
    found = offsets(page)
    choose(page, world.large_file(), "Choose the file")
    done(page)
    assert found and min(found) > 0, f"the pieces began at {found}: nothing was kept"
    stored(person, world.large_file())


def reloaded(page, wire):
    page.reload()
    network(wire, -1)
    settled(page, "Recordings")
    expect(page.locator(ROW)).to_have_attribute("data-state", "choose")


def changed_file(world):
    path = world.folder + "/Changing.mp4"
    with open(path, "wb") as file:
        file.write(os.urandom(40 << 20))
    page = world.browser.window()
    person, _, wire = begun(world, page, path=path)
    reloaded(page, wire)
    times = os.stat(path)
    with open(path, "r+b") as file:
        file.write(os.urandom(1 << 20))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    choose(page, path, "Choose the file")
    expect(page.locator("#toasts")).to_contain_text("has changed since. Its upload begins anew.")
    done(page)
    stored(person, path)


def late_cancel(world):
    page = world.browser.window()
    person, row, wire = begun(world, page)
    row.get_by_role("button", name="Cancel", exact=True).click()
    question = dialog(page, f"Cancel the upload of {os.path.basename(world.large_file())}?")
    network(wire, -1)
    done(page)
    question.get_by_role("button", name="Cancel the upload").click()
    expect(page.locator("#toasts")).to_contain_text("It is complete by now.")
    stored(person, world.large_file())


def store(world):
    with open(world.folder + "/Large harbour.mp4", "wb") as file:
        # A free box (ISO 14496-12) makes it a file of several parts.
        size = 20 << 20
        file.write(world.film + size.to_bytes(4, "big") + b"free" + bytes(size - 8))
    person = world.person(house=world.open_store)
    page = world.browser.window()
    log_in(page, person)
    go(page, "#/recordings")
    settled(page, "Recordings")
    choose(page, world.folder + "/Large harbour.mp4")
    done(page)
    stored(person, world.folder + "/Large harbour.mp4")
    opened(page, "Large harbour.mp4")
    played(page)


def refused(world):
    page = world.browser.window()
    log_in(page, world.person(house=world.tight))
    go(page, "#/recordings")
    settled(page, "Recordings")
    choose(page, world.large_file(9))
    expect(page.locator(ROW)).to_have_attribute("data-state", "failed")
    expect(page.locator(ROW)).to_contain_text(re.compile("full|space|storage"))
    path = world.folder + "/Notes.txt"
    with open(path, "w", encoding="utf-8") as file:
        file.write("text")
    choose(page, path)
    expect(page.locator(ROW).filter(has_text="Notes.txt")).to_contain_text("This type of file is not stored.")

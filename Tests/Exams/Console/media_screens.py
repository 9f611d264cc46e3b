"""The screens of recordings and of uploads."""
import re
import struct
import zlib

from playwright.sync_api import expect

from browser import go, log_in, settled
from person import moment, photo, preset
from stage import screen

SLOW_BYTES_S = 2_000_000
ROW = "[data-test=upload-row]"


def png(width=64, height=48, colour=(32, 96, 160)):
    """A picture of one colour."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + bytes(colour) * width) * height
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def with_film(world):
    person = world.person()
    tablet = person.device()
    identifier = tablet.upload(world.film, "Harbour.mp4", made_with=tablet.create(preset("Harbour")), video_format="H.264", resolution="HD 720p", frame_rate=24, duration=2,
                               tags=["sea", "dawn"], device_model="Camera 3")
    tablet.await_recording(identifier)
    return person, tablet


def opened(page, name):
    go(page, "#/recordings")
    settled(page, "Recordings")
    page.locator("[data-test=recording-row]").filter(has_text=name).get_by_role("link").click()
    settled(page, name)


@screen("recordings")
def recordings(world, page):
    person, tablet = with_film(world)
    for number in (1, 2, 3):
        still = photo(f"{world.folder}/still.jpg", number)
        tablet.await_recording(tablet.upload(still, f"Still {number}.jpg", "image/jpeg", created_at=moment(30 + number)[:19] + "Z"))
    log_in(page, person)
    go(page, "#/recordings")
    settled(page, "Recordings")
    expect(page.locator("[data-test=recording-row]")).to_have_count(4)
    page.wait_for_function("() => [...document.querySelectorAll('[data-test=recording-row] img')].filter((image) => image.naturalWidth > 0).length === 4", timeout=60_000)


@screen("player")
def player(world, page):
    person, _ = with_film(world)
    log_in(page, person)
    opened(page, "Harbour.mp4")
    video = page.locator(".player video")
    expect(video).to_be_visible()
    played(page)
    assert video.bounding_box()["width"] <= 960, "the player is wider than 960 pixels"
    expect(page.get_by_text("The preset has not changed since.")).to_be_attached()


def played(page):
    """The film runs in this browser."""
    page.locator(".player video").evaluate("video => { video.muted = true; return video.play(); }")
    for _ in range(100):
        if page.locator(".player video").evaluate("video => video.currentTime") > 0.2:
            break
        page.wait_for_timeout(100)
    assert page.locator(".player video").evaluate("video => video.currentTime") > 0.2, "the film does not run"
    page.locator(".player video").evaluate("video => { video.pause(); video.currentTime = 1; }")


@screen("recording-failed")
def recording_failed(world, page):
    person = world.person()
    person.device().spoil(world.film, "Spoilt.mp4")
    log_in(page, person)
    opened(page, "Spoilt.mp4")
    expect(page.get_by_role("button", name="Upload the file again")).to_be_visible()


@screen("recording-sealed")
def recording_sealed(world, page):
    person = world.person()
    tablet = person.device()
    tablet.await_recording(tablet.seal("6452ac6e1d371b91", "2026-03-01T12:00:00Z"))
    log_in(page, person)
    opened(page, "2026-03-01T12-00-00Z.bin")
    expect(page.get_by_text("sealed by the key 6452ac6e1d371b91")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download sealed file").click()
    with open(download.value.path(), "rb") as file:
        assert file.read() == bytes(1500), "another file is downloaded"


def choose(page, path, button="Upload"):
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name=button, exact=True).first.click()
    chooser.value.set_files(path)


def network(wire, bytes_s=SLOW_BYTES_S, offline=False):
    """From now on a page sends so many bytes a second, or nothing."""
    wire.send("Network.emulateNetworkConditions", {"offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": bytes_s})


def slowly(page):
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    network(wire)
    return wire


def begun(world, page, person=None, path=None):
    """A large file is under way, with a piece acknowledged."""
    person = person or world.person()
    log_in(page, person, stay=True)
    go(page, "#/recordings")
    settled(page, "Recordings")
    wire = slowly(page)
    choose(page, path or world.large_file())
    row = page.locator(ROW)
    expect(row).to_have_attribute("data-state", "sending")
    expect(row).to_contain_text(re.compile(r"(?<!\.)(9|[1-3]\d)(\.\d)? MB of"), timeout=60_000)
    return person, row, wire


@screen("upload")
def upload(world, page):
    begun(world, page)


@screen("upload-cut")
def upload_cut(world, page):
    _, row, wire = begun(world, page)
    network(wire, offline=True)
    expect(row).to_have_attribute("data-state", "cut")
    expect(page.locator("#net")).to_contain_text("No connection.", timeout=60_000)


@screen("upload-again")
def upload_again(world, page):
    begun(world, page)
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator(ROW)).to_have_attribute("data-state", "elsewhere")
    page.reload()
    settled(page, "Recordings")
    for each in (page, other):
        expect(each.locator(ROW)).to_have_attribute("data-state", "choose")
    other.close()


@screen("upload-refused")
def upload_refused(world, page):
    log_in(page, world.person(house=world.closed_store))
    go(page, "#/recordings")
    settled(page, "Recordings")
    choose(page, world.large_file(9))
    expect(page.locator(ROW)).to_have_attribute("data-state", "failed", timeout=60_000)
    expect(page.locator(ROW)).to_contain_text("The store of files answers, but not to this page.")

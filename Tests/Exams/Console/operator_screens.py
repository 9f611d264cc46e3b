"""The screens of the operators' page, over a server whose database can be stopped."""
import contextlib
import uuid

from playwright.sync_api import expect

from browser import go, settled
from house import Console
from person import preset
from stage import screen

HEALTH = "[data-test=health]"
# Two readings, and a request that waits for a database that is away.
READINGS_MAX_MS = 40_000


@contextlib.contextmanager
def console(world, page, house=None, options=()):
    process = Console(house or world.weak, *options)
    try:
        page.goto(process.address)
        settled(page, "Health")
        expect(page.locator(HEALTH).first).to_be_visible(timeout=READINGS_MAX_MS)
        yield process
    finally:
        process.stop()


def account(world):
    """An account with something in it, and sessions."""
    person = world.person(f"locked-{uuid.uuid4().hex[:4]}", world.weak)
    device = person.device("Phone")
    device.create(preset("Moss"))
    return person


@screen("health")
def health(world, page):
    with console(world, page):
        assert page.locator(HEALTH).first.get_attribute("data-state") in ("ok", "warn"), page.locator(HEALTH).first.inner_text()
        page.get_by_role("button", name="Run the doctor").click()
        expect(page.locator("[data-test=finding]").first).to_be_visible(timeout=READINGS_MAX_MS)
        yield


@screen("health-wrong")
def health_wrong(world, page):
    with console(world, page):
        with world.without_database():
            expect(page.locator(HEALTH).first).to_contain_text("can't serve requests", timeout=READINGS_MAX_MS)
            for route in ("#/trail", "#/accounts"):
                go(page, route)
                expect(page.locator("main").get_by_role("alert")).to_be_visible(timeout=READINGS_MAX_MS)
                expect(page.locator("#net")).to_contain_text("can't serve requests")
            go(page, "#/")
            settled(page, "Health")
            expect(page.locator(HEALTH).first).to_contain_text("can't serve requests", timeout=READINGS_MAX_MS)
            yield


def refuse_upload(device):
    """By the grant, or by the first byte."""
    status, _, grant = device.ask("POST", f"/recordings/{uuid.uuid4()}/upload-url", {"file_size": 1000, "content_type": "video/mp4"})
    if status == 200:
        status, _, grant = device.house.exchange("PUT", "/v2" + grant["upload_url"].split("/v2", 1)[1], bytes(1000), {"Content-Type": "video/mp4"})
    assert status == 507, (status, grant)


@screen("health-full")
def health_full(world, page):
    """The disk is full up to its reserve: an upload was refused for it."""
    with console(world, page, world.tight):
        refuse_upload(world.person("full", world.tight).device())
        expect(page.locator(HEALTH).filter(has_text="The disk is full up to its reserve")).to_be_visible(timeout=READINGS_MAX_MS)
        yield


@screen("health-away")
def health_away(world, page):
    with console(world, page):
        world.weak.stop()
        try:
            expect(page.locator(HEALTH).first).to_contain_text("The server is away", timeout=READINGS_MAX_MS)
            yield
        finally:
            world.weak.start()


@screen("requests")
def requests(world, page):
    with console(world, page):
        go(page, "#/requests")
        settled(page, "Requests")
        page.get_by_role("button", name="Since the start").click()
        expect(page.locator("[data-test=route-row]").first).to_be_visible()
        yield


@screen("accounts")
def accounts(world, page):
    person = account(world)
    with console(world, page):
        go(page, "#/accounts")
        settled(page, "Accounts")
        page.get_by_label("Beginning of the address").fill(person.email[:12])
        page.get_by_role("button", name="Search").click()
        expect(page.locator("[data-test=account-row]")).to_have_count(1)
        yield


@screen("account-detail")
def account_detail(world, page):
    person = account(world)
    world.weak.operate("user", "disable", person.email)
    with console(world, page):
        go(page, f"#/accounts/{person.email}")
        settled(page, person.email)
        expect(page.get_by_text("Disabled since")).to_be_visible()
        yield


@screen("trail")
def trail(world, page):
    with console(world, page):
        go(page, "#/trail")
        settled(page, "Trail")
        expect(page.locator("[data-test=trail-row]").first).to_be_visible()
        yield


@screen("operator-usage")
def operator_usage(world, page):
    account(world).device().consent()
    with console(world, page):
        go(page, "#/usage?days=7")
        settled(page, "Usage")
        yield


@screen("operator-ended")
def ended(world, page):
    with console(world, page) as process:
        process.stop()
        go(page, "#/trail")
        expect(page.get_by_role("heading", name="The console has ended")).to_be_visible()
        yield

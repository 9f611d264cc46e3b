"""The screens of the page for people."""
from playwright.sync_api import expect

from browser import dialog, fill_login, go, log_in, open_preset, settled, state
from house import FAR_NAME
from person import age_proofs, preset
from stage import screen

NAMES = ["Harbour at night", "Moss", "Track day", "Portrait by the window", "Slow river, 1/4 s", "Snow", "Stage, third row", "Swallows"]
KINDS = ["night", "macro", "sport", "portrait", "professional", "landscape", "auto", "sport"]


def furnished(world, house=None):
    """An account with presets, and a device of it."""
    person = world.person(house=house)
    tablet = person.device()
    made = [tablet.create(preset(name, 7 + 95 * number, preset=kind)) for number, (name, kind) in enumerate(zip(NAMES, KINDS))]
    return person, tablet, {document["name"]: document for document in made}


@screen("login")
def login(world, page):
    page.goto(world.house.page)
    settled(page, "Log in")


@screen("login-second")
def login_second(world, page):
    person = world.person()
    person.device().add_app()
    page.goto(world.house.page)
    fill_login(page, person.email, person.password)
    settled(page, "Second step")


@screen("presets")
def presets(world, page):
    person, _, _ = furnished(world)
    log_in(page, person)
    expect(page.locator("[data-test=preset-row]")).to_have_count(len(NAMES))


@screen("presets-empty")
def presets_empty(world, page):
    log_in(page, world.person())
    expect(page.get_by_role("heading", name="No presets yet")).to_be_visible()


@screen("editor")
def editor(world, page):
    person, tablet, made = furnished(world)
    tablet.patch(made["Moss"]["id"], focus_settings={"mode": "manual", "lens_position": 0.85}, exposure_settings={"mode": "manual", "iso": 400, "shutter_speed": 0.02})
    log_in(page, person)
    open_preset(page, "Moss")


@screen("editor-422")
def editor_422(world, page):
    editor(world, page)
    page.get_by_label("Frame rate").fill("999")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".summary")).to_be_focused()


@screen("editor-draft")
def editor_draft(world, page):
    editor(world, page)
    page.get_by_label("Name", exact=True).fill("Moss in the rain")
    state(page, "draft")
    page.reload()
    settled(page, "Moss")
    expect(page.get_by_text("You have unsaved changes from")).to_be_visible()


@screen("ask")
def ask(world, page):
    person, tablet, made = furnished(world)
    log_in(page, person)
    form = open_preset(page, "Moss")
    form.get_by_label("Name", exact=True).fill("Moss in the rain")
    tablet.patch(made["Moss"]["id"], name="Lichen")
    # The page may hear of it before the press, or not: here it has.
    page.evaluate("() => dispatchEvent(new Event('online'))")
    expect(page.locator("[data-test=elsewhere]")).to_contain_text("you choose when you save")
    form.get_by_role("button", name="Save").click()
    dialog(page, "Another device changed the same")


@screen("saved")
def saved(world, page):
    editor(world, page)
    page.get_by_label("Name", exact=True).fill("Moss in the rain")
    page.get_by_role("button", name="Save").click()
    state(page, "saved")
    settled(page, "Moss in the rain")


@screen("history")
def history(world, page):
    person, tablet, made = furnished(world)
    for number, name in enumerate(["Lichen", "Lichen, wet", "Moss and fern"]):
        tablet.patch(made["Moss"]["id"], name=name, frame_rate=25 + number)
    # A day between each two versions.
    world.house.administer(f"UPDATE neuroviews.configuration_versions SET changed_at = changed_at - (4 - version) * interval '25 hours' WHERE id = '{made['Moss']['id']}'")
    log_in(page, person)
    open_preset(page, "Moss and fern")
    page.get_by_role("link", name="History").click()
    settled(page, "History of Moss and fern")
    expect(page.get_by_role("table", name="Differences")).to_be_visible()


def with_conflicts(world):
    person, tablet, made = furnished(world)
    for name, edit in (("Moss", {"name": "Moss, old", "frame_rate": 60}), ("Snow", {"resolution": "8K UHD"})):
        tablet.lose(made[name], **edit)
    return person


@screen("conflicts")
def conflicts(world, page):
    log_in(page, with_conflicts(world))
    go(page, "#/conflicts")
    settled(page, "Conflicts")
    expect(page.locator("[data-test=conflict-row]")).to_have_count(2)


@screen("conflict")
def conflict(world, page):
    conflicts(world, page)
    page.locator("[data-test=conflict-row]").filter(has_text="Moss").get_by_role("link").click()
    settled(page, "Conflict in Moss")


@screen("account")
def account(world, page):
    person, _, _ = furnished(world)
    person.device("Phone")
    log_in(page, person)
    go(page, "#/account")
    settled(page, "Account")
    expect(page.locator("[data-test=device-row]")).to_have_count(3)
    expect(page.locator("main .skeleton")).to_have_count(0)


@screen("confirm")
def confirm(world, page):
    person, _, _ = furnished(world)
    log_in(page, person)
    go(page, "#/account")
    age_proofs(world.house, person.email)
    page.get_by_role("button", name="End all other sessions").click()
    dialog(page, "End 1 other session?").get_by_role("button", name="End sessions").click()
    dialog(page, "Confirm that it is you")


@screen("usage")
def usage(world, page):
    person, tablet, _ = furnished(world)
    tablet.consent()
    tablet.upload(world.film, "Harbour.mp4", video_format="H.264", resolution="HD 720p", duration=2)
    log_in(page, person)
    go(page, "#/usage?days=7")
    settled(page, "Usage")
    expect(page.get_by_role("img", name="Presets changed")).to_be_visible()


@screen("usage-no-consent")
def usage_no_consent(world, page):
    log_in(page, world.person())
    go(page, "#/usage")
    settled(page, "Usage")
    expect(page.get_by_role("heading", name="Usage events are off")).to_be_visible()


@screen("over")
def over(world, page):
    person, tablet, _ = furnished(world)
    log_in(page, person)
    form = open_preset(page, "Moss")
    form.get_by_label("Name", exact=True).fill("Moss in the rain")
    tablet.end_others()
    form.get_by_role("button", name="Save").dispatch_event("click")
    dialog(page, "Your session has ended")


@screen("offline")
def offline(world, page):
    editor(world, page)
    page.context.set_offline(True)
    page.get_by_label("Name", exact=True).fill("Moss in the rain")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#net")).to_contain_text("No connection.")
    state(page, "refused")
    yield
    page.context.set_offline(False)


@screen("error")
def error(world, page):
    person = world.person(house=world.weak)
    log_in(page, person)
    with world.without_database():
        go(page, "#/account")
        expect(page.get_by_role("button", name="Try again").first).to_be_visible()
        expect(page.get_by_role("alert").first).to_contain_text("Request ")
        yield


@screen("insecure")
def insecure(world, page):
    page.goto(f"http://{FAR_NAME}:{world.house.port}/console")
    expect(page.get_by_role("heading", name="This address is not encrypted")).to_be_visible()
    assert page.locator("input").count() == 0, "the page takes a password over plain HTTP"

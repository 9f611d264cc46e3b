"""What a person does beyond the smoke: drafts, numbers, questions, deletions, limits, a wrong clock, and the account."""
import json
import re

import signing
from playwright.sync_api import expect

from browser import accessible, dialog, editor, fill_login, go, log_in, open_preset, settled, state
from house import features
from person import moment, one_time_code, preset
from user_screens import furnished, with_conflicts

# An hour ahead.
WRONG_CLOCK = """{ const shift = 3_600_000, Real = Date;
Date = class extends Real { constructor(...parts) { super(...parts.length ? parts : [Real.now() + shift]); } static now() { return Real.now() + shift; } }; }"""


def checks(world):
    yield "Numbers of a document keep their spelling when another member is saved and when it is duplicated", exact_numbers
    yield "A decimal comma and a fraction are read as numbers, and the fraction is shown as it was typed", spelled_numbers
    yield "A draft survives the end of the session and a login in another window", draft_survives
    yield "What is typed while another device's edit is looked up is in the question and is saved", typed_meanwhile
    yield "Discarded changes come back by Undo beside what was typed since, deleted presets also from their list", undo
    yield "A preset that was deleted elsewhere is brought back with the changes", deleted_elsewhere
    yield "A preset can be begun from a starter, also beside others, and its draft survives a reload", new_preset
    yield "A full account names its limit at Save, and nothing typed is lost", full_account
    yield "A conflict is resolved by the lost one, by a mix and by the current one", conflicts
    yield "A restore shows its effect and can be undone, unless the preset has changed since", restore
    yield "A clock that is an hour wrong is named, does not end the session and moves no time", wrong_clock
    yield "A wrong code is refused, and a recovery code logs in", second_factor
    yield "The export has every preset, and the usage is saved as a table", downloads
    yield "A session without 'Stay signed in' ends with the browser", stay_signed_in
    yield "Another person's log out leaves the draft of somebody whose browser was closed", others_draft
    yield "A deletion that is refused since the session has ended is not told as done", refused_deletion
    yield "The link of an invitation does not replace a session", invited
    if features(world.house)["registration"] == "open":
        yield "A person opens an account in the page", register


def exact_numbers(world):
    person = world.person()
    tablet = person.device()
    text = json.dumps(preset("Exact"))[:-1] + ', "serial": 12345678901234567890, "gain": 4e2, "offset": 0.020}'
    status, _, answer = raw(tablet, "POST", "/configurations", '{"configuration":' + text + "}")
    assert status == 201, answer
    page = world.browser.window()
    log_in(page, person)
    form = open_preset(page, "Exact")
    form.get_by_label("Frame rate").fill("48")
    form.get_by_role("button", name="Save").click()
    state(page, "saved")
    page.get_by_role("button", name="Duplicate").click()
    settled(page, "Exact copy")
    for identifier in tablet.documents():
        _, _, document = raw(tablet, "GET", f"/configurations/{identifier}")
        for spelled in ("12345678901234567890", "4e2", "0.020"):
            assert spelled.encode() in document, (spelled, document)


def raw(device, method, path, body=""):
    """A request whose JSON nobody reads or writes on the way."""
    signed = signing.headers(device.session["signing_key"], method, f"{device.house.origin}/v2{path}", body.encode(), [("Content-Type", "application/json")] if body else [])
    fields = {**signed, "Authorization": "Bearer " + device.session["token"], **({"Content-Type": "application/json"} if body else {})}
    return device.house.exchange(method, "/v2" + path, body.encode() or None, fields)


def spelled_numbers(world):
    person, tablet, made = furnished(world)
    page = world.browser.window()
    log_in(page, person)
    form = open_preset(page, "Moss")
    form.get_by_label("Mode").select_option("manual")
    form.get_by_label("Shutter speed").fill("1/60")
    form.get_by_label("Compensation").fill("0,5")
    form.get_by_role("button", name="Save").click()
    state(page, "saved")
    expect(form.get_by_label("Shutter speed")).to_have_value("1/60")
    assert tablet.document(made["Moss"]["id"])["exposure_settings"] == {"mode": "manual", "shutter_speed": 1 / 60, "exposure_compensation": 0.5}
    form.get_by_label("Compensation").fill("-1/4")
    form.get_by_role("button", name="Save").click()
    state(page, "saved")
    assert tablet.document(made["Moss"]["id"])["exposure_settings"]["exposure_compensation"] == -0.25


def draft_survives(world):
    person, tablet, made = furnished(world)
    page = world.browser.window()
    log_in(page, person)
    form = open_preset(page, "Moss")
    form.get_by_label("Name", exact=True).fill("Moss in the rain")
    state(page, "draft")
    tablet.end_others()
    # The page may have noticed it first: then the dialog is above the button.
    form.get_by_role("button", name="Save").dispatch_event("click")
    again = dialog(page, "Your session has ended")
    again.get_by_label("Password", exact=True).fill(person.password)
    again.get_by_role("button", name="Log in", exact=True).click()
    expect(again).to_have_count(0)
    state(page, "saved")
    assert tablet.document(made["Moss"]["id"])["name"] == "Moss in the rain"


def typed_meanwhile(world):
    person, tablet, made = furnished(world)
    page = world.browser.window()
    log_in(page, person)
    form = open_preset(page, "Moss")
    name, author = form.get_by_label("Name", exact=True), "**/versions?limit=1"
    name.fill("Moss in the rain")
    tablet.patch(made["Moss"]["id"], name="Lichen")
    page.evaluate("() => dispatchEvent(new Event('online'))")
    expect(page.locator("[data-test=elsewhere]")).to_contain_text("you choose when you save")
    held = []
    page.route(author, lambda route: held.append(route))
    with page.expect_request(author):
        form.get_by_role("button", name="Save").click()
    name.fill("Moss in the snow")
    for route in held:
        route.continue_()
    question = dialog(page, "Another device changed the same")
    expect(question.get_by_label("Yours: Moss in the snow")).to_be_checked()
    question.get_by_role("button", name="Save").click()
    state(page, "saved")
    assert tablet.document(made["Moss"]["id"])["name"] == "Moss in the snow"


def undo(world):
    person, tablet, made = furnished(world)
    page = world.browser.window()
    log_in(page, person)
    form = open_preset(page, "Moss")
    form.get_by_label("Frame rate").fill("50")
    form.get_by_role("button", name="Discard").click()
    state(page, "saved")
    form.get_by_label("Resolution").select_option("8K UHD")
    page.get_by_role("button", name="Undo").click()
    expect(form.get_by_label("Frame rate")).to_have_value("50")
    expect(form.get_by_label("Resolution")).to_have_value("8K UHD")
    state(page, "draft")
    form.get_by_role("button", name="Save").click()
    state(page, "saved")
    page.get_by_role("button", name="Delete").click()
    settled(page, "Presets")
    assert tablet.document(made["Moss"]["id"]) is None
    page.get_by_role("button", name="Undo").click()
    settled(page, "Moss")
    assert tablet.document(made["Moss"]["id"])["frame_rate"] == 50
    tablet.must("DELETE", f"/configurations/{made['Snow']['id']}")
    tablet.must("DELETE", f"/configurations/{made['Moss']['id']}")
    go(page, "#/presets")
    settled(page, "Presets")
    expect(page.locator("[data-test=preset-row]").filter(has_text="Moss")).to_have_count(0)
    go(page, "#/presets/deleted")
    settled(page, "Deleted presets")
    accessible(page)
    rows = page.locator("[data-test=deleted-row]")
    expect(rows).to_contain_text(["Moss", "Snow"])
    rows.first.get_by_role("button", name="Restore").click()
    settled(page, "Moss")
    stored = tablet.document(made["Moss"]["id"])
    assert stored["frame_rate"] == 50 and stored["modified_at"] > made["Moss"]["modified_at"], stored


def deleted_elsewhere(world):
    person, tablet, made = furnished(world)
    page = world.browser.window()
    log_in(page, person)
    form = open_preset(page, "Moss")
    form.get_by_label("Frame rate").fill("50")
    tablet.must("DELETE", f"/configurations/{made['Moss']['id']}")
    form.get_by_role("button", name="Save").click()
    dialog(page, "This preset was deleted").get_by_role("button", name="Bring it back with your changes").click()
    state(page, "saved")
    assert tablet.document(made["Moss"]["id"])["frame_rate"] == 50


def new_preset(world):
    person = world.person()
    page = world.browser.window()
    log_in(page, person)
    page.get_by_role("button", name="Night").click()
    settled(page, "New preset")
    page.get_by_label("Name", exact=True).fill("Comet")
    page.reload()
    settled(page, "New preset")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Comet")
    page.get_by_role("button", name="Create preset").click()
    settled(page, "Comet")
    page.get_by_role("link", name="New preset").click()
    settled(page, "New preset")
    accessible(page)
    page.get_by_role("group", name="Begin with").get_by_role("button", name="Landscape").click()
    expect(editor(page).get_by_label("Kind")).to_have_value("landscape")
    page.get_by_role("button", name="Create preset").click()
    settled(page, "Landscape")
    assert sorted(document["name"] for document in person.device().documents().values()) == ["Comet", "Landscape"]


def full_account(world):
    person = world.person(house=world.tight)
    tablet = person.device()
    for name in ("One", "Two", "Three"):
        tablet.create(preset(name))
    page = world.browser.window()
    log_in(page, person)
    page.get_by_role("link", name="New preset").click()
    settled(page, "New preset")
    page.get_by_label("Name", exact=True).fill("Four")
    page.get_by_role("button", name="Create preset").click()
    state(page, "refused")
    expect(page.get_by_role("alert").first).to_contain_text("The account is full: 3 of 3 presets.")
    tablet.must("DELETE", f"/configurations/{next(iter(tablet.documents()))}")
    page.get_by_role("button", name="Create preset").click()
    settled(page, "Four")
    assert "Four" in [document["name"] for document in tablet.documents().values()]


def conflicts(world):
    person = with_conflicts(world)
    tablet = person.device("Laptop")
    portrait = next(document for document in tablet.documents().values() if document["name"] == "Track day")
    tablet.lose(portrait, frame_rate=120)
    page = world.browser.window()
    log_in(page, person)
    for name, button in (("Snow", "Take the lost one"), ("Moss", "Save the mix"), ("Track day", "Keep the current one")):
        go(page, "#/conflicts")
        page.locator("[data-test=conflict-row]").filter(has_text=name).get_by_role("link").click()
        settled(page, f"Conflict in {name}")
        if button == "Save the mix":
            page.get_by_role("group", name="Frame rate").get_by_label(re.compile("^Lost: ")).check()
        page.get_by_role("button", name=button).click()
        if button == "Keep the current one":
            dialog(page, "Discard the lost edit?").get_by_role("button", name="Discard the edit").click()
        settled(page, "Conflicts")
    expect(page.get_by_role("heading", name="Nothing was lost")).to_be_visible()
    stored = {document["name"]: document for document in tablet.documents().values()}
    assert (stored["Snow"]["resolution"], stored["Moss"]["frame_rate"], stored["Track day"]["frame_rate"]) == ("8K UHD", 60, 24), stored


def restore(world):
    person, tablet, made = furnished(world)
    tablet.patch(made["Moss"]["id"], name="Lichen")
    page = world.browser.window()
    log_in(page, person)
    open_preset(page, "Lichen")
    page.get_by_role("link", name="History").click()
    settled(page, "History of Lichen")
    page.get_by_role("button", name="Restore…").click()
    question = page.get_by_role("dialog")
    expect(question.get_by_role("table", name="Effect")).to_contain_text("Moss")
    question.get_by_role("button", name="Restore").click()
    settled(page, "History of Moss")
    restored = tablet.document(made["Moss"]["id"])
    assert restored["name"] == "Moss" and restored["modified_at"] >= moment(1), restored
    page.get_by_role("button", name="Undo").click()
    settled(page, "History of Lichen")
    assert tablet.document(made["Moss"]["id"])["name"] == "Lichen"
    page.get_by_role("button", name="Restore…").last.click()
    question.get_by_role("button", name="Restore").click()
    settled(page, "History of Moss")
    tablet.patch(made["Moss"]["id"], name="Fern")
    settled(page, "History of Fern")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Not undone: this preset has changed since.")).to_be_visible()
    assert tablet.document(made["Moss"]["id"])["name"] == "Fern"


def wrong_clock(world):
    person, tablet, made = furnished(world)
    page = world.browser.window(script=WRONG_CLOCK)
    page.goto(world.house.page)
    expect(page.get_by_text("This device's clock is 60 minutes fast.")).to_be_visible()
    log_in(page, person)
    form = open_preset(page, "Moss")
    form.get_by_label("Frame rate").fill("50")
    form.get_by_role("button", name="Save").click()
    state(page, "saved")
    expect(page.get_by_text(re.compile("^Edited just now"))).to_be_visible()
    stored = tablet.document(made["Moss"]["id"])
    assert stored["frame_rate"] == 50 and stored["modified_at"] <= moment(-2), stored


def second_factor(world):
    person = world.person()
    codes, secret = person.device().add_app()
    page = world.browser.window()
    page.goto(world.house.page)
    fill_login(page, person.email, person.password)
    settled(page, "Second step")
    page.get_by_label("Six digits of the authenticator app").fill(f"{(int(one_time_code(secret)) + 1) % 1_000_000:06}")
    page.get_by_role("button", name="Log in", exact=True).click()
    expect(page.locator(".field .error:not([hidden])").first).to_be_visible()
    page.get_by_role("button", name="Use a recovery code").click()
    page.get_by_label("Recovery code").fill(codes[0])
    page.get_by_role("button", name="Log in", exact=True).click()
    settled(page, "Presets")


def downloads(world):
    person, _, made = furnished(world)
    page = world.browser.window()
    log_in(page, person)
    go(page, "#/account")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save my data").click()
    with open(saved.value.path(), encoding="utf-8") as file:
        text = json.dumps(json.load(file))
    assert all(document["id"] in text for document in made.values()), text[:500]
    go(page, "#/usage?days=7")
    settled(page, "Usage")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as CSV").click()
    with open(saved.value.path(), encoding="utf-8") as file:
        assert "," in file.readline()


def stay_signed_in(world):
    for stays in (False, True):
        person = world.person()
        page = world.browser.window()
        log_in(page, person, stay=stays)
        # A new tab after the last one was closed has the browser's storage and no mark of its own.
        context = page.context
        page.close()
        page = context.new_page()
        page.goto(world.house.page)
        settled(page, "Presets" if stays else "Log in")


def others_draft(world):
    person, _, _ = furnished(world)
    page = world.browser.window()
    log_in(page, person)
    open_preset(page, "Moss").get_by_label("Name", exact=True).fill("Moss in the rain")
    state(page, "draft")
    go(page, "#/presets")
    settled(page, "Presets")
    context = page.context
    page.close()
    page = context.new_page()
    log_in(page, world.person("ben"))
    page.get_by_role("button", name="Log out").click()
    settled(page, "Log in")
    log_in(page, person)
    expect(open_preset(page, "Moss").get_by_label("Name", exact=True)).to_have_value("Moss in the rain")


def refused_deletion(world):
    person = world.person()
    tablet = person.device()
    page = world.browser.window()
    log_in(page, person)
    go(page, "#/account")
    settled(page, "Account")
    page.get_by_role("button", name="Delete the account…").click()
    asked = dialog(page, "Delete the account?")
    for password, answer in (("a wrong password", "The password or the address is wrong"), (person.password, "The session has ended")):
        asked.get_by_label("Password", exact=True).fill(password)
        asked.get_by_role("button", name="Delete the account for good").click()
        expect(asked.get_by_text(answer)).to_be_visible()
        tablet.end_others()
    assert len(tablet.sessions()) == 1


def invited(world):
    person = world.person()
    page = world.browser.window()
    log_in(page, person)
    page.evaluate("location.hash = '#invitation=abcdefghijklmnop'")
    settled(page, "Log out first")
    expect(page.get_by_role("main").get_by_role("button", name="Log out")).to_be_visible()


def register(world):
    address = f"new-{world.random('register').randrange(1 << 40):x}@example.org"
    page = begun_account(world, "new")
    expect(page.get_by_text("Enter the whole address")).to_be_visible()
    page.get_by_label("E-mail address", exact=True).fill(address)
    page.get_by_role("button", name="Open the account").click()
    settled(page, "Presets")
    assert editor(page).count() == 0
    again = begun_account(world, address)
    expect(again.get_by_text("This address has an account already.")).to_be_visible()
    again.get_by_role("button", name="Log in instead").click()
    expect(again.get_by_label("E-mail address", exact=True)).to_have_value(address)


def begun_account(world, address):
    page = world.browser.window()
    page.goto(world.house.page)
    page.get_by_role("button", name="Open an account").click()
    settled(page, "Open an account")
    page.get_by_label("E-mail address", exact=True).fill(address)
    page.get_by_label("Password", exact=True).fill("nine old lenses on the shelf")
    page.get_by_role("button", name="Open the account").click()
    return page

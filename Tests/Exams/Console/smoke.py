"""What each run of deploy/test looks at: a preset from the list into the history, with a question on the way."""
import re

from playwright.sync_api import expect

from browser import accessible, dialog, editor, log_in, open_preset, settled, state
from person import preset


def checks(_):
    yield "A person finds, edits and compares a preset, and chooses where another device changed the same", lambda world: edit(world, world.house.page)


def edit(world, address, house=None, **options):
    """Also through proxies, at whatever address."""
    person = world.person("ana", house)
    tablet = person.device()
    moss = tablet.create(preset("Moss", preset="macro", focus_settings={"mode": "manual", "lens_position": 0.85}))
    for name in ("Harbour at night", "Track day"):
        tablet.create(preset(name))
    page = world.browser.window(**options)
    log_in(page, person, address)
    accessible(page)
    page.get_by_label("Search presets").fill("mos")
    expect(page.locator("[data-test=preset-row]")).to_have_count(1)
    form = open_preset(page, "Moss")
    quietly(page, form)
    asked(page, form, tablet, moss)
    stored = tablet.document(moss["id"])
    assert (stored["name"], stored["frame_rate"], stored["focus_settings"]) == ("Moss and fern", 25, moss["focus_settings"]), stored
    compared(page)
    accessible(page)
    return page


def quietly(page, form):
    """Nobody else touched the member."""
    form.get_by_label("Frame rate").fill("25")
    state(page, "draft")
    form.get_by_role("button", name="Save").click()
    state(page, "saved")


def asked(page, form, tablet, moss):
    form.get_by_label("Name", exact=True).fill("Moss and fern")
    tablet.patch(moss["id"], name="Lichen")
    form.get_by_role("button", name="Save").click()
    question = dialog(page, "Another device changed the same")
    expect(question.get_by_label(re.compile("^Theirs: Lichen"))).not_to_be_checked()
    expect(question.get_by_label(re.compile("^Yours: Moss and fern"))).to_be_checked()
    question.get_by_role("button", name="Save").click()
    expect(question).to_have_count(0)
    state(page, "saved")
    expect(editor(page).get_by_label("Name", exact=True)).to_have_value("Moss and fern")


def compared(page):
    page.get_by_role("link", name="History").click()
    settled(page, "History of Moss and fern")
    expect(page.locator("[data-test=version-row]")).to_have_count(4)
    table = page.get_by_role("table", name="Differences")
    expect(table.get_by_role("row").filter(has_text="Name")).to_contain_text("Lichen")
    expect(table.get_by_role("row").filter(has_text="Name")).to_contain_text("Moss and fern")

"""Many tabs of one browser, which has six connections for a server: none starves, and all show the same."""
from playwright.sync_api import expect

from browser import editor, go, log_in, open_preset, settled, state
from media_screens import ROW, choose, slowly
from person import preset
from user_screens import furnished

COUNT = 8


def checks(_):
    yield f"{COUNT} tabs and an upload: a save in one is seen in all, and so is the end of the session", many


def many(world):
    person, tablet, made = furnished(world)
    first = world.browser.window()
    log_in(first, person, stay=True)
    go(first, "#/recordings")
    settled(first, "Recordings")
    slowly(first)
    choose(first, world.large_file())
    expect(first.locator(ROW)).to_have_attribute("data-state", "sending")
    tabs = [first.context.new_page() for _ in range(COUNT - 1)]
    for tab in tabs:
        tab.goto(world.house.page)
        settled(tab, "Presets")
        expect(tab.locator("[data-test=preset-row]")).to_have_count(len(made))
    form = open_preset(tabs[0], "Moss")
    form.get_by_label("Name", exact=True).fill("Moss in all tabs")
    form.get_by_role("button", name="Save").click()
    state(tabs[0], "saved")
    for tab in tabs[1:]:
        expect(tab.locator("[data-test=preset-row]").filter(has_text="Moss in all tabs")).to_have_count(1)
    if world.has_realtime:
        tablet.create(preset("From the tablet"))
        for tab in tabs:
            expect(tab.locator("[data-test=preset-row]").filter(has_text="From the tablet")).to_have_count(1, timeout=10_000)
    expect(first.locator(ROW)).to_have_attribute("data-state", "done", timeout=90_000)
    tabs[1].get_by_role("button", name="Log out").click()
    for tab in [first, *tabs]:
        settled(tab, "Log in")
        assert editor(tab).count() == 0

"""Both pages without a pointer: each thing is reached with Tab, and the focus is always to be seen."""
from playwright.sync_api import expect

from browser import dialog, editor, go, settled, state
from house import Console
from user_screens import furnished

STOPS_MAX = 150
# The focused element, whether it can be seen, and whether something else lies over its middle.
FOCUS = """wanted => {
    const element = document.activeElement, box = element.getBoundingClientRect(), style = getComputedStyle(element);
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const inside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
    return { tag: element.tagName, name: (element.ariaLabel ?? element.labels?.[0]?.textContent ?? element.textContent).trim().slice(0, 80),
        marked: style.outlineStyle !== 'none' || style.boxShadow !== 'none', seen: inside && Boolean(top) && (element.contains(top) || top.contains(element)), isIt: element === wanted };
}"""


def checks(_):
    yield "A person does everything without a pointer", person_alone
    yield "An operator disables and enables an account without a pointer", operator_alone


def reach(page, target, back=False):
    """Presses Tab until the target has the focus. On the way each stop has to show that it has it."""
    expect(target).to_be_visible()
    wanted = target.element_handle()
    for _ in range(STOPS_MAX):
        found = page.evaluate(FOCUS, wanted)
        if found["isIt"]:
            assert found["seen"], f"the focus is hidden: {found}"
            return
        page.keyboard.press("Shift+Tab" if back else "Tab")
        stop = page.evaluate(FOCUS, wanted)
        assert stop["tag"] == "BODY" or stop["marked"], f"the focus is not marked: {stop}"
    raise AssertionError(f"Tab does not reach {target}")


def press(page, target, key="Enter"):
    reach(page, target)
    page.keyboard.press(key)


def write(page, target, text):
    reach(page, target)
    page.keyboard.press("Control+A")
    page.keyboard.type(text)


def link(page, name):
    return page.get_by_role("link", name=name).first


def button(page, name, exact=True):
    return page.get_by_role("button", name=name, exact=exact).first


def place(page, name):
    """By the navigation."""
    press(page, page.locator("#nav").get_by_role("link", name=name))


def person_alone(world):
    person, tablet, made = furnished(world)
    person.device("Phone")
    tablet.lose(made["Snow"], resolution="8K UHD")
    page = world.browser.window()
    page.goto(world.house.page)
    settled(page, "Log in")
    write(page, page.get_by_label("E-mail address", exact=True), person.email)
    write(page, page.get_by_label("Password", exact=True), person.password)
    page.keyboard.press("Enter")
    settled(page, "Presets")
    edit(page, tablet, made["Moss"])
    compare_and_restore(page)
    resolve(page)
    manage_account(page)
    export(page)
    delete(world, page, person)


def edit(page, tablet, moss):
    write(page, page.get_by_label("Search presets"), "moss")
    expect(page.locator("[data-test=preset-row]")).to_have_count(1)
    press(page, page.locator("[data-test=preset-row] a"))
    settled(page, "Moss")
    form = editor(page)
    write(page, form.get_by_label("Name", exact=True), "Moss in the rain")
    tablet.patch(moss["id"], name="Lichen")
    page.keyboard.press("Enter")
    dialog(page, "Another device changed the same")
    press(page, page.get_by_role("dialog").get_by_role("button", name="Save"))
    state(page, "saved")
    assert tablet.document(moss["id"])["name"] == "Moss in the rain"


def compare_and_restore(page):
    press(page, link(page, "History"))
    settled(page, "History of Moss in the rain")
    reach(page, page.get_by_label("Compare", exact=True))
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("table", name="Differences")).to_contain_text("Moss")
    press(page, button(page, "Restore…", exact=False))
    question = page.get_by_role("dialog")
    press(page, question.get_by_role("button", name="Restore"))
    expect(question).to_have_count(0)
    settled(page, "History of Lichen")


def resolve(page):
    place(page, "Conflicts")
    settled(page, "Conflicts")
    press(page, page.locator("[data-test=conflict-row] a"))
    settled(page, "Conflict in Snow")
    press(page, button(page, "Take the lost one"))
    settled(page, "Conflicts")
    expect(page.get_by_role("heading", name="Nothing was lost")).to_be_visible()


def manage_account(page):
    place(page, "Account")
    settled(page, "Account")
    phone = page.locator("[data-test=device-row]").filter(has=page.get_by_role("heading", name="Phone"))
    press(page, phone.get_by_role("button", name="Rename"))
    question = dialog(page, "Rename the device")
    write(page, question.get_by_label("Name"), "Old phone")
    page.keyboard.press("Enter")
    expect(question).to_have_count(0)
    renamed = page.locator("[data-test=device-row]").filter(has=page.get_by_role("heading", name="Old phone"))
    press(page, renamed.get_by_role("button", name="End the session from"))
    press(page, dialog(page, "End this session?").get_by_role("button", name="End session"))
    expect(renamed.locator("[data-test=session-row]")).to_have_count(0)


def export(page):
    reach(page, button(page, "Save my data"))
    with page.expect_download() as saved:
        page.keyboard.press("Enter")
    assert saved.value.suggested_filename.startswith("neuroviews-"), saved.value.suggested_filename


def delete(world, page, person):
    press(page, button(page, "Delete the account…"))
    question = dialog(page, "Delete the account?")
    write(page, question.get_by_label("Password", exact=True), person.password)
    press(page, question.get_by_role("button", name="Delete the account for good"))
    press(page, dialog(page, "The account is deleted").get_by_role("button", name="Close"))
    settled(page, "Log in")
    assert person.email not in world.house.operate("user", "list"), "the account is still there"


def operator_alone(world):
    person, _, _ = furnished(world)
    process = Console(world.house)
    try:
        page = world.browser.window()
        page.goto(process.address)
        settled(page, "Health")
        place(page, "Accounts")
        settled(page, "Accounts")
        write(page, page.get_by_label("Beginning of the address"), person.email)
        page.keyboard.press("Enter")
        expect(page.locator("[data-test=account-row]")).to_have_count(1)
        press(page, page.locator("[data-test=account-row] a"))
        settled(page, person.email)
        for action, line in (("Disable", "Disabled since"), ("Enable", "The account is enabled.")):
            press(page, button(page, action))
            press(page, dialog(page, f"{action} {person.email}?").get_by_role("button", name=action))
            expect(page.get_by_text(line).first).to_be_visible()
        go(page, "#/trail")
        settled(page, "Trail")
        expect(page.locator("[data-test=trail-row]").filter(has_text=person.email).first).to_be_visible()
    finally:
        process.stop()

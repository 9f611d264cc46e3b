"""Chromium, its windows, and what is looked at in each of them: violations of the policy, faults of scripts, axe's rules, overflow."""
import collections
import importlib.resources
import os

from playwright.sync_api import expect, sync_playwright

from house import FAR_NAME

PROGRAM = os.environ.get("CHROMIUM_PROGRAM", "/usr/bin/chromium-headless-shell")
WAITS_MAX_MS = 20_000
WIDE = {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"}
PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
LOOKS = {"wide": WIDE, "phone": PHONE}
NARROW = {"width": 320, "height": 700}
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WATCH = """addEventListener('securitypolicyviolation', (event) => violated(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
delete window.showSaveFilePicker;"""
# Any other error is a refusal that the page shows.
FAULTS = {"TypeError", "ReferenceError", "SyntaxError", "RangeError"}
# What sticks out to the right; content of a place that scrolls by itself does not.
WIDER = """() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const scrolls = (element) => element && (getComputedStyle(element).overflowX !== 'visible' || scrolls(element.parentElement));
    return ['the page is ' + document.documentElement.scrollWidth, ...[...document.body.querySelectorAll('*')]
        .filter((element) => element.getBoundingClientRect().right > width + 1 && !scrolls(element.parentElement))
        .slice(0, 5).map((element) => element.tagName + '.' + element.className + ' ' + element.textContent.slice(0, 40))];
}"""

expect.set_options(timeout=WAITS_MAX_MS)


class Browser:
    def __init__(self):
        self.driver = sync_playwright().start()
        arguments = [f"--host-resolver-rules=MAP {FAR_NAME} 127.0.0.1", "--autoplay-policy=no-user-gesture-required"]
        self.chromium = self.driver.chromium.launch(executable_path=PROGRAM, args=arguments)
        self.faults = []

    def window(self, look="wide", script="", **options):
        """A page with storage of its own. `faults` gets what no page may do."""
        context = self.chromium.new_context(locale="en-GB", timezone_id="Europe/Berlin", accept_downloads=True, **{**LOOKS[look], **options})
        context.set_default_timeout(WAITS_MAX_MS)
        context.expose_binding("violated", lambda source, text: self.faults.append(f"{source['page'].url}: {text}"))
        context.add_init_script(WATCH + script)
        context.on("weberror", lambda error: self.note(error.error))
        # Leaving a page with an upload asks.
        context.on("dialog", lambda question: question.accept())
        return context.new_page()

    def note(self, error):
        if error.name in FAULTS:
            self.faults.append(f"{error.name}: {error.message}\n{error.stack}")

    def take_faults(self):
        """What has happened since the last call."""
        faults, self.faults = self.faults, []
        return faults

    def pages(self):
        return [page for context in self.chromium.contexts for page in context.pages]

    def close_windows(self):
        for context in list(self.chromium.contexts):
            context.close()

    def close(self):
        self.chromium.close()
        self.driver.stop()


def go(page, route):
    """To another screen of the page that is open."""
    page.evaluate("hash => { location.hash = hash; }", route)


def settled(page, title):
    """Waits until the screen with this heading is there."""
    expect(page.locator("#main h1")).to_have_text(title)
    expect(page.locator("#main:not([aria-busy])")).to_be_attached()


def log_in(page, person, address=None, stay=False, then="Presets"):
    page.goto(address or person.house.page)
    fill_login(page, person.email, person.password, stay)
    if then:
        expect(page.locator("body")).to_have_attribute("data-state", "ready")
        settled(page, then)


def fill_login(page, email, password, stay=False):
    page.get_by_label("E-mail address", exact=True).fill(email)
    page.get_by_label("Password", exact=True).fill(password)
    if stay:
        page.get_by_label("Stay signed in on this browser").check()
    page.get_by_role("button", name="Log in", exact=True).click()


def editor(page):
    return page.locator("[data-test=editor]")


def open_preset(page, name):
    """From the list, or from beside another preset."""
    page.locator("[data-test=preset-row]").filter(has_text=name).first.get_by_role("link").click()
    settled(page, name)
    return editor(page)


def state(page, wanted):
    expect(editor(page)).to_have_attribute("data-state", wanted)


def dialog(page, title):
    found = page.get_by_role("dialog", name=title)
    expect(found).to_be_visible()
    return found


def axe(page):
    """What axe-core finds, a line each."""
    if not page.evaluate("() => Boolean(window.axe)"):
        page.evaluate(importlib.resources.files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("rules => axe.run(document, { runOnly: { type: 'tag', values: rules }, resultTypes: ['violations'] })", RULES)
    return [f"axe {rule['id']}: {node['html'][:160]} {' '.join(node['failureSummary'].split())[:240]}" for rule in found["violations"] for node in rule["nodes"]]


def accessible(page):
    found = axe(page)
    assert not found, "\n".join(found)


def wider(page):
    """What makes the page scroll to the side at 320 pixels, or at 400 % zoom of 1280."""
    size = page.viewport_size
    page.set_viewport_size(NARROW)
    found = page.evaluate(WIDER)
    page.set_viewport_size(size)
    return found


def small_targets(page):
    """Controls below 24 pixels, on touch below 44 in one direction; links within text are exempt."""
    least = 44 if page.evaluate("() => matchMedia('(pointer: coarse)').matches") else 24
    return page.evaluate("""least => [...document.querySelectorAll('button, select, input:not([type=checkbox], [type=radio]), nav a, a.button')]
        .filter((element) => element.checkVisibility() && !element.closest('.visually-hidden'))
        .map((element) => [element, element.getBoundingClientRect()]).filter(([, box]) => box.width > 0 && Math.max(box.height, 0) < least)
        .map(([element, box]) => `${element.tagName} "${(element.ariaLabel ?? element.textContent).slice(0, 30)}" is ${Math.round(box.width)} x ${Math.round(box.height)}`)""", least)


def covered(page):
    """Messages that lie over something of the page, in the part of it that is seen."""
    return page.evaluate("""() => {
        const box = (element) => element.getBoundingClientRect();
        const meets = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
        const notes = [...document.querySelectorAll('#toasts > *, #net > *')].filter((element) => box(element).height > 0);
        const parts = [...document.querySelectorAll('#main :is(h1, h2, p, label, button, input, select, a, td), #nav a')]
            .filter((element) => element.checkVisibility() && box(element).height > 0);
        return notes.flatMap((note) => parts.filter((part) => meets(box(note), box(part))).slice(0, 3).map((part) => `a message covers ${part.tagName} "${part.textContent.slice(0, 40)}"`));
    }""")


class Median:
    """Values of a measurement by name."""

    def __init__(self):
        self.values = collections.defaultdict(list)

    def add(self, name, value):
        self.values[name].append(value)

    def share(self, name, part=0.5):
        values = sorted(self.values[name])
        return values[min(len(values) - 1, int(len(values) * part))]

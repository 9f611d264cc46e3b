"""Each screen in both looks: pictures, axe's rules, targets, overflow, and the accessibility tree beside the one that was accepted."""
import difflib
import os
import re

# They register their screens.
import media_screens  # noqa: F401
import operator_screens  # noqa: F401
import remote_screens  # noqa: F401
import user_screens  # noqa: F401
from browser import LOOKS, axe, covered, small_targets, wider
from stage import SCREENS

TREES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "trees")
MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]*"
# What differs from run to run.
MASKS = [(re.compile(pattern), text) for pattern, text in [
    (r"\d{1,2} " + MONTH + r"(?: \d{4})?(?:,? (?:at )?\d{1,2}:\d\d(?::\d\d)?)?", "DATE"), (r"just now|yesterday|\d+ (?:second|minute|hour|day)s? ago", "AGO"),
    (r"[\w.-]+@example\.org", "ADDRESS"), (r"[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}", "ID"), (r"127\.0\.0\.1(?::\d+)?", "HOST"), (r"Request [\w-]+", "Request ID"),
    (r"\b[0-9a-f]{40,}\b|\b[A-Za-z0-9+/_-]{40,}=*", "DIGEST"), (r"\b\d\d:\d\d\b", "TIME"), (r"/url: .*", "/url: TARGET"), (r"locked-\w+-", "locked-"), (r"Version [\w.+-]+", "Version")]]
# Their figures and rows are never the same.
LIVELY = {"health", "health-wrong", "health-full", "health-away", "requests", "accounts", "account-detail", "trail", "operator-usage", "operator-ended", "upload", "upload-cut",
          "upload-again", "upload-refused"}
LIVELY_LINE = re.compile(r"\s*- (?:row|cell|rowheader|listitem|list|text|paragraph|strong|img|time|definition|term|/url|status|progressbar|link \"[^\"]*@)")


def checks(world):
    for name in world.options.screen or list(SCREENS):
        for look in LOOKS:
            yield f"{name} on {'a phone, dark' if look == 'phone' else 'a wide window, light'}", lambda world, name=name, look=look: check(world, name, look)


def check(world, name, look):
    page = world.browser.window(look)
    with SCREENS[name](world, page):
        os.makedirs(world.options.pictures, exist_ok=True)
        page.evaluate("() => document.fonts.ready.then(() => true)")
        page.screenshot(path=f"{world.options.pictures}/{name}-{look}.png", animations="disabled", caret="initial")
        found = [*axe(page), *covered(page), *small_targets(page)]
        if look == "wide":
            found += compare(world, name, page)
            found += [f"wider than 320 pixels: {line}" for line in wider(page)]
    assert not found, "\n".join(found)


def tree(name, page):
    text = page.locator("body").aria_snapshot()
    for pattern, replacement in MASKS:
        text = pattern.sub(replacement, text)
    lines = text.splitlines()
    if name in LIVELY:
        lines = [re.sub(r"\d[\d.,:]*", "N", line) for line in lines if not LIVELY_LINE.match(line)]
    return "\n".join(lines) + "\n"


def compare(world, name, page):
    """The differences from the tree that was accepted."""
    path, found = f"{TREES}/{name}.yml", tree(name, page)
    if world.options.accept:
        os.makedirs(TREES, exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(found)
        return []
    if not os.path.exists(path):
        return [f"{path} is missing: look at the screen, then run with --accept"]
    with open(path, encoding="utf-8") as file:
        accepted = file.read()
    return list(difflib.unified_diff(accepted.splitlines(), found.splitlines(), "accepted", "found", lineterm="", n=1))

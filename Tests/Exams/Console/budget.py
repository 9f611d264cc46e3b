"""What the pages may take: bytes, time and memory, each beside its baseline of the same run."""
import contextlib
import gzip
import os
import time

import processes
from playwright.sync_api import expect

from browser import Median, go, log_in, settled
from guards import files, site
from house import BINARY, Console
from media_screens import ROW, choose
from server import is_for_tests

# Up to the list of presets; the other screens' files come when they are opened. And all files together.
LOADED = {"files": 20, "bytes": 140_000, "gzipped": 45_000}
ALL = {"files": 28, "bytes": 217_000, "gzipped": 78_000}
PAINTS, PAINT_MAX = 12, 2.0
LIST_MAX_S = {65: 1.0, 5000: 2.0}
KEY_MAX_MS = 50
UPLOAD_MAX_MIB = {300: 50, 2048: 50}
OPERATOR_CORE_MAX, OPERATOR_S = 0.005, 1200
# A build for tests may be one for debugging, which answers so much slower.
DEBUG_SLOWER = 4
HELLO = "<!doctype html><title>hi</title><p>hi"
# Chromium starts a process for a page with this field, which takes as long as a first paint: a price of the policy, not of the page.
POLICY = [("Cross-Origin-Opener-Policy", "same-origin")]
PAINT = """() => new Promise((resolve) => { const found = performance.getEntriesByName('first-contentful-paint')[0]; if (found) return resolve(found.startTime);
    new PerformanceObserver((list) => resolve(list.getEntries()[0].startTime)).observe({ type: 'paint', buffered: true }); })"""
# From the key to the frame that shows its rows, for each letter of a word and back.
KEYS = """async (word) => {
    const input = document.querySelector('input[type=search]'), times = [];
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => { const channel = new MessageChannel(); channel.port1.onmessage = resolve; channel.port2.postMessage(0); }));
    for (let round = 0; round < 4; round += 1) for (let length = 1; length <= word.length * 2; length += 1) {
        const text = word.slice(0, length <= word.length ? length : word.length * 2 - length), begun = performance.now();
        input.value = text;
        input.dispatchEvent(new Event('input', { bubbles: true }));
        await frame();
        times.push(performance.now() - begun);
    }
    return times.sort((a, b) => a - b);
}"""


def checks(world):
    yield f"Up to the list the page for people loads at most {LOADED['files']} files, {LOADED['bytes']} bytes, {LOADED['gzipped']} gzipped", loaded
    yield f"The page for people has at most {ALL['files']} files, {ALL['bytes']} bytes, {ALL['gzipped']} gzipped", whole
    yield f"The first paint takes at most {PAINT_MAX} times that of a page that says hi with the same policy for openers", first_paint
    for count, seconds in LIST_MAX_S.items():
        yield f"From the login to a list of {count} presets it takes {seconds} s", lambda world, count=count: login_to_list(world, count)
    yield f"A key in the search of 5,000 presets takes {KEY_MAX_MS} ms (95 %)", key
    if not world.options.everything:
        return
    for mebibytes, most in UPLOAD_MAX_MIB.items():
        yield f"The upload of {mebibytes} MiB takes {most} MiB of the browser", lambda world, mebibytes=mebibytes: upload(world, mebibytes)
    yield "The operators' page takes half a percent of a core in the server in 20 minutes, and does not grow", operator


def limit(seconds):
    return seconds * (DEBUG_SLOWER if is_for_tests(BINARY) else 1)


def loaded(world):
    person, page, asked = with_presets(world, 8), world.browser.window(), set()
    page.on("request", lambda request: asked.add(request.url))
    log_in(page, person)
    expect(page.locator("[data-test=preset-row]")).to_have_count(8)
    names = {url.rsplit("/", 1)[1] if url != world.house.page else "index.html" for url in (url.partition("#")[0] for url in asked)}
    assert {"index.html", "console.css", "presets.js"} <= names, names
    weigh([content for name, content in files("user").items() if name in names], LOADED)


def whole(_):
    weigh(files("user").values(), ALL)


def weigh(contents, limits):
    taken = {"files": len(contents), "bytes": sum(map(len, contents)), "gzipped": sum(len(gzip.compress(content, 9)) for content in contents)}
    print(f"   {taken}", flush=True)
    assert all(taken[name] <= most for name, most in limits.items()), f"{taken}, at most {limits}"


def first_paint(world):
    medians = Median()
    with site(HELLO, POLICY) as address:
        for _ in range(PAINTS):
            for name, target in (("page", world.house.page), ("hi", address)):
                page = world.browser.window()
                page.goto(target)
                medians.add(name, page.evaluate(PAINT))
                page.context.close()
    page, base = medians.share("page"), medians.share("hi")
    print(f"   {page:.0f} ms, hi {base:.0f} ms", flush=True)
    assert page <= PAINT_MAX * base, f"{page:.0f} ms, hi {base:.0f} ms"


def with_presets(world, count):
    person = world.person()
    person.device().fill(count)
    return person


def login_to_list(world, count):
    person, medians = with_presets(world, count), Median()
    for _ in range(3):
        page = world.browser.window()
        page.goto(world.house.page)
        page.get_by_label("E-mail address", exact=True).fill(person.email)
        page.get_by_label("Password", exact=True).fill(person.password)
        begun = time.monotonic()
        page.keyboard.press("Enter")
        expect(page.locator("[data-test=preset-row]")).to_have_count(60, timeout=60_000)
        medians.add("list", time.monotonic() - begun)
        page.context.close()
    print(f"   {medians.share('list'):.2f} s", flush=True)
    assert medians.share("list") <= limit(LIST_MAX_S[count]), f"{medians.share('list'):.2f} s"


def key(world):
    page = world.browser.window()
    log_in(page, with_presets(world, 5000))
    expect(page.locator("[data-test=preset-row]")).to_have_count(60, timeout=60_000)
    times = page.evaluate(KEYS, "harbour")
    found = times[int(len(times) * 0.95)]
    print(f"   median {times[len(times) // 2]:.1f} ms, 95 % {found:.1f} ms, longest {times[-1]:.1f} ms", flush=True)
    assert found <= KEY_MAX_MS, f"{found:.1f} ms"


def chromium_mib():
    """The memory of this process' browsers, without what they share."""
    total, pending, seen = 0, [os.getpid()], set()
    while pending:
        pid = pending.pop()
        if pid in seen:
            continue
        seen.add(pid)
        pending += processes.family(pid)[1:]
        with contextlib.suppress(OSError), open(f"/proc/{pid}/cmdline", "rb") as command:
            if b"chromium" in command.read():
                with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as rollup:
                    total += sum(int(line.split()[1]) for line in rollup if line.startswith("Private_"))
    return total / 1024


def upload(world, mebibytes):
    path = f"{world.folder}/Long {mebibytes}.mp4"
    with open(path, "wb") as file:
        file.truncate(mebibytes << 20)
    page = world.browser.window()
    log_in(page, world.person())
    go(page, "#/recordings")
    settled(page, "Recordings")
    page.wait_for_timeout(2_000)
    before, most = chromium_mib(), 0.0
    choose(page, path)
    row, deadline = page.locator(ROW), time.monotonic() + 600
    while row.get_attribute("data-state") not in ("done", "failed") and time.monotonic() < deadline:
        most = max(most, chromium_mib())
        page.wait_for_timeout(200)
    assert row.get_attribute("data-state") == "done", row.inner_text()
    print(f"   from {before:.0f} to at most {most:.0f} MiB", flush=True)
    assert most - before <= UPLOAD_MAX_MIB[mebibytes], f"{most - before:.0f} MiB more"


def operator(world):
    """Beside the same time without the page."""
    seconds, page = OPERATOR_S, world.browser.window()
    quiet = share_of_core(world.house, seconds / 4, lambda: page.wait_for_timeout(seconds / 4 * 1000))
    # Its address is good for five minutes.
    process = Console(world.house)
    try:
        page.goto(process.address)
        settled(page, "Health")
        page.wait_for_timeout(20_000)
        before = heap(page)
        busy = share_of_core(world.house, seconds, lambda: page.wait_for_timeout(seconds * 1000))
        grown = heap(page) - before
        print(f"   {busy - quiet:.4f} of a core, without the page {quiet:.4f}; {grown / 1e6:+.1f} MB in the tab", flush=True)
        # The page keeps the readings of half an hour.
        assert busy - quiet <= limit(OPERATOR_CORE_MAX) and grown < 10e6, (busy, quiet, grown)
    finally:
        process.stop()


def share_of_core(house, seconds, work):
    begun = processes.cpu_of(house.process.pid)
    work()
    return (processes.cpu_of(house.process.pid) - begun).total / 1e6 / seconds


def heap(page):
    """After a collection."""
    wire = page.context.new_cdp_session(page)
    wire.send("HeapProfiler.collectGarbage")
    return wire.send("Runtime.getHeapUsage")["usedSize"]

"""Runs of chance: a person types while the network, the server, the session and another device come between. Nothing that was typed is lost."""
import random

from playwright.sync_api import Error, expect

from browser import editor, fill_login, log_in, open_preset, settled
from house import wait_for
from person import preset

STEPS = 30
# The label of a field, and a value that no other step of the run types.
FIELDS = {"Name": lambda number: f"Typed {number:04}", "Frame rate": lambda number: str(30 + number), "ISO": lambda number: str(1000 + number)}
MEMBERS = {"Name": ("name",), "Frame rate": ("frame_rate",), "ISO": ("exposure_settings", "iso")}
# What the page keeps of its own: drafts in IndexedDB, and those of the moment in which it was left.
KEPT = """async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name), all = [JSON.stringify({ ...sessionStorage })];
    for (const name of names) {
        const database = await new Promise((resolve) => { const open = indexedDB.open(name); open.onsuccess = () => resolve(open.result); });
        const read = database.transaction('drafts').objectStore('drafts').getAll();
        all.push(JSON.stringify(await new Promise((resolve) => { read.onsuccess = () => resolve(read.result); })));
        database.close();
    }
    return all.join(' ');
}"""


def checks(world):
    house = None
    for number in range(world.options.seeds):
        seed = world.options.seed + number

        def run(world, seed=seed):
            nonlocal house
            house = house or world.build("seeds")
            if house.process.poll() is not None:
                house.start()
            Run(world, house, seed).play()
        yield f"Everything typed is kept in run {seed} (--only seeds --seeds 1 --seed {seed})", run


class Run:
    def __init__(self, world, house, seed):
        self.house, self.rng, self.number, self.log = house, random.Random(f"run {seed}"), 0, []
        self.person = world.person("ana", house)
        self.tablet = self.person.device()
        self.document = self.tablet.create(preset("Begun", exposure_settings={"mode": "manual", "iso": 100}))
        self.page = world.browser.window()
        self.is_online = True
        # By label, the last value that the person typed.
        self.typed = {}

    @property
    def is_up(self):
        return self.house.process.poll() is None

    def play(self):
        log_in(self.page, self.person)
        open_preset(self.page, "Begun")
        weights = {self.type: 8, self.save: 4, self.pause: 2, self.cut: 2, self.mend: 3, self.kill: 1, self.start: 2, self.end: 1, self.elsewhere: 3, self.reload: 2, self.answer: 3}
        steps = [step for step, count in weights.items() for _ in range(count)]
        self.type()
        for _ in range(STEPS):
            step = self.rng.choice(steps)
            self.log.append(step.__name__)
            try:
                step()
            except Error as error:
                # A dialog may have opened between the look and the press.
                self.log.append(f"({error.message.splitlines()[0][:80]})")
        assert self.typed, f"nothing was typed after {' '.join(self.log)}"
        self.mend()
        self.start()
        try:
            wait_for("all that was typed", lambda: not self.lost(), 20, 0.5)
        except AssertionError as error:
            raise AssertionError(f"lost {self.lost()} after {' '.join(self.log)}") from error

    # Steps

    def form(self):
        """The editor, if nothing is over it."""
        form = editor(self.page)
        return form if form.count() == 1 and self.page.get_by_role("dialog").count() == 0 else None

    def type(self):
        form = self.form()
        if not form:
            return
        label = self.rng.choice(list(FIELDS))
        self.number += 1
        value = FIELDS[label](self.number)
        field = form.get_by_label(label, exact=True)
        field.fill(value, timeout=2_000)
        # Behind a dialog that has opened since the look, nobody can type.
        if self.form() is None and field.input_value() != value:
            return
        self.typed[label] = value
        self.log.append(f"{label}={value}")

    def save(self):
        form = self.form()
        if form:
            form.get_by_role("button", name="Save").click(timeout=2_000)

    def pause(self):
        self.page.wait_for_timeout(self.rng.choice([50, 400, 1200]))

    def cut(self):
        self.page.context.set_offline(True)
        self.is_online = False

    def mend(self):
        self.page.context.set_offline(False)
        self.is_online = True

    def kill(self):
        if self.is_up:
            self.house.kill()

    def start(self):
        if not self.is_up:
            self.house.start()

    def end(self):
        if self.is_up:
            self.tablet.end_others()

    def elsewhere(self):
        if self.is_up:
            self.number += 1
            member = self.rng.choice(["name", "frame_rate"])
            self.tablet.patch(self.document["id"], **{member: f"Elsewhere {self.number}" if member == "name" else 150 + self.number})

    def reload(self):
        if not (self.is_up and self.is_online):
            return
        self.page.reload()
        self.page.locator("body:not([data-state=start])").wait_for()
        if self.page.locator("body").get_attribute("data-state") == "login":
            settled(self.page, "Log in")
            fill_login(self.page, self.person.email, self.person.password)
        expect(self.page.locator("body")).to_have_attribute("data-state", "ready")
        for _ in range(40):
            if editor(self.page).count():
                return
            self.answer()
            self.page.wait_for_timeout(250)

    def answer(self):
        """Answers the dialog on top, if the server can hear it."""
        found = self.page.get_by_role("dialog")
        if not (self.is_up and self.is_online) or found.count() == 0:
            return
        title = found.last.get_by_role("heading").first.inner_text()
        if title == "Your session has ended":
            found.last.get_by_label("Password", exact=True).fill(self.person.password, timeout=2_000)
            found.last.get_by_role("button", name="Log in", exact=True).click(timeout=2_000)
        elif title == "Another device changed the same":
            found.last.get_by_role("button", name=self.rng.choice(["Save", "Keep editing"])).click(timeout=2_000)
        self.page.wait_for_timeout(500)

    # The verdict

    def lost(self):
        """The fields whose last value is nowhere: not in a version of the document, not in a draft, not in a question."""
        entries = self.tablet.must("GET", f"/configurations/{self.document['id']}/versions")["versions"]
        documents = [self.tablet.must("GET", f"/configurations/{self.document['id']}/versions/{entry['version'].split('-')[0]}") for entry in entries if entry["has_document"]]
        kept = self.page.evaluate(KEPT)
        questions = " ".join(self.page.get_by_role("dialog").all_inner_texts())
        return {label: value for label, value in self.typed.items()
                if value not in [str(member(document, MEMBERS[label])) for document in documents] and f'"{value}"' not in kept.replace("\\", "") and f"Yours: {value}" not in questions}


def member(document, path):
    for name in path:
        document = document.get(name, {}) if isinstance(document, dict) else {}
    return document

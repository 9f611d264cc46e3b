"""Mutants as records of search and replace: README.md beside this file describes their form."""
import dataclasses
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTED = "Tests/Mutants/*.mutants"
EXAMINED = "Tests/Exams/Faults/mutants/*.mutants"
NAME, FILE, REPLACEMENT = "=== ", "--- ", "+++"
FIELDS = ("Test", "Fault", "Invariant")


class RecordError(Exception):
    """What is wrong with a record, and the remedy."""


@dataclasses.dataclass
class Part:
    """A text of whole lines, and the lines that replace it."""
    path: str
    text: list
    replacement: list


@dataclasses.dataclass
class Record:
    name: str
    # The file that has the record, and its line there.
    file: str
    line: int
    source: str
    breaks: str = ""
    fields: dict = dataclasses.field(default_factory=dict)
    parts: list = dataclasses.field(default_factory=list)

    @property
    def module(self):
        """The module of the first part."""
        return module_of(self.parts[0].path)

    @property
    def tests(self):
        """The names of the tests that must notice."""
        return [name for name in self.fields.get("Test", "").split("|") if name]

    def paths(self):
        return list(dict.fromkeys(part.path for part in self.parts))


def pattern_of(tests):
    """The pattern for `swift test --filter` of exactly these tests. Swift copies all captures at each step: thousands of groups would take hours."""
    return rf"(?:^|\.)(?:{'|'.join(tests)})[/(]"


def module_of(path):
    """`Migrations` or a folder of `Sources`."""
    top, _, rest = path.partition("/")
    return rest.partition("/")[0] if top == "Sources" else top


def trimmed(lines):
    """Without the empty lines at both ends, which only separate."""
    while lines and not lines[0].strip():
        lines = lines[1:]
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def chunks(lines, is_start):
    """Splits lines before each that begins a chunk; the first chunk may be empty."""
    found = [[]]
    for line in lines:
        if is_start(line):
            found.append([])
        found[-1].append(line)
    return found


def part_of(lines):
    path = lines[0][len(FILE):].strip()
    text, *replacements = chunks(lines[1:], lambda line: line == REPLACEMENT)
    if len(replacements) != 1:
        raise RecordError(f"{path} has {len(replacements)} lines \"{REPLACEMENT}\": write one, between the text and its replacement.")
    part = Part(path, trimmed(text), trimmed(replacements[0][1:]))
    if not part.text:
        raise RecordError(f"The text is empty: write lines of {path or 'a file'} between \"{FILE}FILE\" and \"{REPLACEMENT}\".")
    if part.text == part.replacement:
        raise RecordError(f"The replacement in {path} is the text itself: write what breaks it.")
    return part


def fill(record, lines):
    """Reads the lines after the name into the record. Throws RecordError."""
    head, *parts = chunks(lines, lambda line: line.startswith(FILE))
    for line in trimmed(head):
        key, _, value = line.partition(": ")
        if key in FIELDS and key not in record.fields:
            record.fields[key] = value.strip()
        elif not record.breaks:
            record.breaks = line.strip()
        else:
            raise RecordError(f"\"{line}\" is one line too many: what is broken has one, and so has each of {', '.join(FIELDS)}.")
    record.parts = [part_of(part) for part in parts]


def read(pattern, root=ROOT):
    """The records of the files that match, and a list of (file, line, name, problem) of those that can't be read."""
    records, problems = [], []
    for file in sorted(root.glob(pattern)):
        place, number = str(file.relative_to(root)), 1
        before, *rest = chunks(file.read_text(encoding="utf-8").splitlines(), lambda line: line.startswith(NAME))
        if trimmed(before):
            problems.append((place, 1, file.stem, f"Something stands before the first record: begin it with \"{NAME}NAME\"."))
        number += len(before)
        for lines in rest:
            record = Record(lines[0][len(NAME):].strip(), place, number, "\n".join(trimmed(lines)))
            try:
                fill(record, lines[1:])
                records.append(record)
            except RecordError as error:
                problems.append((place, number, record.name, str(error)))
            number += len(lines)
    return records, problems


def occurrences(text, lines):
    """The places of a text of whole lines among lines."""
    return [start for start in range(len(lines) - len(text) + 1) if lines[start:start + len(text)] == text]


def apply(record, root=ROOT):
    """The changed files of a record: path and content. Its parts are applied one after the other. Throws RecordError."""
    changed = {}
    for part in record.parts:
        if part.path not in changed:
            if not (root / part.path).is_file():
                raise RecordError(f"{part.path} is gone: name the file that has the text now.")
            changed[part.path] = (root / part.path).read_text(encoding="utf-8").split("\n")
        lines = changed[part.path]
        places = occurrences(part.text, lines)
        if len(places) != 1:
            found = f"occurs {len(places)} times in" if places else "is gone from"
            remedy = "add lines to it until it occurs once" if places else "move the record along with the line"
            raise RecordError(f"The text \"{part.text[0].strip()}\" {found} {part.path}: {remedy}.")
        lines[places[0]:places[0] + len(part.text)] = part.replacement
    return {path: "\n".join(lines) for path, lines in changed.items()}

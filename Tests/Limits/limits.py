"""The limits of the repository: how long files and functions are, and how plain the words of comments and documents."""
import pathlib
import re
import sys

import words

README_LINES = 150
EXECUTABLE_FILES = 45
SWIFT_FILE_LINES = 350
# A `case` that fits on its line is a row of a table and does not count.
SWIFT_FUNCTION_LINES = 40
# A test may tell a longer story in one piece.
TEST_FUNCTION_LINES = 50
# From CREATE to the end of the body.
SQL_FUNCTION_LINES = 70
# Of 10,000 words.
WH = 50
# Sentences that begin with a question word or Of, in percent.
OPENS = 1.0

# A line that drops an error of the database.
DROPPED = re.compile(r"\btry\? .*(?:[dD]atabase\b|session\.|BlockingSession\(|\.leave\()")
SWIFT_FUNCTION = re.compile(r"^( *)(?:@\w+(?:\(.*\))? +|[a-z]+(?:\(\w+\))? +)*(?:func |init[?(<]|deinit\b|subscript[(<])")
ROW = re.compile(r"^ *case .*: +\S")
SQL_FUNCTION = re.compile(r"^CREATE OR REPLACE (?:FUNCTION|PROCEDURE) (\w+)")


def lines(path):
    return path.read_text(encoding="utf-8").splitlines()


def swift_files():
    return sorted(path for folder in ("Sources", "Tests", "Migrations", "OpenAPI") for path in pathlib.Path(folder).rglob("*.swift"))


def end_of_function(text, start, indent):
    """The line after the function that begins at `start`, by its indentation; a declaration without a body ends at once."""
    for number in range(start, len(text)):
        line = text[number]
        if number > start and line.startswith(indent + "}"):
            return number + 1
        if number > start and line.strip() and len(line) - len(line.lstrip()) <= len(indent) and not line.lstrip().startswith(")"):
            return number
        if number == start and line.rstrip().endswith("}"):
            return number + 1
    return len(text)


def swift_functions(path):
    text = lines(path)
    for number, line in enumerate(text):
        found = SWIFT_FUNCTION.match(line)
        if found:
            body = text[number:end_of_function(text, number, found[1])]
            yield f"{path}:{number + 1}", sum(1 for line in body if not ROW.match(line))


def sql_functions(path):
    name, start = None, 0
    for number, line in enumerate(lines(path)):
        found = SQL_FUNCTION.match(line)
        if found:
            name, start = found[1], number
        if name and line.rstrip().endswith("$$;"):
            yield f"{path}: {name}", number - start + 1
            name = None


def dropped_without_reason():
    """The lines that drop an error of the database, with 1 for those without a comment above."""
    for path in sorted(pathlib.Path("Sources").rglob("*.swift")):
        text = lines(path)
        for number, line in enumerate(text):
            if DROPPED.search(line):
                yield f"{path}:{number + 1}", int(not text[number - 1].lstrip().startswith("//"))


def too_long():
    """Each rule with what breaks it."""
    functions = {True: [], False: []}
    for path in swift_files():
        functions[path.parts[0] == "Tests"] += swift_functions(path)
    sql = [entry for path in sorted(pathlib.Path("Migrations/functions").glob("*.sql")) for entry in sql_functions(path)]
    files = [(str(path), len(lines(path))) for path in swift_files()]
    executable = len(list(pathlib.Path("Sources/neuroviews-server").rglob("*.swift")))
    yield f"README.md has at most {README_LINES} lines", [("README.md", len(lines(pathlib.Path("README.md"))))], README_LINES
    yield f"the executable has at most {EXECUTABLE_FILES} files", [("Sources/neuroviews-server", executable)], EXECUTABLE_FILES
    yield f"Swift files have at most {SWIFT_FILE_LINES} lines", files, SWIFT_FILE_LINES
    yield f"Swift functions have at most {SWIFT_FUNCTION_LINES} lines", functions[False], SWIFT_FUNCTION_LINES
    yield f"those of tests have at most {TEST_FUNCTION_LINES} lines", functions[True], TEST_FUNCTION_LINES
    yield f"SQL functions have at most {SQL_FUNCTION_LINES} lines", sql, SQL_FUNCTION_LINES
    yield "`try?` drops an error of the database only with its reason", list(dropped_without_reason()), 0


def in_plain_words():
    places = {
        "Sources": pathlib.Path("Sources").rglob("*.swift"), "Migrations": pathlib.Path("Migrations").rglob("*.sql"), "README.md": [pathlib.Path("README.md")],
        "ARCHITECTURE.md": [pathlib.Path("ARCHITECTURE.md")], "docs": pathlib.Path("docs").rglob("*.md"),
    }
    for place, paths in places.items():
        wh, opens = words.figures(sorted(paths))
        yield f"{place}: at most {WH} question words in 10,000", [(place, round(wh))], WH
        yield f"{place}: at most {OPENS} % of sentences begin with one", [(place, round(opens, 1))], OPENS


def main():
    passed = failed = 0
    for rule, found, limit in [*too_long(), *in_plain_words()]:
        assert found, rule
        broken = [f"   {place}: {value}" for place, value in found if value > limit]
        print("ok  " if not broken else "FAIL", rule, *broken, sep="\n" if broken else " ")
        passed, failed = passed + (not broken), failed + bool(broken)
    print(f"limits: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

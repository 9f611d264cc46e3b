#!/usr/bin/env python3
"""Checks the records of mutants without a build: each can be read, its texts occur once, and its tests exist. The last line is
"mutant records: N passed, M failed"."""
import collections
import re
import sys

import records
import suites
from records import ROOT, RecordError


def tests():
    """A line for each function of the test sources as `swift test` names it, `Target.Suite/function`, and for some that are no tests."""
    return "\n" + "\n".join(name for name, _ in suites.functions())


def faults():
    """The names of the fault exam's scenarios."""
    sources = (ROOT / "Tests/Exams/Faults/scenarios").glob("*.py")
    return {name for file in sources for name in re.findall(r'^    name = "(.+)"$', file.read_text(encoding="utf-8"), re.MULTILINE)}


def require_fields(record, needed):
    if not record.breaks:
        raise RecordError("Nothing says what is broken: write it in the line after the name.")
    if not record.parts:
        raise RecordError("It changes nothing: write a file, a text and its replacement.")
    if record.fields.keys() & {"Fault", "Invariant"}:
        needed = {*needed, "Fault", "Invariant"}
    for key in sorted(needed - record.fields.keys()):
        raise RecordError(f"The line \"{key}: …\" is missing.")


def require_tests(record, all_tests):
    for name in record.tests:
        # As records.pattern_of, which would take seconds.
        if not any(edge + name + end in all_tests for edge in "\n." for end in "/("):
            raise RecordError(f"No test has the name {name}: name the one that must notice.")


def require_fault(record, all_faults):
    if "Fault" not in record.fields:
        return
    if record.fields["Fault"] not in all_faults:
        raise RecordError(f"The fault exam has no fault {record.fields['Fault']}: it has {', '.join(sorted(filter(None, all_faults)))}.")
    if not record.fields["Invariant"].isdecimal():
        raise RecordError(f"The invariant is {record.fields['Invariant']}: write the number that Tests/Exams/Faults/README.md gives it.")


def require_home(record):
    """Records of Tests/Mutants stand with those of the same module."""
    home = f"Tests/Mutants/{record.module}.mutants"
    if record.file.startswith("Tests/Mutants/") and record.file != home:
        raise RecordError(f"It breaks the module {record.module}: move it to {home}.")


def problems_of(pattern, needed, all_tests, all_faults):
    """The records that match, and their problems: (file, line, name, problem)."""
    found, problems = records.read(pattern)
    for record in found:
        try:
            require_fields(record, needed)
            require_tests(record, all_tests)
            require_fault(record, all_faults)
            require_home(record)
            records.apply(record)
        except RecordError as error:
            problems.append((record.file, record.line, record.name, str(error)))
    return found, problems


def repeated(found):
    count = collections.Counter(record.name for record in found)
    return [
        (record.file, record.line, record.name, "Another record has the same name: rename one.")
        for record in found if count[record.name] > 1
    ]


def main():
    all_tests, all_faults = tests(), faults()
    tested, problems = problems_of(records.TESTED, {"Test"}, all_tests, all_faults)
    examined, more = problems_of(records.EXAMINED, {"Fault", "Invariant"}, all_tests, all_faults)
    problems += more + repeated(tested + examined)
    for file, line, name, problem in problems:
        print(f"FAIL {file}:{line}: {name}: {problem}")
    failed = len({(file, line) for file, line, _, _ in problems})
    passed = len({(record.file, record.line) for record in tested + examined} - {(file, line) for file, line, _, _ in problems})
    print(f"mutant records: {passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())

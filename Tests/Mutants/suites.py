"""The tests by their names, read from their sources."""
import functools
import re

from records import ROOT

TARGET = re.compile(r'\.testTarget\(\s*name: "(\w+)".*?path: "([^"]+)"', re.DOTALL)
SUITE = re.compile(r"^(?:@\w+(?:\(.*\))? )*(?:[a-z]+ )*(?:struct|class|enum|actor|extension) (\w+)")
FUNCTION = re.compile(r"^ +(?:@\w+(?:\(.*\))? )*(?:[a-z]+ )*func (\w+)\(")


def functions():
    """Each function of the test sources as `swift test` names it, `Target.Suite/function()`, with its file. Some are no tests."""
    found = []
    for target, folder in TARGET.findall((ROOT / "Package.swift").read_text(encoding="utf-8")):
        for file in (ROOT / folder).rglob("*.swift"):
            suite = file.stem
            for line in file.read_text(encoding="utf-8").splitlines():
                if match := SUITE.match(line):
                    suite = match[1]
                elif match := FUNCTION.match(line):
                    found.append((f"{target}.{suite}/{match[1]}()", file))
    return found


@functools.cache
def files_by_suite():
    """The files of each `Target.Suite`."""
    found = {}
    for name, file in functions():
        found.setdefault(name.partition("/")[0], set()).add(file)
    return found


def files_of(tests):
    """The files with the suites of tests that a record names, in the order of their names."""
    wanted = {name.partition("/")[0] for name in tests}
    return sorted(file for suite, files in files_by_suite().items() for file in files if {suite, suite.partition(".")[2]} & wanted)

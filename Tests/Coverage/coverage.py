"""Compares the lines that tests ran with floors: coverage.py LCOV REPORT [--floors FILE] [--failed TESTS]."""
import argparse
import fnmatch
import pathlib
import sys

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "Sources"


def read_lines(path):
    """From llvm-cov's lcov: each file below Sources with its lines that have code, and how often they ran."""
    files, lines = {}, {}
    for record in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        kind, _, value = record.partition(":")
        if kind == "SF":
            lines = files.setdefault(str(pathlib.Path(value).relative_to(SOURCES)), {})
        elif kind == "DA":
            line, count = value.split(",")[:2]
            lines[int(line)] = int(count)
    return files


def read_floors(path):
    """(percent, name, patterns) of each line."""
    lines = (line.split() for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines())
    return [(float(words[0]), words[1], words[2:]) for words in lines if words and words[0] != "#"]


def matching(files, patterns):
    return {name: lines for name, lines in files.items() if any(fnmatch.fnmatch(name, pattern) for pattern in patterns)}


def count(files):
    """The lines that ran, and all."""
    return sum(1 for lines in files.values() for times in lines.values() if times), sum(map(len, files.values()))


def percent(ran, all_lines):
    return 100 * ran / all_lines if all_lines else 0.0


def missing(lines):
    """The ranges of lines that did not run. Lines without code between two of them belong to the range."""
    ranges, previous = [], None
    for line in sorted(lines):
        if not lines[line]:
            if previous == "missed":
                ranges[-1][1] = line
            else:
                ranges.append([line, line])
        previous = "ran" if lines[line] else "missed"
    return [f"{first}-{last}" if last > first else str(first) for first, last in ranges]


def missing_lines(files):
    """file:range, the files with the most missed lines first."""
    missed = {name: sum(1 for times in lines.values() if not times) for name, lines in files.items()}
    for name in sorted(files, key=lambda name: (-missed[name], name)):
        for place in missing(files[name]):
            yield f"Sources/{name}:{place}"


def table(files):
    """A line a module, and one for all."""
    modules = sorted({name.split("/")[0] for name in files})
    for name, part in [*((module, matching(files, [module + "/*"])) for module in modules), ("all", files)]:
        ran, all_lines = count(part)
        yield f"{name:<20} {ran:6} of {all_lines:6} lines {percent(ran, all_lines):6.1f} %"


def compare(files, floors):
    """Prints the lines that are missing where a floor is missed, then each floor. Returns the number of missed floors."""
    rows, places, failed = [], {}, 0
    for floor, name, patterns in floors:
        part = matching(files, patterns)
        ran, all_lines = count(part)
        # A floor of no file would never be missed.
        is_met = all_lines > 0 and percent(ran, all_lines) >= floor
        rows.append(f"{'ok  ' if is_met else 'FAIL'} {name}: {percent(ran, all_lines):.1f} % of {all_lines} lines, the floor is {floor:g} %")
        if not is_met:
            failed += 1
            places.update(dict.fromkeys(missing_lines(part)))
    for line in [*(f"not run: {place}" for place in places), *rows]:
        print(line)
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lcov")
    parser.add_argument("report", type=pathlib.Path)
    parser.add_argument("--floors")
    parser.add_argument("--failed", type=int, default=0)
    options = parser.parse_args()
    files = read_lines(options.lcov)
    rows = list(table(files))
    (options.report / "table.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (options.report / "missing.txt").write_text("\n".join(missing_lines(files)) + "\n", encoding="utf-8")
    floors = read_floors(options.floors) if options.floors else []
    missed = compare(files, floors)
    print(*rows, sep="\n")
    failed = missed + options.failed
    print(f"coverage: {len(floors) - missed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

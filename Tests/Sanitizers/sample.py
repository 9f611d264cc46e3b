"""Reads the output of `swift test list`, and prints the pattern of the suites to run: a fifth of those of whole servers and of the
synchronisation, drawn by the seed that is the argument, and all others."""
import random
import re
import sys

SAMPLED = ("EndToEndTests", "CloudSyncTests")


def main():
    suites = sorted({line.split("/")[0].strip() for line in sys.stdin if re.fullmatch(r"\w+\.\S.*", line.strip())})
    drawn = [suite for suite in suites if suite.split(".")[0] in SAMPLED]
    others = [suite for suite in suites if suite not in drawn]
    drawn = random.Random(int(sys.argv[1])).sample(drawn, (len(drawn) + 4) // 5)
    print("^(" + "|".join(re.escape(suite) for suite in sorted(others + drawn)) + ")(/|$)")


main()

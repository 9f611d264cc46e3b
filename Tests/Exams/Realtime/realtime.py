"""The exam of realtime: see README.md beside this file."""
import argparse
import os
import random
import signal
import sys
import time
import traceback

PLACE = os.path.dirname(os.path.abspath(__file__))
sys.path[1:1] = [os.path.join(PLACE, folder) for folder in ("../Faults", "../Attacks", "../../Support")]

# The path to them is known only now.
# pylint: disable=wrong-import-position
from exam import Exam
from points import ALL, sampled


def options():
    parser = argparse.ArgumentParser(description="Shows what realtime promises, with figures.")
    parser.add_argument("points", nargs="*", metavar="POINT", help=", ".join(ALL))
    parser.add_argument("--sample", action="store_true", help="smaller numbers, and a part of the lists, drawn by the seed")
    parser.add_argument("--seed", type=int, default=random.randrange(1, 1_000_000), help="draws the sample and the faults")
    parser.add_argument("--seeds", type=int, help="of the faults, beginning with the seed")
    parser.add_argument("--rounds", type=int, default=9, help="of comparisons")
    parser.add_argument("--minutes", type=float, default=90, help="after which no further seed of the faults begins")
    parser.add_argument("--binary", default=".build/release/neuroviews-server")
    parser.add_argument("--against", help="the release before, for put-cost")
    parsed = parser.parse_args()
    unknown = set(parsed.points) - set(ALL)
    if unknown:
        parser.error(f"there is no {', '.join(sorted(unknown))}")
    return parsed


def main():
    parsed = options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("the time is over"))
    exam = Exam(parsed)
    names = parsed.points or (sampled(exam.chance) if parsed.sample else list(ALL))
    print(f"seed {parsed.seed}: {' '.join(names)}", flush=True)
    for name in names:
        begin = time.monotonic()
        exam.begin(name)
        try:
            ALL[name](exam)
        except Exception:  # pylint: disable=broad-except
            exam.expect(False, traceback.format_exc())
        finally:
            exam.end()
        exam.say(f"{time.monotonic() - begin:.0f} s")
    print(f"realtime: {exam.passed} passed, {exam.failed} failed", flush=True)
    # Watchers that still wait are not waited for.
    os._exit(0 if exam.passed and not exam.failed else 1)


if __name__ == "__main__":
    main()

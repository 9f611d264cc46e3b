"""The console's exam: each part has checks, and each check has windows and accounts of its own."""
import argparse
import importlib
import random
import sys
import time

from world import World

# In this order. The smoke is what deploy/test runs each time.
PARTS = ["smoke", "looks", "keyboard", "passkeys", "editing", "hostile", "guards", "tabs", "uploads", "seeds", "proxied", "budget"]


def options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="the smoke alone, as in deploy/test")
    parser.add_argument("--everything", action="store_true", help="all seeds, and the measurements that take long")
    parser.add_argument("--only", action="append", choices=PARTS, default=[], metavar="PART", help=f"of {', '.join(PARTS)}; may be repeated")
    parser.add_argument("--screen", action="append", default=[], help="of the part looks this screen alone; may be repeated")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32), help="repeats the runs of the part seeds")
    parser.add_argument("--seeds", type=int, help="so many of these runs")
    parser.add_argument("--accept", action="store_true", help="keeps the accessibility trees as they are now")
    parser.add_argument("--pictures", metavar="FOLDER", default=".build/console/pictures", help="where the pictures go")
    parser.add_argument("--publish", action="store_true", help="writes the pictures of docs/console")
    chosen = parser.parse_args()
    if chosen.smoke:
        chosen.only = ["smoke"]
    if chosen.publish or chosen.accept or chosen.screen:
        chosen.only = ["looks"]
    chosen.seeds = chosen.seeds or (60 if chosen.everything else 8)
    return chosen


def attempt(world, title, work):
    """Returns whether the check passed; None if it is not for this server."""
    begun, problem = time.monotonic(), None
    try:
        work(world)
    # This server can't do that.
    except NotImplementedError as reason:
        world.browser.close_windows()
        print(f"skip {title}: {reason}", flush=True)
        return None
    except Exception as error:  # noqa: BLE001  one check must not end the others
        problem = f"{type(error).__name__}: {error}"
    faults = world.browser.take_faults()
    if faults:
        problem = "\n".join([*([problem] if problem else []), *faults])
    if problem:
        world.picture_failure(title)
    world.browser.close_windows()
    print(f"{'FAIL' if problem else 'ok  '} {title} ({time.monotonic() - begun:.1f} s)" + (f"\n{problem}" if problem else ""), flush=True)
    return not problem


def main():
    chosen = options()
    print(f"console: seed {chosen.seed}", flush=True)
    world, passed, failed = World(chosen), 0, 0
    try:
        for part in chosen.only or PARTS:
            for title, work in importlib.import_module(part).checks(world):
                verdict = attempt(world, f"{part}: {title}", work)
                passed, failed = passed + (verdict is True), failed + (verdict is False)
        if chosen.publish:
            importlib.import_module("pictures").publish(chosen.pictures)
    finally:
        world.close()
    print(f"console: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""The registry of screens: each is a function that brings a window to a state, by real faults, and may undo it afterwards."""
import contextlib
import inspect

SCREENS = {}


def screen(name):
    def add(work):
        SCREENS[name] = contextlib.contextmanager(work) if inspect.isgeneratorfunction(work) else lasting(work)
        return work
    return add


def lasting(work):
    """A state that needs no undoing."""
    @contextlib.contextmanager
    def managed(world, page):
        work(world, page)
        yield
    return managed

"""Versions' tags: the number counts an item's changes within one history, the digits tell two histories apart."""
import re

TAG = re.compile(r"([1-9]\d*)-[0-9a-f]{12}")


def is_tag(text):
    return isinstance(text, str) and TAG.fullmatch(text) is not None


def number(tag):
    """0 for an item that was never seen."""
    return int(tag.split("-")[0]) if tag else 0


def newer(first, second):
    """Of two tags of one history."""
    return max(first, second, key=number)

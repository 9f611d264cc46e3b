"""Computes state_hash from a full answer of GET /configurations on standard input, by docs/client.md alone."""
import hashlib
import json
import sys
from decimal import Decimal


def number(value):
    """RFC 8785's layout, with all digits."""
    sign, digits, exponent = value.as_tuple()
    digits = "".join(map(str, digits)).lstrip("0")
    exponent += len(digits) - len(digits.rstrip("0"))
    digits = digits.rstrip("0")
    if not digits:
        return "0"
    point = len(digits) + exponent
    if 0 < point <= 21:
        text = digits.ljust(point, "0")
        text = text[:point] + ("." + text[point:] if len(text) > point else "")
    elif -6 < point <= 0:
        text = "0." + "0" * -point + digits
    else:
        text = digits[0] + ("." + digits[1:] if len(digits) > 1 else "") + f"e{point - 1:+d}"
    return "-" * sign + text


def canonical(value):
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, Decimal):
        return number(value)
    return json.dumps(value, ensure_ascii=False)


def item_hash(document):
    identifier = document["id"].lower()
    digest = hashlib.sha256(canonical({**document, "id": identifier}).encode()).digest()
    return hashlib.sha256(identifier.encode() + digest).digest()


def state_hash(documents):
    total = bytes(32)
    for document in documents:
        total = bytes(left ^ right for left, right in zip(total, item_hash(document)))
    return total.hex()


if __name__ == "__main__":
    answer = json.load(sys.stdin, parse_int=Decimal, parse_float=Decimal)
    print(state_hash(answer["configurations"]))

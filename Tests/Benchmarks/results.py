"""Medians with minimum and maximum, and how they are printed and kept."""
import json
import statistics

import conditions


def spread(values):
    return {"median": statistics.median(values), "minimum": min(values), "maximum": max(values)}


def summary(rounds):
    return {key: spread([round[key] for round in rounds]) for key in rounds[0]}


def cell(value, digits):
    """`12.3 (11.9–12.8)`"""
    return f"{value['median']:.{digits}f} ({value['minimum']:.{digits}f}–{value['maximum']:.{digits}f})"


def store(path, content, options):
    """Keeps figures with the conditions of their run."""
    with open(path, "w") as file:
        json.dump({"conditions": conditions.of(options), **content}, file, indent=1)
    print(f"the same as JSON: {path}")

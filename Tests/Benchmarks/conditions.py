"""Where and how figures were measured: they are kept with them."""
import datetime
import os
import platform
import re
import subprocess

import psql

# What the server is built from.
SOURCES = ["Sources", "Migrations", "OpenAPI", "Package.swift"]


def output(*command):
    """The output of a command; nothing when it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def commit():
    changed = " with changes" if output("git", "status", "--porcelain", "--", *SOURCES) else ""
    return (output("git", "rev-parse", "--short=10", "HEAD") or "unknown") + changed


def from_file(path, pattern, default):
    with open(path) as file:
        found = re.search(pattern, file.read())
    return found.group(1).strip() if found else default


def version(text):
    return next(iter(re.findall(r"\d+(?:\.\d+)+", text)), "unknown")


def machine():
    return {"cores": os.cpu_count(), "processor": from_file("/proc/cpuinfo", r"model name\s*:(.*)", platform.machine()),
            "memory_gib": round(int(from_file("/proc/meminfo", r"MemTotal:\s*(\d+)", "0")) / (1 << 20)),
            "kernel": version(platform.release()), "postgresql": version(output(psql.program("postgres"), "--version")),
            "swift": version(output("swift", "--version"))}


def of(options):
    """The conditions of a run with these options."""
    numbers = {name: getattr(options, name) for name in ["rounds", "seconds", "connections"] if hasattr(options, name)}
    date = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    return {"commit": commit(), "date": date, "machine": machine(), **numbers}

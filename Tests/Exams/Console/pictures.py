"""The pictures of docs/console: small enough for a repository."""
import os
import subprocess
import sys

PLACE = "docs/console"
# README shows the first four.
PUBLISHED = ["editor-wide", "recordings-wide", "history-wide", "health-wide", "editor-phone", "conflict-phone", "account-wide", "usage-phone", "upload-wide", "account-detail-wide"]
BYTES_MAX = 1_000_000


def publish(folder):
    os.makedirs(PLACE, exist_ok=True)
    for name in PUBLISHED:
        subprocess.run(["ffmpeg", "-y", "-v", "error", "-i", f"{folder}/{name}.png", "-c:v", "libwebp", "-quality", "82", "-compression_level", "6", f"{PLACE}/{name}.webp"], check=True)
    total = sum(os.path.getsize(f"{PLACE}/{name}.webp") for name in PUBLISHED)
    print(f"{PLACE}: {len(PUBLISHED)} pictures, {total} bytes")
    if total > BYTES_MAX:
        sys.exit(f"they may have {BYTES_MAX} bytes together: lower the quality or publish fewer")

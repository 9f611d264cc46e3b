"""Files that take a decoder minutes, though they are made in a second."""
import re
import struct
import subprocess

START = b"\0\0\0\1"
FRAMES = 10_000
SCANS = 30_000
PICTURE_SIDE = 15_000


def slow_files(folder):
    """Four of them with their types: for the thumbnail and for the probe."""
    film, picture = film_without_start(folder), many_scans()
    return [(film, "video/mp4"), (picture, "image/jpeg"), (film, "video/mp4"), (picture, "image/jpeg")]


def film_without_start(folder):
    """Ten seconds of 1,000 frames each that refer to a first one, which is missing: all are decoded and none is shown."""
    # Once through the encoder, as it decides over the form of frames that change nothing.
    ffmpeg("-f", "lavfi", "-i", "color=c=gray:s=8192x4320:r=100", "-frames:v", "24", "-c:v", "libx264", "-preset", "ultrafast", "-bf", "0",
           "-g", "9999", "-x264-params", "log-level=error", "-pix_fmt", "yuv420p", "-f", "h264", folder + "/short.h264")
    with open(folder + "/short.h264", "rb") as file:
        units = [unit for unit in re.split(rb"\x00\x00\x00?\x01", file.read()) if unit]
    frames = [unit for unit in units if unit[0] & 31 == 1]
    parts = [unit for unit in units if unit[0] & 31 in (5, 7, 8)] + frames * (FRAMES // len(frames))
    with open(folder + "/long.h264", "wb") as file:
        file.write(START + START.join(parts))
    ffmpeg("-r", "1000", "-f", "h264", "-i", folder + "/long.h264", "-c", "copy", "-video_track_timescale", "1000", folder + "/long.mp4")
    ffmpeg("-i", folder + "/long.mp4", "-c", "copy", "-copyinkf", "-bsf:v", "noise=amount=0:drop=key", folder + "/slow.mp4")
    with open(folder + "/slow.mp4", "rb") as file:
        return file.read()


def ffmpeg(*words):
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *words], check=True)


def many_scans():
    """A progressive JPEG with 30,000 scans of all blocks, none of which has a coefficient."""
    side, blocks = PICTURE_SIDE, ((PICTURE_SIDE + 7) // 8) ** 2
    # Runs of blocks without coefficients: the code of their length's class, and 14 bits.
    runs = [32_767] * (blocks // 32_767) + [blocks % 32_767]
    bits = "".join("0" + format(run - 16_384, "014b") for run in runs if run >= 16_384)
    bits += "1" * (-len(bits) % 8)
    data = int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xff", b"\xff\0")
    scan = segment(0xDA, b"\1\1\0\1\x3f\0") + data
    tables = segment(0xDB, b"\0" + b"\1" * 64) + segment(0xC2, struct.pack(">BHHB", 8, side, side, 1) + b"\1\x11\0")
    codes = b"\1" + b"\0" * 15
    return b"\xff\xd8" + tables + segment(0xC4, b"\0" + codes + b"\0") + segment(0xC4, b"\x10" + codes + b"\xe0") + scan * SCANS + b"\xff\xd9"


def segment(marker, content):
    return b"\xff" + bytes([marker]) + struct.pack(">H", len(content) + 2) + content

"""Sealing and opening of files in one thread, beside openssl's own AES-256-GCM at 1 MiB, in turns. Fails below 0.9 of it."""
import argparse
import glob
import os
import statistics
import subprocess
import sys
import tempfile

LEAST = 0.9


def compiled(folder):
    program = os.path.join(folder, "sealing")
    sources = glob.glob("Sources/NeuroViewsCrypto/*.swift") + glob.glob("Sources/NeuroViewsCrypto/Linux/*.swift")
    subprocess.run(["swiftc", "-O", "-wmo", "-swift-version", "6", "-parse-as-library", "-package-name", "neuroviews", "-module-name", "SealingSpeed", "-I", "Sources/CNeuroViewsOpenSSL",
                    "Tests/Benchmarks/sealing.swift", *sources, "-o", program], check=True)
    return program


def openssl(seconds):
    """Bytes a second."""
    words = ["openssl", "speed", "-mr", "-evp", "aes-256-gcm", "-bytes", str(1 << 20), "-seconds", str(seconds)]
    lines = subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()
    return float(next(line for line in lines if line.startswith("+F:")).split(":")[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=2)
    options = parser.parse_args()
    ratios = {"seal": [], "open": []}
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(folder)
        for _ in range(options.rounds):
            whole = openssl(options.seconds)
            words = [program, str(2 * options.seconds)]
            rates = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
            for name, rate in zip(ratios, map(float, rates)):
                ratios[name].append(rate / whole)
                print(f"{name}: {rate / 1e6:.0f} MB/s, openssl: {whole / 1e6:.0f} MB/s")
    missed = False
    for name, found in ratios.items():
        median = statistics.median(found)
        missed |= median < LEAST
        print(f"{name}: {median:.2f} of openssl ({min(found):.2f} to {max(found):.2f}), {'met' if median >= LEAST else 'NOT met'} (at least {LEAST})")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()

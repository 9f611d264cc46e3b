"""Starts a server with a self-signed certificate, and fails unless sslscan and testssl find TLS 1.3 alone and nothing bad."""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml

STARTS_MAX_S = 60
SCAN_MAX_S = 900
# What a self-signed certificate is blamed for, and nothing else may be.
SELF_SIGNED = {"cert_chain_of_trust", "cert_revocation"}
SEVERE = {"HIGH", "CRITICAL", "FATAL"}


def make_certificate(folder):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "90",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
         "-addext", "extendedKeyUsage=serverAuth", "-keyout", folder + "/key.pem", "-out", folder + "/cert.pem"],
        check=True, capture_output=True)


def start(binary, folder):
    log = os.path.join(folder, "log")
    server = subprocess.Popen(
        [binary, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data", folder + "/data",
         "--tls-cert", folder + "/cert.pem", "--tls-key", folder + "/key.pem"], stderr=open(log, "w"))
    deadline = time.monotonic() + STARTS_MAX_S
    while time.monotonic() < deadline and server.poll() is None:
        match = re.search(r"listening on \S*?([0-9.]+:[0-9]+)\s", open(log).read())
        if match:
            return server, match.group(1)
        time.sleep(0.02)
    server.terminate()
    sys.exit("the server did not start:\n" + open(log).read())


def run(command):
    # Both tools have status values that say nothing about the server; what they wrote is what counts.
    return subprocess.run(command, capture_output=True, text=True, timeout=SCAN_MAX_S, stdin=subprocess.DEVNULL).stdout


def sslscan_problems(address):
    report = xml.fromstring(run(["sslscan", "--xml=-", "--no-colour", address]))
    enabled = {p.get("type") + p.get("version") for p in report.iter("protocol") if p.get("enabled") == "1"}
    ciphers = sorted({c.get("sslversion") for c in report.iter("cipher")})
    groups = sorted({g.get("name") for g in report.iter("group")})
    print(f"sslscan: protocols {sorted(enabled)}, ciphers of {ciphers}, groups {groups}")
    problems = []
    if enabled != {"tls1.3"} or ciphers != ["TLSv1.3"]:
        problems.append(f"sslscan: protocols {sorted(enabled)}, ciphers of {ciphers}")
    if any(h.get("vulnerable") == "1" for h in report.iter("heartbleed")):
        problems.append("sslscan: heartbleed")
    return problems


def testssl_problems(address, folder):
    report = folder + "/testssl.json"
    run(["testssl", "--quiet", "--color", "0", "--warnings", "batch", "--jsonfile", report, address])
    findings = json.load(open(report))
    by_id = {finding["id"]: finding for finding in findings}
    counts = {}
    problems = []
    for finding in findings:
        severity = finding["severity"]
        counts[severity] = counts.get(severity, 0) + 1
        if severity in SEVERE and finding["id"].split(" ")[0] not in SELF_SIGNED:
            problems.append(f"testssl: {severity} {finding['id']}: {finding['finding']}")
    print("testssl:", ", ".join(f"{count} {severity}" for severity, count in sorted(counts.items())))
    for finding in findings:
        if finding["severity"] in SEVERE | {"MEDIUM", "LOW", "WARN"}:
            print(f"  {finding['severity']} {finding['id']}: {finding['finding']}")
    for name in ["SSLv2", "SSLv3", "TLS1", "TLS1_1", "TLS1_2", "TLS1_3"]:
        offered = by_id.get(name, {}).get("finding", "not looked at")
        if offered.startswith("offered") != (name == "TLS1_3"):
            problems.append(f"testssl: {name}: {offered}")
    hsts = [finding for finding in findings if finding["id"].startswith("HSTS")]
    if not any(finding["severity"] == "OK" for finding in hsts):
        problems.append(f"testssl: HSTS: {hsts}")
    return problems


def main():
    # As Ctrl-C does: what was started is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    # PostgreSQL's account must be able to enter the folder.
    with tempfile.TemporaryDirectory(prefix="neuroviews-tls-") as folder:
        os.chmod(folder, 0o755)
        make_certificate(folder)
        server, address = start(sys.argv[1], folder)
        try:
            problems = sslscan_problems(address) + testssl_problems(address, folder)
        finally:
            server.terminate()
            server.wait(30)
    if problems:
        sys.exit("\n".join(problems))
    print("TLS 1.3 alone, and nothing to blame but the self-signed certificate")


if __name__ == "__main__":
    main()

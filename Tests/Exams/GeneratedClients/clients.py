"""Generates clients by openapi-generator with the settings of OpenAPI/clients. Those in Swift and Python do the README's first sync, keep members that
the schema does not know, send a batch, upload, complete, list, pull and download a recording, and read the usage."""
import glob
import os
import subprocess
import sys
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, ROOT + "/Tests/Interface")
import server  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
WORK = ROOT + "/.build/clients"
GENERATOR = os.path.join(os.path.dirname(sys.executable), "openapi-generator-cli")


def run(*words, **settings):
    subprocess.run(words, check=True, env=dict(os.environ, **settings))


def generate(name):
    folder = f"{WORK}/{name}"
    run("rm", "-rf", folder)
    with open(folder + ".log", "w") as log:
        subprocess.run([GENERATOR, "generate", "-i", WORK + "/openapi.json", "-c", f"{ROOT}/OpenAPI/clients/{name}.yaml", "-o", folder],
                       check=True, stdout=log, stderr=log)
    return folder


def swift(url):
    sources = glob.glob(generate("swift6") + "/Sources/**/*.swift", recursive=True)
    run("swiftc", "-swift-version", "6", "-parse-as-library", "-module-name", "FirstSync", "-o", WORK + "/first-sync",
        HERE + "/FirstSync.swift", *sources)
    run(WORK + "/first-sync", url)


def python(url):
    run(sys.executable, HERE + "/first_sync.py", url, PYTHONPATH=generate("python"))


def main():
    binary = sys.argv[1] if len(sys.argv) > 1 else ROOT + "/.build/debug/neuroviews-server"
    os.makedirs(WORK, exist_ok=True)
    passed, failed = 0, 0
    with server.running(binary, NEUROVIEWS_SIGNATURES="optional") as (url, _):
        urllib.request.urlretrieve(url + "/openapi.json", WORK + "/openapi.json")
        for client in (swift, python):
            try:
                client(url)
                passed += 1
                print(f"{client.__name__}: passed", flush=True)
            except (subprocess.CalledProcessError, AssertionError, ValueError) as error:
                failed += 1
                print(f"{client.__name__}: FAILED: {str(error)[:300]}", flush=True)
    print(f"clients: {passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

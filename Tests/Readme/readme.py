"""Pastes the commands of the README and of docs/interface.md into one shell, and compares the answers with those shown."""
import os
import re
import subprocess
import sys
import tempfile
import time

# Only a machine that is very busy takes so long.
STARTS_MAX_S = 120
SCRIPT_MAX_S = 300
# What differs from run to run: times, and identifiers that the server makes.
VOLATILE = [
    (r"ana-\d+@", "ana-TIME@"),
    (r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", "ID"),
    (r'"(created_at|updated_at|deleted_at|server_time)":"20[^"]*Z"(?=[,}]*($|,"state_hash"|,"reset"|,"configuration"|\}))', r'"\1":"TIME"'),
    (r'"user":\{"id":"[0-9a-f-]{36}"', '"user":{"id":"ID"'),
    (r'"sync_token":"(\d+)\.[0-9a-f]{32}\.0\.', r'"sync_token":"\1.CHAIN.0.'),
    (r'"(\d+)-[0-9a-f]{12}"', r'"\1-CHAIN"'),
    (r'/downloads/thumbnail\.[^"]*"', '/downloads/thumbnail.LINK"'),
]


def masked(text):
    for pattern, replacement in VOLATILE:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return text


def start(binary, folder):
    log = os.path.join(folder, "log")
    settings = dict(os.environ, NEUROVIEWS_REGISTRATION="open", NEUROVIEWS_SIGNATURES="optional")
    server = subprocess.Popen(
        [binary, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data", folder + "/data"],
        stderr=open(log, "w"), env=settings)
    deadline = time.monotonic() + STARTS_MAX_S
    while time.monotonic() < deadline and server.poll() is None:
        match = re.search(r"listening on (\S+)", open(log).read())
        if match:
            return server, f"http://{match.group(1)}"
        time.sleep(0.02)
    sys.exit("the server did not start:\n" + open(log).read())


def main():
    shown = "".join(open(path).read() for path in ("README.md", "docs/interface.md"))
    script = "\n".join(re.findall(r"^```sh\n(.*?)^```$", shown, re.MULTILINE | re.DOTALL))
    expected = "".join(re.findall(r"^```(?:json|text)\n(.*?)^```$", shown, re.MULTILINE | re.DOTALL))
    # PostgreSQL's account must be able to enter the folder.
    with tempfile.TemporaryDirectory(prefix="neuroviews-readme-") as folder:
        os.chmod(folder, 0o755)
        server, url = start(sys.argv[1], folder)
        try:
            script, expected = (text.replace("http://127.0.0.1:8080", url) for text in (script, expected))
            script = script.replace("$PWD/.build/release", os.path.abspath(os.path.dirname(sys.argv[1])))
            if ":8080" in script:
                sys.exit("the README's commands would ask another server: they name port 8080 in more than one way")
            printed = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=SCRIPT_MAX_S).stdout
        finally:
            server.terminate()
            server.wait(60)
    wanted, got = masked(expected).splitlines(), masked(printed).splitlines()
    for line in range(max(len(wanted), len(got))):
        pair = [lines[line] if line < len(lines) else "(nothing)" for lines in (wanted, got)]
        if pair[0] != pair[1]:
            sys.exit(f"line {line + 1} of the README's answers:\n  shown   {pair[0]}\n  printed {pair[1]}")
    if not wanted:
        sys.exit("the README shows no answers")
    print(f"the README's {len(wanted)} answers are as shown")


if __name__ == "__main__":
    main()

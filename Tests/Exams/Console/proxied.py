"""The smoke directly, under a second public URL, and below a path of each proxy with the configuration that deploy/proxy documents."""
import os
import subprocess

import proxies
import smoke
from house import FAR_NAME, wait_for
from ports import reserved_port


def checks(_):
    yield "The smoke passes under a second public URL", lambda world: smoke.edit(world, world.house.page.replace("127.0.0.1", "localhost"))
    for name in proxies.PROXIES:
        yield f"The smoke passes below a path of {name}", lambda world, name=name: behind(world, name)


def behind(world, name):
    folder, port, front = f"{world.folder}/{name}", reserved_port(), reserved_port()
    os.makedirs(folder)
    os.chmod(folder, 0o755)
    origin = f"https://{FAR_NAME}:{front}{proxies.PREFIX}"
    house = world.build(name + "-house", port=port, public_url=f"{origin}/v2,http://127.0.0.1:{port}/v2", trusted_proxies="127.0.0.1", upload_announce="off")
    certificate(folder)
    command = proxies.PROXIES[name](folder, front, house)
    with open(folder + "/proxy.log", "w", encoding="utf-8") as log:
        proxy = subprocess.Popen(command, stdout=log, stderr=log, env=dict(os.environ, HOME=folder, XDG_DATA_HOME=folder, XDG_CONFIG_HOME=folder))
    try:
        wait_for(name, lambda: proxies.is_listening(front) or proxy.poll() is not None)
        assert proxy.poll() is None, open(folder + "/proxy.log", encoding="utf-8").read()
        page = smoke.edit(world, origin + "/console", house, ignore_https_errors=True)
        assert page.evaluate("() => isSecureContext") and page.url.startswith(origin), page.url
    finally:
        # Asked kindly, caddy would wait for the page's request that waits for news.
        proxy.kill()
        proxy.wait(30)
        house.stop()


def certificate(folder):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={FAR_NAME}", "-addext", f"subjectAltName=DNS:{FAR_NAME}",
                    "-keyout", folder + "/key.pem", "-out", folder + "/cert.pem"], check=True, capture_output=True)
    with open(folder + "/both.pem", "wb") as both:
        for part in ("cert", "key"):
            with open(f"{folder}/{part}.pem", "rb") as file:
                both.write(file.read())

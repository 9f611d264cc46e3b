"""bundle.py CONFIG VOLUME NAME=VALUE…: a container's config.json with a folder as its volume, more environment, no terminal, and a root
that can't be written."""

import json
import sys

path, volume, *environment = sys.argv[1:]
with open(path) as file:
    config = json.load(file)
config["process"]["terminal"] = False
config["process"]["env"] += environment
config["root"]["readonly"] = True
config["mounts"] = [mount for mount in config["mounts"] if mount["destination"] != "/sys/fs/cgroup"]
for mount in config["mounts"]:
    if mount["destination"] == "/var/lib/neuroviews":
        mount.update(type="bind", source=volume, options=["rbind", "rw", "nosuid", "nodev"])
with open(path, "w") as file:
    json.dump(config, file)

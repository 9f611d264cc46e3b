"""Two builds of the server in the same rounds, in turn: what a request costs in CPU, and how many times that of the other build."""
import os

from load import load, measure_round
from results import cell, spread, store
from server import Server
from sync_benchmark import Scene

HEADINGS = f"{'case':<10} {'ratio':>18} {'server CPU us':>16} {'PostgreSQL CPU us':>18}"


def measure(names, options, folder):
    """Measures the cases named, of this build and of the one that `options.against` names, and prints both."""
    servers = []
    try:
        for build, binary in [("other", options.against), ("own", None)]:
            servers.append(Server(os.path.join(folder, build), binary=binary))
        cases = []
        for server, build in zip(servers, ["other", "own"]):
            os.makedirs(os.path.join(folder, "scene-" + build))
            cases.append(Scene(server, os.path.join(folder, "scene-" + build)).cases())
        for name in names:
            for case in cases:
                load(case[name], 1, options.connections)
        rounds = {name: [[], []] for name in names}
        for number in range(options.rounds):
            for name in names:
                # Each begins as often as the other.
                for index in [number % 2, 1 - number % 2]:
                    result = measure_round(servers[index], cases[index][name], options.seconds, options.connections)
                    rounds[name][index].append(result)
    finally:
        for server in servers:
            server.stop()
    report(rounds, options)


def report(rounds, options):
    print(f"{options.connections} connections, {options.rounds} rounds of {options.seconds} s; the ratio is of the CPU of server and "
          "PostgreSQL together, median (minimum–maximum) by round; the rest are medians, other -> own")
    print(HEADINGS)
    results = {}
    for name, (other, own) in rounds.items():
        ratio = spread([total(new) / total(old) for old, new in zip(other, own)])
        results[name] = {"ratio": ratio}
        cells = []
        for key in ["cpu_us", "postgresql_cpu_us"]:
            medians = [spread([result[key] for result in build])["median"] for build in [other, own]]
            results[name][key] = medians
            cells.append("{:.0f} -> {:.0f}".format(*medians))
        print(f"{name:<10} {cell(ratio, 2):>18} {cells[0]:>16} {cells[1]:>18}")
    store(".build/benchmarks-paired.json", {"results": results}, options)


def total(result):
    return result["cpu_us"] + result["postgresql_cpu_us"]

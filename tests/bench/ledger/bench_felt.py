#!/usr/bin/env python3
"""bench_felt.py RINGMASTER PYTHON [RANKS [BACKEND...]]: what is recorded beside the program's own timers.

Runs tests/ledger/programs/felt.py, which calls every operation with 64 KiB to 64 MiB and times its calls itself, and
prints a table: a call's mean by the program's timer (mean over the ranks), what is felt by the record, how far the two
are apart, and the backend's own time. A row is off where they are more than 5 % and more than 50 microseconds apart;
ends with 1 if one is.
"""

import collections
import json
import os
import subprocess
import sys
import tempfile

SIZES = [64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20]


def rows_of(ringmaster, python, ranks, backend):
    here = os.path.dirname(os.path.abspath(__file__))
    program = os.path.join(here, "..", "..", "ledger", "programs", "felt.py")
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_STATE_HOME": folder}
        done = subprocess.run(
            [ringmaster, "run", "--warm", "off", "--standalone", "--nproc-per-node", str(ranks), "--python", python,
             program, backend, *map(str, SIZES)],
            env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        shown = subprocess.run([ringmaster, "show", "--operations", "--json"], env=environment,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True, text=True)
    own = collections.defaultdict(float)
    calls = {}
    for line in done.stdout.splitlines():
        if "felt " in line:
            _, name, size, *spent = line[line.index("felt "):].split()
            own[name, int(size)] += sum(map(int, spent)) / ranks
            calls[name, int(size)] = len(spent)
    for row in json.loads(shown.stdout)["operations"][0]["bandwidth"]:
        key = row["operation"], row["bucket"]
        if key in own:
            if row["count"] != calls[key]:
                sys.exit(f"{key}: {row['count']} calls are recorded, {calls[key]} were made")
            yield *key, own[key] / calls[key] / 1e3, row["felt_ns"] / calls[key] / 1e3, row["wire_ns"] / calls[key] / 1e3


def main():
    ringmaster, python = sys.argv[1:3]
    ranks = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    off = 0
    for backend in sys.argv[4:] or ["gloo", "ring"]:
        print(f"{backend}, {ranks} ranks{'OWN us':>26}{'FELT us':>11}{'APART':>9}{'WIRE us':>11}")
        for name, size, own, felt, wire in sorted(rows_of(ringmaster, python, ranks, backend)):
            is_off = abs(felt - own) > max(0.05 * own, 50)
            off += is_off
            print(f"{name:24}{size >> 10:>6}K{own:11.1f}{felt:11.1f}{100 * (felt / own - 1):+8.1f}%{wire:11.1f}"
                  f"{'  OFF' if is_off else ''}", flush=True)
    sys.exit(1 if off else 0)


main()

#!/usr/bin/env python3
"""What restarts leave behind in an agent: its memory and its descriptors before, after a tenth of them, and after all.

  bench_restarts.py --ringmaster build/release/bin/ringmaster [--restarts 10000] [--workers 1] [--most-growth 5]

A worker fails at once, so that the group starts again and again; at the three moments it waits until the agent has been
looked at. The first restarts fill what is kept for later ones: what counts is the growth of the rest. Exits with 1 where
the memory has grown by more than --most-growth (MiB), or where descriptors or threads have become more. Only in a build
without sanitizers: these keep what is freed.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

WORKER = """
at=$TORCHELASTIC_RESTART_COUNT
case " $STOPS " in *" $at "*)
    : >"$FOLDER/at-$at"
    until [ -e "$FOLDER/on-$at" ]; do sleep 0.05; done ;;
esac
[ "$at" = "$LAST" ] || exit 1
"""


LOOKS = 20


def looked_at(pid):
    """Resident bytes, descriptors and threads: each the least of a second, for some are open for a moment only."""
    looks = []
    for _ in range(LOOKS):
        with open(f"/proc/{pid}/status") as status:
            lines = dict(re.findall(r"^(\w+):\s+(\d+)", status.read(), re.M))
        looks.append((int(lines["VmRSS"]) * 1024, len(os.listdir(f"/proc/{pid}/fd")), int(lines["Threads"])))
        time.sleep(1 / LOOKS)
    return tuple(min(column) for column in zip(*looks))


def too_much(before, after, most_growth):
    """What has grown between two looks and may not, a sentence each."""
    found = []
    if after[0] - before[0] > most_growth * 2**20:
        found.append(f"the memory has grown by {(after[0] - before[0]) / 2**20:.1f} MiB, more than {most_growth:g}")
    for name, one, other in zip(("descriptors", "threads"), before[1:], after[1:]):
        if other > one:
            found.append(f"{name}: {other} instead of {one}")
    return found


def run(options, folder):
    stops = sorted({0, options.restarts // 10, options.restarts})
    environment = dict(os.environ, LC_ALL="C", XDG_STATE_HOME=folder, XDG_RUNTIME_DIR=folder, TMPDIR=folder,
                       FOLDER=folder, STOPS=" ".join(map(str, stops)), LAST=str(options.restarts))
    with open(os.path.join(folder, "said"), "w") as said:
        agent = subprocess.Popen(
            [os.path.abspath(options.ringmaster), "run", "--standalone", "--quiet", "--nproc-per-node",
             str(options.workers), "--max-restarts", str(options.restarts), "--no-python", "/bin/sh", "-c", WORKER],
            env=environment, stdout=subprocess.DEVNULL, stderr=said)
    began, looks = time.monotonic(), []
    for stop in stops:
        while not os.path.exists(os.path.join(folder, f"at-{stop}")):
            if agent.poll() is not None:
                with open(os.path.join(folder, "said")) as said:
                    sys.exit(f"ended before restart {stop}:\n{said.read()[-2000:]}")
            time.sleep(0.05)
        took = time.monotonic() - began
        looks.append(looked_at(agent.pid))
        memory, descriptors, threads = looks[-1]
        grown = f"  {(memory - looks[-2][0]) / 1024:+9.0f} KiB since the one before" if len(looks) > 1 else ""
        print(f"after {stop:6} restarts, {took:7.1f} s: resident {memory / 2**20:7.1f} MiB, {descriptors:3} descriptors, "
              f"{threads:2} threads{grown}", flush=True)
        open(os.path.join(folder, f"on-{stop}"), "w").close()
    code = agent.wait()
    print(f"exit code {code}")
    failures = too_much(looks[-2], looks[-1], options.most_growth)
    if code != 0:
        failures.append(f"the agent's exit code is {code}")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ringmaster", required=True)
    parser.add_argument("--restarts", type=int, default=10000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--most-growth", type=float, default=5, metavar="MIB")
    options = parser.parse_args()
    if options.restarts < 1:
        parser.error("--restarts: at least 1")
    with tempfile.TemporaryDirectory(prefix="bench-restarts-") as folder:
        failures = run(options, folder)
    for failure in failures:
        print(f"failed: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

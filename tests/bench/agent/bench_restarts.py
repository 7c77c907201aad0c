#!/usr/bin/env python3
"""What restarts leave behind in an agent: its memory and its descriptors before, after a tenth of them, and after all.

  bench_restarts.py --ringmaster build/release/bin/ringmaster [--restarts 10000] [--workers 1]

A worker fails at once, so that the group starts again and again; at the three moments it waits until the agent has been
looked at. The first restarts fill what is kept for later ones: what counts is the growth of the rest. Only in a build
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


def looked_at(pid):
    """Resident bytes, descriptors and threads."""
    with open(f"/proc/{pid}/status") as status:
        lines = dict(re.findall(r"^(\w+):\s+(\d+)", status.read(), re.M))
    return int(lines["VmRSS"]) * 1024, len(os.listdir(f"/proc/{pid}/fd")), int(lines["Threads"])


def run(options, folder):
    stops = sorted({0, options.restarts // 10, options.restarts})
    environment = dict(os.environ, LC_ALL="C", XDG_STATE_HOME=folder, XDG_RUNTIME_DIR=folder, TMPDIR=folder,
                       FOLDER=folder, STOPS=" ".join(map(str, stops)), LAST=str(options.restarts))
    with open(os.path.join(folder, "said"), "w") as said:
        agent = subprocess.Popen(
            [os.path.abspath(options.ringmaster), "run", "--standalone", "--quiet", "--nproc-per-node",
             str(options.workers), "--max-restarts", str(options.restarts), "--no-python", "/bin/sh", "-c", WORKER],
            env=environment, stdout=subprocess.DEVNULL, stderr=said)
    began, before = time.monotonic(), None
    for stop in stops:
        while not os.path.exists(os.path.join(folder, f"at-{stop}")):
            if agent.poll() is not None:
                with open(os.path.join(folder, "said")) as said:
                    sys.exit(f"ended before restart {stop}:\n{said.read()[-2000:]}")
            time.sleep(0.05)
        took = time.monotonic() - began
        memory, descriptors, threads = looked_at(agent.pid)
        grown = f"  {(memory - before) / 1024:+9.0f} KiB since the one before" if before is not None else ""
        print(f"after {stop:6} restarts, {took:7.1f} s: resident {memory / 2**20:7.1f} MiB, {descriptors:3} descriptors, "
              f"{threads:2} threads{grown}", flush=True)
        before = memory
        open(os.path.join(folder, f"on-{stop}"), "w").close()
    print(f"exit code {agent.wait()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ringmaster", required=True)
    parser.add_argument("--restarts", type=int, default=10000)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-restarts-") as folder:
        run(options, folder)


if __name__ == "__main__":
    main()

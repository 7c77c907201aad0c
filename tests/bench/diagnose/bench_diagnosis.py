#!/usr/bin/env python3
"""bench_diagnosis.py RINGMASTER PYTHON straggler [RUNS] | healthy [SECONDS]: the diagnosis of live runs.

`straggler`: one rank sleeps 200 ms on its way back in each step; prints when it was named in each run, and
who else was. `healthy`: a training with uneven steps, evaluations and checkpoints now and then; prints every
verdict, of which there should be none. Nothing passes or fails.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time

_PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../node/programs/training.py")


def begin(state, ranks, mode, seconds):
    ringmaster, python = sys.argv[1:3]
    return subprocess.Popen(
        [ringmaster, "run", "--warm", "off", "--standalone", "--grace", "1", "--nproc-per-node", str(ranks),
         "--python", python, _PROGRAM, mode, str(seconds)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        text=True, env={**os.environ, "XDG_STATE_HOME": state})


def verdicts(state):
    """Each that is more than a wait: what it is and whom it names."""
    shown = subprocess.run([sys.argv[1], "show", "--events", "--json"], capture_output=True, text=True,
                           env={**os.environ, "XDG_STATE_HOME": state}).stdout
    return {(event["verdict"], tuple(event["guilty"])) for event in json.loads(shown)["events"]
            if event["kind"] == "verdict" and event["verdict"] != "waiting"}


def straggler(runs):
    named = 0
    for run in range(runs):
        with tempfile.TemporaryDirectory() as state:
            process = begin(state, 2 + run % 2, "straggler", 600)
            began, said = time.monotonic(), ""
            for line in process.stderr:
                if "comes last" in line:
                    said = line.strip()
                    break
                if time.monotonic() - began > 240:
                    break
            after = time.monotonic() - began
            process.terminate()
            process.communicate()
            found = verdicts(state)
            right = found == {("straggler", (1 + run % 2,))}
            named += right
            print(f"run {run + 1}: {'right' if right else 'WRONG'} after {after:.0f} s: {sorted(found)} {said}",
                  flush=True)
    print(f"named, and nobody else, in {named} of {runs} runs")


def healthy(seconds):
    with tempfile.TemporaryDirectory() as state:
        began = time.monotonic()
        process = begin(state, 2, "mixed", seconds)
        _, said = process.communicate()
        waits = len(re.findall("have waited", said))
        print(f"{time.monotonic() - began:.0f} s, exit code {process.returncode}, {waits} waits told, "
              f"verdicts: {sorted(verdicts(state))}")


if sys.argv[3] == "straggler":
    straggler(int(sys.argv[4]) if len(sys.argv) > 4 else 20)
else:
    healthy(float(sys.argv[4]) if len(sys.argv) > 4 else 600)

#!/usr/bin/env python3
"""Runs Ringmaster and torchrun in turn on the same work and prints both and their ratio.

  bench_agent.py --ringmaster build/release/bin/ringmaster --python VENV/bin/python [--rounds 5]

Start to exit of 4 x /bin/true; peak memory of agent and keeper together (PSS) against torchrun's; from a worker's
exit to the last exec of the next attempt, with the survivors' own time to stop shown apart. Workers have no
process group: torchrun's restarts would fail half the time for want of a fresh store.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

# bash says the microsecond itself and starts in a few milliseconds: its first line is as good as its exec.
WORKER = """
echo "started $RANK $TORCHELASTIC_RESTART_COUNT $EPOCHREALTIME" >&2
trap 'echo "stopped $RANK $TORCHELASTIC_RESTART_COUNT $EPOCHREALTIME" >&2; kill %1; exit 143' TERM
[ "$TORCHELASTIC_RESTART_COUNT" = 0 ] || exec sleep 0.2
if [ "$RANK" = 0 ]; then
    sleep 1
    echo "failing $RANK $TORCHELASTIC_RESTART_COUNT $EPOCHREALTIME" >&2
    exit 7
fi
sleep 60 &
wait
"""


def environment(folder):
    variables = dict(os.environ, LC_ALL="C", XDG_STATE_HOME=folder, TMPDIR=folder, OMP_NUM_THREADS="1")
    variables.pop("PYTHON_EXEC", None)
    return variables


def processes():
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as stat:
                    fields = stat.read().rpartition(")")[2].split()
                yield int(name), int(fields[1])
            except OSError:
                pass


def proportional_memory(pid):
    try:
        with open(f"/proc/{pid}/smaps_rollup") as rollup:
            return int(re.search(r"^Pss:\s+(\d+)", rollup.read(), re.M)[1]) * 1024
    except (OSError, TypeError):
        return 0


def supervisors(root):
    """The tool's own processes: the agent, and what descends from it up to the workers (shells that sleep)."""
    children = {}
    for pid, parent in processes():
        children.setdefault(parent, []).append(pid)
    found, todo = [], [root]
    while todo:
        pid = todo.pop()
        try:
            with open(f"/proc/{pid}/cmdline") as line:
                command = line.read().split("\0")
        except OSError:
            continue
        if command[0].endswith("sleep"):
            continue
        found.append(pid)
        todo += children.get(pid, [])
    return found


def start_to_exit(command, folder):
    begin = time.monotonic()
    subprocess.run(command + ["--standalone", "--nproc-per-node", "4", "--no-python", "/bin/true"],
                   env=environment(folder), check=True, capture_output=True)
    return time.monotonic() - begin


def peak_memory(command, folder):
    process = subprocess.Popen(command + ["--standalone", "--nproc-per-node", "4", "--no-python", "/bin/sleep", "3"],
                               env=environment(folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak = 0
    while process.poll() is None:
        peak = max(peak, sum(proportional_memory(pid) for pid in supervisors(process.pid)))
        time.sleep(0.05)
    return peak


def restart(command, folder):
    script = os.path.join(folder, "worker.sh")
    with open(script, "w") as file:
        file.write(WORKER)
    run = subprocess.run(command + ["--standalone", "--nproc-per-node", "4", "--max-restarts", "1", "--no-python",
                                    "/bin/bash", script],
                         env=environment(folder), capture_output=True, text=True)
    times = {}
    for name, attempt, when in re.findall(r"(started|failing|stopped) \d (\d) ([\d.]+)", run.stderr):
        times.setdefault((name, attempt), []).append(float(when))
    if len(times.get(("started", "1"), [])) != 4:
        sys.exit(f"no second attempt of four workers:\n{run.stderr}")
    failing = times[("failing", "0")][0]
    return max(times[("started", "1")]) - failing, max(times[("stopped", "0")]) - failing


def line(name, ours, theirs, unit, scale=1.0):
    mine, other = statistics.median(ours) * scale, statistics.median(theirs) * scale
    print(f"{name:48} ringmaster {mine:9.1f} {unit}   torchrun {other:9.1f} {unit}   1/{other / mine:.1f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ringmaster", required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    tools = {"ringmaster": [os.path.abspath(options.ringmaster), "run"],
             "torchrun": [options.python, "-m", "torch.distributed.run"]}
    figures = {name: {"exit": [], "memory": [], "restart": [], "survivors": []} for name in tools}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.rounds):
            for name, command in tools.items():
                figure = figures[name]
                figure["exit"].append(start_to_exit(command, folder))
                figure["memory"].append(peak_memory(command, folder))
                whole, survivors = restart(command, folder)
                figure["restart"].append(whole)
                figure["survivors"].append(survivors)
    ours, theirs = figures["ringmaster"], figures["torchrun"]
    print(f"medians of {options.rounds} rounds, in turn")
    line("start to exit, 4 x /bin/true", ours["exit"], theirs["exit"], "ms ", 1e3)
    line("peak memory of the supervisors (PSS)", ours["memory"], theirs["memory"], "MiB", 1 / 2**20)
    line("a worker's exit to the last start", ours["restart"], theirs["restart"], "ms ", 1e3)
    line("  of that, until the last survivor stopped", ours["survivors"], theirs["survivors"], "ms ", 1e3)
    line("  without the survivors' time to stop", [a - b for a, b in zip(ours["restart"], ours["survivors"])],
         [a - b for a, b in zip(theirs["restart"], theirs["survivors"])], "ms ", 1e3)


if __name__ == "__main__":
    main()

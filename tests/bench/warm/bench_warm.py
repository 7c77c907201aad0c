#!/usr/bin/env python3
"""Launch to first step, crash to first step again, and memory: torchrun, Ringmaster cold and warm.

  bench_warm.py --ringmaster build/release/bin/ringmaster --python VENV/bin/python [--rounds 3] [--workers 4]

The same DDP script on gloo for all; the time is that of the last worker's step. torchrun runs with
TORCH_DISABLE_SHARE_RDZV_TCP_STORE=1: its restarts fail half the time otherwise. The rounds are interleaved, so that a
busy machine is busy for all; what is printed is the median, with the least and the most. Memory is the proportional set
size (PSS), summed, at its peak between launch and end: of the workers alone, and with whatever else is needed to run
them (torchrun; agent, keeper, starter).
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time

SCRIPT = """
import os, sys, time
import torch, torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

def say(what):
    attempt = os.environ["TORCHELASTIC_RESTART_COUNT"]
    os.write(2, f"{what} {os.environ['RANK']} {attempt} {os.getpid()} {time.time()}\\n".encode())

dist.init_process_group("gloo")
model = DistributedDataParallel(torch.nn.Linear(64, 64))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(16, 64)).sum().backward()
    optimizer.step()
    if step == 0:
        say("stepped")
if sys.argv[1] == "crash" and os.environ["TORCHELASTIC_RESTART_COUNT"] == "0":
    dist.barrier()
    if dist.get_rank() == 0:
        say("crashing")
        os._exit(7)
    time.sleep(60)
if sys.argv[1] == "stay":
    say("staying")
    time.sleep(4)
dist.barrier()
dist.destroy_process_group()
"""
LINE = re.compile(r"(stepped|crashing|staying) (\d+) (\d+) (\d+) ([\d.]+)")


class Tool:
    def __init__(self, name, command, folder, **variables):
        self.name, self.command = name, command
        self.environment = dict(os.environ, LC_ALL="C", TMPDIR=folder, XDG_STATE_HOME=folder,
                                XDG_RUNTIME_DIR=folder, OMP_NUM_THREADS="1", **variables)
        self.environment.pop("PYTHON_EXEC", None)

    def start(self, options, script, way):
        return subprocess.Popen([*self.command, "--standalone", *options, script, way], env=self.environment,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def said(output):
    """{(what, attempt): {rank: (pid, when)}}"""
    found = {}
    for what, rank, attempt, pid, when in LINE.findall(output):
        found.setdefault((what, int(attempt)), {})[int(rank)] = (int(pid), float(when))
    return found


def last(found, what, attempt, workers, output):
    times = [when for _, when in found.get((what, attempt), {}).values()]
    if len(times) != workers:
        sys.exit(f"{what} {attempt}: {len(times)} of {workers} workers\n{output}")
    return max(times)


def launch(tool, script, workers):
    began = time.time()
    process = tool.start(["--nproc-per-node", str(workers)], script, "once")
    output = process.communicate()[1]
    return last(said(output), "stepped", 0, workers, output) - began


def crash(tool, script, workers):
    process = tool.start(["--nproc-per-node", str(workers), "--max-restarts", "1"], script, "crash")
    output = process.communicate()[1]
    found = said(output)
    return last(found, "stepped", 1, workers, output) - found["crashing", 0][0][1]


def proportional(pid):
    try:
        with open(f"/proc/{pid}/smaps_rollup") as rollup:
            return int(re.search(r"^Pss:\s+(\d+)", rollup.read(), re.M)[1]) * 1024
    except (OSError, TypeError):
        return 0


def descendants(root):
    children = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as stat:
                children.setdefault(int(stat.read().rpartition(")")[2].split()[1]), []).append(int(name))
        except OSError:
            pass
    found, todo = set(), [root]
    while todo:
        pid = todo.pop()
        found.add(pid)
        todo += children.get(pid, [])
    return found


def is_ours(pid, folder):
    """A starter and what was forked from it don't descend from the command; their environment tells."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as environ:
            text = environ.read()
    except OSError:
        return False
    return b"RINGMASTER_" in text and os.fsencode(folder) in text or b"XDG_RUNTIME_DIR=" + os.fsencode(folder) in text


class PeakWatch(threading.Thread):
    """Looks at the memory of all that a command runs, until the command has ended."""

    INTERVAL = 0.1

    def __init__(self, process, folder):
        super().__init__(daemon=True)
        self.process, self.folder = process, folder
        self.samples = []  # {pid: bytes}

    def run(self):
        while self.process.poll() is None:
            ours = {int(name) for name in filter(str.isdigit, os.listdir("/proc")) if is_ours(name, self.folder)}
            self.samples.append({pid: proportional(pid) for pid in descendants(self.process.pid) | ours})
            time.sleep(self.INTERVAL)

    def peak(self, pids=None):
        return max(sum(size for pid, size in sample.items() if pids is None or pid in pids)
                   for sample in self.samples) / (1 << 20)


def memory(tool, script, workers, folder):
    process = tool.start(["--nproc-per-node", str(workers)], script, "stay")
    watch = PeakWatch(process, folder)
    watch.start()
    output = process.communicate()[1]
    watch.join()
    pids = {pid for pid, _ in said(output).get(("staying", 0), {}).values()}
    if len(pids) != workers:
        sys.exit(f"{len(pids)} of {workers} workers\n{output}")
    return watch.peak(pids), watch.peak()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ringmaster", required=True)
    parser.add_argument("--python", required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=4)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-warm-") as folder:
        compare(options, folder)


FIRST, LATER, CRASH = "launch to first step, first", "launch to first step, later", "crash to first step again"
WORKERS, ALL = "peak memory of the workers", "peak memory with all that runs them"
TARGETS = {FIRST: 0.6, LATER: 1 / 20, CRASH: 1 / 20, WORKERS: 0.6}


def compare(options, folder):
    script = os.path.join(folder, "train.py")
    with open(script, "w") as file:
        file.write(SCRIPT)
    run = [options.ringmaster, "run", "--python", options.python]
    torchrun = Tool("torchrun", [os.path.join(os.path.dirname(options.python), "torchrun")], folder,
                    TORCH_DISABLE_SHARE_RDZV_TCP_STORE="1")
    cold = Tool("cold", [*run, "--warm", "off"], folder)
    warm = Tool("warm", [*run, "--warm", "on"], folder)
    figures = {}  # (measure, tool): one a round

    def keep(measure, tool, figure):
        figures.setdefault((measure, tool.name), []).append(figure)

    def stop():
        subprocess.run([options.ringmaster, "stop", "--warm"], env=warm.environment, stderr=subprocess.DEVNULL)

    try:
        for number in range(options.rounds):
            load = os.getloadavg()[0]
            print(f"round {number + 1}: load average {load:.1f} on {os.cpu_count()} processors", flush=True)
            for tool in (torchrun, cold):  # Their first launch is like any other.
                seconds = launch(tool, script, options.workers)
                keep(FIRST, tool, seconds)
                keep(LATER, tool, seconds)
                keep(CRASH, tool, crash(tool, script, options.workers))
            stop()
            keep(FIRST, warm, launch(warm, script, options.workers))
            keep(LATER, warm, launch(warm, script, options.workers))
            keep(CRASH, warm, crash(warm, script, options.workers))
            for tool in (torchrun, cold, warm):
                own, total = memory(tool, script, options.workers, folder)
                keep(WORKERS, tool, own)
                keep(ALL, tool, total)
    finally:
        stop()
    for measure in (FIRST, LATER, CRASH, WORKERS, ALL):
        show(measure, {name: figures[measure, name] for name in ("torchrun", "cold", "warm")})


def show(measure, figures):
    unit = "s" if measure not in (WORKERS, ALL) else "MiB"
    reference = statistics.median(figures["torchrun"])
    print(measure)
    for name, values in figures.items():
        median = statistics.median(values)
        line = f"  {name:9} {median:9.2f} {unit:3}  ({min(values):.2f} to {max(values):.2f})"
        if name != "torchrun":
            line += f"  {median / reference:7.1%} of torchrun's"
        if name == "warm":
            line += f", 1/{reference / median:.1f}"
            if measure in TARGETS:
                line += f"; wanted: at most {TARGETS[measure]:.0%}"
        print(line, flush=True)


if __name__ == "__main__":
    main()

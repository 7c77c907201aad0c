#!/usr/bin/env python3
"""What a console that is paused (`| less`, Ctrl+S) costs the workers and the agent.

  bench_paused_console.py --ringmaster build/release/bin/ringmaster [--seconds 120] [--workers 4]

Each worker prints 2,000 lines a second, but for the last rank: it prints two lines a second, in all less than the 64 KiB
that a pipe holds, and takes a step every 10 ms. The reader takes all for five seconds, nothing for the given time, then
all again; once at the end of a pipe, once at that of a terminal. Printed are the longest time that a worker waited in its
write and the quiet rank's longest pause between two steps in each part, the agent's resident memory, what the console
left out, and whether the logs have every line.

Exits with 1 where the quiet rank stood still for longer than --most-pause (seconds), another one waited in the pause for
longer than --most-wait, the agent's memory grew by more than --most-growth (MiB), or the logs lack lines. After the
pause they wait for the reader until it has taken what was kept for it, as for any slow one.
"""

import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time

READING = 5
PIPE = 64 * 1024
WORKER = """
import json, os, sys, time
folder, rank = sys.argv[1], int(os.environ["RANK"])
is_quiet = rank == int(os.environ["WORLD_SIZE"]) - 1
longest, part, lines, steps, printed, due = [0.0, 0.0, 0.0], 0, 0, 0, 0, time.monotonic()
last = due
while part < 3:
    count = 20 if not is_quiet else 1 if steps % 50 == 0 else 0
    padding = "" if is_quiet else "x" * 80
    block = "".join(f"rank {rank} line {lines + i} {padding}\\n" for i in range(count)).encode()
    printed += len(block)
    began = last if is_quiet else time.monotonic()
    while block:
        block = block[os.write(1, block):]
    last = time.monotonic()
    longest[part] = max(longest[part], last - began)
    lines += count
    steps += 1
    part = sum(os.path.exists(f"{folder}/{name}") for name in ("paused", "resumed", "over"))
    due = max(due + 0.01, time.monotonic())
    time.sleep(max(0.0, due - time.monotonic()))
with open(f"{folder}/rank-{rank}.json", "w") as file:
    json.dump({"longest": longest, "lines": lines, "bytes": printed, "quiet": is_quiet}, file)
"""


class Reader(threading.Thread):
    """Takes what comes, unless it is told to pause."""

    def __init__(self, descriptor):
        super().__init__(daemon=True)
        self.descriptor, self.takes, self.taken, self.end = descriptor, threading.Event(), 0, b""
        self.left_out = []
        self.takes.set()

    def run(self):
        while True:
            self.takes.wait()
            try:
                piece = os.read(self.descriptor, 1 << 20)
            except OSError:  # of a terminal that nobody has open
                piece = b""
            if not piece:
                return
            self.taken += len(piece)
            text = self.end + piece
            self.end = text[text.rfind(b"\n") + 1:]
            self.left_out += re.findall(rb"[^\r\n]*left out here[^\r\n]*", text[:len(text) - len(self.end)])


def resident(pid):
    with open(f"/proc/{pid}/status") as status:
        return int(re.search(r"^VmRSS:\s+(\d+)", status.read(), re.M)[1]) / 1024


def paused_run(options, console, folder, environment):
    """The agent's memory in each part, its exit code, how long it took to end, and what the console left out."""
    program = os.path.join(folder, "worker.py")
    with open(program, "w") as file:
        file.write(WORKER)
    ours, theirs = os.openpty() if console == "terminal" else os.pipe()
    agent = subprocess.Popen([options.ringmaster, "run", "--standalone", "--quiet", "--nproc-per-node",
                              str(options.workers), "--no-python", sys.executable, program, folder],
                             env=environment, stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.DEVNULL)
    os.close(theirs)
    reader = Reader(ours)
    reader.start()
    while reader.taken == 0:
        if agent.poll() is not None:
            sys.exit("nothing was printed")
        time.sleep(0.05)
    memory = []
    for name, seconds in (("paused", READING), ("resumed", options.seconds), ("over", READING)):
        time.sleep(seconds)
        if agent.poll() is not None:
            sys.exit(f"ended before it was {name}")
        memory.append(resident(agent.pid))
        open(os.path.join(folder, name), "w").close()
        if name == "paused":
            reader.takes.clear()
        else:
            reader.takes.set()
    began = time.monotonic()
    code = agent.wait()
    ended = time.monotonic() - began
    reader.join()
    os.close(ours)
    return memory, code, ended, reader.left_out


def logged_lines(options, environment):
    logs = subprocess.Popen([options.ringmaster, "logs"], env=environment, stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL)
    logged = sum(b" line " in line for line in logs.stdout)
    logs.wait()
    return logged


def run(options, console, folder):
    environment = dict(os.environ, LC_ALL="C", XDG_STATE_HOME=folder, XDG_RUNTIME_DIR=folder, TMPDIR=folder)
    memory, code, ended, left_out = paused_run(options, console, folder, environment)
    workers = []
    for path in glob.glob(os.path.join(folder, "rank-*.json")):
        with open(path) as file:
            workers.append(json.load(file))
    if len(workers) != options.workers:
        sys.exit(f"{len(workers)} of {options.workers} workers came to their end")
    printed, logged = sum(worker["lines"] for worker in workers), logged_lines(options, environment)
    quiet = next(worker for worker in workers if worker["quiet"])
    waits = [max(worker["longest"][part] for worker in workers if not worker["quiet"]) for part in range(3)]

    print(f"at a {console}:")
    for part, name in enumerate(("before the pause", f"in the pause of {options.seconds:g} s", "after it")):
        print(f"  {name:24} longest write of a worker {waits[part] * 1e3:8.1f} ms   longest pause of the quiet rank "
              f"{quiet['longest'][part] * 1e3:8.1f} ms   agent, resident {memory[part]:7.1f} MiB")
    print(f"  printed {printed} lines, in the logs {logged}; the quiet rank {quiet['bytes']} bytes")
    print("  left out: " + (b" / ".join(left_out).decode() or "nothing"))
    print(f"  exit code {code}, {ended:.1f} s after the last part", flush=True)

    claims = [
        (quiet["bytes"] < PIPE, f"the quiet rank printed {quiet['bytes']} bytes, more than a pipe holds: fewer --seconds"),
        (max(quiet["longest"]) <= options.most_pause,
         f"the quiet rank stood still for {max(quiet['longest']):.1f} s, longer than {options.most_pause:g}"),
        (waits[1] <= options.most_wait,
         f"a worker waited {waits[1]:.1f} s for the paused console, longer than {options.most_wait:g}"),
        (max(memory) - memory[0] <= options.most_growth,
         f"the agent has grown by {max(memory) - memory[0]:.1f} MiB, more than {options.most_growth:g}"),
        (logged == printed, f"the logs have {logged} of {printed} lines"),
        (code == 0, f"the exit code is {code}"),
    ]
    return [f"at a {console}: {sentence}" for holds, sentence in claims if not holds]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ringmaster", required=True, type=os.path.abspath)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--console", choices=("pipe", "terminal"), help="else one after the other")
    parser.add_argument("--most-pause", type=float, default=1, metavar="SECONDS")
    parser.add_argument("--most-wait", type=float, default=5, metavar="SECONDS")
    parser.add_argument("--most-growth", type=float, default=32, metavar="MIB")
    options = parser.parse_args()
    if options.workers < 2:
        parser.error("--workers: at least 2, one that prints much and one that doesn't")
    failures = []
    for console in [options.console] if options.console else ["pipe", "terminal"]:
        with tempfile.TemporaryDirectory(prefix="bench-paused-") as folder:
            failures += run(options, console, folder)
    for failure in failures:
        print(f"failed: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

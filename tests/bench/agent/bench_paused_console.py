#!/usr/bin/env python3
"""What a console that is paused (`| less`, Ctrl+S) costs the workers and the agent.

  bench_paused_console.py --ringmaster build/release/bin/ringmaster [--seconds 120] [--workers 4]

Each worker prints 2,000 lines a second. The reader takes all for five seconds, nothing for the given time, then all
again. Printed are the longest time that a worker waited in its write before and during the pause, the agent's resident
memory at the end of each part, what the console left out, and whether the logs have every line.
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
WORKER = """
import json, os, sys, time
folder, rank = sys.argv[1], os.environ["RANK"]
longest, part, lines, due = [0.0, 0.0, 0.0], 0, 0, time.monotonic()
while part < 3:
    block = "".join(f"rank {rank} line {lines + i} " + "x" * 80 + "\\n" for i in range(20)).encode()
    began = time.monotonic()
    while block:
        block = block[os.write(1, block):]
    longest[part] = max(longest[part], time.monotonic() - began)
    lines += 20
    part = sum(os.path.exists(f"{folder}/{name}") for name in ("paused", "resumed", "over"))
    due = max(due + 0.01, time.monotonic())
    time.sleep(max(0.0, due - time.monotonic()))
with open(f"{folder}/rank-{rank}.json", "w") as file:
    json.dump({"longest": longest, "lines": lines}, file)
"""


class Reader(threading.Thread):
    """Takes what comes, unless it is told to pause."""

    def __init__(self, stream):
        super().__init__(daemon=True)
        self.stream, self.takes, self.taken, self.end = stream, threading.Event(), 0, b""
        self.left_out = []
        self.takes.set()

    def run(self):
        while True:
            self.takes.wait()
            piece = os.read(self.stream.fileno(), 1 << 20)
            if not piece:
                return
            self.taken += len(piece)
            text = self.end + piece
            self.end = text[text.rfind(b"\n") + 1:]
            self.left_out += re.findall(rb"[^\n]*left out here[^\n]*", text[:len(text) - len(self.end)])


def resident(pid):
    with open(f"/proc/{pid}/status") as status:
        return int(re.search(r"^VmRSS:\s+(\d+)", status.read(), re.M)[1]) / 1024


def run(options, folder):
    ringmaster = os.path.abspath(options.ringmaster)
    environment = dict(os.environ, LC_ALL="C", XDG_STATE_HOME=folder, XDG_RUNTIME_DIR=folder, TMPDIR=folder)
    program = os.path.join(folder, "worker.py")
    with open(program, "w") as file:
        file.write(WORKER)
    agent = subprocess.Popen([ringmaster, "run", "--standalone", "--quiet", "--nproc-per-node", str(options.workers),
                              "--no-python", sys.executable, program, folder],
                             env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    reader = Reader(agent.stdout)
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
        reader.takes.clear() if name == "paused" else reader.takes.set()
    began = time.monotonic()
    code = agent.wait()
    ended = time.monotonic() - began
    reader.join()

    workers = []
    for path in glob.glob(os.path.join(folder, "rank-*.json")):
        with open(path) as file:
            workers.append(json.load(file))
    if len(workers) != options.workers:
        sys.exit(f"{len(workers)} of {options.workers} workers came to their end")
    printed = sum(worker["lines"] for worker in workers)
    logs = subprocess.Popen([ringmaster, "logs"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    logged = sum(b" line " in line for line in logs.stdout)
    logs.wait()
    for part, name in enumerate(("before the pause", f"in the pause of {options.seconds:g} s", "after it")):
        longest = max(worker["longest"][part] for worker in workers) * 1e3
        print(f"{name:24} longest write of a worker {longest:8.1f} ms   agent, resident {memory[part]:7.1f} MiB")
    print(f"printed {printed} lines, in the logs {logged}")
    print("left out: " + (b" / ".join(reader.left_out).decode() or "nothing"))
    print(f"exit code {code}, {ended:.1f} s after the last part")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ringmaster", required=True)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--workers", type=int, default=4)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-paused-") as folder:
        run(options, folder)


if __name__ == "__main__":
    main()

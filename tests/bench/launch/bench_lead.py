#!/usr/bin/env python3
"""bench_lead.py [BUILD-FOLDER [TORCH-PYTHON]]: what a lead of many hosts costs, with agents that are simulated
(simulated_agents.cpp; the lead is the real command, and ssh a stand-in).

Memory: 100 hosts with 8 workers each, 100 operations a second of each, for a minute; asked: under 200 MB.
End: of the same, from the request to stop on; asked: under 5 s.
Rendezvous: 1,000 agents through the lead against 128 agents by torchrun's own rendezvous; asked: under a tenth."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

here = pathlib.Path(__file__).resolve().parent
build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else here / "../../../build/dev").resolve()
python = sys.argv[2] if len(sys.argv) > 2 else os.path.expanduser("~/.local/share/ringmaster/venv/bin/python")


def memory(pid):
    """Resident now and at most, in MB (10^6 bytes)."""
    with open(f"/proc/{pid}/status") as status:
        lines = dict(line.split(":", 1) for line in status)
    return [int(lines[name].split()[0]) * 1024 / 1e6 for name in ("VmRSS", "VmHWM")]


def meet(folder, hosts, workers, operations, watch):
    """Lets so many hosts meet; seconds from the first offer, and from the command's start, to the last place, and from
    the request to stop to the lead's end."""
    bin_folder = folder / "bin"
    bin_folder.mkdir(exist_ok=True)
    if not (bin_folder / "ssh").exists():
        (bin_folder / "ssh").symlink_to(build / "bin/simulated_agents")
    (folder / "run").mkdir(mode=0o700, exist_ok=True)
    agents = str(folder / f"agents-{hosts}")
    environment = dict(os.environ, PATH=f"{bin_folder}:{os.environ['PATH']}", SIMULATED_AGENTS=agents, HOME=str(folder),
                       XDG_STATE_HOME=str(folder / "state"), XDG_CONFIG_HOME=str(folder / "config"),
                       XDG_RUNTIME_DIR=str(folder / "run"))
    simulation = subprocess.Popen([build / "bin/simulated_agents", agents, str(hosts), str(workers), str(operations)],
                                  stdout=subprocess.PIPE, text=True)
    assert simulation.stdout.readline() == "ready\n"
    names = ",".join(f"host{i}" for i in range(hosts))
    begun = time.monotonic()
    lead = subprocess.Popen([build / "bin/ringmaster", "run", "--quiet", "--hosts", names, "--nproc-per-node",
                             str(workers), "--rdzv-conf", "node_timeout=120", "--no-python", "true"],
                            env=environment, stdin=subprocess.DEVNULL)
    try:
        word, count, seconds = simulation.stdout.readline().split()
        whole = time.monotonic() - begun
        watch(lead.pid)
        asked = time.monotonic()
        lead.send_signal(signal.SIGTERM)
        lead.wait(60)
        return float(seconds), whole, time.monotonic() - asked
    finally:
        if lead.poll() is None:
            lead.kill()
            lead.wait()
        simulation.terminate()
        simulation.wait()


def watch_memory(pid):
    for second in range(60):
        time.sleep(1)
        if second % 15 == 14:
            now, most = memory(pid)
            print(f"  after {second + 1} s: {now:.0f} MB, at most {most:.0f} MB", flush=True)


with tempfile.TemporaryDirectory(prefix="bench-lead-") as name:
    print("lead of 100 hosts with 8 workers each, 80,000 operations a second in all (asked: under 200 MB)")
    end = meet(pathlib.Path(name), 100, 8, 100, watch_memory)[2]
    # A lead that waits for the links of agents that have ended takes endPatience (5 s) more.
    print(f"  ended {end:.1f} s after the request to stop (asked: under 5 s)", flush=True)
    ours, whole, _ = meet(pathlib.Path(name), 1000, 1, 0, lambda pid: None)
    print(f"1,000 agents through their lead: {ours:.2f} s ({whole:.1f} s from the command on)", flush=True)
    theirs = float(subprocess.run([python, here / "torchrun_rendezvous.py", "128"], stdout=subprocess.PIPE, check=True,
                                  text=True).stdout)
    print(f"128 agents by torchrun's rendezvous: {theirs:.2f} s")
    print(f"ratio {ours / theirs:.3f} (asked: under 0.1)")

"""The checks, in their order. Each returns what it saw and its figures; Wrong says that something isn't right, and
NotHere that this machine lacks what it takes."""
from __future__ import annotations

import json
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from . import machine
from .ringmaster import PROGRAMS, Ringmaster

Said = tuple[str, dict]


class Wrong(Exception):
    pass


class NotHere(Exception):
    pass


@dataclass
class Context:
    ringmaster: Ringmaster
    gpus: list[dict]
    folder_of_all: Path
    held_before: frozenset[int] = frozenset()  # processes that hold memory of a GPU and aren't ours

    def folder(self, name: str) -> Path:
        path = self.folder_of_all / name
        path.mkdir(parents=True, exist_ok=True)
        return path

    @property
    def backend(self) -> str:
        return "nccl" if self.gpus else "gloo"

    def need_gpu(self) -> None:
        if not self.gpus:
            raise NotHere("there is no GPU")


def check(condition: bool, what: str) -> None:
    if not condition:
        raise Wrong(what)


def doctor(context: Context) -> Said:
    findings = context.ringmaster.json("doctor", seconds=60)
    findings = findings["findings"] if isinstance(findings, dict) else findings
    bad = [one["text"] for one in findings if one["grade"] == "bad"]
    check(not bad, "; ".join(bad))
    seen = [one["text"] for one in findings if one["subject"] == "GPU"]
    for gpu in context.gpus:
        check(any(gpu["name"] in text for text in seen), f"{gpu['name']} isn't among {seen}")
    return f"{len(findings)} findings, none bad; GPUs: {len(context.gpus)}", {"gpus": seen}


def sweep(context: Context) -> Said:
    """Two ranks may share a GPU: right or wrong counts here, and no figure of it is the wire's."""
    rows = context.ringmaster.json("sweep", "--backend", context.backend, "--ranks", "2", "--collective", "all",
                                   "--min", "4K", "--max", "4M", "--factor", "32", *(("--share-gpus",) if context.gpus else ()), seconds=150)
    rows = rows["rows"] if isinstance(rows, dict) else rows
    collectives = {row["collective"] for row in rows}
    wrong = [row for row in rows if row.get("wrong") not in (0, "0")]
    check(len(collectives) >= 7, f"only {sorted(collectives)} were measured")
    check(not wrong, f"{len(wrong)} of {len(rows)} rows have wrong results or weren't checked")
    return f"{len(rows)} rows of {len(collectives)} collectives on {context.backend}, all verified", {}


def recorded(context: Context) -> Said:
    return compared(context, context.ringmaster)


def recorded_from_python(context: Context) -> Said:
    """As recorded(), where no compiled recorder fits this torch."""
    context.need_gpu()
    pack = context.folder("pack-without-recorder")
    shutil.copytree(context.ringmaster.executable.parent.parent, pack, dirs_exist_ok=True)
    for compiled in (pack / "libexec").rglob("torch-*.so"):
        compiled.unlink()
    return compared(context, context.ringmaster.of(pack / "bin/ringmaster"))


def compared(context: Context, ringmaster: Ringmaster) -> Said:
    """Counts and bytes exactly, also as NCCL's own log has them; each rank's time beside its CUDA events (without a
    GPU: beside the caller's clock) within 5 % or 50 microseconds a call."""
    calls = 20
    log = Path(tempfile.mkdtemp(prefix=f"nccl-log-{ringmaster.executable.parent.parent.name}-", dir=context.folder_of_all))
    ended = ringmaster.run("training.py", "collectives", str(calls), environment={
        "NCCL_DEBUG": "INFO", "NCCL_DEBUG_SUBSYS": "INIT,COLL", "NCCL_DEBUG_FILE": f"{log}/%p"})
    check(ended.code == 0 and len(ended.figures) == 2, f"it ended with {ended.code}: {ended.output[-300:]}")
    rows = totals_of(context)
    trace = trace_of(context)
    seen, apart = {}, []
    for told in ended.figures:
        rank = told.pop("rank")
        for name, own in told.items():
            check(name in rows, f"{name} isn't recorded; there are {sorted(rows)}")
            check(rows[name]["count"] == own["count"], f"{name}: {rows[name]['count']} recorded of {own['count']}")
            check(rows[name]["bytes"] == own["count"] * own["bytes"],
                  f"{name}: {rows[name]['bytes']} bytes recorded of {own['count'] * own['bytes']}")
            times = [event["args"].get("wire_us") if context.gpus else event["dur"] for event in trace
                     if event["rank"] == rank and event["name"] == name][-calls:]
            known = [(by_us / 1e6, by_own) for by_us, by_own in zip(times, own["seconds"]) if by_us is not None]
            if context.gpus and name == UNTIMED:
                check(not known, f"{name} of rank {rank} has times: {known[:3]}")
                continue
            check(len(known) >= calls * 0.9, f"{name} of rank {rank}: only {len(known)} of {calls} times are known")
            # Between an event and the kernel the GPU may be the other rank's for some milliseconds: not the mean.
            ours, theirs = (statistics.median(column) for column in zip(*known))
            seen[f"{name} of rank {rank}"] = {"program": theirs, "recorded": ours, "known": len(known), "calls": known}
            if abs(ours - theirs) > max(0.05 * theirs, 50e-6):
                apart.append(f"{name} of rank {rank} {ours * 1e3:.2f} for {theirs * 1e3:.2f} ms")
    logged = in_nccl_log(log)
    if context.gpus:
        check_nccl_log(logged, ended.figures[0], ranks=2)
    seen["NCCL's log"] = {name: list(calls) for name, calls in logged.items()}
    seen["busbw"] = {name: row["busbw"] for name, row in rows.items()}
    limit = "times within 5 % or 50 us of " + ("CUDA's events" if context.gpus else "the caller's")
    check(not apart or not context.gpus, f"times apart by more: {', '.join(apart)}")
    beside = f" also beside NCCL's log; {UNTIMED}'s times unknown;" if context.gpus else ""
    # Without a GPU it is the machine's load that is measured.
    return f"{len(rows)} operations: counts and bytes exactly,{beside} " + (limit if not apart else "times: " + ", ".join(apart)), seen


# NCCL's profiler tells none that are true of it (see engine/ledger/hook/NcclProfiler.cpp), nor of what comes after it.
UNTIMED = "all_to_all_single"


def in_nccl_log(folder: Path) -> dict[str, Counter]:
    """By function: how often with which count and type, of all ranks."""
    found: dict[str, Counter] = {}
    for file in folder.iterdir():
        for function, count, kind in re.findall(r"(\w+): opCount \w+ .*? count (\d+) datatype (\d+)", file.read_text(errors="replace")):
            found.setdefault(function, Counter())[f"{count} of type {kind}"] += 1
    return found


def check_nccl_log(logged: dict[str, Counter], told: dict, ranks: int) -> None:
    """Each of the program's calls is one of NCCL's."""
    for name, function in (("all_reduce", "AllReduce"), ("broadcast", "Broadcast"), ("all_gather_into_tensor", "AllGather"),
                           ("reduce_scatter_tensor", "ReduceScatter"), ("all_to_all_single", "AlltoAll")):
        counted = max(logged.get(function, Counter()).values(), default=0)
        # torch's barrier is an all_reduce of one element.
        check(counted == told[name]["count"] * ranks, f"{function}: NCCL's log has {logged.get(function)}, not {told[name]['count']} a rank")


def evidence(kind: str) -> Callable[[Context], Said]:
    """What torch writes itself is read as a run."""

    def is_read(context: Context) -> Said:
        folder = context.folder(f"evidence-{kind}")
        ended = context.ringmaster.run("evidence.py", kind, str(folder))
        check(ended.code == 0, ended.output[-300:])
        run = context.ringmaster.json("import", str(folder))["runs"][0]["run"]
        if kind == "profile":
            shown = context.ringmaster.json("show", "--operations", run)
            rows = [row for attempt in shown["operations"] for row in attempt["bandwidth"] if row["operation"] == "all_reduce"]
            told = [(row["backend"], row["count"], row["wire_ns"]) for row in rows]
            check(len(rows) == 1 and rows[0]["count"] == 10 and rows[0]["backend"] == context.backend and rows[0]["wire_ns"] > 0,
                  f"10 all_reduces of {context.backend} were profiled, read were {told}")
            return f"torch.profiler's traces: 10 all_reduces of {context.backend}, {rows[0]['wire_ns'] / 1e7:.2f} ms each", {"rows": rows}
        verdicts = context.ringmaster.json("show", run)["verdicts"]
        check(bool(verdicts) and verdicts[0]["guilty"] == [1], f"rank 1 is absent, but: {verdicts}")
        return verdicts[0]["statement"]["text"], {}

    return is_read


def attached(context: Context) -> Said:
    """A job of torchrun's, of which Ringmaster knew nothing, hangs."""
    with tempfile.TemporaryFile("w+") as output:
        job = subprocess.Popen([context.ringmaster.python, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2",
                                str(PROGRAMS / "faults.py"), "hang"], stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        try:
            until = time.monotonic() + 60
            while fault_at(read_all(output)) is None and time.monotonic() < until and job.poll() is None:
                time.sleep(0.2)
            time.sleep(2)
            found = context.ringmaster.json("attach", str(job.pid), "--seconds", "3", seconds=60)["jobs"]
        finally:
            job.terminate()
            try:
                job.wait(timeout=30)
            except subprocess.TimeoutExpired:
                job.kill()
        check(len(found) == 1 and len(found[0]["ranks"]) == 2, f"not one job of two ranks: {found}; {read_all(output)[-300:]}")
        told = found[0]
        check(told["odd"] == [1], f"rank 1 is absent, but {told['odd']}: {told['statement']}")
        memory = [gpu["usedBytes"] for rank in told["ranks"] for gpu in rank["gpus"]]
        check(not context.gpus or len(memory) == 2 and min(memory) > 100 << 20, f"GPU memory of both: {memory}")
        also = [one["text"] for one in told["evidence"] if "RAS" in one["text"]]
        return " ".join([told["statement"]["text"], *also]), {"statement": told["statement"], "evidence": told["evidence"], "memory": memory}


def read_all(file) -> str:
    return os.pread(file.fileno(), 1 << 20, 0).decode(errors="replace")


def training(mode: str) -> Callable[[Context], Said]:
    def trains(context: Context) -> Said:
        ended = context.ringmaster.run("training.py", mode, "40")
        check(ended.code == 0 and bool(ended.figures), f"it ended with {ended.code}: {ended.output[-300:]}")
        rows = totals_of(context)
        wanted = {"all_reduce"} if mode == "ddp" else {"all_gather_into_tensor", "reduce_scatter_tensor"}
        check(wanted <= rows.keys(), f"none of {sorted(wanted - rows.keys())} is recorded: {sorted(rows)}")
        own = ended.figures[0]["steps_per_second"]
        counts = {name: row["count"] for name, row in rows.items()}
        check(all(counts[name] >= ended.figures[0]["steps"] for name in wanted), f"{ended.figures[0]['steps']} steps, but {counts}")
        return f"{own:.1f} steps a second by the program; recorded: {counts}", {"steps_per_second": own, "counts": counts}

    return trains


def devices(context: Context) -> Said:
    """What NVML tells us of the GPUs and of who sits on them, beside nvidia-smi."""
    context.need_gpu()
    run = context.ringmaster.start("faults.py", "none")
    try:
        until = time.monotonic() + 40
        while True:
            told = context.ringmaster.json("gpus")
            ranks = {one["rank"]: one for one in told["processes"] if one["run"] == run and one["rank"] is not None}
            if len(ranks) == 2 or time.monotonic() > until:
                break
            time.sleep(0.5)
        check(len(ranks) == 2, f"the ranks of {run} aren't among {told['processes']}")
        time.sleep(5)  # nccl is set up, the memory that it takes is taken
        told, theirs, held = context.ringmaster.json("gpus"), machine.gpus(), machine.holders()
        metrics = context.ringmaster.text("metrics", run)
    finally:
        context.ringmaster.stop(run)
    mib, figures = 1 << 20, {}
    for ours, gpu in zip(told["gpus"], theirs):
        check(ours["uuid"] == gpu["uuid"], f"GPU {ours['index']} is {ours['uuid']}, to nvidia-smi {gpu['uuid']}")
        check(ours["totalBytes"] // mib == int(gpu["memory.total"]), f"{ours['totalBytes'] // mib} MiB in all, to nvidia-smi {gpu['memory.total']}")
        apart = abs(ours["usedBytes"] / mib - int(gpu["memory.used"]))
        check(apart <= 64, f"{ours['usedBytes'] / mib:.0f} MiB in use, to nvidia-smi {gpu['memory.used']}")
        figures[gpu["uuid"]] = {"used_mib": ours["usedBytes"] / mib, "nvidia-smi": gpu, "apart_mib": apart}
    for pid, memory in held.items():
        ours = next((one for one in told["processes"] if one["pid"] == pid), None)
        check(ours is not None, f"process {pid} holds {memory} MiB to nvidia-smi, nothing to us")
        check(ours["usedBytes"] is None or abs(ours["usedBytes"] / mib - memory) <= 64, f"process {pid}: {ours}, to nvidia-smi {memory} MiB")
    gpu_metrics = [line for line in metrics.splitlines() if line.startswith("ringmaster_gpu_")]
    check(any("utilization" in line for line in gpu_metrics), f"the run tells of no GPU's use: {metrics[-300:]}")
    figures |= {"processes": told["processes"], "held": held, "metrics": gpu_metrics}
    return (f"names, memory within 64 MiB, {len(held)} processes as nvidia-smi has them, "
            f"{len(ranks)} marked as ranks; {len(gpu_metrics)} figures of GPUs in the run"), figures


def overhead(context: Context) -> Said:
    """Pairs, in turn, on the same machine."""
    ratios = []
    for _ in range(3 if context.gpus else 1):
        with_it, without = (context.ringmaster.run("training.py", "ddp", "60", options=("--warm", "off", *options))
                            for options in ((), ("--no-record-operations",)))
        check(with_it.code == 0 and without.code == 0, (with_it.output + without.output)[-300:])
        ratios.append(without.figures[0]["steps_per_second"] / with_it.figures[0]["steps_per_second"])
    middle = statistics.median(ratios)
    return f"a recorded step takes {middle:.3f} of one that isn't (median of {len(ratios)} pairs)", {"ratios": ratios}


def cost_of_a_call(context: Context) -> Said:
    """Microseconds that recording adds to a call of an all_reduce of 64 numbers, in the program's own thread."""
    rounds = "5" if context.gpus else "3"
    pairs = []
    for _ in range(3 if context.gpus else 1):
        with_it, without = (context.ringmaster.run("training.py", "small", rounds, options=("--warm", "off", *options))
                            for options in ((), ("--no-record-operations",)))
        check(with_it.code == 0 and without.code == 0, (with_it.output + without.output)[-300:])
        pairs.append([statistics.median(ended.figures[0]["microseconds"]) for ended in (with_it, without)])
    recorded, plain = (statistics.median(column) for column in zip(*pairs))
    return f"a call takes {recorded:.1f} us recorded, {plain:.1f} us else (medians of {len(pairs)} pairs)", {"pairs": pairs}


def experts_compute(context: Context) -> Said:
    """Ranks that compute for 25 s after an all_to_all, whose end on the GPU nobody tells, wait for nobody."""
    ended = context.ringmaster.run("experts.py", "quiet")
    check(ended.code == 0 and len(ended.figures) == 2, f"it ended with {ended.code}: {ended.output[-300:]}")
    verdicts = context.ringmaster.json("show")["verdicts"]
    check(not verdicts, f"nothing is wrong, but: {[verdict['statement']['text'] for verdict in verdicts]}")
    rows = totals_of(context)
    check(rows["all_to_all_single"]["count"] == rows["all_reduce"]["count"] == 40, f"40 of each a rank, recorded: {rows}")
    return f"nobody is accused; recorded: { {name: row['count'] for name, row in rows.items()} }", {}


def graph(context: Context) -> Said:
    """A CUDA graph's all_reduces run as without Ringmaster; what is recorded is what torch calls."""
    context.need_gpu()
    ended = context.ringmaster.run("graph.py")
    check(ended.code == 0 and len(ended.figures) == 2, f"it ended with {ended.code}: {ended.output[-600:]}")
    check(all(told["numbers"] == 1.0 and told["outside"] == 32.0 for told in ended.figures), f"sums: {ended.figures}")
    verdicts = context.ringmaster.json("show")["verdicts"]
    check(not verdicts, f"nothing is wrong, but: {[verdict['statement']['text'] for verdict in verdicts]}")
    rows = totals_of(context)
    times = sorted(event["args"]["wire_us"] for event in trace_of(context)
                   if event["name"] == "all_reduce" and event["args"].get("wire_us") is not None)
    check(rows["all_reduce"]["count"] == 10, f"4 before, 1 captured, 5 between the replays; recorded: {rows}")
    check(not times or times[-1] < 1e6, f"the longest took {times[-1] / 1e6:.1f} s" if times else "")
    return f"100 replays, right sums, 10 calls recorded, {len(times)} of 20 with times", {"times": times, "rows": rows}


def times_out(context: Context) -> Said:
    """torch's own watchdog ends the ranks that wait for rank 1: whose fault it was is still said."""
    # On nccl torch sleeps for a minute between the timeout and the end, so that every rank can write what it recorded
    # (ProcessGroupNCCL: four times TORCH_NCCL_WAIT_TIMEOUT_DUMP_MILSEC).
    ended = context.ringmaster.run("faults.py", "timeout", seconds=150)
    check(ended.code != 0, "it succeeded")
    shown = context.ringmaster.json("show")
    verdicts = [(verdict["guilty"], verdict["statement"]["text"]) for verdict in shown["verdicts"]]
    check(any(guilty == [1] for guilty, _ in verdicts), f"rank 1 is absent, but: {verdicts}; {shown.get('firstCause')}")
    return f"{shown['firstCause']['cause']['text']}", {"verdicts": verdicts, "cause": shown["firstCause"]}


def fault(kind: str, *, program: str = "faults.py", ends: bool = False, either: bool = False,
          needs_gpu: bool = False, operation: str = "") -> Callable[[Context], Said]:
    """Whether the last of two ranks is named, and after how many seconds; `either`: two calls that don't fit have no
    majority, and accuse both; `operation`: what it is missed in."""

    def goes_wrong(context: Context) -> Said:
        if needs_gpu:
            context.need_gpu()
        run = context.ringmaster.start(program, kind)
        try:
            shown, seen_at = wait_for_guilty(context, run, ends)
            fault_ns = fault_at(context.ringmaster.log(run))
        finally:
            context.ringmaster.stop(run)
        check(shown is not None, "nobody was named in 60 s")
        guilty, statement = shown
        after = (seen_at - fault_ns) / 1e9 if fault_ns else float("nan")
        check(guilty == ([0, 1] if either else [1]), f"rank 1 is guilty, named were {guilty}: {statement}")
        check(operation in statement, f"it is missed in {operation}: {statement}")
        return f"{after:.1f} s: {statement}", {"guilty": guilty, "seconds": after, "statement": statement}

    return goes_wrong


def wait_for_guilty(context: Context, run: str, ends: bool):
    until = time.monotonic() + 60
    while time.monotonic() < until:
        shown = context.ringmaster.json("show", run)
        first = shown.get("firstCause")
        if first and first.get("rank", first.get("globalRank", -1)) is not None and ends:
            rank = first.get("rank", first.get("globalRank"))
            return ([rank] if rank >= 0 else first.get("candidates", []), first["cause"]["text"]), time.time_ns()
        for verdict in shown["verdicts"]:
            if verdict["verdict"] in ("hang", "mismatch", "straggler") or (verdict["verdict"] == "waiting" and verdict["guilty"]):
                return (verdict["guilty"], verdict["statement"]["text"]), time.time_ns()
        if shown["state"] in ("failed", "succeeded", "stopped", "lost") and not first:
            return None, 0
        time.sleep(0.25)
    return None, 0


def fault_at(log: str) -> int | None:
    found = re.search(r"FAULT (\d+)", log)
    return int(found.group(1)) if found else None


def ras(context: Context) -> Said:
    """What NCCL's own witness says while rank 1 is absent, as it stands beside the verdict."""
    context.need_gpu()
    run = context.ringmaster.start("faults.py", "hang")
    told = []
    try:
        wait_for_guilty(context, run, ends=False)
        # It is asked every five seconds, and believed when it has said the same twice.
        until = time.monotonic() + 30
        while not told and time.monotonic() < until:
            told = [line["text"] for verdict in context.ringmaster.json("show", run)["verdicts"]
                    for line in verdict["evidence"] if "RAS" in line["text"]]
            time.sleep(0.5)
    finally:
        context.ringmaster.stop(run)
    check(bool(told), "RAS has said nothing in 30 s")
    check("says the same" in told[0] and "rank 1" in told[0], f"rank 1 is behind, but: {told}")
    return told[0], {"told": told}


def warm(context: Context) -> Said:
    times = []
    for turn in range(20 if context.gpus else 3):
        ended = context.ringmaster.run("training.py", "ddp", "5", options=("--warm", "on"), seconds=60)
        check(ended.code == 0, f"turn {turn + 1} ended with {ended.code}: {ended.output[-300:]}")
        times.append(ended.seconds)
    return f"{len(times)} of {len(times)}; the first {times[0]:.1f} s, then {statistics.median(times[1:]):.1f} s", {"seconds": times}


def restart(context: Context) -> Said:
    ended = context.ringmaster.run("crash_once.py", options=("--max-restarts", "1"))
    check(ended.code == 0 and bool(ended.figures), f"it ended with {ended.code}: {ended.output[-300:]}")
    shown = context.ringmaster.json("show")
    check(shown["restartsUsed"] == 1, f"{shown['restartsUsed']} restarts")
    check(ended.figures[-1]["sum"] == 4, f"the sum is {ended.figures[-1]['sum']}")
    return f"after one restart the sum is right; {ended.seconds:.1f} s in all", {"seconds": ended.seconds}


def choice(context: Context) -> Said:
    options = ("--devices-per-worker", "1") if context.gpus else ()
    ended = context.ringmaster.run("visible.py", options=options, ranks=max(1, len(context.gpus)))
    check(ended.code == 0, ended.output[-300:])
    seen = sorted((one["rank"], one["visible"]) for one in ended.figures)
    if context.gpus:
        check(all(one["count"] == 1 for one in ended.figures), f"not one GPU each: {ended.figures}")
        check(len({visible for _, visible in seen}) == len(seen), f"some share one: {seen}")
    return f"{seen}", {"visible": seen}


def nothing_left(context: Context) -> Said:
    live = [run["id"] for run in context.ringmaster.json("ps")]
    check(not live, f"these still run: {live}")
    subprocess.run([context.ringmaster.executable, "stop", "--warm"], env=context.ringmaster.environment,
                   capture_output=True, timeout=30)
    until = time.monotonic() + 10
    while (left := ours(context)) and time.monotonic() < until:
        time.sleep(0.2)
    check(not left, f"these processes are left: {left}")
    held = machine.holders() if context.gpus else {}
    check(not held.keys() - context.held_before, f"these hold memory of a GPU: {held}")
    return "no run, no process" + (", nothing on a GPU" if context.gpus else ""), {}


def ours(context: Context) -> list[int]:
    """Processes with this check's state folder in their environment: what holds a GPU's memory is among them."""
    mark = f"XDG_STATE_HOME={context.ringmaster.environment['XDG_STATE_HOME']}".encode()
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if mark in file.read():
                    found.append(int(name))
        except OSError:
            continue
    return found


def totals_of(context: Context) -> dict[str, dict]:
    """Of the newest run, by operation: how often, of how many bytes, and the busbw of the largest."""
    shown = context.ringmaster.json("show", "--operations")
    totals: dict[str, dict] = {}
    for row in sorted((row for attempt in shown["operations"] for row in attempt["bandwidth"]), key=lambda row: row["bucket"]):
        total = totals.setdefault(row["operation"], {"count": 0, "bytes": 0})
        total |= {"count": total["count"] + row["count"], "bytes": total["bytes"] + row["bytes"], "busbw": row["busbw"]}
    return totals


def trace_of(context: Context) -> list[dict]:
    """Each operation of each rank of the newest run, in the order of their calls."""
    run = context.ringmaster.json("show")["id"]
    path = context.folder("traces") / f"{run}.json"
    context.ringmaster.text("export", "--trace", "-o", str(path), run)
    events = json.loads(path.read_text(encoding="utf-8"))["traceEvents"]
    ranks = {event["pid"]: int(event["args"]["name"].split()[1]) for event in events
             if event["ph"] == "M" and event["name"] == "process_name" and event["args"]["name"].startswith("rank ")}
    return sorted((event | {"rank": ranks[event["pid"]]} for event in events if event["ph"] == "X" and "number" in event.get("args", {})),
                  key=lambda event: event["ts"])


STAGES: list[tuple[str, Callable[[Context], Said]]] = [
    ("doctor", doctor),
    ("GPU choice", choice),
    ("DDP recorded", training("ddp")),
    ("FSDP2 recorded", training("fsdp")),
    ("collectives beside the program's timer", recorded),
    ("the same, recorded from Python", recorded_from_python),
    ("overhead of recording", overhead),
    ("cost of a call", cost_of_a_call),
    ("a CUDA graph", graph),
    ("experts compute for long", experts_compute),
    ("GPUs beside nvidia-smi", devices),
    ("sweep", sweep),
    ("hang", fault("hang")),
    ("hang in an all_to_all", fault("absent", program="experts.py", operation="all_to_all_single #41")),
    ("torch's time is over", times_out),
    ("stopped by SIGSTOP", fault("stopped")),
    ("mismatch", fault("mismatch", either=True)),
    ("straggler", fault("straggler")),
    ("dies inside a collective", fault("dies", ends=True)),
    ("device assert", fault("assert", ends=True)),
    ("GPU out of memory", fault("memory", ends=True, needs_gpu=True)),
    ("NCCL's RAS beside the verdict", ras),
    ("a job of torchrun's, attached", attached),
    ("torch's flight recorder", evidence("recorder")),
    ("torch's profiler", evidence("profile")),
    ("restart after a crash", restart),
    ("warm start, then CUDA", warm),
    ("nothing is left", nothing_left),
]

"""The checks, in their order. Each returns what it saw and its figures; Wrong says that something isn't right, and
NotHere that this machine lacks what it takes."""
from __future__ import annotations

import os
import re
import statistics
import subprocess
import time
from dataclasses import dataclass
from typing import Callable

from . import machine
from .ringmaster import Ringmaster

Said = tuple[str, dict]


class Wrong(Exception):
    pass


class NotHere(Exception):
    pass


@dataclass
class Context:
    ringmaster: Ringmaster
    gpus: list[dict]

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
                                   "--min", "4K", "--max", "4M", "--factor", "32", seconds=150)
    rows = rows["rows"] if isinstance(rows, dict) else rows
    collectives = {row["collective"] for row in rows}
    wrong = [row for row in rows if row.get("wrong") not in (0, "0")]
    check(len(collectives) >= 7, f"only {sorted(collectives)} were measured")
    check(not wrong, f"{len(wrong)} of {len(rows)} rows have wrong results or weren't checked")
    return f"{len(rows)} rows of {len(collectives)} collectives on {context.backend}, all verified", {}


def recorded(context: Context) -> Said:
    """Counts and bytes exactly, the caller's time within 5 % or 50 microseconds."""
    ended = context.ringmaster.run("training.py", "collectives", "20")
    check(ended.code == 0 and bool(ended.figures), f"it ended with {ended.code}: {ended.output[-300:]}")
    rows = {row["operation"]: row for row in operations_of(context)}
    seen, apart = {}, []
    for name, told in ended.figures[0].items():
        row = rows.get(name)
        check(row is not None, f"{name} isn't recorded; there are {sorted(rows)}")
        check(row["count"] == told["count"], f"{name}: {row['count']} recorded of {told['count']}")
        recorded_seconds = row.get("felt_ns", row.get("inside_ns", 0)) / 1e9 / row["count"]
        seen[name] = {"program": told["seconds"], "recorded": recorded_seconds}
        if abs(recorded_seconds - told["seconds"]) > max(0.05 * told["seconds"], 50e-6):
            apart.append(f"{name} {recorded_seconds * 1e3:.2f} for {told['seconds'] * 1e3:.2f} ms")
    said = f"{len(seen)} collectives, each counted exactly"
    return said + (f"; times apart by more than 5 %: {', '.join(apart)}" if apart else "; times within 5 %"), seen


def training(mode: str) -> Callable[[Context], Said]:
    def trains(context: Context) -> Said:
        ended = context.ringmaster.run("training.py", mode, "40")
        check(ended.code == 0 and bool(ended.figures), f"it ended with {ended.code}: {ended.output[-300:]}")
        rows = operations_of(context)
        kinds = {row["operation"] for row in rows}
        wanted = {"all_reduce"} if mode == "ddp" else {"all_gather_into_tensor", "reduce_scatter_tensor"}
        check(any(want in kind for want in wanted for kind in kinds), f"none of {sorted(wanted)} is recorded: {sorted(kinds)}")
        own = ended.figures[0]["steps_per_second"]
        counts = {row["operation"]: row["count"] for row in rows}
        return f"{own:.1f} steps a second by the program; recorded: {counts}", {"steps_per_second": own, "counts": counts}

    return trains


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


def fault(kind: str, *, ends: bool = False, either: bool = False, needs_gpu: bool = False) -> Callable[[Context], Said]:
    """Whether the last of two ranks is named, and after how many seconds; `either`: two calls that don't fit have no
    majority, and accuse both."""

    def goes_wrong(context: Context) -> Said:
        if needs_gpu:
            context.need_gpu()
        run = context.ringmaster.start("faults.py", kind)
        try:
            shown, seen_at = wait_for_guilty(context, run, ends)
            fault_ns = fault_at(context.ringmaster.log(run))
        finally:
            context.ringmaster.stop(run)
        check(shown is not None, "nobody was named in 60 s")
        guilty, statement = shown
        after = (seen_at - fault_ns) / 1e9 if fault_ns else float("nan")
        check(guilty == ([0, 1] if either else [1]), f"rank 1 is guilty, named were {guilty}: {statement}")
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
    return "no run, no process, and so nothing on a GPU", {}


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


def operations_of(context: Context) -> list[dict]:
    shown = context.ringmaster.json("show", "--operations")
    return [row for attempt in shown["operations"] for row in attempt["bandwidth"]]


STAGES: list[tuple[str, Callable[[Context], Said]]] = [
    ("doctor", doctor),
    ("GPU choice", choice),
    ("DDP recorded", training("ddp")),
    ("FSDP2 recorded", training("fsdp")),
    ("collectives beside the program's timer", recorded),
    ("overhead of recording", overhead),
    ("sweep", sweep),
    ("hang", fault("hang")),
    ("stopped by SIGSTOP", fault("stopped")),
    ("mismatch", fault("mismatch", either=True)),
    ("straggler", fault("straggler")),
    ("dies inside a collective", fault("dies", ends=True)),
    ("device assert", fault("assert", ends=True)),
    ("GPU out of memory", fault("memory", ends=True, needs_gpu=True)),
    ("NCCL's RAS beside the verdict", ras),
    ("restart after a crash", restart),
    ("warm start, then CUDA", warm),
    ("nothing is left", nothing_left),
]

"""The GPUs as the driver's own tool tells of them."""
from __future__ import annotations

import shutil
import subprocess


def gpus() -> list[dict[str, str]]:
    """Index, name, memory, use and temperature of each; empty where there is none."""
    names = ("index", "uuid", "name", "memory.total", "memory.used", "utilization.gpu", "temperature.gpu", "driver_version")
    return [dict(zip(names, row)) for row in _query("--query-gpu=" + ",".join(names))]


def holders() -> dict[int, int]:
    """MiB of GPU memory by process, of those that compute."""
    return {int(pid): int(memory) for pid, memory in _query("--query-compute-apps=pid,used_memory")
            if pid.isdigit() and memory.isdigit()}


def _query(what: str) -> list[list[str]]:
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return []
    done = subprocess.run([tool, what, "--format=csv,noheader,nounits"], capture_output=True, text=True, timeout=30)
    if done.returncode != 0:
        return []
    return [[cell.strip() for cell in line.split(",")] for line in done.stdout.splitlines() if line.strip()]

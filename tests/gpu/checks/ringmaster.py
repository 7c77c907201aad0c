"""The command, as a user would use it, in folders of this check's own."""
from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent.parent / "programs"


@dataclass
class Ended:
    code: int
    seconds: float
    output: str
    figures: list[dict] = field(default_factory=list)
    fault_ns: int | None = None  # of the wall's clock


class Ringmaster:
    def __init__(self, executable: Path, python: str, folder: Path, usual: tuple[str, ...] = ()) -> None:
        self.executable = executable
        self.usual = usual  # options of every run that doesn't say otherwise
        self.python = python
        self.environment = dict(os.environ)
        for name, part in (("XDG_STATE_HOME", "state"), ("XDG_RUNTIME_DIR", "run"), ("XDG_CONFIG_HOME", "config"),
                           ("XDG_CACHE_HOME", "cache")):
            (folder / part).mkdir(parents=True, exist_ok=True, mode=0o700)
            self.environment[name] = str(folder / part)

    def of(self, executable: Path) -> Ringmaster:
        """The same folders, another command."""
        other = copy.copy(self)
        other.executable = executable
        return other

    def json(self, *arguments: str, seconds: float = 30):
        done = subprocess.run([self.executable, *arguments, "--json"], env=self.environment, capture_output=True,
                              text=True, timeout=seconds)
        if done.returncode not in (0, 1) or not done.stdout.strip():
            raise RuntimeError(f"ringmaster {' '.join(arguments)} ended with {done.returncode}: {done.stderr.strip()[-400:]}")
        return json.loads(done.stdout)

    def text(self, *arguments: str, seconds: float = 30) -> str:
        done = subprocess.run([self.executable, *arguments], env=self.environment, capture_output=True, text=True, timeout=seconds)
        if done.returncode != 0:
            raise RuntimeError(f"ringmaster {' '.join(arguments)} ended with {done.returncode}: {done.stderr.strip()[-400:]}")
        return done.stdout

    def line(self, program: str, *arguments: str, options: tuple[str, ...] = (), ranks: int = 2) -> list[str]:
        return [str(self.executable), "run", "--nproc-per-node", str(ranks), "--python", self.python, *self.usual, *options,
                str(PROGRAMS / program), *arguments]

    def run(self, program: str, *arguments: str, options: tuple[str, ...] = (), ranks: int = 2,
            seconds: float = 90, environment: dict[str, str] | None = None) -> Ended:
        began = time.monotonic()
        process = subprocess.Popen(self.line(program, *arguments, options=options, ranks=ranks), text=True,
                                   env=self.environment | (environment or {}), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.terminate()
            try:
                output, _ = process.communicate(timeout=45)
            except subprocess.TimeoutExpired:
                process.kill()
                output, _ = process.communicate()
            raise RuntimeError(f"{program} {' '.join(arguments)} took more than {seconds:.0f} s: {output[-600:]}") from None
        return Ended(process.returncode, time.monotonic() - began, output, figures_of(output), fault_of(output))

    def start(self, program: str, *arguments: str, options: tuple[str, ...] = (), ranks: int = 2) -> str:
        """Detached; gives the run's id."""
        done = subprocess.run(self.line(program, *arguments, options=("--detach", *options), ranks=ranks),
                              env=self.environment, capture_output=True, text=True, timeout=30)
        if done.returncode != 0:
            raise RuntimeError(f"{program} didn't start: {done.stderr.strip()[-400:]}")
        return done.stdout.strip()

    def log(self, run: str) -> str:
        return subprocess.run([self.executable, "logs", run], env=self.environment, capture_output=True, text=True,
                              timeout=30).stdout

    def stop(self, run: str) -> None:
        subprocess.run([self.executable, "stop", run], env=self.environment, capture_output=True, text=True, timeout=60)


def figures_of(output: str) -> list[dict]:
    return [json.loads(line.split("FIGURES ", 1)[1]) for line in output.splitlines() if "FIGURES {" in line]


def fault_of(output: str) -> int | None:
    for line in output.splitlines():
        if "FAULT " in line:
            return int(line.split("FAULT ", 1)[1].split()[0])
    return None


if sys.version_info < (3, 9):
    raise SystemExit("this check needs Python 3.9 or later")

"""%%ringmaster: a cell's code becomes the workers' program; what they print, their states and the verdict appear
below the cell. Interrupting the cell stops the run."""

from __future__ import annotations

import os
import queue
import shlex
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, Iterator

from ._api import Run, launch
from ._records import LogLine, RunInfo, Verdict

LOOK_INTERVAL = 1.0  # seconds between two looks at the run's state


class RunFailed(Exception):
    """The cell's run didn't succeed. Shown without a Python traceback: the workers' own say more."""

    def __init__(self, info: RunInfo) -> None:
        super().__init__(_ending(info))
        self.info = info

    def _render_traceback_(self) -> list[str]:
        return [f"RunFailed: {self}"]


def register(shell: Any) -> None:
    shell.register_magic_function(ringmaster, magic_kind="cell")


def ringmaster(line: str, cell: str) -> None:
    """%%ringmaster [OPTIONS of `ringmaster run`] [-- ARGUMENTS of the program]"""
    options, arguments = _split(shlex.split(line))
    with tempfile.TemporaryDirectory(prefix="ringmaster-cell-") as folder:
        program = Path(folder) / "cell.py"
        program.write_text(cell, encoding="utf-8")
        run = launch(program, arguments, options=options, environment=_with_notebook_folder())
        try:
            info = _Watcher(run).watch()
        except KeyboardInterrupt:
            info = run.stop()
            print(_ending(info), flush=True)
            return
        except BaseException:
            run.stop()
            raise
    if info.exit_code != 0:
        raise RunFailed(info)


def _split(words: list[str]) -> tuple[list[str], list[str]]:
    if "--" not in words:
        return words, []
    at = words.index("--")
    return words[:at], words[at + 1 :]


def _with_notebook_folder() -> dict[str, str]:
    """Modules beside the notebook are found as in its other cells."""
    before = os.environ.get("PYTHONPATH")
    return {"PYTHONPATH": os.pathsep.join([os.getcwd(), *([before] if before else [])])}


class _Watcher:
    """Prints what the workers print as it comes, and in between what changed about the run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._states = ""
        self._verdicts: dict[int, str] = {}

    def watch(self) -> RunInfo:
        print(f"{self._run.id}: launched", flush=True)
        for line in self._lines():
            if line is None:
                self._look()
            else:
                out = sys.stderr if line.stream == "stderr" else sys.stdout
                print(f"[{line.rank}] {line.text}", file=out, flush=True)
        info = self._look()
        print(_ending(info), flush=True)
        return info

    def _lines(self) -> Iterator[LogLine | None]:
        """None: so long nothing has come that it's worth a look."""
        pending: queue.Queue[LogLine | BaseException | None] = queue.Queue(maxsize=1000)
        over = threading.Event()

        def put(what: LogLine | BaseException | None) -> bool:
            while not over.is_set():
                try:
                    pending.put(what, timeout=LOOK_INTERVAL)
                    return True
                except queue.Full:
                    continue
            return False

        def read() -> None:
            lines = self._run.logs(follow=True)
            try:
                for line in lines:
                    if not put(line):
                        return
                put(None)
            except BaseException as error:  # raised where the cell waits
                put(error)
            finally:
                lines.close()  # type: ignore[attr-defined]

        reader = threading.Thread(target=read, name="ringmaster-logs", daemon=True)
        reader.start()
        try:
            while True:
                try:
                    got = pending.get(timeout=LOOK_INTERVAL)
                except queue.Empty:
                    yield None
                    continue
                if got is None:
                    return
                if isinstance(got, BaseException):
                    raise got
                yield got
        finally:
            over.set()

    def _look(self) -> RunInfo:
        info = self._run.info()
        states = _states(info)
        if states != self._states:
            self._states = states
            print(f"{info.id}: {states}", flush=True)
        for verdict in info.verdicts:
            if self._verdicts.get(verdict.id) != verdict.statement.code:
                self._verdicts[verdict.id] = verdict.statement.code
                print(_text_of(verdict), flush=True)
        return info


def _states(info: RunInfo) -> str:
    """ "running, attempt 1: ranks 0-2 running, 3 failed" """
    ranks: dict[str, list[int]] = {}
    for worker in info.workers:
        ranks.setdefault(worker.state, []).append(worker.rank)
    told = ", ".join(f"{_spans(of)} {state}" for state, of in ranks.items())
    attempt = f", attempt {info.attempt}" if info.attempt > 0 else ""
    return f"{info.state}{attempt}" + (f": ranks {told}" if told else "")


def _spans(ranks: list[int]) -> str:
    """ "0-2,5" """
    spans: list[tuple[int, int]] = []
    for rank in sorted(ranks):
        if spans and spans[-1][1] == rank - 1:
            spans[-1] = (spans[-1][0], rank)
        else:
            spans.append((rank, rank))
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)


def _text_of(verdict: Verdict) -> str:
    sure = "" if verdict.is_sure else " (not sure who is guilty)"
    lines = [f"{verdict.statement}{sure}"]
    for message in verdict.evidence:
        lines.append(f"  {message}")
        lines += [f"      {line}" for line in message.detail.splitlines()]
    if verdict.remedy:
        lines.append(f"  {verdict.remedy}")
    return "\n".join(lines)


def _ending(info: RunInfo) -> str:
    parts = [f"{info.id} {info.state}"]
    for message in (info.cause or info.reason, info.place, info.remedy):
        if message:
            parts.append(str(message))
    return ": ".join(parts[:2]) + "".join(f"\n  {part}" for part in parts[2:])

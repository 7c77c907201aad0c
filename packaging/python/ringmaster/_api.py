"""launch(), Run, runs() and doctor(): a thin, typed face of the command."""

from __future__ import annotations

import os
import subprocess
import tempfile
from dataclasses import dataclass
from typing import Iterator, Mapping, Sequence

from ._command import command_environment, error_of, executable, read_json, run_command
from ._records import DoctorFinding, LogLine, RunInfo, RunSummary


def launch(
    program: str | os.PathLike[str],
    arguments: Sequence[str] = (),
    *,
    nproc_per_node: int | str | None = None,
    name: str | None = None,
    options: Sequence[str] = (),
    folder: str | os.PathLike[str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Run:
    """Starts a job that outlives this process, and returns when it has a run.

    ``options`` are those of ``ringmaster run``, which are torchrun's and Ringmaster's own, for example
    ``["--max-restarts", "3", "--backend", "gloo"]``. A job file (``.ringjob``) says its options itself.
    Raises RingmasterError with every reason where the job can't be started.
    """
    line = ["run", "--detach"]
    if name is not None:
        line += ["--name", name]
    if nproc_per_node is not None:
        line += ["--nproc-per-node", str(nproc_per_node)]
    if not os.fspath(program).endswith(".ringjob") and not _names_a_meeting(options):
        line.append("--standalone")
    line += [*options, os.fspath(program), *arguments]
    return Run(run_command(line, environment=environment, folder=folder).strip())


def _names_a_meeting(options: Sequence[str]) -> bool:
    """Whether they say where workers meet, which --standalone would contradict."""
    beginnings = ("--standalone", "--rdzv", "--master", "--nnodes", "--node", "--hosts", "--slurm", "--run-on")
    return any(option.replace("_", "-").startswith(beginnings) for option in options)


def runs(*, all: bool = False) -> list[RunSummary]:
    """The runs that are running, from wherever they were started; with ``all`` those that have ended, too."""
    read = read_json(run_command(["ps", "--json", *(["--all"] if all else [])]))
    return [RunSummary.from_json(one) for one in read]


def doctor() -> list[DoctorFinding]:
    """What is installed, what is missing, and how to get it."""
    return [DoctorFinding.from_json(one) for one in read_json(run_command(["doctor", "--json"], accepted=(0, 1)))]


def version() -> str:
    return str(read_json(run_command(["version", "--json"]))["version"])


@dataclass(frozen=True)
class Run:
    """One run, by its id, a beginning of it, or its job's name."""

    id: str

    def info(self) -> RunInfo:
        return RunInfo.from_json(read_json(run_command(["show", "--json", self.id])))

    def logs(
        self,
        *,
        follow: bool = False,
        ranks: Sequence[int] = (),
        stream: str | None = None,
        grep: str | None = None,
        lines: int | None = None,
    ) -> Iterator[LogLine]:
        """What the workers have printed; with ``follow``, until the run has ended."""
        line = ["logs", "--json"]
        if follow:
            line.append("--follow")
        if ranks:
            line += ["--rank", ",".join(str(rank) for rank in ranks)]
        for option, value in (("--stream", stream), ("--grep", grep), ("--lines", lines)):
            if value is not None:
                line += [option, str(value)]
        # As grep, it ends with 1 where no line matches.
        return _log_lines([*line, self.id], good_exit_code=0 if grep is None else 1)

    def wait(self, timeout: float | None = None) -> RunInfo:
        """Returns when the run has ended; raises TimeoutError when it takes longer (the run goes on)."""
        try:
            done = subprocess.run(
                [str(executable()), "logs", "--follow", "--lines", "0", self.id],
                env=command_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                timeout=timeout,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"{self.id} is running after {timeout} s") from None
        if done.returncode != 0:
            raise error_of(done.stderr, done.returncode)
        return self.info()

    def stop(self, *, now: bool = False) -> RunInfo:
        """Ends the run in order, or with ``now`` at once, and returns when it has ended."""
        run_command(["stop", *(["--now"] if now else []), self.id])
        return self.info()

    def restart(self) -> None:
        """Stops its workers and starts them again."""
        run_command(["restart", self.id])

    def remove(self) -> None:
        """Removes a run that has ended, with its logs."""
        run_command(["rm", self.id])


def _log_lines(arguments: Sequence[str], good_exit_code: int = 0) -> Iterator[LogLine]:
    with tempfile.TemporaryFile() as said, subprocess.Popen(
        [str(executable()), *arguments],
        env=command_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=said,
        encoding="utf-8",
        errors="replace",
    ) as process:
        assert process.stdout is not None
        is_whole = False
        try:
            for text in process.stdout:
                yield LogLine.from_json(read_json(text))
            is_whole = True
        finally:
            # Who stops listening ends the command, not the run.
            if not is_whole:
                process.terminate()
        exit_code = process.wait()
        if exit_code > good_exit_code:
            said.seek(0)
            raise error_of(said.read().decode(errors="replace"), exit_code)

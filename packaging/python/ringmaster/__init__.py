"""Ringmaster from Python: launch, watch and stop distributed PyTorch jobs.

    import ringmaster

    run = ringmaster.launch("train.py", ["--lr", "0.1"], nproc_per_node=4)
    for line in run.logs(follow=True):
        print(line.rank, line.text)
    print(run.wait().exit_code)

Everything here goes through the command that the wheel brings, so runs of the terminal, of the dashboard and of
Python are the same. In a notebook, ``%load_ext ringmaster`` makes ``%%ringmaster`` known.
"""

from ._api import Run, doctor, launch, runs, version
from ._command import RingmasterError, executable
from ._records import (
    DoctorFinding,
    Exit,
    LogLine,
    Message,
    Moment,
    RunInfo,
    RunSummary,
    Verdict,
    WorkerInfo,
)

__all__ = [
    "DoctorFinding",
    "Exit",
    "LogLine",
    "Message",
    "Moment",
    "RingmasterError",
    "Run",
    "RunInfo",
    "RunSummary",
    "Verdict",
    "WorkerInfo",
    "doctor",
    "executable",
    "launch",
    "load_ipython_extension",
    "runs",
    "version",
]


def load_ipython_extension(shell: object) -> None:
    """What ``%load_ext ringmaster`` calls."""
    from ._magic import register

    register(shell)

"""The command that the wheel brings: where it is, and how it is started."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Mapping, NoReturn, Sequence

# The format of --json that this package reads.
FORMAT = 1


class RingmasterError(Exception):
    """The command refused or failed; what it said is the text."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code


def executable() -> Path:
    """The command itself. Never the one of PATH, which may be another version's."""
    return Path(__file__).parent / "_tree" / "bin" / "ringmaster"


def command_environment(added: Mapping[str, str] | None = None) -> dict[str, str]:
    """Says which interpreter the wheel is installed for: jobs run with it where it has torch."""
    return {**os.environ, "RINGMASTER_INSTALLED_IN": sys.executable, **(added or {})}


def main() -> NoReturn:
    """The console entry: becomes the command, so that signals and the terminal are the command's own."""
    path = executable()
    os.execve(path, [str(path), *sys.argv[1:]], command_environment())


def run_command(
    arguments: Sequence[str],
    *,
    environment: Mapping[str, str] | None = None,
    folder: str | os.PathLike[str] | None = None,
    accepted: Sequence[int] = (0,),
) -> str:
    """What the command prints; an exit code that isn't accepted raises what it said."""
    done = subprocess.run(
        [str(executable()), *arguments],
        env=command_environment(environment),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode not in accepted:
        raise error_of(done.stderr, done.returncode)
    return done.stdout


def error_of(said: str, exit_code: int) -> RingmasterError:
    return RingmasterError(said.strip() or f"ringmaster ended with {exit_code}", exit_code)


def read_json(text: str) -> Any:
    """What --json printed, refused where a newer command changed what names mean."""
    read = json.loads(text)
    for one in read if isinstance(read, list) else [read]:
        if isinstance(one, dict) and one.get("format", FORMAT) != FORMAT:
            raise RingmasterError(f"the command writes JSON of format {one['format']}, this is for {FORMAT}", 0)
    return read

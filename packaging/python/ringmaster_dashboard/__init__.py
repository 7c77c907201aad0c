"""Ringmaster's dashboard with the Qt that it was made with. The command is the wheel ringmaster-launcher's."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

from ringmaster import executable


def main() -> NoReturn:
    """The console entry: becomes the dashboard, which finds the other wheel's command first on PATH."""
    path = Path(__file__).parent / "_tree" / "bin" / "ringmaster-gui"
    search = os.pathsep.join([str(executable().parent), os.environ.get("PATH", os.defpath)])
    environment = {**os.environ, "PATH": search, "RINGMASTER_INSTALLED_IN": sys.executable}
    os.execve(path, [str(path), *sys.argv[1:]], environment)

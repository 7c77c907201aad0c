"""Tells what the program has imported, when it makes its first process group and at its end: some of it is
imported ahead by the next warm starter. The value is the file; it is replaced as a whole.
"""

import atexit
import os
import sys

import _ringmaster_hook

_file = ""
_pid = 0


def start(value):
    # The worker leads its session; the interpreters below it don't.
    if os.getsid(0) != os.getpid():
        return
    global _file, _pid
    _file, _pid = value, os.getpid()
    atexit.register(_tell)
    _ringmaster_hook.around_first_group(after=_tell)


def _tell():
    if os.getpid() != _pid:
        return
    names = [name for name in list(sys.modules) if isinstance(name, str)]
    try:
        with open(_file + ".new", "w", encoding="utf-8", errors="replace") as report:
            report.write("\n".join(names))
        os.replace(_file + ".new", _file)
    except Exception:  # The next starter knows less; nobody else must notice.
        pass

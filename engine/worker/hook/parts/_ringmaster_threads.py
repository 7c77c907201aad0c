"""Tells which threads keep this rank after its main program's end: those that aren't daemons, for which Python
waits. Most are gone in a moment; what is still there after a few seconds is told, with its place.
"""

import os
import sys

import _ringmaster_hook

_PATIENCE_S = 3
_MOST = 8


def start(value):
    # torch brings the pools of concurrent.futures, which Python waits for, too: what is registered after them
    # is called before them.
    _ringmaster_hook.when_imported("torch.distributed.distributed_c10d", _register)


def _register(*_):
    import threading

    # Python tells of the main program's end in no public way before it waits (3.9 to 3.14).
    register = getattr(threading, "_register_atexit", None)
    if register is not None:
        register(_at_end, os.getpid())


def _at_end(pid):
    import threading

    if os.getpid() == pid and _left():
        threading.Thread(target=_guarded, name="ringmaster-end", daemon=True).start()


def _guarded():
    try:
        _tell()
    except Exception:
        _ringmaster_hook.failed("threads")


def _tell():
    import time

    time.sleep(_PATIENCE_S)
    frames = sys._current_frames()
    for thread in _left()[:_MOST]:
        frame = frames.get(thread.ident)
        if frame is None:
            continue
        place = _own(frame)
        _ringmaster_hook.report("threads", "left", name=thread.name[:80], function=place.f_code.co_name[:200],
                                file=place.f_code.co_filename[:1000], line=place.f_lineno)


def _left():
    import threading

    main = threading.main_thread()
    return [thread for thread in threading.enumerate()
            if thread is not main and not thread.daemon and thread.is_alive()]


def _own(frame):
    """The innermost place outside the standard library and what is installed; the innermost, if there is none."""
    library = os.path.dirname(os.__file__)
    place = frame
    while place is not None and place.f_code.co_filename.startswith(library):
        place = place.f_back
    return place or frame

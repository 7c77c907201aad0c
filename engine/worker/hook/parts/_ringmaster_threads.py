"""Tells which threads keep this rank after its main program's end: those that aren't daemons, for which Python
waits. Most are gone in a moment; what is still there after a few seconds is told, with its place. And which
threads have ended with an exception: the rank may wait for what they were to do.
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

    _watch_failures(threading)

    # Python tells of the main program's end in no public way before it waits (3.9 to 3.14).
    register = getattr(threading, "_register_atexit", None)
    if register is not None:
        register(_at_end, os.getpid())


def _watch_failures(threading):
    before = threading.excepthook
    pid, told = os.getpid(), 0

    def excepthook(args):
        nonlocal told
        if os.getpid() == pid and told < _MOST:
            told += 1
            try:
                _tell_failure(args)
            except Exception:
                _ringmaster_hook.failed("threads")
        before(args)

    threading.excepthook = excepthook


def _tell_failure(args):
    trace = args.exc_traceback
    if trace is None or args.exc_type is SystemExit:
        return
    own = trace
    while trace is not None:
        if not trace.tb_frame.f_code.co_filename.startswith(_library()):
            own = trace
        trace = trace.tb_next
    code = own.tb_frame.f_code
    _ringmaster_hook.report("threads", "raised", name=args.thread.name[:80] if args.thread else "",
                            type=args.exc_type.__name__[:80], text=_text(args.exc_value),
                            function=code.co_name[:200], file=code.co_filename[:1000], line=own.tb_lineno)


def _text(error):
    """Its first line."""
    return ((str(error) or repr(error)).splitlines() or [""])[0][:300]


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
    place = frame
    while place is not None and place.f_code.co_filename.startswith(_library()):
        place = place.f_back
    return place or frame


def _library():
    return os.path.dirname(os.__file__)

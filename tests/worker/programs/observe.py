"""Prints whatever a program can see of the process that it runs in, one fact a line."""

import ctypes
import faulthandler
import gc
import inspect
import json
import multiprocessing
import multiprocessing.process
import os
import resource
import signal
import site
import sys
import threading
import time
import traceback
import warnings

if "SEES_TORCH" in os.environ:
    import numpy.random
    import torch
    import torch._dynamo
    import torch.distributed


def say(name, fact):
    print(f"{name}: {json.dumps(fact, default=repr, sort_keys=True)}")


def status_fields(*names):
    with open("/proc/self/status") as file:
        return [line.strip() for line in file if line.startswith(names)]


def read_list(name):
    with open("/proc/self/" + name, "rb") as file:
        return [text.decode() for text in file.read().split(b"\0")]


def stream(file):
    buffer = file.buffer
    return [file.name, file.mode, file.encoding, file.errors, file.line_buffering, file.write_through, file.newlines,
            file.isatty(), file.fileno(), type(buffer).__name__, buffer.name, buffer.mode, buffer.closed]


def descriptors():
    found = {}
    for number in os.listdir("/proc/self/fd"):
        try:
            found[number] = [os.readlink("/proc/self/fd/" + number).partition(":")[0], os.get_inheritable(int(number))]
        except OSError:
            pass
    return found


def deadly_signal():
    number = ctypes.c_int()
    ctypes.CDLL(None).prctl(2, ctypes.byref(number))
    return number.value


def is_subreaper():
    number = ctypes.c_int()
    ctypes.CDLL(None).prctl(37, ctypes.byref(number))
    return number.value


main = sys.modules["__main__"]
say("argv", sys.argv)
say("original argv", sys.orig_argv)
say("path", sys.path)
say("flags", str(sys.flags))
say("options", [sys.warnoptions, sys._xoptions])
say("executable", [sys.executable, sys.prefix, sys.base_prefix, sys.exec_prefix, sys.flags.safe_path])
say("main", {name: repr(value).partition(" object at ")[0] for name, value in vars(main).items()
             if name.startswith("__") and name != "__builtins__"})
say("main is this", main.__dict__ is globals())
say("spec", [main.__spec__ and main.__spec__.name, main.__package__, type(main.__loader__).__name__])
say("frames", [frame.function for frame in inspect.stack()])
say("frames below", [frame.f_code.co_name for frame, _ in traceback.walk_stack(sys._getframe())])
say("folder", os.getcwd())
say("environment", dict(os.environ))
say("environment in /proc", sorted(read_list("environ")))
say("command line", read_list("cmdline"))
say("name", open("/proc/self/comm").read())
say("session", [os.getsid(0) == os.getpid(), os.getpgrp() == os.getpid()])
say("masks", status_fields("SigBlk", "SigIgn", "SigCgt", "ShdPnd", "Threads", "Umask", "NoNewPrivs", "Seccomp:"))
say("handlers", {number: repr(signal.getsignal(number)) for number in signal.valid_signals()
                 if number not in (signal.SIGKILL, signal.SIGSTOP)})
say("blocked", sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])))
say("deadly signal", [deadly_signal(), is_subreaper()])
say("descriptors", descriptors())
say("limits", {name: resource.getrlimit(getattr(resource, name)) for name in dir(resource) if name.startswith("RLIMIT_")})
say("priority", [os.getpriority(os.PRIO_PROCESS, 0), sorted(os.sched_getaffinity(0)), os.sched_getscheduler(0)])
say("identity", [os.getuid(), os.getgid(), os.getgroups()])
for name in ("stdin", "stdout", "stderr"):
    say(name, stream(getattr(sys, name)))
    say(name + " is the first", getattr(sys, name) is getattr(sys, f"__{name}__"))
say("threads", [threading.active_count(), threading.current_thread().name, threading.main_thread().ident == threading.get_ident(),
                threading.main_thread().native_id == os.getpid(), len(os.listdir("/proc/self/task"))])
say("processes", [multiprocessing.current_process().name, multiprocessing.parent_process(), multiprocessing.get_start_method(),
                  multiprocessing.process.ORIGINAL_DIR, multiprocessing.active_children()])
say("interpreter", [gc.isenabled(), gc.get_threshold(), sys.getrecursionlimit(), sys.getswitchinterval(), sys.getfilesystemencoding(),
                    sys.dont_write_bytecode, sys.gettrace(), sys.getprofile(), faulthandler.is_enabled(), sys.excepthook is sys.__excepthook__])
say("importers", [[getattr(finder, "__name__", type(finder).__name__) for finder in sys.meta_path], len(sys.path_hooks)])
say("site", [site.ENABLE_USER_SITE, site.USER_SITE, site.PREFIXES, "sitecustomize" in sys.modules, "usercustomize" in sys.modules])
say("ours", [name for name in sys.modules if "ringmaster" in name.lower()])
say("warnings", [str(one[:3]) for one in warnings.filters if one[2] in (DeprecationWarning, BytesWarning, ResourceWarning)])
say("time", [time.process_time() < 60, time.tzname])
say("input", sys.stdin.read())

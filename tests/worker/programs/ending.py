"""Ends in the way that its argument names."""

import atexit
import ctypes
import faulthandler
import os
import resource
import signal
import subprocess
import sys
import threading
import time
import traceback

way = sys.argv[1]
atexit.register(print, "at exit: first registered")
atexit.register(lambda: print("at exit: last registered"))


class Remains:
    def __del__(self):
        os.write(1, b"deleted\n")


remains = Remains()
print("without a newline", end="")
os.write(1, b" | written\n")
print("to stderr", file=sys.stderr, end="")
os.write(2, b" | written\n")


def deeper():
    raise ValueError("told\nin two lines")


if way == "end":
    pass
elif way == "exit 3":
    sys.exit(3)
elif way == "exit text":
    sys.exit("a text")
elif way == "exit none":
    sys.exit()
elif way == "raise":
    deeper()
elif way == "raise from":
    try:
        deeper()
    except ValueError as error:
        raise RuntimeError("caused") from error
elif way == "interrupt":
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(60)
elif way == "terminate":
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(60)
elif way == "_exit":
    os._exit(4)
elif way == "abort":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.abort()
elif way == "crash":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    ctypes.string_at(0)
elif way == "crash told":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    faulthandler.enable()
    faulthandler._sigsegv()
elif way == "thread":
    threading.Thread(target=lambda: (time.sleep(0.05), print("thread"))).start()
elif way == "thread raises":
    thread = threading.Thread(target=deeper, name="one")
    thread.start()
    thread.join()
elif way == "stack":
    traceback.print_stack()
    faulthandler.dump_traceback(all_threads=False)
elif way == "hook":
    sys.excepthook = lambda kind, error, trace: print("hook", kind, error, len(traceback.extract_tb(trace)))
    deeper()
elif way == "exec":
    os.execv(sys.executable, [sys.executable, "-c", "import sys; print(sys.argv); sys.exit(6)", "argument"])
elif way == "exec in child":
    print(subprocess.run([sys.executable, "-c", "import sys, os; print(sys.argv, sorted(os.environ)); sys.exit(6)"]).returncode)
elif way == "fork":
    child = os.fork()
    print("child" if child == 0 else os.waitpid(child, 0)[1])
elif way == "daemonise":
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 256)
            time.sleep(1000)
        os._exit(0)
elif way == "close everything":
    os.closerange(0, 256)
elif way == "change user":
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
    print(os.getresuid(), os.getresgid())
elif way == "use too much memory":
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    bytearray(64 << 30)
elif way == "warn":
    import warnings
    warnings.warn("careful")
elif way == "read the terminal":
    print(input("asked: "))

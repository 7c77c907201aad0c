"""Ends as it is told: with an exit code, by a signal that it sends itself, or once it is ended (`wait`, and `stay`,
which only says what it was sent)."""

import os
import resource
import signal
import sys
import time

how = sys.argv[1]
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def told(number, frame):
    os.write(1, f"told {signal.Signals(number).name}\n".encode())


if how.isdigit():
    sys.exit(int(how))
if how.startswith("SIG"):
    number = getattr(signal, how)
    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
if how == "stay":
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, told)
os.write(1, f"ready {os.getpid()}\n".encode())
while True:
    time.sleep(0.1)  # A signal that comes right before it is handled after it.

"""Says which signal comes; ignores it when told to."""

import os
import signal
import sys
import time

ignore = "ignore" in sys.argv


def seen(number, frame):
    os.write(1, f"rank {os.environ['RANK']} saw {signal.Signals(number).name}\n".encode())
    if not ignore:
        os._exit(0)


for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1):
    signal.signal(each, seen)
os.write(1, f"rank {os.environ['RANK']} ready {os.getpid()}\n".encode())
while True:
    time.sleep(0.1)  # A signal that comes right before it is handled after it.

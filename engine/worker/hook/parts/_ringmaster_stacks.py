"""Lets the agent ask where this rank stands, while it runs or waits: torch's own worker server.

The value is the path of the socket that the server is to listen on. It is a thread of torch's own, outside
Python, which writes the stacks of all threads; started with the first process group, it costs nothing until
it is asked. An outside reader (py-spy), as a child of the agent, may look into this process, too.
"""

import atexit
import os
import re
import time

import _ringmaster_hook

_path = ""


def start(value):
    global _path
    _path = value
    # A rank leads its session. It may stand for ever before its first group.
    if os.getsid(0) == os.getpid():
        _ringmaster_hook.when_imported("torch.distributed.distributed_c10d", _allow_reader)
    _ringmaster_hook.around_first_group(before=_open)


def _open():
    for step in (_allow_reader, _serve):
        try:
            step()
        except Exception:
            pass  # the agent has other ways to see where a rank stands


def _allow_reader(*_):
    """Where Yama lets only ancestors read a process: the agent and what it starts, too."""
    import ctypes

    PR_SET_PTRACER = 0x59616D61
    agent = re.match("/proc/([0-9]+)/", _path)
    if agent:
        ctypes.CDLL(None).prctl(PR_SET_PTRACER, ctypes.c_ulong(int(agent.group(1))), 0, 0, 0)


def _serve():
    import ctypes

    import torch
    from torch._C._distributed_c10d import _WorkerServer

    # The server tells standard error that it listens; the program is to look as it would without it.
    folder = os.path.join(os.path.dirname(torch.__file__), "lib")
    level = ctypes.c_int.in_dll(ctypes.CDLL(os.path.join(folder, "libc10.so")), "FLAGS_caffe2_log_level")
    before = level.value
    level.value = max(before, 2)
    try:
        server = _WorkerServer(_path, -1)
    finally:
        level.value = before
    # Never destroyed, which it would tell, too.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(server))
    atexit.register(_close, os.getpid())


def _close(pid):
    """Nobody may be served while Python ends: the server's thread, which takes the interpreter's lock then, is
    ended within C++, and that aborts the process. Its own shutdown() would wait for that thread with the lock held."""
    if os.getpid() != pid:
        return  # a fork's end isn't the rank's
    for step in (_accept_nobody, _wait_for_the_served):
        try:
            step()
        except Exception:
            pass  # the program may have put something else in the place of a socket


def _wait_for_the_served():
    os.unlink(_path)
    patience = time.monotonic() + 2
    while _sockets(listening=False) and time.monotonic() < patience:
        time.sleep(0.001)


def _accept_nobody():
    """The server gets a socket that nobody knows in place of its own. Who has looked the path up already may still
    connect, to the accept() that is under way: that is ours, and then the old socket is gone."""
    import socket

    with socket.socket(socket.AF_UNIX) as unknown:
        # Whatever socket.setdefaulttimeout() says: the server would try without a pause.
        unknown.settimeout(None)
        unknown.bind(_path + ".end")
        os.unlink(_path + ".end")
        unknown.listen()
        for inode in _sockets(listening=True):
            for number in os.listdir("/proc/self/fd"):
                try:
                    if os.readlink("/proc/self/fd/" + number) == f"socket:[{inode}]":
                        os.dup2(unknown.fileno(), int(number), inheritable=False)
                except OSError:
                    pass  # closed meanwhile
    with socket.socket(socket.AF_UNIX) as last:
        last.settimeout(2)
        last.connect(_path)
        last.sendall(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n", socket.MSG_NOSIGNAL)
        while last.recv(4096):
            pass


def _sockets(listening):
    """The inodes of those that listen at the path, or of those who are connected there; a socket that listens has
    the flag 00010000."""
    found = []
    with open("/proc/net/unix", "rb") as sockets:
        for line in sockets:
            fields = line.split(None, 7)
            is_there = len(fields) == 8 and fields[7].rstrip() == _path.encode()
            if is_there and (fields[3] == b"00010000") == listening:
                found.append(int(fields[6]))
    return found

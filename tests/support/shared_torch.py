"""One interpreter that has imported torch, for many programs.

shared_torch.py serve SOCKET forks for whoever asks, until its standard input ends. shared_torch.py ask SOCKET
ARGUMENTS… stands for `python ARGUMENTS…`: a fork runs them with the asker's files, folder and environment. The asker
passes signals on and ends as the fork does; the fork doesn't outlive it.
"""
import json
import os
import signal
import socket
import sys

PASSED_ON = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)


def ask(path, arguments):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    text = json.dumps([arguments, os.getcwd(), dict(os.environ)]).encode()
    # From the request on there is a fork, which is to get the signals.
    signal.pthread_sigmask(signal.SIG_BLOCK, PASSED_ON)
    socket.send_fds(connection, [len(text).to_bytes(4, "big")], [0, 1, 2])
    connection.sendall(text)
    for number in PASSED_ON:
        signal.signal(number, lambda number, frame: connection.send(bytes([number])))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, PASSED_ON)
    code = int(connection.recv(16) or b"70")
    if code < 0:
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


def serve(path):
    """Returns in each fork: whether it is to run a module."""
    import gc
    import select

    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(64)
    print("listening", flush=True)
    import torch.distributed.run

    gc.collect()
    gc.freeze()  # What the forks share stays shared.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        ready, _, _ = select.select([listener, sys.stdin], [], [])
        if sys.stdin in ready:
            os._exit(0)
        connection, _ = listener.accept()
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            listener.close()
            return look_after(connection)
        connection.close()


def look_after(connection):
    """Returns in the process that is to run the program, as serve() does; the other one ends with it."""
    import select

    size, files, _, _ = socket.recv_fds(connection, 4, 3)
    request = json.loads(connection.recv(int.from_bytes(size, "big"), socket.MSG_WAITALL))
    worker = os.fork()
    if worker == 0:
        connection.close()
        return become(*request, files)
    process = os.pidfd_open(worker)
    while process not in select.select([process, connection], [], [])[0]:
        passed_on = connection.recv(1)
        signal.pidfd_send_signal(process, passed_on[0] if passed_on else signal.SIGKILL)
        if not passed_on:
            break
    try:
        connection.send(b"%d" % os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1]))
    except BrokenPipeError:
        pass
    os._exit(0)


def become(arguments, folder, environment, files):
    """What `python ARGUMENTS…` has before it runs its program; whether that is a module."""
    os.setsid()
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    if arguments[0] == "-u":
        del arguments[0]
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(write_through=True)
    is_module = arguments[0] == "-m"
    sys.argv = arguments[is_module:]
    sys.path[0] = folder if is_module else os.path.dirname(os.path.abspath(sys.argv[0]))
    own = [entry for entry in environment.get("PYTHONPATH", "").split(":") if entry]
    if own:
        sys.path[1:1] = own
        sys.modules.pop("sitecustomize", None)
        # As site does: not every Python has one.
        try:
            import sitecustomize  # noqa: F401
        except ModuleNotFoundError as error:
            if error.name != "sitecustomize":
                raise
    return is_module


if sys.argv[1] == "ask":
    ask(sys.argv[2], sys.argv[3:])
is_module = serve(sys.argv[2])

import runpy  # noqa: E402

if is_module:
    sys.modules.pop(sys.argv[0], None)
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
else:
    runpy.run_path(sys.argv[0], run_name="__main__")

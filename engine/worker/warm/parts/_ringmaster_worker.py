"""What makes a process that was forked from the warm starter what the interpreter's own start would have.

A cold worker is `python -u FILE …` or `python -u -m NAME …`. The starter is `python -u -m` too, and a fork
of it goes on where the starter stopped, in the import of sitecustomize: the interpreter itself then runs
the program, with not one frame of ours beneath it. Only what it would take from its own command line is
put in place here.
"""

import ctypes
import functools
import io
import os
import runpy
import signal
import stat
import struct
import sys
import threading
import types

import _ringmaster_preload as preload

_calls = {}


def learn_calls():
    """In the starter: what costs time once."""
    library = ctypes.PyDLL(None)
    run_file = library.PyRun_SimpleFileExFlags
    run_file.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p]
    run_file.restype = ctypes.c_int
    run_file.errcheck = _exit_code_of
    call = library.PyObject_CallObject
    call.argtypes = [ctypes.py_object, ctypes.py_object]
    call.restype = ctypes.py_object
    open_file = ctypes.CDLL(None).fopen
    open_file.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
    open_file.restype = ctypes.c_void_p
    _calls.update(run_file=run_file, call=call, open_file=open_file)


def check_program(program):
    """Whether it would run as it does cold: what stands beside it must not hide what is imported already."""
    folder = program["folder"]
    if program["kind"] == "script":
        path = os.path.join(folder, program["name"])
        try:
            is_file = stat.S_ISREG(os.stat(path).st_mode)
            with open(path, "rb") as file:
                is_archive = file.read(2) == b"PK"
        except OSError:
            is_file = is_archive = False
        if not is_file or is_archive or path.endswith(".pyc"):
            raise preload.Refusal("ColdProgramUnusual", path=program["name"])
        folder = os.path.dirname(os.path.realpath(path))
    try:
        beside = os.listdir(folder)
    except OSError:
        return
    for entry in beside:
        name = entry.partition(".")[0]
        module = sys.modules.get(name)
        is_module = entry.endswith((".py", ".so", ".pyc")) or os.path.isdir(os.path.join(folder, entry))
        if module is None or not is_module or name in sys.builtin_module_names or _is_frozen(module):
            continue
        if not os.path.isdir(os.path.join(folder, entry)) or _is_package(os.path.join(folder, entry)):
            raise preload.Refusal("ColdShadowed", path=os.path.join(folder, entry), module=name)


def _is_frozen(module):
    return getattr(getattr(module, "__spec__", None), "origin", None) == "frozen"


def _is_package(folder):
    return os.path.exists(os.path.join(folder, "__init__.py"))


def become(starter):
    launch = Launch(starter.launch)
    _set_environment(launch.environment, starter.inherited)
    if launch.ignores_hangup:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    _renew_streams()
    _forget_the_starter()
    if starter.output:
        os.write(2, starter.output)
    sys.orig_argv[:] = launch.arguments
    program = Program(starter.library, launch.arguments)
    sys.argv[:] = program.argv
    runpy.__class__ = type("module", (types.ModuleType,), {"_run_module_as_main": property(program.enter)})
    _start_hook()


class Launch:
    """Reads a frame of the keeper's protocol (KeeperProtocol.h)."""

    HEADER = 8

    def __init__(self, frame):
        self._frame, self._at = frame, self.HEADER
        self.local_rank = self._take("=i")
        self.ignores_hangup = self._take("=B") != 0
        self.arguments = [os.fsdecode(text) for text in self._texts()]
        self.environment = {}
        for text in self._texts():
            name, _, value = text.partition(b"=")
            self.environment.setdefault(name, value)  # Of two the interpreter takes the first.

    def _take(self, form):
        (value,) = struct.unpack_from(form, self._frame, self._at)
        self._at += struct.calcsize(form)
        return value

    def _texts(self):
        found = []
        for _ in range(self._take("=I")):
            size = self._take("=I")
            found.append(self._frame[self._at:self._at + size])
            self._at += size
        return found


class Program:
    """`python -u FILE …` or `python -u -m NAME …`, entered by the interpreter as its own `-m`."""

    def __init__(self, library, arguments):
        self._library = library
        self._is_module = arguments[2] == "-m"
        self.argv = arguments[2:3] + arguments[4:] if self._is_module else arguments[2:]
        self._name = arguments[3] if self._is_module else arguments[2]

    def enter(self, module):
        """What the interpreter finds in the place of runpy's function; it calls it with two arguments,
        which ctypes lets pass."""
        module.__class__ = types.ModuleType
        if self._is_module:
            enter = functools.partial(_calls["call"], module._run_module_as_main, (self._name, True))
        else:
            enter = self._of_script()
        self._library.ringmaster_worker_runs()
        return enter

    def _of_script(self):
        # The interpreter has put the working folder there, as it does for a module.
        if not getattr(sys.flags, "safe_path", False):
            sys.path[0] = os.path.dirname(os.path.realpath(self._name))
        # The interpreter makes it absolute, and nothing else.
        name = os.fsencode(os.path.join(os.getcwd(), self._name))
        file = _calls["open_file"](name, b"rbe")
        if not file:
            # Gone since it was looked at: the interpreter has its own words for that.
            os.execvp(sys.orig_argv[0], sys.orig_argv)
        return functools.partial(_calls["run_file"], file, name, 1, None)


def _exit_code_of(result, function, arguments):
    if result != 0:
        raise SystemExit(1)  # What was wrong has been printed.
    return result


def _set_environment(wanted, inherited):
    """What the imports have changed in theirs is changed in the worker's, unless the job says otherwise."""
    now = dict(os.environb)
    os.environb.clear()
    os.environb.update(wanted)
    for name in now.keys() | inherited.keys():
        if now.get(name) == inherited.get(name) or wanted.get(name) != inherited.get(name):
            continue
        if name in now:
            os.environb[name] = now[name]
        else:
            os.environb.pop(name, None)


def _renew_streams():
    """As the interpreter opens them with -u."""
    old = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = sys.__stdin__ = _stream(0, "r", "<stdin>", old[0])
    sys.stdout = sys.__stdout__ = _stream(1, "w", "<stdout>", old[1])
    sys.stderr = sys.__stderr__ = _stream(2, "w", "<stderr>", old[2])


def _stream(descriptor, mode, name, old):
    is_output = mode == "w"
    raw = buffer = open(descriptor, mode + "b", buffering=0 if is_output else -1, closefd=False)
    if not is_output:
        raw = buffer.raw
    raw.name = name
    stream = io.TextIOWrapper(buffer, encoding=old.encoding, errors=old.errors, newline="\n",
                              write_through=True)
    stream.mode = mode
    return stream


def _forget_the_starter():
    import importlib

    importlib.invalidate_caches()
    threading.main_thread()._set_native_id()
    process = sys.modules.get("multiprocessing.process")
    if process is not None:
        process.ORIGINAL_DIR = os.getcwd()
        process._current_process._config["authkey"] = process.AuthenticationString(os.urandom(32))
    # Python's own generator does so in every fork.
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None:
        numpy_random.seed()
    # What the program leaves in a module that the collector takes for frozen would never be collected.
    main = types.ModuleType("__main__")
    vars(main).update(vars(sys.modules["__main__"]), __annotations__={})
    sys.modules["__main__"] = main


def _start_hook():
    """The parts of the start-up hook, which cold workers start here, too."""
    folder = os.environ.get("PYTHONPATH", "").partition(os.pathsep)[0]
    text = os.environ.get("RINGMASTER_HOOK", "")
    parts = os.path.join(os.path.dirname(folder), "parts")
    path = os.path.join(parts, "_ringmaster_hook.py")
    if not text or not os.path.exists(path):
        return
    try:
        from importlib.util import module_from_spec, spec_from_file_location

        spec = spec_from_file_location("_ringmaster_hook", path)
        hook = module_from_spec(spec)
        sys.modules["_ringmaster_hook"] = hook
        spec.loader.exec_module(hook)
        hook.start(parts, text)
    except Exception:  # Whatever is wrong with the hook, the program runs.
        sys.modules.pop("_ringmaster_hook", None)

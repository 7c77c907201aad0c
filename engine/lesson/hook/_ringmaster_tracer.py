"""Shows a lesson's program to the run's step gate, line by line, and waits there.

The value is two lines: the gate's socket, and the folder whose files are the lesson. Messages go both
ways as four bytes of length and JSON. Nothing here changes what the program computes: it looks, tells and
waits. Whoever isn't the rank itself (data loaders, children of the program) is turned away by the gate, and
without a gate the program runs on by itself.

On Python 3.12 and later sys.settrace is made of sys.monitoring, so one way serves all.
"""

import json
import os
import socket
import struct
import sys
import threading
import time

_LONGEST_MESSAGE = 1 << 20
_INSTALLED = ("site-packages", "dist-packages", "__pycache__")
_CLASS_BODY = 1  # CO_OPTIMIZED: functions have it, the bodies of classes don't

_folder = ""
_names = {}  # co_filename -> path relative to the lesson's folder, or None for others' files
_frames = []  # the lesson's own frames, outermost first
_socket = None
_is_free = False
_credit = 0
_welcomed = False
_lock = threading.Lock()
_raised = None  # the exception that is on its way
_values = None  # the sibling modules
_calls = None
_guard = None


def start(value):
    global _folder, _socket
    path, _, folder = value.partition("\n")
    _folder = os.path.realpath(folder)
    _socket = _connection_to(path)
    tell("hello", pid=os.getpid(), rank=int(os.environ.get("RANK", "-1")))
    _load_siblings()
    os.register_at_fork(after_in_child=stop)
    _watch_exceptions()
    sys.settrace(_trace)


def _connection_to(path):
    """A socket's name is 107 bytes at most, so the folder is gone through."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    folder = os.open(os.path.dirname(path), os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        connection.connect("/proc/self/fd/{}/{}".format(folder, os.path.basename(path)))
    finally:
        os.close(folder)
    return connection


def stop():
    """The program goes on untraced."""
    global _socket
    sys.settrace(None)
    if _socket is not None:
        _socket.close()
        _socket = None


def is_on():
    return _socket is not None


def _is_welcome():
    """The gate's first word, waited for at the program's first line: before that, a warm worker isn't known
    to have started. No word comes to whoever isn't a rank."""
    global _welcomed
    if not _welcomed:
        answer = _receive()
        if answer is None:
            stop()
            return False
        _welcomed = True
        _obey(answer)
    return True


def _load_siblings():
    global _values, _calls, _guard
    from importlib.util import module_from_spec, spec_from_file_location

    here = os.path.dirname(os.path.abspath(__file__))
    made = []
    for name in ("_ringmaster_values", "_ringmaster_guard", "_ringmaster_calls"):
        spec = spec_from_file_location(name, os.path.join(here, name + ".py"))
        module = module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        made.append(module)
    _values, _guard, _calls = made
    _guard.start(sys.modules[__name__])
    _calls.start(sys.modules[__name__], _values, _guard)


# ---- What is told ----------------------------------------------------------------------------------------


def tell(kind, descriptor=None, **facts):
    """One message to the gate, with an open file that it may read. A gate that is gone ends the tracing, never
    the program."""
    if _socket is None:
        return
    facts["kind"] = kind
    facts.setdefault("at", time.monotonic_ns())
    text = json.dumps(facts, separators=(",", ":")).encode("utf-8", "surrogatepass")
    if len(text) > _LONGEST_MESSAGE:
        facts.pop("values", None)
        text = json.dumps(facts, separators=(",", ":")).encode("utf-8", "surrogatepass")
    try:
        with _lock:
            message, sent = struct.pack("<I", len(text)) + text, 0
            if descriptor is not None:
                rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("i", descriptor))
                sent = _socket.sendmsg([message], [rights])
            _socket.sendall(message[sent:])
    except (OSError, AttributeError):
        stop()


def place():
    """Where the lesson's program is now."""
    if not _frames:
        return {}
    frame = _frames[-1]
    return {"file": _names[frame.f_code.co_filename], "line": frame.f_lineno,
            "function": frame.f_code.co_name, "depth": len(_frames) - 1}


def innermost():
    return _frames[-1] if _frames else None


# ---- The gate --------------------------------------------------------------------------------------------


def _is_gate_closed():
    if _is_free or _credit > 0:
        _take_waiting()
    return not _is_free and _credit == 0


def _wait(is_held):
    """Returns when the gate lets this line run."""
    global _credit
    if is_held:
        tell("held")
    while is_on() and not _is_free and _credit == 0:
        answer = _receive()
        if answer is None:
            return stop()
        _obey(answer)
    if not _is_free:
        _credit -= 1


def _obey(answer):
    global _is_free, _credit
    if "free" in answer:
        _is_free = bool(answer["free"])
        _credit = 0
    _credit += int(answer.get("go", 0))
    if "fault" in answer:
        _calls.arm(answer["fault"], int(answer.get("milliseconds", 0)))


def _take_waiting():
    """What the gate has said meanwhile, without waiting."""
    while is_on():
        try:
            if not _socket.recv(1, socket.MSG_DONTWAIT | socket.MSG_PEEK):
                return stop()
        except BlockingIOError:
            return
        answer = _receive()
        if answer is None:
            return stop()
        _obey(answer)


def _receive():
    head = _receive_exactly(4)
    if head is None:
        return None
    length = struct.unpack("<I", head)[0]
    if length > _LONGEST_MESSAGE:
        return None
    text = _receive_exactly(length)
    return None if text is None else json.loads(text)


def _receive_exactly(count):
    received = b""
    while len(received) < count:
        try:
            part = _socket.recv(count - len(received))
        except OSError:
            return None
        if not part:
            return None
        received += part
    return received


# ---- Tracing ---------------------------------------------------------------------------------------------


def _name_of(path):
    if path not in _names:
        _names[path] = _name_in_folder(path)
    return _names[path]


def _name_in_folder(path):
    """Of a file of the lesson's, however deep; not of what is installed in the folder, as by venv."""
    # What is frozen into the interpreter, or made by exec(), lies in no folder.
    if path.startswith("<"):
        return None
    whole = os.path.realpath(path)
    if not _is_inside(whole, _folder):
        return None
    name = os.path.relpath(whole, _folder)
    parts = name.split(os.sep)[:-1]
    folders = [os.path.join(_folder, *parts[:depth + 1]) for depth in range(len(parts))]
    is_installed = any(part.startswith(".") or part in _INSTALLED for part in parts)
    is_environment = any(os.path.exists(os.path.join(folder, "pyvenv.cfg")) for folder in folders)
    return None if is_installed or is_environment or _is_interpreters(whole) else name


def _is_interpreters(whole):
    """The interpreter itself may have been installed beneath the lesson's folder."""
    prefixes = {os.path.realpath(prefix) for prefix in (sys.prefix, sys.base_prefix)}
    return any(_is_inside(prefix, _folder) and _is_inside(whole, prefix) for prefix in prefixes if prefix != _folder)


def _is_inside(path, folder):
    return os.path.commonpath((path, folder)) == folder


def _trace(frame, event, argument):
    code = frame.f_code
    if _name_of(code.co_filename) is None or event != "call":
        return None
    is_module = code.co_name == "<module>"
    # Comprehensions and lambdas are part of their line; the body of a class is no step either.
    if not is_module and (code.co_name.startswith("<") or not code.co_flags & _CLASS_BODY):
        return None
    _frames.append(frame)
    return _trace_own


def _trace_own(frame, event, argument):
    global _raised
    if event == "line":
        _raised = None
        _reached(frame)
    elif event == "exception":
        _raised = argument
    elif event == "return":
        _left(frame)
    return _trace_own


def _reached(frame):
    # Generators come and go: what is beneath this frame is what is on the stack.
    while _frames and _frames[-1] is not frame:
        _values.forget(_frames.pop())
    if not _frames:
        _frames.append(frame)
    if not is_on() or not _is_welcome():
        return
    _guard.check()
    _calls.tell_completed()
    values, is_held = _look(frame), _is_gate_closed()
    tell("line", values=values, held=is_held, **place())
    _guard.here(frame.f_lineno)
    _wait(is_held)


def _ends_well():
    """An exception that leaves the program is told by the excepthook, but for sys.exit()."""
    if _raised is None:
        return True
    kind, error, _ = _raised
    if not issubclass(kind, SystemExit):
        return False
    if error.code not in (None, 0):
        tell("error", text="SystemExit: {}".format(error.code)[:2000], **place())
        return False
    return True


def _look(frame):
    with _guard.looking():
        return _values.changes(frame)


def _left(frame):
    if frame not in _frames:
        return
    while _frames[-1] is not frame:
        _values.forget(_frames.pop())
    is_program = len(_frames) == 1 and frame.f_globals.get("__name__") == "__main__"
    if is_program and _ends_well():
        _guard.check()
        _calls.tell_completed()
        tell("finish", values=_look(frame), **place())
    _values.forget(_frames.pop())


def _watch_exceptions():
    """An exception that nobody caught, and a program that isn't Python, come by here."""
    show = sys.excepthook

    def excepthook(kind, error, traceback):
        if is_on():
            file, line = _origin(kind, error, traceback)
            tell("error", file=file, line=line, text="{}: {}".format(kind.__name__, error)[:2000])
        show(kind, error, _without_own(traceback))

    sys.excepthook = excepthook


def _without_own(traceback):
    """The way of the exception as it would be without a tracer."""
    here = os.path.dirname(os.path.abspath(__file__))
    if traceback is None:
        return None
    rest = _without_own(traceback.tb_next)
    if os.path.dirname(traceback.tb_frame.f_code.co_filename) == here:
        return rest
    traceback.tb_next = rest
    return traceback


def _origin(kind, error, traceback):
    """The lesson's own line where it happened."""
    found = ("", 0)
    while traceback is not None:
        name = _name_of(traceback.tb_frame.f_code.co_filename)
        if name is not None:
            found = (name, traceback.tb_lineno)
        traceback = traceback.tb_next
    if issubclass(kind, SyntaxError) and error.filename and _name_of(error.filename) is not None:
        found = (_name_of(error.filename), error.lineno or 0)
    return found

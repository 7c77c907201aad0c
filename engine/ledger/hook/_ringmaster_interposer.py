"""Records torch's process group operators from Python, where there is no compiled interposer for this torch.

The same place in the dispatcher and the same table of operators; it costs ten times as much, and doesn't
see when an operation starts. What has no future (gloo's send, recv and reduce_scatter) ends when the wait for
it does.
"""

import atexit
import ctypes
import functools
import os
import sys
import threading
import time
import weakref

import torch
import torch.distributed

# As DataType numbers them, in engine/ledger/CallKinds.h.
_TYPES = ("", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "bool",
          "complex64", "complex128", "float8", "other")
_DONE, _FAILED, _UNKNOWN, _BY_RETURN = 0, 1, 2, 3
_GETS_WORK, _WAITS, _GOES_ON, _GOES_ON_FAILED, _FORGOES = 0, 1, 2, 3, 4  # what a caller does
_TELL_OF_WAITING = 1, 2  # backends, gloo and ring: a wait there is for the operation, not for a GPU's stream
_USER, _INSTALLED = 0, 1
_MOST = 4096  # places and functions that are remembered
_library = None
_kernels = None
_backends = {}  # by group and kind of device
_owners = {}  # by the id of a code, which is kept so that none is another
_sites = {}  # by that and the line
_followed = set()  # operations whose futures hold something of ours
_awaited = {}  # by the id of a work that its caller may wait for: its operation, and what tells of its end
_latest = threading.local()  # keeps a thread's latest work, so that its caller gets the same object
_PATIENCE = 2.0  # seconds, at the end


def record(folder, ledger, bell, version):
    """Begins to record; returns the library that does, or None in a rank's child, and why nothing is."""
    global _library, _kernels
    _library = ctypes.CDLL(os.path.join(folder, "ledger.so"))
    _library.ringmasterLedgerOperators.restype = ctypes.c_char_p
    _library.ringmasterLedgerBegin.restype = ctypes.c_uint64
    _library.ringmasterLedgerBegin.argtypes = (
        ctypes.c_uint32, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_uint64, ctypes.c_uint64,
        ctypes.c_int32, ctypes.c_int32, ctypes.c_int, ctypes.c_int, ctypes.c_uint16, ctypes.c_int64)
    _library.ringmasterLedgerSite.restype = ctypes.c_uint16
    _library.ringmasterLedgerEnd.argtypes = (ctypes.c_uint64, ctypes.c_int)
    _library.ringmasterLedgerCaller.argtypes = (ctypes.c_uint64, ctypes.c_int)
    error = ctypes.create_string_buffer(500)
    if _library.ringmasterLedgerOpen(os.fsencode(ledger), os.fsencode(bell), version.encode(), error,
                                     ctypes.c_size_t(len(error))) != 0:
        return None, error.value.decode(errors="replace")
    _kernels = torch.library.Library("c10d", "IMPL")
    for index, line in enumerate(_library.ringmasterLedgerOperators().decode().splitlines()):
        name, *numbers = line.split()
        if hasattr(torch.ops.c10d, name):
            operator = getattr(torch.ops.c10d, name).default
            kernel = _kernel(index, operator, *map(int, numbers), *_places(operator))
            _kernels.impl(name, kernel, "BackendSelect", with_keyset=True)
    _watch_waits()
    atexit.register(_let_go)
    os.register_at_fork(after_in_child=_followed.clear)
    return _library, None


def _places(operator):
    """Where the group, the peer, the tag and whether the caller goes on are among the arguments; -1: nowhere.
    Their names are the same in every torch, their places and number aren't."""
    found = [argument.name for argument in operator._schema.arguments]
    wanted = ("process_group",), ("root_rank", "dst", "src"), ("tag",), ("async_op", "asyncOp")
    return [next((found.index(name) for name in names if name in found), -1) for names in wanted]


def _kernel(index, operator, data, counts_ranks, group, peer, tag, goes_on):
    after = torch._C._dispatch_keyset_full_after(torch._C.DispatchKey.BackendSelect)

    def kernel(keys, *arguments, **named):
        called = time.monotonic_ns()
        operation = backend = 0
        try:
            made = torch.distributed.ProcessGroup.unbox(arguments[group])
            kind, size, elements = _data(arguments[data]) if data >= 0 else (0, 0, 0)
            backend = _backend(made, _device(arguments[0]))
            operation = _library.ringmasterLedgerBegin(
                index, hash(made.group_name) & 0xFFFFFFFFFFFF,
                made.group_name.encode(), kind, size * made.size() if counts_ranks else size, elements,
                arguments[peer] if peer >= 0 else -1,
                arguments[tag] if tag >= 0 else 0, _caller(arguments, named, goes_on),
                backend, _site(sys._getframe(1)), called)
        except Exception:
            pass  # whatever goes wrong here, the operation goes on
        try:
            result = operator.redispatch(keys & after, *arguments, **named)
        except BaseException:
            _library.ringmasterLedgerEnd(operation, _FAILED)
            raise
        _follow(operation, result, backend in _TELL_OF_WAITING)
        return result

    return kernel


def _caller(arguments, named, goes_on):
    """What the caller does meanwhile, as Caller numbers it: 1 waits, 2 goes on, 0 unknown."""
    if goes_on < 0:
        return 0
    value = arguments[goes_on] if goes_on < len(arguments) else named.get("async_op", True)
    return 2 if value else 1


def _device(data):
    """Of the first tensor there is."""
    while isinstance(data, (list, tuple)):
        if not data:
            return torch.device("cpu")
        data = data[0]
    return data.device


def _backend(group, device):
    """What carries it out, as Backend numbers it; 0: unknown."""
    key = group.group_name, device.type
    number = _backends.get(key)
    if number is None:
        try:
            number = _library.ringmasterLedgerBackend(group._get_backend(torch.device(device.type)).name().encode())
        except Exception:
            number = 0
        if len(_backends) < _MOST:
            _backends[key] = number
    return number


def _site(frame):
    """Where in the user's program the call is; 0: unknown."""
    installed = None
    while frame is not None:
        code = frame.f_code
        owner, _ = _owners.get(id(code), (None, None))
        if owner is None:
            if len(_owners) >= _MOST:
                return 0
            owner = _library.ringmasterLedgerOwner(code.co_filename.encode(errors="replace"))
            _owners[id(code)] = owner, code
        if owner == _USER:
            return _described(frame)
        if owner == _INSTALLED and installed is None:
            installed = frame
        frame = frame.f_back
    return 0 if installed is None else _described(installed)


def _described(frame):
    code, line = frame.f_code, frame.f_lineno
    site = _sites.get((id(code), line))
    if site is None and len(_sites) < _MOST:
        site = _sites[id(code), line] = _library.ringmasterLedgerSite(
            code.co_filename.encode(errors="replace"), code.co_name.encode(errors="replace"), line)
    return site or 0


def _data(data):
    """Type, bytes and elements of a tensor or of several."""
    tensors = data if isinstance(data, (list, tuple)) else (data,)
    names = {str(tensor.dtype)[6:] for tensor in tensors}
    name = names.pop() if len(names) == 1 else "other"
    if name.startswith("float8"):
        name = "float8"
    kind = _TYPES.index(name) if name in _TYPES else len(_TYPES) - 1
    elements = sum(tensor.numel() for tensor in tensors)
    return kind, sum(tensor.numel() * tensor.element_size() for tensor in tensors), elements


def _follow(operation, result, tells_of_waiting):
    """Has the operation's future say when it is over, where it has one, and else the wait for it."""
    unseen = _UNKNOWN
    try:
        boxed = result[-1] if isinstance(result, (list, tuple)) else result
        if boxed is None:
            return _library.ringmasterLedgerEnd(operation, _DONE)
        work = torch.distributed.Work.unbox(boxed)
        if tells_of_waiting:
            _await(operation, work)
            unseen = _BY_RETURN
        future = _get_future(work)
        if future.done() and torch.cuda.is_initialized():
            # A CUDA future is complete when the operation is launched: that says nothing.
            return _library.ringmasterLedgerEnd(operation, unseen)
        future.add_done_callback(_End(operation))
    except Exception:
        _library.ringmasterLedgerEnd(operation, unseen)


_get_future = torch.distributed.Work.get_future


def _await(operation, work):
    """Its caller may wait for the work, until that is gone."""
    key = id(work)
    _library.ringmasterLedgerCaller(operation, _GETS_WORK)
    _awaited[key] = operation, weakref.ref(work, lambda _gone: _forgo(key))
    _latest.work = work


def _forgo(key):
    operation, _ = _awaited.pop(key, (0, None))
    _library.ringmasterLedgerCaller(operation, _FORGOES)


def _watch_waits():
    """Hears of every wait for a work in Python, of every look whether it is over, and of who takes the future."""
    work_class = torch.distributed.Work
    wait, is_completed = work_class.wait, work_class.is_completed

    @functools.wraps(wait)
    def waiting(work, *arguments, **named):
        operation, _ = _awaited.get(id(work), (0, None))
        if not operation:
            return wait(work, *arguments, **named)
        _library.ringmasterLedgerCaller(operation, _WAITS)
        goes_on = _GOES_ON_FAILED
        try:
            is_over = wait(work, *arguments, **named)
            goes_on = _GOES_ON
            return is_over
        finally:
            _went_on(work, goes_on)

    @functools.wraps(is_completed)
    def asking(work):
        is_over = is_completed(work)
        if is_over and id(work) in _awaited:
            _went_on(work, _GOES_ON)
        return is_over

    @functools.wraps(_get_future)
    def taking(work):
        future = _get_future(work)
        _forgo(id(work))
        return future

    work_class.wait, work_class.is_completed, work_class.get_future = waiting, asking, taking


def _went_on(work, how):
    operation, _ = _awaited.pop(id(work), (0, None))
    _library.ringmasterLedgerCaller(operation, how)
    if getattr(_latest, "work", None) is work:
        del _latest.work


class _End:
    """What a future calls when its operation is over. A thread of torch's calls it and then lets it go."""

    def __init__(self, operation):
        self.operation = operation
        _followed.add(operation)

    def __call__(self, future):
        _library.ringmasterLedgerEnd(self.operation, _outcome(future))

    def __del__(self, followed=_followed):
        followed.discard(self.operation)


def _let_go():
    """Waits until torch's threads hold nothing of ours any more: one that asked a Python for it that is about
    to end would abort the process."""
    _awaited.clear()
    _latest.__dict__.clear()
    deadline = time.monotonic() + _PATIENCE
    while _followed and time.monotonic() < deadline:
        time.sleep(0.001)


def _outcome(future):
    try:
        future.value()
        return _DONE
    except Exception:
        return _FAILED

"""Catches a tensor that is touched too early: written between isend and wait, written or read between irecv
and wait; the same for what a collective with async_op=True works on.

While something is under way, a dispatch mode sees which memory each operator of torch reads and writes; what
goes past torch (numpy, the tensor's own memory) is seen by its content at the next line.
"""

import contextlib
import sys

_MOST_WATCHED = 64
_LARGEST_COMPARED = 1 << 20
_READ_PAST_OPERATORS = ("tolist", "numpy", "__repr__", "__format__", "__str__", "__array__", "item")

_tracer = None
_watched = []
_modes = []
_line = 0
_is_looking = False


def start(tracer):
    global _tracer
    _tracer = tracer


def here(line):
    """The line that runs from now on."""
    global _line
    _line = line


@contextlib.contextmanager
def looking():
    """It is the tracer itself that reads."""
    global _is_looking
    before, _is_looking = _is_looking, True
    try:
        yield
    finally:
        _is_looking = before


def taken(tensors):
    """Another call takes these for its input."""
    for _, tensor in tensors if _watched else ():
        _used(tensor, "read")


def watch(call, tensors, may_read):
    for name, tensor in tensors:
        if len(_watched) < _MOST_WATCHED and tensor.device.type == "cpu":
            _watched.append(_Watched(call, name, tensor, may_read))
    if _watched:
        _enter_modes()


def release(call):
    """It is waited for: from now on everything is allowed."""
    check(call)
    _watched[:] = [watched for watched in _watched if watched.call != call]
    if not _watched:
        _leave_modes()


def check(call=None):
    """Whether content changed that operators of torch haven't been seen to change."""
    for watched in _watched:
        if call in (None, watched.call) and watched.may_read and watched.is_changed():
            watched.touched("written")


class _Watched:
    def __init__(self, call, name, tensor, may_read):
        self.call, self.name, self.tensor, self.may_read = call, name, tensor, may_read
        self.first, self.end = _range(tensor)
        self.version = tensor._version
        self.content = self._content()
        self.told = set()

    def _content(self):
        size = self.tensor.numel() * self.tensor.element_size()
        if not 0 < size <= _LARGEST_COMPARED or not self.tensor.is_contiguous():
            return None
        import ctypes

        return hash(ctypes.string_at(self.tensor.data_ptr(), size))

    def is_changed(self):
        # Parts of one tensor share its version: the content knows better.
        if self.content is not None:
            return self._content() != self.content
        return self.tensor._version != self.version

    def overlaps(self, first, end):
        return first < self.end and self.first < end

    def touched(self, how):
        self.version, self.content = self.tensor._version, self._content()
        if how in self.told:
            return
        self.told.add(how)
        place = dict(_tracer.place(), line=_line)
        _tracer.tell("hazard", text=how, call={"id": self.call, "inputs": [{"name": self.name, "kind": "tensor"}]},
                     **place)


def _range(tensor):
    """The memory from its first to its last element."""
    if tensor.numel() == 0:
        return 0, 0
    reach = sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride())) + 1
    return tensor.data_ptr(), tensor.data_ptr() + reach * tensor.element_size()


def _used(tensor, how):
    try:
        first, end = _range(tensor)
    except (RuntimeError, NotImplementedError):
        return
    for watched in _watched:
        if (how == "written" or not watched.may_read) and watched.overlaps(first, end):
            watched.touched(how)


def _enter_modes():
    if _modes:
        return
    dispatch, function = _mode_classes()
    for mode in (dispatch(), function()):
        mode.__enter__()
        _modes.append(mode)


def _leave_modes():
    """Only where nobody's mode is above ours: modes go in the order in which they came."""
    import torch
    from torch.utils._python_dispatch import _get_current_dispatch_mode

    if not _modes or _get_current_dispatch_mode() is not _modes[0]:
        return
    functions = torch.overrides._get_current_function_mode()
    if functions is not _modes[1]:
        return
    while _modes:
        _modes.pop().__exit__(None, None, None)


_classes = []


def _mode_classes():
    if _classes:
        return _classes
    from torch.overrides import TorchFunctionMode
    from torch.utils._python_dispatch import TorchDispatchMode

    class Operators(TorchDispatchMode):
        def __torch_dispatch__(self, operator, types, arguments=(), named=None):
            named = named or {}
            if _watched and not _is_looking and operator.namespace != "c10d":
                _look(operator, arguments, named)
            return operator(*arguments, **named)

    class Functions(TorchFunctionMode):
        def __torch_function__(self, function, types, arguments=(), named=None):
            if _watched and not _is_looking and getattr(function, "__name__", "") in _READ_PAST_OPERATORS:
                _used(arguments[0], "read")
            return function(*arguments, **(named or {}))

    _classes.extend((Operators, Functions))
    return _classes


def _look(operator, arguments, named):
    schema = operator._schema
    if any(result.alias_info is not None and not result.alias_info.is_write for result in schema.returns):
        return  # a view: it touches no element
    for index, argument in enumerate(schema.arguments):
        value = arguments[index] if index < len(arguments) else named.get(argument.name)
        how = "written" if argument.alias_info is not None and argument.alias_info.is_write else "read"
        for tensor in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(tensor, sys.modules["torch"].Tensor):
                _used(tensor, how)

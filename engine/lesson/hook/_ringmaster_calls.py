"""Tells each use of torch.distributed by the lesson's program: entered, with what, and back, with what.

The functions of torch.distributed are replaced when it is imported; what torch calls itself within one of
them isn't the program's use.
"""

import contextlib
import functools
import inspect
import os
import sys
import time

_TARGET = "torch.distributed.distributed_c10d"

# What each reads and writes, by the names of its parameters.
_TENSORS = {
    "send": (("tensor",), ()), "isend": (("tensor",), ()),
    "recv": ((), ("tensor",)), "irecv": ((), ("tensor",)),
    "broadcast": (("tensor",), ("tensor",)),
    "all_reduce": (("tensor",), ("tensor",)),
    "reduce": (("tensor",), ("tensor",)),
    "all_gather": (("tensor",), ("tensor_list",)),
    "all_gather_into_tensor": (("input_tensor",), ("output_tensor",)),
    "gather": (("tensor",), ("gather_list",)),
    "scatter": (("scatter_list",), ("tensor",)),
    "reduce_scatter": (("input_list",), ("output",)),
    "reduce_scatter_tensor": (("input",), ("output",)),
    "all_to_all": (("input_tensor_list",), ("output_tensor_list",)),
    "all_to_all_single": (("input",), ("output",)),
}
_OTHERS = ("barrier", "monitored_barrier", "new_group", "init_process_group", "destroy_process_group",
           "all_gather_object", "gather_object", "scatter_object_list",
           "broadcast_object_list", "send_object_list", "recv_object_list")
_MAKES_GROUP = ("init_process_group", "new_group")
_PEERS = ("dst", "src")

_tracer = None
_values = None
_guard = None
_library = None
_depth = 0
_last = 0
_ring_steps = None  # a file without a name, into which the ring writes its chunks
_ring_is_told = False
_ring_fault = None  # a file without a name: a 1 in it corrupts the next chunk that arrives
_requests = {}  # id of a Work -> (the Work, the call that gave it)
_watched = {}  # of those, the ones that are waited for by other ways than wait()
_is_completed = None  # torch's own
_faults = []


def start(tracer, values, guard):
    global _tracer, _values, _guard
    _tracer, _values, _guard = tracer, values, guard
    import _ringmaster_hook

    _ringmaster_hook.when_imported(_TARGET, _replace_all)


def arm(fault, milliseconds):
    """For the next call."""
    _faults.append((fault, milliseconds))


def requested(work):
    """The operation that gave this request, until it is waited for."""
    known = _requests.get(id(work))
    return known[1].facts["operation"] if known else ""


def _replace_all(module, began):
    global _library, _is_completed
    _library = module
    for name in (*_TENSORS, *_OTHERS):
        function = getattr(module, name, None)
        if function is not None:
            setattr(module, name, _told(name, function))
    _is_completed = module.Work.is_completed
    module.Work.wait = _told_wait(module.Work.wait)
    module.Work.is_completed = _releasing(module.Work.is_completed, lambda is_done: is_done)
    # Whoever takes the future waits for that instead.
    module.Work.get_future = _releasing(module.Work.get_future, lambda future: True)
    package = sys.modules.get("torch.distributed")
    # The package has taken the functions over already where it was imported before.
    for name in (*_TENSORS, *_OTHERS):
        if package is not None and hasattr(package, name) and hasattr(module, name):
            setattr(package, name, getattr(module, name))


def _told(name, function):
    signature = inspect.signature(function)

    @functools.wraps(function)
    def told(*arguments, **named):
        if _depth or not _is_ours():
            return function(*arguments, **named)
        try:
            bound = signature.bind(*arguments, **named)
            bound.apply_defaults()
        except TypeError:
            return function(*arguments, **named)  # which says what is wrong
        call = _Call(name, bound.arguments)
        _fault(call, bound.arguments)
        return call.run(function, bound.args, bound.kwargs)

    return told


def _told_wait(function):
    def wait(work, *arguments, **named):
        known = _requests.get(id(work))
        if _depth or known is None or not _is_ours():
            return function(work, *arguments, **named)
        call = _Call("wait", {})
        call.await_(known[1])
        result = call.run(functools.partial(function, work), arguments, named, work)
        _requests.pop(id(work), None)
        return result

    return wait


def _releasing(function, is_over):
    """The other ways to learn that an operation is over."""

    @functools.wraps(function)
    def told(work):
        result = function(work)
        known = _requests.get(id(work))
        if known is not None and not _depth and _is_ours() and is_over(result):
            _guard.release(known[1].facts["id"])
            _watched[id(work)] = known
        return result

    return told


def tell_completed():
    """Whoever waits for a future, as DDP does, is back from the operation as well."""
    for key, (work, asked) in list(_watched.items()):
        if key not in _requests:
            del _watched[key]  # wait() came after all
        elif _is_completed(work):
            del _watched[key], _requests[key]
            call = _Call("wait", {})
            call.await_(asked)
            _tracer.tell("call", call=call.facts, **_tracer.place())
            call._take(None, None)
            _tracer.tell("return", call=call.facts, **_tracer.place())


def _is_ours():
    import threading

    return _tracer.is_on() and threading.current_thread() is threading.main_thread()


class _Call:
    def __init__(self, name, arguments):
        global _last
        _last += 1
        self.frame = _tracer.innermost()
        self.facts = {"id": _last, "operation": name}
        self.inputs = self.outputs = ()
        self.released = None
        group = arguments.get("group")
        if name not in ("init_process_group", "new_group", "wait"):
            self._describe_group(group)
        self._describe_arguments(name, arguments)

    def _describe_group(self, group):
        library = _library
        try:
            if group is library.GroupMember.NON_GROUP_MEMBER:
                self.facts["group"] = "not a member"
                return
            world = library.GroupMember.WORLD
            self.facts["group"] = "default" if group is None or group is world else group.group_name
            self.facts["members"] = library.get_process_group_ranks(group if group is not None else world)
        except Exception:
            pass  # no group yet: the call itself says so

    def _describe_arguments(self, name, arguments):
        facts = self.facts
        if name == "new_group":
            ranks = arguments.get("ranks")
            if ranks is not None:
                ranks = arguments["ranks"] = list(ranks)  # an iterator's are there once
            facts["members"] = ranks if ranks is not None else list(range(_library.get_world_size()))
            if arguments.get("use_local_synchronization"):
                facts["group"] = "local {}".format(facts["members"])
        if name == "init_process_group":
            facts["group"] = "default"
            facts["reduction"] = ""
        if name == "destroy_process_group":
            facts["group"] = facts.get("group", "default")
        for key in _PEERS:
            facts["peer"] = self._peer(arguments, key, facts.get("peer", -1))
        facts["tag"] = int(arguments.get("tag") or 0)
        facts["async"] = bool(arguments.get("async_op")) or name in ("isend", "irecv")
        if "op" in arguments:
            facts["reduction"] = str(arguments["op"]).rpartition(".")[2]
        inputs, outputs = _TENSORS.get(name, ((), ()))
        self.inputs = self._tensors(arguments, inputs)
        self.outputs = self._tensors(arguments, outputs)
        _guard.taken(self.inputs)
        with _guard.looking():
            facts["inputs"] = [_values.tensor(name, tensor) for name, tensor in self.inputs]
        facts["outputs"] = [_values.tensor(name, tensor, with_elements=False) for name, tensor in self.outputs]

    @staticmethod
    def _peer(arguments, key, known):
        if arguments.get(key) is not None:
            return int(arguments[key])
        inside = arguments.get("group_" + key)
        if inside is not None and arguments.get("group") is not None:
            return _library.get_global_rank(arguments["group"], inside)
        return int(inside) if inside is not None else known

    def _tensors(self, arguments, names):
        found = []
        for name in names:
            value = arguments.get(name)
            items = value if isinstance(value, (list, tuple)) else (value,)
            found += [(_values.name_of(item, self.frame), item) for item in items
                      if isinstance(item, sys.modules["torch"].Tensor)]
        return found

    def await_(self, call):
        """This is the wait() for an earlier one."""
        self.facts["waitsFor"] = call.facts["id"]
        for key in ("group", "members", "peer", "tag", "reduction"):
            if key in call.facts:
                self.facts[key] = call.facts[key]
        self.outputs = call.outputs
        self.facts["inputs"], self.facts["outputs"] = call.facts["inputs"], call.facts["outputs"]
        self.released = call.facts["id"]

    def run(self, function, arguments, named, work=None):
        global _depth
        if self.released is not None:
            _guard.release(self.released)
        place = _tracer.place()
        _tracer.tell("call", call=self.facts, **place)
        began = time.monotonic_ns()
        _depth += 1
        text, result = "", None
        try:
            with _without_modes(), _ring_telling(self.facts["operation"]):
                result = function(*arguments, **named)
            return result
        except BaseException as error:
            text = "{}: {}".format(type(error).__name__, error)[:1000]
            raise
        finally:
            _depth -= 1
            self.facts["duration"] = time.monotonic_ns() - began
            self._take(result, work)
            _tracer.tell("return", call=self.facts, text=text, **place)

    def _take(self, result, work):
        facts = self.facts
        requests = result if isinstance(result, list) else (result,)
        is_pending = False
        for request in requests:
            if isinstance(request, _library.Work) and facts["operation"] != "wait":
                _requests[id(request)] = (request, self)
                is_pending = True
        if facts["operation"] == "recv" and isinstance(result, int):
            facts["peer"] = result
        if work is not None and facts["peer"] < 0 and facts["outputs"]:
            facts["peer"] = _source_of(work)
        if facts["operation"] == "new_group":
            facts["group"] = getattr(result, "group_name", "") or ""
        if facts["operation"] in _MAKES_GROUP:
            _count_ring_group(None if facts["operation"] == "init_process_group" else result)
        if is_pending:
            names = {id(tensor) for _, tensor in self.outputs}
            _guard.watch(facts["id"], self.outputs, may_read=False)
            _guard.watch(facts["id"], [pair for pair in self.inputs if id(pair[1]) not in names], may_read=True)
        else:
            facts["async"] = False
            with _guard.looking():
                facts["outputs"] = [_values.tensor(name, tensor) for name, tensor in self.outputs]


@contextlib.contextmanager
def _ring_telling(operation):
    """A ring that is made meanwhile tells its chunks (see engine/collective/ring/StepFile.h)."""
    global _ring_steps, _ring_fault
    steps, fault = "RINGMASTER_RING_STEPS", "RINGMASTER_RING_FAULT"
    if operation not in _MAKES_GROUP or steps in os.environ:
        yield
        return
    if _ring_steps is None:
        _ring_steps, _ring_fault = os.memfd_create("ring-steps"), os.memfd_create("ring-fault")
        os.pwrite(_ring_fault, bytes(4), 0)
    os.environ[steps] = "/proc/self/fd/{}".format(_ring_steps)
    os.environ[fault] = "/proc/self/fd/{}".format(_ring_fault)
    try:
        yield
    finally:
        os.environ.pop(steps, None)
        os.environ.pop(fault, None)


def _count_ring_group(group):
    """The gate reads the chunks itself: when this rank is back, others may have told what was made of them."""
    global _ring_is_told
    try:
        if _library.get_backend(group) != "ring":
            return
        made = group or _library.GroupMember.WORLD
        name = "default" if group is None else group.group_name
        members = _library.get_process_group_ranks(made)
    except Exception:
        return  # not a member, or no group was made
    _tracer.tell("ring", None if _ring_is_told else _ring_steps, group=name, members=members)
    _ring_is_told = True


def _source_of(work):
    try:
        return work._source_rank()
    except Exception:
        return -1


def _without_modes():
    """The guard's modes are not for what torch does inside a call."""
    if "torch.utils._python_dispatch" not in sys.modules or not _guard._modes:
        return contextlib.nullcontext()
    return sys.modules["torch.utils._python_dispatch"]._disable_current_modes()


# ---- Faults, on purpose ----------------------------------------------------------------------------------


def _fault(call, arguments):
    if not _faults or call.facts["operation"] in ("init_process_group", "destroy_process_group", "new_group"):
        return
    fault, milliseconds = _faults.pop(0)
    if fault == "data" and _comes_in_chunks(call, arguments):
        # Told when it has happened, with the chunk.
        os.pwrite(_ring_fault, (1).to_bytes(4, sys.byteorder), 0)
        return
    _tracer.tell("fault", text=fault, **_tracer.place())
    if fault == "delay":
        time.sleep(milliseconds / 1000)
        return
    change = {"shape": _wrong_shape, "type": _wrong_type, "data": _corrupt}[fault]
    for name in sum(_TENSORS.get(call.facts["operation"], ((), ())), ()):
        if isinstance(arguments.get(name), sys.modules["torch"].Tensor):
            arguments[name] = change(arguments[name])
            break
    call._describe_arguments(call.facts["operation"], arguments)


def _comes_in_chunks(call, arguments):
    """The ring's chunks can be broken on their way; elsewhere, and where a board serves, the tensor is."""
    if _ring_fault is None or os.environ.get("RINGMASTER_RING_ALGORITHM", "auto") == "auto":
        return False
    facts = call.facts
    is_message = facts["operation"] in ("send", "isend", "recv", "irecv", "wait", "barrier")
    return not is_message and _library.get_backend(arguments.get("group")) == "ring"


def _wrong_shape(tensor):
    import torch

    with torch.no_grad():
        return torch.cat([tensor.detach().reshape(-1), tensor.new_ones(1)])


def _wrong_type(tensor):
    import torch

    return tensor.detach().to(torch.float64 if tensor.dtype is not torch.float64 else torch.float32)


def _corrupt(tensor):
    """One bit of its first element, as a broken wire would."""
    import ctypes

    if tensor.numel() > 0 and tensor.device.type == "cpu":
        byte = ctypes.c_ubyte.from_address(tensor.data_ptr() + tensor.element_size() - 1)
        byte.value ^= 1
    return tensor

"""Records the process groups' operations of an unmodified program in the ledger of its rank.

The value is `LEDGER,BELL`, two paths, or `door:SOCKET,LOCALRANK`, where the agent hands them over, or `own,`,
where there is no agent: the rank makes its ledger itself. Nothing happens until torch.distributed makes the first process
group: only then is it certain that this process is the rank, and torch is wholly imported. From then on
an interposer at torch's dispatcher records: the compiled one, where there is one for exactly this torch,
else the one in Python. Groups are described as they are made, and the making is recorded, too: who
hasn't come to init_process_group or new_group keeps the others waiting there.
"""

import os
import sys

import _ringmaster_hook

_ledger = ""
_bell = ""
_library = None  # what records
_began = False


def start(value):
    global _ledger, _bell
    _ledger, _, _bell = value.rpartition(",")
    _ringmaster_hook.when_imported("torch.distributed.distributed_c10d", _watch)


class _NotRecorded(Exception):
    """Says why, in words for the user."""


def _guarded(function, *arguments):
    try:
        return function(*arguments)
    except _NotRecorded as reason:
        _ringmaster_hook.report("ledger", "failed", error=str(reason))
        return None
    except Exception:
        _ringmaster_hook.failed("ledger")
        return None


def _watch(module, began):
    make_group = module._new_process_group_helper

    def _new_process_group_helper(*arguments, **named):
        _guarded(_record)
        made = make_group(*arguments, **named)
        if _library is not None:
            _guarded(_describe_group, made[0], arguments, named)
        return made

    module._new_process_group_helper = _new_process_group_helper
    _record_making(module, "init_process_group", _members_of_all)
    _record_making(module, "_new_group_with_tag", _members_of_new)


def _record_making(module, name, members_of):
    """Records a call of the function that makes a group of `members_of(module, arguments)`; None: not this one."""
    from functools import wraps

    make_group = getattr(module, name)

    @wraps(make_group)
    def making(*arguments, **named):
        operation = _guarded(_begin_making, module, members_of, make_group, arguments, named)
        failed = True
        try:
            made = make_group(*arguments, **named)
            failed = False
            return made
        finally:
            if operation:
                _guarded(_library.ringmasterMadeGroup, operation, failed)

    # A warm worker's torch is imported already: its package has the function by then.
    for holder in (module, sys.modules.get("torch.distributed")):
        if holder is not None and getattr(holder, name, None) is make_group:
            setattr(holder, name, making)


def _begin_making(module, members_of, make_group, arguments, named):
    import ctypes
    from inspect import signature

    given = signature(make_group).bind(*arguments, **named).arguments
    members = members_of(module, given)
    if members is None:
        return 0
    _record(given)
    if _library is None or len(members) < 2:
        return 0
    ranks = (ctypes.c_int32 * len(members))(*members)
    return _library.ringmasterMakesGroup(members_of is _members_of_new, ranks, len(members))


def _members_of_all(module, given):
    rank, world_size = _place_of(given)
    if world_size < 0 or _is_program_of_its_own(rank, world_size):
        return None
    return list(range(world_size))


def _members_of_new(module, given):
    if given.get("use_local_synchronization"):
        return None  # only the members call it
    ranks = given.get("ranks")
    if ranks is None:
        return list(range(module.get_world_size()))
    from collections.abc import Set

    # Anything else may be empty for torch once it has been looked at; its group is described when it is made.
    return sorted(ranks) if isinstance(ranks, Set) or hasattr(ranks, "__getitem__") else None


def _place_of(given):
    """The rank and the number of ranks that init_process_group is to make; -1: nobody says."""
    place = {"rank": given.get("rank", -1), "world_size": given.get("world_size", -1)}
    method = given.get("init_method")
    if given.get("store") is None and method and not method.startswith("env://"):
        from urllib.parse import parse_qsl, urlsplit

        place.update((name, int(value)) for name, value in parse_qsl(urlsplit(method).query) if name in place)
    elif given.get("store") is None:
        place = {name: int(os.environ.get(name.upper(), -1)) if value < 0 else value
                 for name, value in place.items()}
    return place["rank"], place["world_size"]


def _is_program_of_its_own(rank, world_size):
    """A process that the rank's program has started, as torch.multiprocessing.spawn does, which makes groups of
    ranks of its own. They aren't the job's."""
    global _began
    processes = sys.modules.get("multiprocessing.process")
    if _ledger == "own" or processes is None or processes.parent_process() is None or _began:
        return False
    if str(rank) == os.environ.get("RANK") and str(world_size) == os.environ.get("WORLD_SIZE"):
        return False
    _began = True
    _ringmaster_hook.report("ledger", "own_ranks", count=world_size)
    return True


def _describe_group(group, arguments, named):
    import ctypes

    if not hasattr(group, "group_name"):
        return  # this rank isn't in it
    members = named.get("global_ranks_in_group")
    if members is None:
        members = arguments[2]
    members = list(members) or list(range(group.size()))
    ranks = (ctypes.c_int32 * len(members))(*members)
    _library.ringmasterDescribeGroup(group.group_name.encode(), ranks, ctypes.c_size_t(len(members)))


def _record(given=None):
    """Begins to record, by the best way that this torch allows; once."""
    global _began, _library, _ledger, _bell
    if _began:
        return
    _began = True
    import ctypes

    import torch

    if _ledger.startswith("door:"):
        _ledger, _bell = _handed_over(_ledger[len("door:"):], _bell)

    folder = os.path.dirname(os.path.abspath(__file__))
    if _ledger == "own":
        _ledger = _made(folder, _place_of(given or {})[0])
    version = torch.__version__.split("+")[0]
    compiled = _compiled(folder, torch)
    if compiled is not None:
        library = _record_compiled(compiled, version)
    else:
        # The agent has one compiled for the next run.
        _ringmaster_hook.report("ledger", "not_compiled", python=sys.executable, torch=torch.__version__)
        library, reason = _loaded(folder, "_ringmaster_interposer").record(folder, _ledger, _bell, version)
        if reason:
            raise _NotRecorded(reason)
    if library is not None:
        # Its functions look at Python's frames.
        library = ctypes.PyDLL(library._name)
        library.ringmasterMakesGroup.restype = ctypes.c_uint64
        library.ringmasterMakesGroup.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)
        library.ringmasterMadeGroup.argtypes = (ctypes.c_uint64, ctypes.c_int)
    _library = library


def _made(folder, rank):
    """A ledger of this process's own, as a path. Nothing is left of it when the process ends; until then whoever
    may read the process may read it."""
    import ctypes

    descriptor = ctypes.CDLL(os.path.join(folder, "ledger.so"), use_errno=True).ringmasterLedgerMake(rank)
    if descriptor < 0:
        raise _NotRecorded("there is no room for a ledger: " + os.strerror(ctypes.get_errno()))
    path = "/proc/{}/fd/{}".format(os.getpid(), descriptor)
    # NCCL's profiler plugin is loaded by the first communicator.
    os.environ["RINGMASTER_LEDGER"] = path
    profiler = os.path.join(folder, "nccl-profiler.so")
    if os.path.exists(profiler):
        os.environ.setdefault("NCCL_PROFILER_PLUGIN", profiler)
    return path


def _handed_over(path, rank):
    """The ledger and the bell as paths of this process, which opens each of them once more."""
    import array
    import socket

    folder = os.open(os.path.dirname(path), os.O_RDONLY | os.O_DIRECTORY)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
        door.settimeout(30)
        door.connect("/proc/self/fd/{}/{}".format(folder, os.path.basename(path)))
        door.sendall(rank.encode() + b"\n")
        size = 2 * array.array("i").itemsize
        _, extras, _, _ = door.recvmsg(1, socket.CMSG_LEN(size), socket.MSG_CMSG_CLOEXEC)
    os.close(folder)
    if not extras:
        raise OSError("the agent has no ledger for local rank " + rank)
    descriptors = array.array("i")
    descriptors.frombytes(extras[0][2][:size])
    return ["/proc/self/fd/{}".format(descriptor) for descriptor in descriptors]


def _loaded(folder, name):
    """A module beside this one."""
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location(name, os.path.join(folder, name + ".py"))
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _compiled(folder, torch):
    """The interposer that is compiled for exactly this torch, or None."""
    import ctypes

    objects = _loaded(folder, "_ringmaster_objects")
    here = objects.Torch.of(torch)
    for path in objects.candidates("recorder", here, folder):
        try:
            library = ctypes.CDLL(path)
            library.ringmasterTorch.restype = ctypes.c_char_p
            if library.ringmasterTorch().decode() == here.identity:
                return library
        except (OSError, AttributeError):
            pass
    return None


def _record_compiled(library, version):
    import ctypes

    error = ctypes.create_string_buffer(500)
    if library.ringmasterRecord(os.fsencode(_ledger), os.fsencode(_bell), version.encode(), error,
                                ctypes.c_size_t(len(error))) != 0:
        if not error.value:
            return None  # a rank's child
        raise _NotRecorded(error.value.decode(errors="replace"))
    return library

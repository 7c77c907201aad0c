"""Records the process groups' operations of an unmodified program in the ledger of its rank.

The value is `LEDGER,BELL`, two paths, or `door:SOCKET,LOCALRANK`, where the agent hands them over. Nothing happens until torch.distributed makes the first process
group: only then is it certain that this process is the rank, and torch is wholly imported. From then on
an interposer at torch's dispatcher records: the compiled one, where there is one for exactly this torch,
else the one in Python. Groups are described as they are made.
"""

import os
import sys

import _ringmaster_hook

_ledger = ""
_bell = ""
_describe = None


def start(value):
    global _ledger, _bell
    _ledger, _, _bell = value.rpartition(",")
    _ringmaster_hook.when_imported("torch.distributed.distributed_c10d", _watch)


def _guarded(function, *arguments):
    try:
        return function(*arguments)
    except Exception:
        _ringmaster_hook.failed("ledger")
        return None


def _watch(module, began):
    make_group = module._new_process_group_helper

    def _new_process_group_helper(*arguments, **named):
        if not _watch.is_begun:
            _watch.is_begun = True
            _guarded(_record)
        made = make_group(*arguments, **named)
        if _describe is not None:
            _guarded(_describe_group, made[0], arguments, named)
        return made

    module._new_process_group_helper = _new_process_group_helper


_watch.is_begun = False


def _describe_group(group, arguments, named):
    if not hasattr(group, "group_name"):
        return  # this rank isn't in it
    members = named.get("global_ranks_in_group")
    if members is None:
        members = arguments[2]
    _describe(group.group_name, list(members) or list(range(group.size())))


def _record():
    """Begins to record, by the best way that this torch allows."""
    global _describe, _ledger, _bell
    import torch

    if _ledger.startswith("door:"):
        _ledger, _bell = _handed_over(_ledger[len("door:"):], _bell)

    folder = os.path.dirname(os.path.abspath(__file__))
    version = torch.__version__.split("+")[0]
    compiled = _compiled(os.path.join(folder, "torch-" + version + ".so"), version)
    if compiled is not None and torch.compiled_with_cxx11_abi():
        _describe = _record_compiled(compiled, version)
    else:
        from importlib.util import module_from_spec, spec_from_file_location

        name = "_ringmaster_interposer"
        spec = spec_from_file_location(name, os.path.join(folder, name + ".py"))
        interposer = module_from_spec(spec)
        sys.modules[name] = interposer
        spec.loader.exec_module(interposer)
        _describe = interposer.record(folder, _ledger, _bell, version)


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


def _compiled(path, version):
    """The interposer that is compiled for exactly this torch, or None."""
    import ctypes

    try:
        library = ctypes.CDLL(path)
        library.ringmasterTorchVersion.restype = ctypes.c_char_p
        return library if library.ringmasterTorchVersion().decode() == version else None
    except (OSError, AttributeError):
        return None


def _record_compiled(library, version):
    import ctypes

    error = ctypes.create_string_buffer(500)
    if library.ringmasterRecord(os.fsencode(_ledger), os.fsencode(_bell), version.encode(), error,
                                ctypes.c_size_t(len(error))) != 0:
        if not error.value:
            return None  # a rank's child
        raise RuntimeError(error.value.decode(errors="replace"))

    def describe(name, members):
        ranks = (ctypes.c_int32 * len(members))(*members)
        library.ringmasterDescribeGroup(name.encode(), ranks, ctypes.c_size_t(len(members)))

    return describe

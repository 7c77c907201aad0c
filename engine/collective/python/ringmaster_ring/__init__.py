"""Ringmaster's ring as a backend of torch.distributed: init_process_group("ring").

Where this folder's parent is on PYTHONPATH, `import torch` finds register() by itself (the entry
point group torch.backends), so that programs need no change.
"""

_is_loaded = False


def register():
    import torch.distributed as dist

    if dist.is_available() and "ring" not in dist.Backend.backend_list:
        dist.Backend.register_backend("ring", _create, devices=["cpu"])


def _create(store, rank, size, timeout):
    import torch
    import torch.distributed as dist

    _load(torch)
    # The operator gives the backend to a group, from which torch's own wrapper of it is taken.
    carrier = dist.ProcessGroup(store, rank, size)
    torch.ops.ringmaster_ring.attach(carrier.boxed(), rank, size, int(timeout.total_seconds() * 1000))
    return carrier._get_backend(torch.device("cpu"))


def _load(torch):
    """Loads the object that is compiled for exactly this torch: another one's classes would crash."""
    global _is_loaded
    if _is_loaded:
        return
    import ctypes
    import os

    from . import _objects

    here = _objects.Torch.of(torch)
    folder = os.path.dirname(os.path.abspath(__file__))
    try:
        ctypes.CDLL(os.path.join(folder, _objects.RING_LIBRARY))
    except OSError as error:
        raise RuntimeError(f"the backend ring: {error}; install Ringmaster anew, or choose gloo") from None
    for path in _objects.candidates("ring", here, folder):
        try:
            library = ctypes.CDLL(path)
            library.ringmasterTorch.restype = ctypes.c_char_p
            if library.ringmasterTorch().decode() != here.identity:
                continue
        except (OSError, AttributeError):
            continue
        error = ctypes.create_string_buffer(500)
        if library.ringmasterRegisterRing(error, ctypes.c_size_t(len(error))) != 0:
            raise RuntimeError("the backend ring: " + error.value.decode(errors="replace"))
        _is_loaded = True
        return
    raise RuntimeError(
        f"the backend ring isn't built for torch {torch.__version__} ({here.identity}); "
        "`ringmaster doctor --build` builds it where there is a compiler; or choose gloo"
    )

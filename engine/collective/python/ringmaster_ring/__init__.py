"""Ringmaster's ring as a backend of torch.distributed: init_process_group("ring").

Where this folder's parent is on PYTHONPATH, `import torch` finds register() by itself (the entry
point group torch.backends), so that programs need no change.
"""


def register():
    import torch.distributed as dist

    if dist.is_available() and "ring" not in dist.Backend.backend_list:
        dist.Backend.register_backend("ring", _create, devices=["cpu"])


def _create(store, rank, size, timeout):
    import torch

    from . import _version

    # The extension's classes are laid out as this torch's are; another one's would crash.
    found = torch.__version__.split("+")[0]
    if found != _version.torch:
        raise RuntimeError(
            f"the backend ring is built for torch {_version.torch}, but this is torch {found}; "
            "choose gloo, or build Ringmaster with this torch"
        )
    from . import _ring

    return _ring.create(store, rank, size, timeout)

"""Tells once how long this rank took to import torch and for its first process group."""

import time

import _ringmaster_hook

_import_ns = 0
_began_ns = 0


def start(value):
    _ringmaster_hook.when_imported("torch", _imported)
    _ringmaster_hook.when_imported("torch.distributed.distributed_c10d", _watch)


def _imported(module, began):
    global _import_ns
    _import_ns = time.monotonic_ns() - began if began else 0


def _watch(module, began):
    """The functions are put back when the first group is made."""
    meet, make_group = module.rendezvous, module._new_process_group_helper

    def rendezvous(*arguments, **named):
        global _began_ns
        _began_ns = _began_ns or time.monotonic_ns()
        return meet(*arguments, **named)

    def _new_process_group_helper(*arguments, **named):
        began = _began_ns or time.monotonic_ns()
        if module.rendezvous is rendezvous:
            module.rendezvous = meet
        if module._new_process_group_helper is _new_process_group_helper:
            module._new_process_group_helper = make_group
        made = make_group(*arguments, **named)
        _ringmaster_hook.report("times", "times", import_ns=_import_ns, init_ns=time.monotonic_ns() - began)
        return made

    module.rendezvous = rendezvous
    module._new_process_group_helper = _new_process_group_helper

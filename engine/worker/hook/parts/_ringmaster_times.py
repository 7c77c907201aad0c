"""Tells when this rank imports torch, and once how long that and its first process group took."""

import time

import _ringmaster_hook

_import_ns = 0
_began_ns = 0


def start(value):
    _ringmaster_hook.when_imported("torch", _imported, _importing, _not_importing)
    _ringmaster_hook.when_imported("torch.distributed.distributed_c10d", _watch)
    _ringmaster_hook.around_first_group(_begin, _tell)


def _importing():
    _ringmaster_hook.report("times", "importing")


def _not_importing():
    _ringmaster_hook.report("times", "imported")


def _imported(module, began):
    global _import_ns
    _import_ns = time.monotonic_ns() - began if began else 0
    if began:
        _not_importing()


def _watch(module, began):
    """A first group begins with the rendezvous, which is put back then."""
    meet = module.rendezvous

    def rendezvous(*arguments, **named):
        if module.rendezvous is rendezvous:
            module.rendezvous = meet
        _begin()
        return meet(*arguments, **named)

    module.rendezvous = rendezvous


def _begin():
    global _began_ns
    _began_ns = _began_ns or time.monotonic_ns()


def _tell():
    _ringmaster_hook.report("times", "times", import_ns=_import_ns, init_ns=time.monotonic_ns() - _began_ns)

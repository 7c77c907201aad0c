"""Tells once how long this rank took to import torch and for its first process group."""

import sys
import time

_TORCH = "torch"
_TARGET = "torch.distributed.distributed_c10d"
_import_ns = 0
_began_ns = 0


def start(value):
    module = sys.modules.get(_TARGET)
    if module is not None:
        _watch(module)  # a process that was forked with torch in it
    else:
        sys.meta_path.insert(0, _Finder())


class _Finder:
    """Hears of the import of two modules, and steps aside."""

    def find_spec(self, name, path=None, target=None):
        if name not in (_TORCH, _TARGET):
            return None
        began = time.monotonic_ns()
        sys.meta_path.remove(self)
        try:
            from importlib.util import find_spec

            spec = find_spec(name)
        finally:
            if name == _TORCH:
                sys.meta_path.insert(0, self)
        if spec is not None and hasattr(spec.loader, "exec_module"):
            run = spec.loader.exec_module

            def exec_module(module):
                run(module)
                if name == _TORCH:
                    global _import_ns
                    _import_ns = time.monotonic_ns() - began
                else:
                    _watch(module)

            spec.loader.exec_module = exec_module
        return spec


def _watch(module):
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
        import _ringmaster_hook

        _ringmaster_hook.report("times", "times", import_ns=_import_ns, init_ns=time.monotonic_ns() - began)
        return made

    module.rendezvous = rendezvous
    module._new_process_group_helper = _new_process_group_helper

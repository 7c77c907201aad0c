"""Lets the threads of a backend finish their last operation before the process groups are gone.

A thread of gloo still lets go of the last operation's tensors when the program has its result already, and
needs the GIL for it. A program that destroys its groups at once and then drops what holds the last reference
(a DistributedDataParallel) joins that thread with the GIL held: it hangs, or aborts in the interpreter's end.
The thread has had its turn when the GIL was given up for a moment; a quick program never does so itself.
"""

import time

import _ringmaster_hook

# The thread's own way to the GIL takes microseconds; this is for a machine that is busy.
PAUSE_SECONDS = 0.01


def start(value):
    _ringmaster_hook.when_imported("torch.distributed.distributed_c10d", _watch)


def _watch(module, began):
    """The last of destroy_process_group() that is done once."""
    unregister = getattr(module, "_unregister_all_process_groups", None)
    if unregister is None:
        return

    def _unregister_all_process_groups():
        try:
            return unregister()
        finally:
            time.sleep(PAUSE_SECONDS)

    module._unregister_all_process_groups = _unregister_all_process_groups

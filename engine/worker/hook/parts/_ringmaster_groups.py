"""Lets the threads of a backend finish their last operation before the process groups are gone.

A thread of gloo still lets go of the last operation's tensors when the program has its result already, and
needs the GIL for it. A program that destroys its groups at once and then drops what holds the last reference
(a DistributedDataParallel) joins that thread with the GIL held: it hangs, or aborts in the interpreter's end.
The thread has had its turn when the GIL was given up for a moment and nobody else wants to run any more: where
the machine is busy, the thread may be long in coming. A quick program never gives it up itself.
"""

import _thread
import os
import time

import _ringmaster_hook

PAUSE_SECONDS = 0.01
QUIET_PAUSES = 2  # One may fall between a thread's two turns.
MOST_PAUSES = 50  # A thread of the program's own may compute for ever.


def start(value):
    _ringmaster_hook.when_imported("torch.distributed.distributed_c10d", _watch)


def _another_thread_wants_to_run():
    own = str(_thread.get_native_id())
    try:
        threads = os.listdir("/proc/self/task")
    except OSError:
        return False  # Without a descriptor left, the program ends as it would without us.
    for thread in threads:
        if thread == own:
            continue
        try:
            with open(f"/proc/self/task/{thread}/stat", "rb") as file:
                state = file.read().rpartition(b")")[2].strip()[:1]
        except OSError:
            continue  # It has ended.
        if state == b"R":
            return True
    return False


def _let_others_finish():
    quiet = 0
    for _ in range(MOST_PAUSES):
        time.sleep(PAUSE_SECONDS)
        quiet = 0 if _another_thread_wants_to_run() else quiet + 1
        if quiet == QUIET_PAUSES:
            return


def _watch(module, began):
    """The last of destroy_process_group() that is done once."""
    unregister = getattr(module, "_unregister_all_process_groups", None)
    if unregister is None:
        return

    def _unregister_all_process_groups():
        try:
            return unregister()
        finally:
            _let_others_finish()

    module._unregister_all_process_groups = _unregister_all_process_groups

"""Starts the parts that RINGMASTER_HOOK names, each a module of its own in this folder.

RINGMASTER_HOOK is a list of `name` or `name=value`, separated by semicolons; in a value, `%`, `;` and
control characters are written %XX. A part is `_ringmaster_NAME.py` with `start(value)`. A part that
fails is reported and left out: the program must not notice. `report=PATH` comes first where failures can
be told: one line of JSON each is appended to that file.

Every interpreter below a worker comes here, data loaders and build tools too: a part does nothing dear
before it sees that its process is the rank (as the ledger does at the first process group).
"""

import os
import sys
import time
from _thread import get_ident

_report_file = None


def start(folder, text):
    if text.strip() == "1":
        text = "ledger=own,"
    for name, value in read(text):
        if name == "report":
            global _report_file
            _report_file = value
        else:
            _start_part(folder, name, value)


def read(text):
    """(name, value) of each part, in order; the value is empty where there is none."""
    for entry in text.split(";"):
        name, _, value = entry.partition("=")
        if name:
            yield name, _unescaped(value)


def report(part, kind, **facts):
    """Tells the run something about this rank, as one line of JSON. Never fails."""
    if _report_file is None:
        return
    try:
        import json

        facts.update(part=part, kind=kind, pid=os.getpid(), rank=os.environ.get("RANK", ""))
        line = json.dumps(facts)[:4000].encode() + b"\n"
        # Appended in one write: lines of several ranks don't mix.
        file = os.open(_report_file, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            os.write(file, line)
        finally:
            os.close(file)
    except Exception:
        pass


def when_imported(name, call, begins=None, fails=None):
    """`call(module, began)` when the module has been imported; `began` is the import's monotonic_ns(), or 0
    in a process that was forked with the module in it. `begins()` before, `fails()` when the import fails: never
    in such a process. Whatever is wrong with a call, the import isn't."""
    module = sys.modules.get(name)
    if module is not None:
        _guarded(call, module, 0)
        return
    finder = next((known for known in sys.meta_path if isinstance(known, _Finder)), None)
    if finder is None:
        finder = _Finder()
        sys.meta_path.insert(0, finder)
    finder.waiting.setdefault(name, []).append((call, begins, fails))


def around_first_group(before=None, after=None):
    """`before()` when this process makes its first process group, `after()` when it has been made. The
    function that makes groups is put back then."""
    if not _first_group:
        when_imported("torch.distributed.distributed_c10d", _watch_groups)
    _first_group.append((before, after))


_first_group = []


def _watch_groups(module, began):
    make_group = module._new_process_group_helper

    def _new_process_group_helper(*arguments, **named):
        if module._new_process_group_helper is _new_process_group_helper:
            module._new_process_group_helper = make_group
        calls = _first_group[:]
        del _first_group[:]
        for before, _ in calls:
            if before is not None:
                _guarded(before)
        made = make_group(*arguments, **named)
        for _, after in calls:
            if after is not None:
                _guarded(after)
        return made

    module._new_process_group_helper = _new_process_group_helper


class _Finder:
    """Hears of the imports that parts wait for, lets the others find them, and is gone after the last."""

    def __init__(self):
        self.waiting = {}
        self.searches = set()

    def find_spec(self, name, path=None, target=None):
        # Another finder may ask all the others in its turn.
        search = (name, get_ident())
        if name not in self.waiting or search in self.searches:
            return None
        began = time.monotonic_ns()
        self.searches.add(search)
        try:
            spec = self._found_by_next(name, path, target)
        finally:
            self.searches.discard(search)
        loader = getattr(spec, "loader", None)
        # One with an exec_module of its own is for several modules, or another hook's already.
        if hasattr(loader, "exec_module") and "exec_module" not in getattr(loader, "__dict__", ("exec_module",)):
            self._listen(name, loader, began)
        return spec

    def _found_by_next(self, name, path, target):
        finders = sys.meta_path[:]
        for finder in finders[finders.index(self) + 1:] if self in finders else ():
            find_spec = getattr(finder, "find_spec", None)
            spec = find_spec(name, path, target) if find_spec is not None else None
            if spec is not None:
                return spec
        return None

    def _listen(self, name, loader, began):
        """To the import, which may never come: a program may only look whether it could import the module."""
        run = loader.exec_module

        def exec_module(module):
            if module.__name__ != name:
                return run(module)  # the loader is another one's, too
            if vars(loader).get("exec_module") is exec_module:
                del loader.exec_module
            calls = self.waiting.pop(name, [])
            if not self.waiting and self in sys.meta_path:
                sys.meta_path.remove(self)
            for _, begins, _ in calls:
                if begins is not None:
                    _guarded(begins)
            try:
                run(module)
            except BaseException:
                for _, _, fails in calls:
                    if fails is not None:
                        _guarded(fails)
                raise
            for call, _, _ in calls:
                _guarded(call, module, began)
            return None

        loader.exec_module = exec_module


def _guarded(call, *arguments):
    try:
        call(*arguments)
    except Exception:
        failed(call.__module__.replace("_ringmaster_", "", 1))


def failed(part):
    """Reports the exception that is being handled."""
    import traceback

    kind, error, _ = sys.exc_info()
    report(part, "failed", error="{}: {}".format(kind.__name__, error)[:500],
           traceback=traceback.format_exc()[-2000:])


def _unescaped(value):
    if "%" not in value:
        return value
    head, *rest = value.encode().split(b"%")
    whole = head + b"".join(bytes([int(piece[:2], 16)]) + piece[2:] for piece in rest)
    return os.fsdecode(whole)


def _start_part(folder, name, value):
    module_name = "_ringmaster_" + name
    try:
        from importlib.util import module_from_spec, spec_from_file_location

        spec = spec_from_file_location(module_name, os.path.join(folder, module_name + ".py"))
        module = module_from_spec(spec)
        sys.modules[module_name] = module
        spec.loader.exec_module(module)
        module.start(value)
    except Exception:
        sys.modules.pop(module_name, None)
        failed(name)

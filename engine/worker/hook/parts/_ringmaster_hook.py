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

_report_file = None


def start(folder, text):
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

# Python runs this at the start of every interpreter that has this folder on its PYTHONPATH: Ringmaster's
# workers and their children. It leaves the interpreter as it would be without Ringmaster, but for the
# parts that RINGMASTER_HOOK names. Any Python, however old, may come by here.
import os
import sys


def _own_sitecustomize():
    """Runs the sitecustomize that this one hides, if there is one; its errors are its own."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
    this = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # noqa: F401
    except ImportError as error:
        if getattr(error, "name", "sitecustomize") != "sitecustomize":
            raise
    finally:
        # The import that runs this file looks for its module afterwards.
        if this is not None:
            sys.modules.setdefault("sitecustomize", this)


def _start():
    if not os.environ.get("RINGMASTER_HOOK") or sys.version_info < (3, 6):
        return
    parts = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "parts")
    try:
        from importlib.util import module_from_spec, spec_from_file_location

        spec = spec_from_file_location("_ringmaster_hook", os.path.join(parts, "_ringmaster_hook.py"))
        hook = module_from_spec(spec)
        sys.modules["_ringmaster_hook"] = hook
        spec.loader.exec_module(hook)
        hook.start(parts, os.environ["RINGMASTER_HOOK"])
    except Exception:  # Whatever is wrong with the hook, the program runs.
        sys.modules.pop("_ringmaster_hook", None)


try:
    _own_sitecustomize()
finally:
    _start()

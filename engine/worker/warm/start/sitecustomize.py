# Python runs this at the start of the interpreter that becomes the warm starter: only that process has
# this folder on its PYTHONPATH. It comes back in the workers, which then start up as they would have.
import os
import sys


def _load(name):
    from importlib.util import module_from_spec, spec_from_file_location

    parts = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "parts")
    spec = spec_from_file_location(name, os.path.join(parts, name + ".py"))
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _own_sitecustomize():
    """Runs the sitecustomize that this one hides. Its error, or that there is none, is the workers'."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
    sys.path_importer_cache.pop(here, None)
    sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # noqa: F401
    except Exception as error:
        return error


def _run():
    modules = [_load("_ringmaster_" + name) for name in ("memory", "preload", "worker", "starter")]
    starter = modules[-1].Starter(os.environ.pop("RINGMASTER_STARTER"))
    error = _own_sitecustomize()
    starter.prepare()
    starter.serve()
    for module in modules:
        del sys.modules[module.__name__]
    return error


_error = _run()
if _error is not None:
    raise _error

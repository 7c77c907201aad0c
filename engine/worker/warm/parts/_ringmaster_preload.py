"""What the warm starter imports, and whether a process that has imported it may be forked.

A module is left out, and remembered, when it starts threads, keeps a descriptor open, initialises
CUDA or can't be imported.
"""

import functools
import importlib.util
import json
import os
import sys
import time

USUAL = ("torch", "torch.distributed", "torch.nn.parallel", "torch.utils.data", "torch._dynamo")
MOST_LEARNT = 20000
PACKAGE_FOLDERS = ("site-packages", "dist-packages")
LEARNT_ROOTS = {"torch", "numpy", "functorch", "torchgen"}


class Refusal(Exception):
    """Why no worker is forked; `reason` is the name of a Code."""

    def __init__(self, reason, detail="", **parameters):
        super().__init__(reason)
        self.reason, self.detail, self.parameters = reason, detail, parameters


class BadModule(Exception):
    def __init__(self, name, refusal):
        super().__init__(name)
        self.name, self.refusal = name, refusal


def thread_count():
    return len(os.listdir("/proc/self/task"))


def descriptors():
    """Number and target of each, but for the one that reads the list."""
    found = {}
    for name in os.listdir("/proc/self/fd"):
        try:
            found[int(name)] = os.readlink("/proc/self/fd/" + name)
        except OSError:
            pass
    return found


def anonymous_bytes():
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) * 1024
    return 0


def survives_a_fork():
    """OpenBLAS ends its threads before each fork and starts them anew when they are needed."""
    if thread_count() == 1:
        return True
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return thread_count() == 1


def is_learnable(name):
    """torch and its parts, numpy, the standard library: never the user's own."""
    root = name.partition(".")[0]
    return root in LEARNT_ROOTS or (root in sys.stdlib_module_names and root not in ("antigravity", "this"))


@functools.lru_cache(maxsize=None)
def is_installed(root):
    """Not a file of the user's own that bears a library's name: those are found by PYTHONPATH."""
    try:
        spec = importlib.util.find_spec(root)
    except (ImportError, ValueError, AttributeError):
        return False
    origin = getattr(spec, "origin", None) or ""
    folders = [os.path.dirname(os.__file__)]
    folders += [entry for entry in sys.path if entry.endswith(PACKAGE_FOLDERS)]
    return origin in ("built-in", "frozen") or any(origin.startswith(folder + os.sep) for folder in folders)


class Preload:
    def __init__(self, folder, name, wanted, memory_limit):
        self.state_file = os.path.join(folder, name + ".json")
        self.learnt_file = os.path.join(folder, name + ".modules")
        self.wanted, self.memory_limit = wanted, memory_limit
        self.bad = {}
        self.seconds = 0.0

    def run(self):
        """Refusal: nothing can be forked. BadModule, remembered: not from this process, but from the next one."""
        try:
            self._load_all()
        except BadModule as bad:
            # The next one would only meet it again, and the one after that.
            if not self.remember(bad):
                raise bad.refusal from None
            raise

    def _load_all(self):
        began = time.monotonic()
        if sys.version_info < (3, 10):
            raise Refusal("ColdCannotImport", "Python is older than 3.10", module="torch")
        self._read_state()
        if not survives_a_fork():
            raise Refusal("ColdThreads", what="sitecustomize or a .pth file")
        known = descriptors()
        for name in self.wanted or USUAL:
            if name in self.bad:
                raise self.bad[name]
            self._load(name, known, is_required=name == "torch" or bool(self.wanted))
        for name in [] if self.wanted else self._learnt():
            if name not in sys.modules and name not in self.bad:
                self._load(name, known, is_required=False)
        self.seconds = time.monotonic() - began
        self.print = self._print_of_packages() + self._print_of_modules()

    def is_stale(self):
        return self.print != self._print_of_packages() + self._print_of_modules()

    def remember(self, bad):
        """False: the file can't be written."""
        import tempfile

        self.bad[bad.name] = bad.refusal
        known = {name: [why.reason, why.detail, why.parameters] for name, why in self.bad.items()}
        text = json.dumps({"packages": self._print_of_packages(), "bad": known})
        # A name of its own: a host with the same home may be writing, too.
        try:
            descriptor, path = tempfile.mkstemp(dir=os.path.dirname(self.state_file), suffix=".new")
        except OSError:
            return False
        try:
            with open(descriptor, "w") as file:
                file.write(text)
            os.replace(path, self.state_file)
            return True
        except OSError:
            pass
        try:
            os.unlink(path)
        except OSError:
            pass
        return False

    def _load(self, name, known, is_required):
        try:
            __import__(name)
        except Exception as error:
            if is_required:
                raise Refusal("ColdCannotImport", f"{type(error).__name__}: {error}", module=name) from error
            raise BadModule(name, Refusal("ColdCannotImport", str(error), module=name)) from error
        refusal = self._objection(name, known)
        if refusal is not None:
            # What a job names itself may be changed at any time: nothing to remember.
            raise refusal if self.wanted else BadModule(name, refusal)

    def _objection(self, name, known):
        if not survives_a_fork():
            return Refusal("ColdThreads", what=name)
        for number, target in descriptors().items():
            if number not in known and not target.startswith("/proc/"):
                return Refusal("ColdDevice", what=name, path=target)
        cuda = sys.modules.get("torch.cuda")
        if cuda is not None and getattr(cuda, "is_initialized", lambda: False)():
            return Refusal("ColdDevice", what=name, path="CUDA")
        if anonymous_bytes() > self.memory_limit:
            raise Refusal("ColdMemory", limit=str(self.memory_limit))
        return None

    def _learnt(self):
        try:
            with open(self.learnt_file) as file:
                names = [line.partition(" ")[0].strip() for line in file.readlines(MOST_LEARNT * 64)]
        except (OSError, UnicodeDecodeError):
            return []
        return [name for name in names[:MOST_LEARNT]
                if is_learnable(name) and is_installed(name.partition(".")[0])]

    def _read_state(self):
        try:
            with open(self.state_file) as file:
                state = json.load(file)
            if state["packages"] == self._print_of_packages():
                self.bad = {name: Refusal(why[0], why[1], **why[2]) for name, why in state["bad"].items()}
        except (OSError, ValueError, KeyError, AttributeError, TypeError, IndexError):
            pass  # None yet, or not one of ours.

    @staticmethod
    def _print_of_packages():
        """Changes when the interpreter does, or what is installed."""
        paths = [os.path.realpath(sys.executable), os.path.join(sys.prefix, "pyvenv.cfg")]
        return _marks(paths + [entry for entry in sys.path if entry.endswith(PACKAGE_FOLDERS)])

    def _print_of_modules(self):
        """Of those that a job names itself, and that may be its own."""
        roots = {name.partition(".")[0] for name in self.wanted} - LEARNT_ROOTS
        files = [getattr(module, "__file__", None) for name, module in list(sys.modules.items())
                 if name.partition(".")[0] in roots]
        return _marks([file for file in files if file])


def _marks(paths):
    marks = []
    for path in paths:
        try:
            status = os.stat(path)
            marks.append([path, status.st_mtime_ns, status.st_ino])
        except OSError:
            marks.append([path, 0, 0])
    return marks

"""Objects that are compiled for one torch: the recorder of operations, and the backend ring.

Ringmaster brings along some. For any other torch they are compiled where there are a compiler and torch's
headers, once, in the user's cache; later runs take them from there. What records and the ring ask
`candidates()`. The agent and `ringmaster doctor` run this file:

    python _ringmaster_objects.py show | ensure | build

`show` tells as JSON what is there, `build` compiles what isn't, `ensure` does so in the background if nobody
has tried before. A folder of the cache is for one torch, ABI, C library and state of the sources. It is the user's
own, and an object in it is taken only while it has the hash that it was probed with, in a process of its own.
"""

import hashlib
import json
import os
import re
import sys
import time

KINDS = ("recorder", "ring")
_RECORDER = ("engine/ledger/hook/TorchInterposer.cpp", "engine/ledger/hook/CallSites.cpp",
             "engine/ledger/hook/HookRecorder.cpp", "engine/ledger/hook/RecordedCall.cpp",
             "engine/ledger/hook/RecordedWork.cpp", "engine/ledger/LedgerWriter.cpp")
_RING = ("engine/collective/RingBackend.cpp", "engine/collective/RingOptions.cpp", "engine/collective/RingWork.cpp",
         "engine/collective/StoreKeyValue.cpp", "engine/collective/TensorBytes.cpp", "engine/collective/WorkQueue.cpp",
         "engine/collective/RingRegistration.cpp")
_SOURCES = {"recorder": _RECORDER, "ring": _RING}
_FOLDERS = {"recorder": ("engine/ledger",), "ring": ("engine/base", "engine/collective", "engine/ledger")}
# The ring itself, which needs no torch. An object of the ring finds it by its name: it has to be loaded before.
RING_LIBRARY = "libringmaster-ring.so"
_COMPILERS = "g++", "clang++", "c++"
_LEAST_MEMORY = 1500 << 20
_PATIENCE = 900  # seconds, for a compiler on a busy machine
_LOOKING = 1.0  # seconds: nobody who only looks holds the lock for that long


class Torch:
    """What tells one torch from another."""

    def __init__(self, version, build, has_new_abi):
        self.version = version  # "2.15.0+cu132"
        self.build = build
        self.has_new_abi = has_new_abi

    @staticmethod
    def of(torch):
        return Torch(torch.__version__, torch.version.git_version, torch.compiled_with_cxx11_abi())

    @property
    def identity(self):
        """As engine/ledger/hook/TorchIdentity.h has it."""
        return "{} {} {}".format(self.version.split("+")[0], self.build, "cxx11" if self.has_new_abi else "old")


def candidates(kind, torch, shipped):
    """Paths of objects that may fit, best first. Whoever loads one asks it for its identity before all else."""
    yield os.path.join(shipped, "torch-{}.so".format(torch.version.split("+")[0]))
    try:
        cached = _cached(_place(kind, torch, source_folder()))
    except OSError:
        cached = None
    if cached:
        yield cached


def ring_folder():
    """Where the ring's package is, from this file or its copy in that package; None: Ringmaster was installed without."""
    here = os.path.dirname(os.path.abspath(__file__))
    for way in (".", "../../ringmaster-ring/ringmaster_ring", "../../ring/ringmaster_ring"):
        folder = os.path.normpath(os.path.join(here, way))
        if os.path.exists(os.path.join(folder, RING_LIBRARY)):
            return folder
    return None


def source_folder():
    """Beside the hook's parts, wherever this file is a copy of; None: Ringmaster was installed without."""
    here = os.path.dirname(os.path.abspath(__file__))
    for way in ("../source", "../../ringmaster-hook/source", "../../hook/source"):
        folder = os.path.normpath(os.path.join(here, way))
        if os.path.isdir(os.path.join(folder, "engine")):
            return folder
    return None


def _c_library():
    """Hosts may share a home: an object that was linked to a newer one than a host has can't be loaded there."""
    try:
        return os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (ValueError, OSError):  # musl
        return ""


def _place(kind, torch, source):
    """The folder of the cache for this object. Its name has all that the object depends on, but for the compiler."""
    if source is None:
        return None
    hashed = hashlib.sha256()
    for text in (kind, torch.version, torch.identity, os.uname().machine, _c_library()):
        hashed.update(text.encode() + b"\0")
    for folder in _FOLDERS[kind]:
        for parent, folders, files in os.walk(os.path.join(source, folder)):
            folders.sort()
            for name in sorted(files):
                if name.endswith((".h", ".cpp", ".def")):
                    with open(os.path.join(parent, name), "rb") as file:
                        hashed.update(name.encode() + b"\0" + file.read())
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    name = "{}-{}-{}".format(kind, torch.version.split("+")[0], hashed.hexdigest()[:20])
    return os.path.join(cache, "ringmaster", "torch", name)


def _is_ours(folder):
    """A real folder of this user, which nobody else can write."""
    import stat

    found = os.lstat(folder)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077


def _cached(place):
    if place is None or not os.path.isdir(place) or not _is_ours(os.path.dirname(place)) or not _is_ours(place):
        return None
    path = os.path.join(place, "object.so")
    found = _read_json(os.path.join(place, "object.json"))
    return path if found and found.get("sha256") == _hash_of(path) else None


def _hash_of(path):
    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()
    except OSError:
        return None


def _read_json(path):
    try:
        with open(path) as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def _write(path, text):
    with open(path + ".new", "w") as file:
        file.write(text)
    os.rename(path + ".new", path)


# From here on: what is done when this file is run.


class _NotBuilt(Exception):
    """Why not, in words for the user."""


class _Passing(_NotBuilt):
    """The same, where another try may do."""


def _installed_torch():
    """The torch of this interpreter and the folder of its package, without importing it."""
    import importlib.util

    found = importlib.util.find_spec("torch")
    if found is None or not found.submodule_search_locations:
        raise _Passing("this Python has no torch")
    folder = found.submodule_search_locations[0]
    with open(os.path.join(folder, "version.py")) as file:
        text = file.read()
    version = re.search(r"^__version__ = '([^']+)'", text, re.M)
    build = re.search(r"^git_version = '([^']+)'", text, re.M)
    if not version or not build:
        raise _NotBuilt("torch doesn't say its version in version.py")
    try:
        with open(os.path.join(folder, "share/cmake/Torch/TorchConfig.cmake")) as file:
            has_new_abi = "_GLIBCXX_USE_CXX11_ABI=0" not in file.read()
    except OSError:
        has_new_abi = True
    return Torch(version.group(1), build.group(1), has_new_abi), folder


def _compiler():
    """Its path and what tells it from another."""
    import shutil
    import subprocess

    for name in filter(None, (os.environ.get("CXX"), *_COMPILERS)):
        path = shutil.which(name)
        if path:
            told = subprocess.run([path, "-dumpfullversion", "-dumpversion", "-dumpmachine"], capture_output=True,
                                  text=True, stdin=subprocess.DEVNULL)
            return path, path + " " + " ".join(told.stdout.split())
    raise _Passing("there is no C++ compiler; install g++ (12 or newer) or clang")


def _free_memory():
    with open("/proc/meminfo") as file:
        return int(re.search(r"MemAvailable: +(\d+)", file.read()).group(1)) << 10


def _in_one(kind, work):
    """All sources as one: nearly all of the time is torch's headers, which each would read anew."""
    path = os.path.join(work, kind + ".cpp")
    with open(path, "w") as file:
        file.writelines('#include "{}"\n'.format(name) for name in _SOURCES[kind])
    return path


def _command(kind, compiler, torch, folder, source, together, target):
    include = os.path.join(folder, "include")
    command = [compiler, "-std=c++20", "-O1", "-DNDEBUG", "-fPIC", "-shared", "-pthread", "-fvisibility=hidden",
               "-fvisibility-inlines-hidden", "-DUSE_C10D_GLOO", '-DRINGMASTER_VERSION="cache"',
               "-D_GLIBCXX_USE_CXX11_ABI={}".format(int(torch.has_new_abi)),
               '-DRINGMASTER_TORCH_BUILD="{}"'.format(torch.build),
               "-I", source, "-isystem", os.path.join(source, "third-party"), "-isystem", include,
               "-isystem", os.path.join(include, "torch/csrc/api/include"), "-w", together]
    if kind == "ring":
        command.append(os.path.join(ring_folder(), RING_LIBRARY))
    library = os.path.join(folder, "lib")
    return command + [os.path.join(library, name) for name in ("libtorch_cpu.so", "libc10.so")] + [
        "-Wl,--allow-shlib-undefined", "-ldl", "-o", target]


def _requirements(kind, torch, folder, source):
    if source is None or not all(os.path.exists(os.path.join(source, name)) for name in _SOURCES[kind]):
        raise _Passing("Ringmaster is installed without the sources")
    if kind == "ring" and ring_folder() is None:
        raise _Passing("Ringmaster is installed without " + RING_LIBRARY)
    if kind == "ring" and not torch.has_new_abi:
        raise _NotBuilt("this torch has std::string of before GCC 5")
    if not os.path.exists(os.path.join(folder, "include/ATen/ATen.h")):
        raise _Passing("torch's headers are missing")
    if _free_memory() < _LEAST_MEMORY:
        raise _Passing("less than {} MB of memory are free".format(_LEAST_MEMORY >> 20))


def _build(kind, torch, folder, source, place):
    """Compiles, probes, and puts the object in its place. The caller holds the lock."""
    import shutil
    import subprocess
    import tempfile

    compiler, told = _compiler()
    for name in os.listdir(place):
        if name.startswith("build-"):  # of a builder that was killed
            shutil.rmtree(os.path.join(place, name), ignore_errors=True)
    log = os.path.join(place, "log.txt")
    work = tempfile.mkdtemp(prefix="build-", dir=place)
    target = os.path.join(work, "object.so")
    try:
        with open(log, "w") as output:
            try:
                command = _command(kind, compiler, torch, folder, source, _in_one(kind, work), target)
                done = subprocess.run(command, stdout=output, stderr=output, stdin=subprocess.DEVNULL,
                                      timeout=_PATIENCE, env=dict(os.environ, TMPDIR=work, LC_ALL="C"))
            except subprocess.TimeoutExpired:
                raise _Passing("the compiler took more than {} s".format(_PATIENCE)) from None
            if done.returncode != 0:
                raise _NotBuilt("it doesn't compile with {}: see {}".format(told, log))
            try:
                probe = subprocess.run([sys.executable, os.path.abspath(__file__), "probe", kind, target],
                                       stdout=output, stderr=output, stdin=subprocess.DEVNULL, timeout=_PATIENCE,
                                       cwd=work)
            except subprocess.TimeoutExpired:
                raise _NotBuilt("its probe hung: see " + log) from None
            if probe.returncode != 0:
                raise _NotBuilt("its probe ended with {}: see {}".format(probe.returncode, log))
        path = os.path.join(place, "object.so")
        os.rename(target, path)
        _write(os.path.join(place, "object.json"),
               json.dumps({"identity": torch.identity, "torch": torch.version, "compiler": told,
                           "sha256": _hash_of(path)}))
        _remove(os.path.join(place, "failure.json"))
    except _NotBuilt as reason:
        if not isinstance(reason, _Passing):
            _write(os.path.join(place, "failure.json"), json.dumps({"reason": str(reason), "compiler": told}))
        raise
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _remove(path):
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass


def _make_place(place):
    os.makedirs(os.path.dirname(os.path.dirname(place)), mode=0o700, exist_ok=True)
    for folder in (os.path.dirname(place), place):
        try:
            os.mkdir(folder, 0o700)
        except FileExistsError:
            pass
        if not _is_ours(folder):
            raise _Passing("{} isn't a folder that only you can write".format(folder))


def _lock(place, operation):
    """A descriptor, or None: another process has the lock."""
    import fcntl

    lock = os.open(os.path.join(place, "lock"), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(lock, operation | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    return lock


def _is_being_built(place):
    """Those who look at the same time don't take each other for a builder."""
    import fcntl

    lock = _lock(place, fcntl.LOCK_SH)
    if lock is None:
        return True
    os.close(lock)
    return False


def _lock_to_build(place):
    """A descriptor, or None: another process builds it."""
    import fcntl

    end = time.monotonic() + _LOOKING
    while True:
        lock = _lock(place, fcntl.LOCK_EX)
        if lock is not None or time.monotonic() > end:
            return lock
        time.sleep(0.02)


def _shipped(kind, torch):
    folder = ring_folder() if kind == "ring" else os.path.dirname(os.path.abspath(__file__))
    if folder is None:
        return None
    path = os.path.join(folder, "torch-{}.so".format(torch.version.split("+")[0]))
    # Not loaded: its text has the identity.
    try:
        with open(path, "rb") as file:
            return path if torch.identity.encode() in file.read() else None
    except OSError:
        return None


def _state(kind, torch, folder, source):
    """shipped, cached, compiling, failed, none; with the path or the reason."""
    shipped = _shipped(kind, torch)
    if shipped:
        return "shipped", shipped
    place = _place(kind, torch, source)
    try:
        cached = _cached(place)
        if cached:
            return "cached", cached
        if place and os.path.isdir(place):
            if _is_being_built(place):
                return "compiling", place
            failure = _read_json(os.path.join(place, "failure.json"))
            if failure and failure.get("compiler") == _compiler()[1]:
                return "failed", failure.get("reason", "")
        _requirements(kind, torch, folder, source)
        _compiler()
    except (OSError, _NotBuilt) as reason:
        return "none", str(reason)
    return "none", ""


def _show():
    torch, folder = _installed_torch()
    source = source_folder()
    for kind in KINDS:
        state, text = _state(kind, torch, folder, source)
        print(json.dumps({"kind": kind, "torch": torch.version, "state": state, "text": text}), flush=True)


def _build_missing(kinds, again):
    torch, folder = _installed_torch()
    source = source_folder()
    for kind in kinds:
        state, text = _state(kind, torch, folder, source)
        if state in ("none", "failed") and (state == "none" or again):
            try:
                place = _place(kind, torch, source)
                if place is None:
                    raise _Passing("Ringmaster is installed without the sources")
                _requirements(kind, torch, folder, source)
                _make_place(place)
                lock = _lock_to_build(place)
                if lock is not None:
                    try:
                        # Another may have just done so.
                        if not _cached(place):
                            _build(kind, torch, folder, source, place)
                    finally:
                        os.close(lock)
                state, text = _state(kind, torch, folder, source)
            except (OSError, _NotBuilt) as reason:
                state, text = "failed", str(reason)
        print(json.dumps({"kind": kind, "torch": torch.version, "state": state, "text": text}), flush=True)


def _ensure():
    """Says what is there, and compiles in the background what isn't and hasn't been tried."""
    torch, folder = _installed_torch()
    source = source_folder()
    wanted = []
    for kind in KINDS:
        state, text = _state(kind, torch, folder, source)
        if state == "none" and not text:
            wanted.append(kind)
            state = "compiling"
        print(json.dumps({"kind": kind, "torch": torch.version, "state": state, "text": text}), flush=True)
    if not wanted or os.fork() != 0:
        return
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    os.nice(19)
    try:
        _build_missing(wanted, False)
    finally:
        os._exit(0)


def _probe(kind, path):
    """Records, or carries out, one operation of a group of one rank. A crash is the answer, too."""
    import ctypes

    import torch
    import torch.distributed as dist

    if kind == "ring":
        ctypes.CDLL(os.path.join(ring_folder(), RING_LIBRARY))
    library = ctypes.CDLL(path)
    library.ringmasterTorch.restype = ctypes.c_char_p
    if library.ringmasterTorch().decode() != Torch.of(torch).identity:
        raise SystemExit("it is for " + library.ringmasterTorch().decode())
    error = ctypes.create_string_buffer(500)
    data = torch.ones(1000)
    if kind == "ring":
        if library.ringmasterRegisterRing(error, ctypes.c_size_t(len(error))) != 0:
            raise SystemExit(error.value.decode())
        group = dist.ProcessGroup(dist.HashStore(), 0, 1)
        torch.ops.ringmaster_ring.attach(group.boxed(), 0, 1, 60000)
        group._get_backend(torch.device("cpu")).allreduce([data]).wait()
    else:
        ledger = os.path.abspath("ledger")
        slots = _make_ledger(ledger)
        if library.ringmasterRecord(ledger.encode(), os.devnull.encode(), b"probe", error,
                                    ctypes.c_size_t(len(error))) != 0:
            raise SystemExit(error.value.decode())
        dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
        dist.all_reduce(data, async_op=True).wait()
        dist.barrier()
        with open(ledger, "rb") as file:
            _expect_all_reduce(file.read()[slots:], data.numel() * 4)
    if data.sum() != 1000:
        raise SystemExit("the result is wrong")
    os._exit(0)  # nothing is to be taken down


def _make_ledger(path):
    """As LedgerSegment makes one; returns where its records begin."""
    import struct

    with open(os.path.join(source_folder(), "engine/ledger/Layout.h")) as file:
        text = file.read()

    def constant(name):
        return int(re.search(name + r" = (0x[0-9A-Fa-f']+|[0-9]+)", text).group(1).replace("'", ""), 0)

    header, slots, groups, sites = constant("HeaderBytes"), 256, 4096, 4096
    begin = struct.pack("<Q7I2i", constant("Magic"), constant("Version"), header, 128, slots, groups, sites, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(begin)
        file.truncate(header + groups + sites + slots * 128)
    return header + groups + sites


def _expect_all_reduce(records, size):
    import struct

    all_reduce, done = 1, 2  # OperationKind, RecordKind
    for at in range(0, len(records), 128):
        moved, = struct.unpack_from("<Q", records, at + 40)
        kind, record = struct.unpack_from("<HB", records, at + 68)
        if (kind, record, moved) == (all_reduce, done, size):
            return
    raise SystemExit("the operation isn't in the ledger")


def _main(words):
    if words[:1] == ["probe"]:
        return _probe(words[1], os.path.abspath(words[2]))
    try:
        if words == ["show"]:
            return _show()
        if words == ["ensure"]:
            return _ensure()
        if words == ["build"]:
            return _build_missing(KINDS, True)
    except (OSError, _NotBuilt) as reason:
        raise SystemExit(str(reason)) from None
    raise SystemExit("show, ensure or build")


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))

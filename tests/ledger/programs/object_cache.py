"""What _ringmaster_objects.py does in a cache that several hosts and processes share: object_cache.py PARTS"""

import fcntl
import os
import sys
import tempfile

sys.path.insert(0, sys.argv[1])
import _ringmaster_objects as objects  # noqa: E402

TORCH = objects.Torch("2.99.0", "0123abcd", True)


def place_with(c_library):
    os.confstr = c_library
    return objects._place("recorder", TORCH, objects.source_folder())


def an_object_is_for_one_c_library():
    def musl(name):
        raise ValueError("unrecognized configuration name")

    usual = os.confstr
    try:
        older, newer = place_with(lambda name: "glibc 2.31"), place_with(lambda name: "glibc 2.38")
        assert older != newer
        assert place_with(lambda name: "glibc 2.31") == older
        assert place_with(musl) not in (older, newer)
    finally:
        os.confstr = usual


def who_looks_isnt_taken_for_a_builder(place):
    looking = objects._lock(place, fcntl.LOCK_SH)
    assert not objects._is_being_built(place)
    os.close(looking)
    building = objects._lock(place, fcntl.LOCK_EX)
    assert objects._is_being_built(place)
    os.close(building)


def a_builder_outlasts_who_looks(place):
    looking = objects._lock(place, fcntl.LOCK_SH)
    usual = objects.time.sleep
    objects.time.sleep = lambda seconds: os.close(looking)
    try:
        building = objects._lock_to_build(place)
    finally:
        objects.time.sleep = usual
    assert building is not None
    assert objects._lock(place, fcntl.LOCK_EX) is None
    os.close(building)


def what_another_has_just_built_isnt_built_again():
    def build(*_):
        raise AssertionError("built again")

    said = iter([("none", ""), ("cached", "object.so")])
    objects._installed_torch = lambda: (TORCH, "/nowhere")
    objects._requirements = lambda *_: None
    objects._state = lambda *_: next(said)
    objects._cached = lambda place: os.path.join(place, "object.so")
    objects._build = build
    objects._build_missing(["recorder"], False)


an_object_is_for_one_c_library()
with tempfile.TemporaryDirectory() as folder:
    who_looks_isnt_taken_for_a_builder(folder)
    a_builder_outlasts_who_looks(folder)
    os.environ["XDG_CACHE_HOME"] = folder
    what_another_has_just_built_isnt_built_again()

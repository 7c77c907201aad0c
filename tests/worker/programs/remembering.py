"""Which modules the warm starter remembers as bad, in a folder that hosts share: remembering.py PARTS FOLDER"""

import json
import os
import sys

sys.path.insert(0, sys.argv[1])
import _ringmaster_preload as preload  # noqa: E402

FOLDER = sys.argv[2]


def of_a_host(folder=FOLDER):
    return preload.Preload(folder, "python", [], 1 << 40)


def bad(name):
    return preload.BadModule(name, preload.Refusal("ColdThreads", what=name))


def two_hosts_write_at_once():
    replace = os.replace

    def replace_after_another(*paths):
        os.replace = replace
        of_a_host().remember(bad("other"))
        replace(*paths)

    os.replace = replace_after_another
    of_a_host().remember(bad("one"))
    assert os.listdir(FOLDER) == ["python.json"]
    with open(os.path.join(FOLDER, "python.json")) as file:
        assert list(json.load(file)["bad"]) == ["one"]


def what_fails_leaves_nothing():
    replace = os.replace

    def fail(*paths):
        raise OSError("no space")

    os.replace = fail
    try:
        of_a_host().remember(bad("two"))
    finally:
        os.replace = replace
    assert os.listdir(FOLDER) == ["python.json"]


def what_cant_be_remembered_isnt_tried_for_ever():
    preload.USUAL = ("no_such_module",)
    try:
        of_a_host("/nowhere").run()
    except preload.Refusal as refusal:
        assert refusal.parameters == {"module": "no_such_module"}
    else:
        raise AssertionError("it can be forked")


two_hosts_write_at_once()
what_fails_leaves_nothing()
what_cant_be_remembered_isnt_tried_for_ever()

#!/usr/bin/python3
"""Launches a job, hears that a worker has died and why, and reads its log: as a screen reader does, by the names
and roles that the window gives on the accessibility bus, and with nothing of the dashboard in this program.

  under_x.sh screen_reader.py BUILD_FOLDER

77: something of the bus is missing here, the test is skipped.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import warnings

SKIPPED = 77
PATIENCE = 120  # seconds; a busy machine takes its time
ON_BUS = "RINGMASTER_TEST_BUS"

JOB = """
name = "frail"
command = "sh"
arguments = ["-c", "echo about to fail; exit 3"]
workers = 1
[rendezvous]
standalone = true
"""


def skip(why):
    print("SKIP:", why)
    sys.exit(SKIPPED)


def on_a_bus_of_its_own():
    if ON_BUS in os.environ:
        return
    for program in ("dbus-run-session", "dbus-daemon"):
        if shutil.which(program) is None:
            skip("no " + program + "; see packaging/packages/tests.txt")
    os.environ[ON_BUS] = "yes"
    os.execvp("dbus-run-session", ["dbus-run-session", "--", sys.executable, *sys.argv])


on_a_bus_of_its_own()
warnings.simplefilter("ignore")  # newer names of the same calls aren't there in older releases
try:
    import gi

    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi
except (ImportError, ValueError) as error:
    skip("no Atspi for python3 ({}); see packaging/packages/tests.txt".format(error))


# A busy application answers late; libatspi by itself gives it 0.8 s.
Atspi.set_timeout(1000 * PATIENCE, 1000 * PATIENCE)


def beneath(node):
    """All nodes, the outer ones first; none beneath None. What goes away meanwhile is left out."""
    if node is None:
        return
    try:
        yield node
        children = [node.get_child_at_index(i) for i in range(min(node.get_child_count(), 200))]
    except gi.repository.GLib.Error:
        return
    for child in children:
        if child is not None:
            yield from beneath(child)


def told(node):
    """What a reader says of a node."""
    try:
        words = [node.get_name() or "", node.get_description() or ""]
        if node.get_text_iface() is not None:
            words.append(Atspi.Text.get_text(node, 0, -1) or "")
        return " ".join(word for word in words if word)
    except gi.repository.GLib.Error:
        return ""


def role_of(node):
    """Empty: it has gone away."""
    try:
        return node.get_role_name()
    except gi.repository.GLib.Error:
        return ""


def has(node, state):
    try:
        return node.get_state_set().contains(state)
    except gi.repository.GLib.Error:
        return False


def find(root, role, name, states=(Atspi.StateType.SHOWING,)):
    for node in beneath(root()):
        try:
            if node.get_role_name() == role and node.get_name() == name and all(has(node, s) for s in states):
                return node
        except gi.repository.GLib.Error:
            continue
    return None


def until(what, find_it, root):
    """What `find_it` finds; where it never does, the tree is printed and the test fails."""
    end = time.monotonic() + PATIENCE
    while True:
        found = find_it()
        if found:
            return found
        if time.monotonic() > end:
            break
        time.sleep(0.1)
    print("FAIL: there is no", what)
    for node in beneath(root()):
        if has(node, Atspi.StateType.SHOWING):
            print("  {} | {}".format(role_of(node), told(node)[:200]))
    sys.exit(1)


def press(node):
    actions = node.get_action_iface()
    names = [actions.get_action_name(i) for i in range(actions.get_n_actions())]
    wanted = next((names.index(name) for name in ("Press", "press", "Click", "click", "Toggle") if name in names), 0)
    if not actions.do_action(wanted):
        print("FAIL: {} can't be pressed, it has {}".format(node.get_name(), names))
        sys.exit(1)


def main():
    build = sys.argv[1]
    with tempfile.TemporaryDirectory(prefix="screen-reader-") as folder:
        environment = dict(os.environ, QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1", LC_ALL="C.UTF-8")
        for name in ("CONFIG_HOME", "STATE_HOME", "CACHE_HOME", "RUNTIME_DIR"):
            path = os.path.join(folder, name.lower())
            os.mkdir(path, 0o700)
            environment["XDG_" + name] = path
        with open(os.path.join(folder, "frail.ringjob"), "w") as job:
            job.write(JOB)
        window = subprocess.Popen([os.path.join(build, "bin/ringmaster-gui"), "frail.ringjob"], cwd=folder,
                                  env=environment)
        try:
            walk(window)
        finally:
            window.kill()
            window.wait()


def walk(window):
    def application():
        """None: it isn't there, or doesn't answer."""
        desktop = Atspi.get_desktop(0)
        try:
            for i in range(desktop.get_child_count()):
                one = desktop.get_child_at_index(i)
                if one is not None and one.get_process_id() == window.pid:
                    return one
        except gi.repository.GLib.Error:
            pass
        return None

    def text_that_says(*words):
        for node in beneath(application()):
            said = told(node)
            if all(word in said for word in words) and has(node, Atspi.StateType.SHOWING):
                return node
        return None

    until("window on the accessibility bus", application, lambda: Atspi.get_desktop(0))
    print("the window is on the bus")
    until("word that the job is in the form and can start", lambda: text_that_says("nothing keeps it from starting"),
          application)
    launchable = (Atspi.StateType.SHOWING, Atspi.StateType.ENABLED)
    press(until("button Launch", lambda: find(application, "push button", "Launch", launchable), application))
    print("Launch is pressed")
    cause = until("word that rank 0 has failed, with its exit code",
                  lambda: text_that_says("ank 0", "exit code 3"), application)
    print("heard: {} | {}".format(role_of(cause), told(cause)))
    tab = find(application, "page tab", "Log")
    if tab is not None:
        press(tab)
    line = until("line of the log", lambda: text_that_says("about to fail"), application)
    print("read: {} | {}".format(role_of(line), told(line)))


main()

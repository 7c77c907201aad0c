"""The warm starter: imports once, then forks a keeper for each run that asks. Runs no code of the user's.

One thread, one poll(). It answers one question a connection, in JSON: `keep` (with the keeper's end of
the agent's socket), `state`, `end`. It ends with its owner, idle for too long, or when no run needs it
and memory is short or its runtime folder gone, without which it isn't found.
"""

import ctypes
import errno
import gc
import json
import os
import select
import signal
import socket
import struct
import sys
import time

import _ringmaster_memory as memory
import _ringmaster_preload as preload
import _ringmaster_worker as worker

LISTENING = 3
LONGEST_QUESTION = 1 << 20
LONGEST_OUTPUT = 1 << 16
PATIENCE = 1.0  # with a connection that says nothing
MEMORY_TICK = 10.0  # between looks, where the kernel doesn't say when to look
IN_DELETE_SELF = 0x400  # inotify(7)
NO_DESCRIPTOR_LEFT = (errno.EMFILE, errno.ENFILE)


class Starter:
    def __init__(self, text):
        self.options = json.loads(text)
        self.first_environment = dict(os.environb)
        self.first_environment[b"RINGMASTER_STARTER"] = text.encode()
        self.inherited = dict(os.environb)
        self.listening = socket.socket(fileno=LISTENING)
        self.spare = -1  # a descriptor for whoever asks when there is no other left
        self._take_spare()
        self.guards = {}  # descriptor of a pidfd: (pid, title)
        self.output = b""
        self.began = self.used = time.monotonic()
        self.refusal = None
        self.has_refused = False
        self.preload = preload.Preload(self.options["folder"], self.options["name"],
                                       self.options["preload"], self.options["memory"])

    def prepare(self):
        self.owner = self._watch_owner()
        try:
            self._load()
        except preload.Refusal as refusal:
            self.refusal = refusal
        except preload.BadModule:
            self._begin_again()
        self.library = ctypes.PyDLL(self.options["library"])
        self.children = self.library.ringmaster_adopt()
        worker.learn_calls()
        os.chdir("/")
        gc.collect()
        gc.freeze()  # The collector would write to every object, and memory that is written isn't shared.

    def serve(self):
        """Comes back in a worker."""
        pressure = memory.watch_pressure()
        folder = self._watch_folder()
        while True:
            poll = select.poll()
            poll.register(self.listening, select.POLLIN)
            poll.register(self.owner, select.POLLIN)
            if pressure >= 0:
                poll.register(pressure, select.POLLPRI)
            if folder >= 0:
                poll.register(folder, select.POLLIN)
            for guard in self.guards:
                poll.register(guard, select.POLLIN)
            poll.register(self.children, select.POLLIN)
            ready = dict(poll.poll(self._next_look(pressure) * 1000))
            is_asked = LISTENING in ready
            if self.owner in ready:
                self._end()
            if folder in ready:
                os.close(folder)
                folder = -1
                self.options["idle"] = 0
            if not is_asked and self._is_idle_too_long():
                self._end()
            for guard in [guard for guard in self.guards if guard in ready]:
                self._bury(guard)
            if self.children in ready:
                self._end_orphans()
            if self._is_in_the_way():
                self._end()
            if is_asked and self._answer_next():
                return
            if self.refusal is not None and self.has_refused:
                self._refuse_all()

    def _load(self):
        """What an import prints is each worker's to print."""
        streams = [os.dup(1), os.dup(2)]
        output = os.memfd_create("output")
        os.dup2(output, 1)
        os.dup2(output, 2)
        try:
            self.preload.run()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os.dup2(streams[0], 1)
            os.dup2(streams[1], 2)
            self.output = os.pread(output, LONGEST_OUTPUT, 0)
            for descriptor in [output, *streams]:
                os.close(descriptor)

    def _begin_again(self):
        """Without the module that is remembered now: its threads can't be got rid of otherwise."""
        command = self.options["command"]
        os.set_inheritable(LISTENING, True)
        os.execvpe(command[0], command, self.first_environment)

    def _watch_owner(self):
        owner = self.options["owner"]
        try:
            descriptor = os.pidfd_open(owner["pid"])
            with open("/proc/%d/stat" % owner["pid"]) as file:
                started = int(file.read().rpartition(")")[2].split()[19])
        except (OSError, ValueError):
            os._exit(0)
        if started != owner["started"]:
            os._exit(0)
        return descriptor

    def _watch_folder(self):
        """A descriptor that is ready once the runtime folder is gone; -1: there are none left."""
        libc = ctypes.CDLL(None)
        descriptor = libc.inotify_init1(os.O_CLOEXEC)
        libc.inotify_add_watch(descriptor, os.fsencode(self.options["runtime"]), IN_DELETE_SELF)
        return descriptor

    def _is_in_the_way(self):
        """While a run needs it, its memory is shared with the workers: its end would free little."""
        return not self.guards and memory.is_short(self.options["meminfo"] or memory.MACHINE)

    def _next_look(self, pressure):
        left = self.used + self.options["idle"] - time.monotonic() if not self.guards else 3600.0
        return max(0.0, min(left, MEMORY_TICK if pressure < 0 else 3600.0))

    def _is_idle_too_long(self):
        return not self.guards and time.monotonic() >= self.used + self.options["idle"]

    def _bury(self, guard):
        pid, _ = self.guards.pop(guard)
        os.close(guard)
        os.waitpid(pid, 0)
        self.used = time.monotonic()

    def _end_orphans(self):
        """Of runs whose keeper and guard were both killed."""
        guards = [pid for pid, _ in self.guards.values()]
        self.library.ringmaster_end_orphans(self.children, (ctypes.c_int * len(guards))(*guards),
                                            ctypes.c_size_t(len(guards)))

    def _end(self):
        os._exit(0)

    def _answer_next(self):
        """True in a worker."""
        connection = self._accept()
        if connection is None:
            return False
        with connection:
            is_worker = self._answer(connection)
        if not is_worker:
            self._take_spare()
        return is_worker

    def _accept(self):
        """With the spare descriptor where there is no other left: a connection that stays in the queue wakes poll()
        without end. None: there is no descriptor at all."""
        try:
            return self.listening.accept()[0]
        except OSError as error:
            if error.errno not in NO_DESCRIPTOR_LEFT:
                raise
        if self.spare < 0:
            self._end()
        os.close(self.spare)
        self.spare = -1
        try:
            return self.listening.accept()[0]
        except OSError as error:
            if error.errno not in NO_DESCRIPTOR_LEFT:
                raise
        self._take_spare()
        return None

    def _take_spare(self):
        if self.spare < 0:
            try:
                self.spare = os.open(os.devnull, os.O_RDONLY)
            except OSError:
                pass  # The next accept() may need none.

    def _answer(self, connection):
        """True in a worker."""
        connection.settimeout(PATIENCE)
        pid, user, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        if user != os.getuid():
            return False
        try:
            text, received, _, _ = socket.recv_fds(connection, LONGEST_QUESTION, 1)
        except OSError:
            return False
        try:
            question = json.loads(text or b"{}")
            if question.get("ask") == "keep" and self._keep(connection, question, received):
                return True
            if question.get("ask") == "state":
                self._say(connection, **self._state())
            elif question.get("ask") == "end":
                self._say(connection, answer="ending")
                self._end()
        except ValueError:
            pass
        for descriptor in received:
            os.close(descriptor)
        return False

    def _keep(self, connection, question, received):
        """True in a worker."""
        try:
            if not received:  # The kernel drops what there is no number for.
                raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
            self._check(question)
            child = os.fork()
        except preload.Refusal as refusal:
            self._refuse(connection, refusal)
            if refusal.reason in ("stale", "key"):
                self._end()
            return False
        except OSError as error:
            self._refuse(connection, preload.Refusal("ColdStarterFull", error.strerror))
            return False
        if child == 0:
            self.launch = self._become_keeper(question, received[0])
            # They are closed, and their numbers may be another file's by now.
            connection.detach()
            self.listening.detach()
            worker.become(self)
            return True
        self.used = time.monotonic()
        try:
            guard = os.pidfd_open(child)
        except OSError as error:
            # Its keeper, if there is one already, ends with the agent's socket, which is closed upon the answer.
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            self._refuse(connection, preload.Refusal("ColdStarterFull", error.strerror))
            return False
        self.guards[guard] = (child, question.get("title", ""))
        self._say(connection, answer="kept", **self._state())
        return False

    def _refuse(self, connection, refusal):
        self.has_refused = True
        self._say(connection, answer="no", reason=refusal.reason, detail=refusal.detail, **refusal.parameters)

    def _become_keeper(self, question, agent):
        api = ctypes.pythonapi
        steps = [ctypes.cast(getattr(api, "PyOS_" + name), ctypes.c_void_p)
                 for name in ("BeforeFork", "AfterFork_Parent", "AfterFork_Child")]
        self.library.ringmaster_keep(agent, os.fsencode(self.options["keeper"]),
                                     os.fsencode(question.get("title", "")), *steps)
        size = ctypes.c_size_t()
        self.library.ringmaster_launch.restype = ctypes.c_void_p
        launch = self.library.ringmaster_launch(ctypes.byref(size))
        return ctypes.string_at(launch, size.value)

    def _check(self, question):
        if question.get("key") != self.options["key"]:
            raise preload.Refusal("key")
        if self.refusal is not None:
            raise self.refusal
        if self.preload.is_stale():
            raise preload.Refusal("stale")
        if not preload.survives_a_fork():
            raise preload.Refusal("ColdThreads", what="torch")
        for program in question.get("programs", []):
            worker.check_program(program)

    def _refuse_all(self):
        """Whoever has asked by now has been told why; the next one gets a new starter."""
        self.listening.setblocking(False)
        try:
            while True:
                if self._answer_next():
                    return
        except OSError:
            self._end()

    def _state(self):
        torch = sys.modules.get("torch")
        now = time.monotonic()
        return {"pid": os.getpid(), "interpreter": self.options["command"][0],
                "torch": str(getattr(torch, "__version__", "")), "modules": len(sys.modules),
                "seconds": self.preload.seconds, "age": now - self.began,
                "idle": 0.0 if self.guards else now - self.used, "limit": self.options["idle"],
                "left_out": sorted(self.preload.bad), "keepers": [title for _, title in self.guards.values()]}

    @staticmethod
    def _say(connection, **answer):
        try:
            connection.sendall(json.dumps(answer).encode())
        except OSError:
            pass  # Whoever asked is gone.

"""The wheel's Python API against the command that it brings: run by the interpreter that the wheel is installed in,
which has torch (tests/packaging/try_wheel)."""

import pathlib
import sys
import tempfile
import unittest

import ringmaster

PROGRAM = pathlib.Path(__file__).parent / "programs" / "sum.py"


class Api(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.enough = self.folder / "enough"

    def launch(self, *arguments: str, **how: object) -> ringmaster.Run:
        run = ringmaster.launch(PROGRAM, arguments, nproc_per_node=2, **how)
        self.addCleanup(self.end, run)
        return run

    def end(self, run: ringmaster.Run) -> None:
        self.enough.touch()
        if run.id in [one.id for one in ringmaster.runs()]:
            run.wait(timeout=60)

    def test_a_job_runs_with_the_wheels_interpreter(self) -> None:
        run = self.launch(name="adding", folder=self.folder)
        info = run.wait(timeout=60)
        self.assertEqual((info.state, info.exit_code, info.world_size, info.name), ("succeeded", 0, 2, "adding"))
        self.assertEqual([(one.rank, one.last_exit.exit_code) for one in info.workers], [(0, 0), (1, 0)])
        printed = sorted((line.rank, line.text) for line in run.logs(stream="stdout"))
        self.assertEqual(printed, [(rank, f"sum 3 with {sys.executable}") for rank in (0, 1)])
        self.assertEqual([line.rank for line in run.logs(ranks=[1], grep="sum")], [1])
        self.assertEqual(list(run.logs(grep="nothing like that")), [])
        summary = next(one for one in ringmaster.runs(all=True) if one.id == run.id)
        self.assertEqual((summary.state, summary.is_live, summary.world_size), ("succeeded", False, 2))
        run.remove()
        self.assertNotIn(run.id, [one.id for one in ringmaster.runs(all=True)])

    def test_a_failure_names_its_cause(self) -> None:
        info = self.launch("--fail").wait(timeout=60)
        self.assertEqual((info.state, info.exit_code), ("failed", 1))
        self.assertIn("ValueError", str(info.cause))
        failed = info.workers[1].last_exit
        self.assertEqual((failed.error_type, failed.error_text), ("ValueError", "as asked"))

    def test_a_run_is_followed_and_stopped(self) -> None:
        run = self.launch("--wait", str(self.enough))
        lines = run.logs(follow=True)
        while next(lines).text != "waiting":
            pass
        self.assertIn(run.id, [one.id for one in ringmaster.runs()])
        info = run.info()
        self.assertEqual((info.state, info.exit_code, info.has_ended), ("running", None, False))
        with self.assertRaises(TimeoutError):
            run.wait(timeout=0.1)
        lines.close()
        self.assertEqual(run.info().state, "running")
        self.assertEqual(run.stop(now=True).state, "stopped")
        self.assertNotIn(run.id, [one.id for one in ringmaster.runs()])

    def test_following_ends_with_the_run(self) -> None:
        run = self.launch("--wait", str(self.enough))
        texts = []
        for line in run.logs(follow=True):
            texts.append(line.text)
            if line.text == "waiting":
                self.enough.touch()
        self.assertEqual(texts.count("waiting"), 2)
        self.assertEqual(run.info().state, "succeeded")

    def test_what_the_command_refuses_is_raised(self) -> None:
        with self.assertRaisesRegex(ringmaster.RingmasterError, "nowhere.py") as refused:
            ringmaster.launch("nowhere.py", nproc_per_node=2, folder=self.folder)
        self.assertEqual(refused.exception.exit_code, 2)
        for call in (ringmaster.Run("nobody").info, lambda: list(ringmaster.Run("nobody").logs())):
            with self.assertRaisesRegex(ringmaster.RingmasterError, "nobody"):
                call()

    def test_the_doctor_says_that_jobs_use_this_interpreter(self) -> None:
        found = ringmaster.doctor()
        self.assertNotIn("bad", [one.grade for one in found])
        used = [one.text for one in found if one.subject == "interpreter" and "jobs use this one" in one.text]
        self.assertEqual(len(used), 1)
        self.assertTrue(used[0].startswith(f"{sys.executable}, "), used)

    def test_versions_are_one(self) -> None:
        import importlib.metadata

        self.assertEqual(ringmaster.version(), importlib.metadata.version("ringmaster-launcher"))


if __name__ == "__main__":
    unittest.main()

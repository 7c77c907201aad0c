"""What the command tells, read by the wheel's Python package: neither the command nor torch is needed."""

import dataclasses
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "packaging" / "python"))

import ringmaster  # noqa: E402
from ringmaster import _command, _magic  # noqa: E402

MESSAGE = {"code": "ChildExited", "text": "exit code 7", "parameters": {"code": "7"}, "detail": "", "new": 1}
WORKER = {
    "rank": 1,
    "localRank": 1,
    "role": "default",
    "state": "failed",
    "pid": 12,
    "lastExit": {
        "kind": "workerExited",
        "status": {"code": 0, "signal": 9, "coreDumped": False, "exitCode": -9},
        "explanation": MESSAGE,
        "errorType": "ValueError",
        "errorText": "no",
    },
    "lastOperation": None,
    "invented": {"later": True},
}
VERDICT = {
    "kind": "verdict",
    "verdict": "hang",
    "id": 3,
    "guilty": [2],
    "isSure": False,
    "isStanding": True,
    "statement": MESSAGE,
    "evidence": [MESSAGE],
    "remedy": None,
}
RUN = {
    "format": 1,
    "id": "broken-1",
    "started": {"name": "broken", "torchrunLine": "x"},
    "state": "failed",
    "exitCode": 1,
    "startedAt": {"ns": 1_500_000_000, "text": "1970"},
    "endedAt": None,
    "worldSize": 2,
    "cause": {"statement": MESSAGE, "place": None, "remedy": MESSAGE, "isSure": True, "verdict": None},
    "firstCause": None,
    "workers": [WORKER],
    "verdicts": [VERDICT],
    "unknown": [1, 2, 3],
}


class Records(unittest.TestCase):
    def test_a_run_is_read_and_unknown_names_are_ignored(self) -> None:
        info = ringmaster.RunInfo.from_json(RUN)
        self.assertEqual((info.id, info.name, info.state, info.exit_code), ("broken-1", "broken", "failed", 1))
        self.assertTrue(info.has_ended)
        self.assertEqual(str(info.cause), "exit code 7")
        self.assertEqual(info.started_at.datetime.timestamp(), 1.5)
        self.assertIsNone(info.ended_at)
        worker = info.workers[0]
        self.assertEqual((worker.rank, worker.last_exit.exit_code, worker.last_exit.error_type), (1, -9, "ValueError"))
        self.assertIsNone(worker.last_operation)
        verdict = info.verdicts[0]
        self.assertEqual((verdict.kind, verdict.guilty, verdict.is_sure), ("hang", (2,), False))
        self.assertIsNone(verdict.remedy)

    def test_names_that_an_older_command_lacks_have_defaults(self) -> None:
        info = ringmaster.RunInfo.from_json({"id": "a", "state": "running"})
        self.assertEqual((info.workers, info.verdicts, info.exit_code), ((), (), None))
        self.assertFalse(info.has_ended)
        self.assertEqual(ringmaster.RunSummary.from_json({"id": "a", "state": "lost"}).world_size, 0)
        self.assertIsNone(ringmaster.LogLine.from_json({"rank": 0, "text": "x"}).at)
        self.assertEqual(ringmaster.DoctorFinding.from_json({"subject": "a", "grade": "ok", "text": "b"}).remedy, "")

    def test_records_are_frozen_and_equal_by_value(self) -> None:
        info = ringmaster.RunInfo.from_json(RUN)
        self.assertEqual(info, ringmaster.RunInfo.from_json(RUN))
        with self.assertRaises(dataclasses.FrozenInstanceError):
            info.state = "running"

    def test_another_format_is_refused(self) -> None:
        self.assertEqual(_command.read_json('[{"format": 1, "a": 2}]'), [{"format": 1, "a": 2}])
        for text in ('{"format": 2}', '[{"format": 2}]'):
            with self.assertRaisesRegex(ringmaster.RingmasterError, "format 2"):
                _command.read_json(text)


class Magic(unittest.TestCase):
    def test_a_line_has_options_and_arguments(self) -> None:
        self.assertEqual(_magic._split(["--name", "x", "--", "--lr", "1"]), (["--name", "x"], ["--lr", "1"]))
        self.assertEqual(_magic._split(["--nproc-per-node", "2"]), (["--nproc-per-node", "2"], []))

    def test_states_are_told_by_ranks(self) -> None:
        running = [dict(WORKER, rank=rank, state="running") for rank in (0, 1, 2, 5)]
        info = ringmaster.RunInfo.from_json(dict(RUN, state="running", attempt=1, workers=[*running, dict(WORKER, rank=3)]))
        self.assertEqual(_magic._states(info), "running, attempt 1: ranks 0-2,5 running, 3 failed")
        self.assertEqual(_magic._states(ringmaster.RunInfo.from_json({"id": "a", "state": "starting"})), "starting")

    def test_an_ending_names_cause_and_remedy(self) -> None:
        self.assertEqual(_magic._ending(ringmaster.RunInfo.from_json(RUN)), "broken-1 failed: exit code 7\n  exit code 7")


if __name__ == "__main__":
    unittest.main()

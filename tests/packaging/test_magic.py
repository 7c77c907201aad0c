"""%%ringmaster in a real kernel without a window: run by an interpreter with ipykernel and nbclient that the wheel is
installed in, and that has torch (tests/packaging/try_notebook)."""

import asyncio
import pathlib
import signal
import tempfile
import threading
import unittest

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

import ringmaster

PROGRAM = (pathlib.Path(__file__).parent / "programs" / "sum.py").read_text()


class Magic(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.addCleanup(self.nothing_runs_on)

    def nothing_runs_on(self) -> None:
        for run in ringmaster.runs():
            ringmaster.Run(run.id).stop(now=True)

    def execute(self, *cells: str, allow_errors: bool = False) -> str:
        """The outputs of the last cell."""
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        self.client = NotebookClient(
            notebook, timeout=120, allow_errors=allow_errors, resources={"metadata": {"path": str(self.folder)}}
        )
        self.client.execute()
        return self.outputs(notebook)

    def outputs(self, notebook: nbformat.NotebookNode) -> str:
        texts = []
        for output in notebook.cells[-1].outputs:
            texts.append(output.get("text") or "\n".join(output.get("traceback", [])))
        return "".join(texts)

    def test_a_cell_becomes_the_workers_program(self) -> None:
        (self.folder / "beside.py").write_text("word = 'found'\n")
        said = self.execute(
            "%load_ext ringmaster",
            f"%%ringmaster --nproc-per-node 2 --name cell -- --anything\nimport beside\nprint(beside.word)\n{PROGRAM}",
        )
        for expected in ("[0] found", "[1] found", "[0] sum 3", "[1] sum 3", ": launched", " succeeded"):
            self.assertIn(expected, said)
        run = next(one for one in ringmaster.runs(all=True) if one.name == "cell")
        self.assertIn(f"{run.id} succeeded", said)

    def test_a_failure_stops_the_notebook_and_names_the_cause(self) -> None:
        cells = ("%load_ext ringmaster", f"%%ringmaster --nproc-per-node 2 -- --fail\n{PROGRAM}")
        with self.assertRaises(CellExecutionError):
            self.execute(*cells)
        said = self.execute(*cells, allow_errors=True)
        self.assertIn("RunFailed: ", said)
        self.assertIn("ValueError: as asked", said)
        # The workers' traceback, not the magic's.
        self.assertNotIn("_magic.py", said)

    def test_a_verdict_is_shown_while_the_cell_runs_and_an_interrupt_stops_the_run(self) -> None:
        hanging = (
            "%%ringmaster --nproc-per-node 2 --name hanging\n"
            "import time, torch, torch.distributed as dist\n"
            "dist.init_process_group('gloo')\n"
            "one = torch.ones(1)\n"
            "dist.all_reduce(one)\n"
            "if dist.get_rank() == 0:\n"
            "    dist.all_reduce(one)\n"
            "while True:\n"
            "    time.sleep(1)\n"
        )
        seen = threading.Event()

        def watch(message: dict) -> None:
            if "Rank 0 has waited" in message["content"].get("text", "") and not seen.is_set():
                seen.set()
                self.interrupt = asyncio.ensure_future(self.client.km.interrupt_kernel())

        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell("%load_ext ringmaster"), nbformat.v4.new_code_cell(hanging)]
        )
        self.client = _Watched(notebook, watch, timeout=120, resources={"metadata": {"path": str(self.folder)}})
        self.client.execute()
        said = self.outputs(notebook)
        self.assertTrue(seen.is_set(), said)
        self.assertIn("rank 1", said)
        self.assertIn(" stopped", said)
        run = next(one for one in ringmaster.runs(all=True) if one.name == "hanging")
        self.assertEqual((run.state, run.is_live), ("stopped", False))


class _Watched(NotebookClient):
    """Tells of each output as it comes."""

    def __init__(self, notebook: nbformat.NotebookNode, watch, **options: object) -> None:
        super().__init__(notebook, **options)
        self._watch = watch

    def output(self, outs: list, msg: dict, display_id: str, cell_index: int):
        self._watch(msg)
        return super().output(outs, msg, display_id, cell_index)


if __name__ == "__main__":
    signal.alarm(600)
    unittest.main()

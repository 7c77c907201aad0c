"""What came of each check: one JSON and one table that a person reads."""
from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass
class Outcome:
    name: str
    status: str  # passed, failed, skipped
    seconds: float = 0.0
    said: str = ""  # one line: what was seen, or why not
    figures: dict = field(default_factory=dict)


@dataclass
class Report:
    gpus: list[dict]
    torch: str
    is_dry: bool
    outcomes: list[Outcome] = field(default_factory=list)
    date: str = field(default_factory=lambda: time.strftime("%Y-%m-%d"))

    @property
    def failed(self) -> list[Outcome]:
        return [outcome for outcome in self.outcomes if outcome.status == "failed"]

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "results.json").write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")
        (folder / "results.md").write_text(self.table(), encoding="utf-8")

    def table(self) -> str:
        where = ", ".join(sorted({gpu["name"] for gpu in self.gpus})) or "no GPU: a dry run, on gloo"
        lines = [f"# Checks on a GPU: {where}", "", f"{self.date}, torch {self.torch}.", "",
                 "| check | outcome | seconds | what was seen |", "| --- | --- | --- | --- |"]
        lines += [f"| {one.name} | {one.status} | {one.seconds:.1f} | {one.said.replace('|', '/')} |" for one in self.outcomes]
        return "\n".join([*lines, ""])

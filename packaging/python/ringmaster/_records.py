"""What the command tells, as frozen dataclasses. ``from_json`` ignores names that it doesn't know, and takes the
default for those that are missing: an older and a newer command are read alike."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Mapping

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Moment:
    """A time of the wall clock."""

    ns: int  #: since 1970

    @classmethod
    def from_json(cls, json: Json) -> Moment:
        return cls(ns=int(json["ns"]))

    @property
    def datetime(self) -> datetime:
        return datetime.fromtimestamp(self.ns / 1e9, tz=timezone.utc)


@dataclass(frozen=True)
class Message:
    """A sentence of Ringmaster's with the code that it can be known by."""

    code: str
    text: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    detail: str = ""

    @classmethod
    def from_json(cls, json: Json) -> Message:
        return cls(
            code=str(json.get("code", "")),
            text=str(json.get("text", "")),
            parameters=dict(json.get("parameters") or {}),
            detail=str(json.get("detail") or ""),
        )

    def __str__(self) -> str:
        return self.text


def _moment(json: Json | None) -> Moment | None:
    return Moment.from_json(json) if json else None


def _message(json: Json | None) -> Message | None:
    return Message.from_json(json) if json else None


@dataclass(frozen=True)
class RunSummary:
    """A line of ``ringmaster ps``."""

    id: str
    name: str
    state: str
    is_live: bool
    world_size: int = 0
    restarts_used: int = 0
    restart_budget: int = 0
    started_at: Moment | None = None
    ended_at: Moment | None = None
    reason: Message | None = None
    is_pinned: bool = False
    size_bytes: int = 0
    folder: str = ""

    @classmethod
    def from_json(cls, json: Json) -> RunSummary:
        return cls(
            id=str(json["id"]),
            name=str(json.get("name", "")),
            state=str(json["state"]),
            is_live=bool(json.get("isLive", False)),
            world_size=int(json.get("worldSize", 0)),
            restarts_used=int(json.get("restartsUsed", 0)),
            restart_budget=int(json.get("restartBudget", 0)),
            started_at=_moment(json.get("startedAt")),
            ended_at=_moment(json.get("endedAt")),
            reason=_message(json.get("reason")),
            is_pinned=bool(json.get("isPinned", False)),
            size_bytes=int(json.get("sizeBytes", 0)),
            folder=str(json.get("folder", "")),
        )


@dataclass(frozen=True)
class Exit:
    """How a worker ended."""

    exit_code: int  #: as torchelastic counts: minus the signal where one ended it
    explanation: Message | None = None
    error_type: str = ""
    error_text: str = ""
    traceback: str = ""

    @classmethod
    def from_json(cls, json: Json) -> Exit:
        return cls(
            exit_code=int((json.get("status") or {}).get("exitCode", 0)),
            explanation=_message(json.get("explanation")),
            error_type=str(json.get("errorType") or ""),
            error_text=str(json.get("errorText") or ""),
            traceback=str(json.get("traceback") or ""),
        )


@dataclass(frozen=True)
class WorkerInfo:
    """One worker of the last attempt."""

    rank: int
    state: str
    pid: int = 0
    local_rank: int = 0
    role: str = ""
    node: str = ""
    attempt: int = 0
    last_exit: Exit | None = None
    last_operation: Message | None = None
    log_folder: str = ""

    @classmethod
    def from_json(cls, json: Json) -> WorkerInfo:
        last_exit = json.get("lastExit")
        return cls(
            rank=int(json["rank"]),
            state=str(json["state"]),
            pid=int(json.get("pid", 0)),
            local_rank=int(json.get("localRank", 0)),
            role=str(json.get("role", "")),
            node=str(json.get("node", "")),
            attempt=int(json.get("attempt", 0)),
            last_exit=Exit.from_json(last_exit) if last_exit else None,
            last_operation=_message(json.get("lastOperation")),
            log_folder=str(json.get("logFolder", "")),
        )


@dataclass(frozen=True)
class Verdict:
    """What keeps a run from going on, and who is guilty."""

    id: int
    kind: str  #: "hang", "mismatch", "straggler", "slowWire" or "waiting"
    statement: Message
    guilty: tuple[int, ...] = ()  #: global ranks; none: nobody, or not known
    is_sure: bool = True
    is_standing: bool = True  #: else it was withdrawn, and the statement says what came of it
    evidence: tuple[Message, ...] = ()
    remedy: Message | None = None

    @classmethod
    def from_json(cls, json: Json) -> Verdict:
        return cls(
            id=int(json.get("id", 0)),
            kind=str(json.get("verdict", "")),
            statement=Message.from_json(json.get("statement") or {}),
            guilty=tuple(json.get("guilty") or ()),
            is_sure=bool(json.get("isSure", True)),
            is_standing=bool(json.get("isStanding", True)),
            evidence=tuple(Message.from_json(one) for one in json.get("evidence") or ()),
            remedy=_message(json.get("remedy")),
        )


@dataclass(frozen=True)
class RunInfo:
    """How a run goes, or went: ``ringmaster show``."""

    id: str
    name: str
    state: str
    exit_code: int | None = None  #: while it runs there is none
    world_size: int = 0
    attempt: int = 0
    restarts_used: int = 0
    restart_budget: int = 0
    started_at: Moment | None = None
    ended_at: Moment | None = None
    reason: Message | None = None
    cause: Message | None = None  #: why it ended as it did
    place: Message | None = None
    remedy: Message | None = None
    workers: tuple[WorkerInfo, ...] = ()
    verdicts: tuple[Verdict, ...] = ()

    @classmethod
    def from_json(cls, json: Json) -> RunInfo:
        cause = json.get("cause") or {}
        first = json.get("firstCause") or {}
        return cls(
            id=str(json["id"]),
            name=str((json.get("started") or {}).get("name", "")),
            state=str(json["state"]),
            exit_code=json.get("exitCode"),
            world_size=int(json.get("worldSize", 0)),
            attempt=int(json.get("attempt", 0)),
            restarts_used=int(json.get("restartsUsed", 0)),
            restart_budget=int(json.get("restartBudget", 0)),
            started_at=_moment(json.get("startedAt")),
            ended_at=_moment(json.get("endedAt")),
            reason=_message(json.get("reason")),
            cause=_message(cause.get("statement") or first.get("cause")),
            place=_message(cause.get("place")),
            remedy=_message(cause.get("remedy") or first.get("remedy")),
            workers=tuple(WorkerInfo.from_json(one) for one in json.get("workers") or ()),
            verdicts=tuple(Verdict.from_json(one) for one in json.get("verdicts") or ()),
        )

    @property
    def has_ended(self) -> bool:
        return self.exit_code is not None


@dataclass(frozen=True)
class LogLine:
    """One line that a worker printed."""

    rank: int
    text: str
    stream: str  #: "stdout" or "stderr"
    attempt: int = 0
    at: Moment | None = None

    @classmethod
    def from_json(cls, json: Json) -> LogLine:
        return cls(
            rank=int(json["rank"]),
            text=str(json["text"]),
            stream=str(json.get("stream", "stdout")),
            attempt=int(json.get("attempt", 0)),
            at=Moment(int(json["wallNs"])) if json.get("wallNs") else None,
        )


@dataclass(frozen=True)
class DoctorFinding:
    """One line of ``ringmaster doctor``."""

    subject: str
    grade: str  #: "ok", "note" or "bad"
    text: str
    remedy: str = ""

    @classmethod
    def from_json(cls, json: Json) -> DoctorFinding:
        return cls(
            subject=str(json["subject"]),
            grade=str(json["grade"]),
            text=str(json["text"]),
            remedy=str(json.get("remedy") or ""),
        )

#pragma once

#include "engine/base/Codes.h"
#include "engine/event/Event.h"

#include <vector>

namespace ringmaster::samples {

/// Text as a program may print it: not UTF-8, with a zero in it.
inline std::string wildText()
{
    return std::string("caf\xE9 \xFF\0 end", 11);
}

inline RunStateChanged state(RunState now)
{
    return {.state = now};
}

inline Message message()
{
    return {code::FileNotFound, {{"path", wildText()}, {"rank", "3"}}, wildText()};
}

inline LessonStep lessonStep()
{
    const LessonValue tensor{"chunks[1]", LessonValue::Kind::Tensor, "float32", {2, 1},
                             8,           {"2.0", wildText()},       true};
    const LessonCall call{7, "wait", 5,    "default", {0, 1},   1,
                          3, "SUM",  true, {tensor},  {tensor}, 1'000};
    const LessonChunk chunk{"all_reduce", "ring",  3,         2,      1, 0, 1, 8,
                            {"2.0"},      {"5.0"}, "default", {"3.0"}};
    return {1,      3,      LessonStep::Kind::Hazard,
            99,     "a.py", 12,
            "main", 1,      {tensor},
            call,   chunk,  "written",
            true,   true,   {{3, 98}, {1, 97}}};
}

/// One of each kind, no field at its default.
inline std::vector<EventBody> everyBody()
{
    const WorkerAssignment first{0, 4, 1, 8, "trainer", "/logs/0"};
    const WorkerAssignment second{1, 5, 2, 8, wildText(), "/logs/1"};
    return {
        RunStarted{"[[role]]", "name", "torchrun a.py", wildText(), "/work", "1.2", 77, true, 3},
        RunStateChanged{RunState::Failed, message(), 1},
        RendezvousStep{RendezvousStep::Step::Completed, 2, 1, 2, "host", 29500, message()},
        AttemptStarted{1, 2, 3, 8, "/logs/attempt_1", {first, second}},
        WorkerStateChanged{1, 4, 0, 1234, WorkerState::Healthy},
        WorkerExited{1,
                     4,
                     0,
                     1234,
                     {0, 11, true},
                     true,
                     message(),
                     "ValueError",
                     wildText(),
                     "Traceback …",
                     "/logs/0/error.json",
                     true,
                     true},
        GroupRestarting{1, message(), 3, 2, 1'500'000'000},
        FirstCause{1, true, 4, {4, 5}, {6, 7}, message(), message(), wildText()},
        ProcessSample{1, 4, 1.25, 1LL << 40},
        Notice{Notice::Severity::Warning, -1, message()},
        SweepPlan{1,
                  true,
                  {"all_reduce", "sendrecv"},
                  {"gloo", "ring"},
                  {8, 16},
                  "float32",
                  "sum",
                  "auto",
                  4,
                  2,
                  20,
                  5,
                  false},
        SweepRow{1,     3,       "all_reduce", "ring", "tree",   "cpu", "float32", "sum", 0,
                 4,     2,       4096,         4080,   340,      20,    8'100,     7'900, 8'000,
                 9'000, 5.037e8, 7.556e8,      2,      message()},
        LessonStarted{"format = 1", "/work/send_recv.py", wildText(), "gloo", 4, true},
        lessonStep(),
        Verdict{7,
                1,
                Verdict::Kind::Hang,
                false,
                false,
                {2, 3},
                {0, 1},
                {3},
                42,
                message(),
                {message(), message()},
                message()},
        LastOperation{1, 4, message()},
        HostChanged{"2", wildText(), HostChanged::State::Gone, message()},
        ClockMeasured{"2", -5, 7, 9},
        RendezvousReport{RendezvousReport::Step::Finished, 3, {{"trainer", 2}}, "10.0.0.1", 4711},
        DeviceSample{16,
                     0.5,
                     {1e6, 2e6},
                     3e6,
                     {GpuSample{1, wildText(), 0.75, 5, 9, Traffic{1, 2}, Traffic{3, 4}}},
                     message()},
        Evidence{
            1,
            message(),
            42,
            true,
            {RankEvidence{4,
                          4711,
                          RankEvidence::Source::PySpy,
                          message(),
                          {ThreadStack{wildText(), true, true, {{wildText(), "/a.py", 3}}, 2}},
                          {ThreadStack{"MainThread", true, false, {{"futex", "libc.so", 0}}, 0}},
                          RankEvidence::Process::Stopped,
                          "write",
                          wildText(),
                          "anon_pipe_write",
                          message()}}},
        WorkerImporting{1, 4, true},
    };
}

inline Event event(std::uint64_t sequence, EventBody body)
{
    const auto ns = static_cast<std::int64_t>(sequence);
    return {.id = {"run-1", "agent-1", sequence},
            .runSequence = sequence,
            .at = {1000 + ns, 1'700'000'000'000'000'000 + ns},
            .node = "node\xFF",
            .clock = "boot",
            .body = std::move(body)};
}

} // namespace ringmaster::samples

#pragma once

#include "engine/diagnose/Codes.h"
#include "engine/lesson/Pack.h"

namespace ringmaster::test {

inline lesson::RecordedJob::Happening enters(int rank, std::uint64_t call, int at, int line = 31)
{
    LessonCall operation{.operation = "all_reduce",
                         .group = "default",
                         .members = {0, 2, 5},
                         .reduction = "SUM",
                         .inputs = {{.kind = LessonValue::Kind::Tensor,
                                     .type = "float32",
                                     .shape = {1000},
                                     .bytes = 4000,
                                     .isPart = true}}};
    return {.kind = lesson::RecordedJob::Happening::Kind::Calls,
            .rank = rank,
            .at = std::chrono::microseconds(at),
            .call = call,
            .operation = operation,
            .file = "train.py",
            .function = "main",
            .line = line};
}

inline lesson::RecordedJob::Happening leaves(int rank, std::uint64_t call, int at)
{
    return {.kind = lesson::RecordedJob::Happening::Kind::Returns,
            .rank = rank,
            .at = std::chrono::microseconds(at),
            .call = call};
}

/// Rank 2 of six leaves out an all_reduce that 0 and 5 wait in; the other three aren't shown.
inline lesson::RecordedJob hang()
{
    lesson::RecordedJob job{.run = "20261125-0711-train-x7k2",
                            .backend = "gloo",
                            .worldSize = 6,
                            .ranks = {0, 2, 5},
                            .before = {{"default", 126}},
                            .code = {{"train.py", 30, "for step in range(9):\n    reduce()\n"}}};
    job.happenings = {enters(0, 1, 0),  enters(2, 1, 10), enters(5, 1, 30), leaves(5, 1, 40),
                      leaves(0, 1, 45), leaves(2, 1, 46), enters(0, 2, 80), enters(5, 2, 95)};
    job.verdict = {.id = 1,
                   .kind = Verdict::Kind::Hang,
                   .guilty = {2},
                   .waiting = {0, 5},
                   .statement = {code::HangIdle,
                                 {{"ranks", "0, 5"},
                                  {"seconds", "6.2"},
                                  {"operation", "all_reduce"},
                                  {"number", "128"},
                                  {"group", "default"},
                                  {"absent", "2"}},
                                 {}},
                   .evidence = {{code::Sleeps, {{"rank", "2"}}, "a \"quote\"\nand '''more'''\\"}},
                   .remedy = {code::RemedyLookInside, {{"rank", "2"}}, {}}};
    return job;
}

inline lesson::Pack pack()
{
    lesson::Pack pack;
    pack.name = "run-x7k2";
    pack.backends = {"gloo"};
    pack.title = {"A hang", "ハング"};
    pack.text = {"Text\n", "本文\n"};
    pack.mistake = {"It isn't the waiting one's.", "待つ側ではありません。"};
    pack.questions = {{.kind = lesson::Question::Kind::Guilty, .text = {"Who?", "どれ？"}}};
    pack.recording = hang();
    return pack;
}

} // namespace ringmaster::test

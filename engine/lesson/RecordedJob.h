#pragma once

#include "engine/event/Event.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ringmaster::lesson {

class Recording;

/// Some lines of a program, under their own numbers.
struct CodeLines
{
    std::string file{};
    int first = 1; ///< Number of the first one.
    std::string text{};
    bool operator==(const CodeLines&) const = default;
};

/// What a lesson of a job has in the place of a program: the last operations of some of its ranks,
/// as they were recorded, and what the diagnosis said of them. Nothing else is known, and so
/// nothing else is shown.
struct RecordedJob
{
    static constexpr int MostWorkers = 1024;
    static constexpr size_t MostRanks = 8;
    static constexpr size_t MostHappenings = 2'000;
    static constexpr size_t MostCode = 32; ///< Pieces.

    struct Happening
    {
        enum class Kind {
            Calls,   ///< Enters an operation; an asynchronous one goes on at once.
            Returns, ///< The operation is over: the call, or the request that it gave.
            Waits,   ///< The wait for a request is over.
            Exits,   ///< The process has ended.
        };
        Kind kind = Kind::Calls;
        int rank = 0;
        std::chrono::microseconds at{}; ///< Since the first one.
        std::uint64_t call = 0;         ///< Of the rank, from 1; the one that this is about.
        LessonCall operation{};         ///< Calls only. Members are among those that are shown.
        std::string file{};             ///< Calls only, as the next two; empty: not known.
        std::string function{};
        int line = 0;
        bool hasFailed = false; ///< Returns and Waits: with an error.
        ExitStatus exit{};      ///< Exits only.
        bool operator==(const Happening&) const = default;
    };

    std::string run{};
    std::string backend{};
    int worldSize = 0;
    std::vector<int> ranks{}; ///< That are shown, in their order.
    /// Of each group, how many collectives there were before the first one here.
    std::map<std::string, std::uint64_t> before{};
    std::vector<CodeLines> code{};
    std::vector<Happening> happenings{}; ///< None before what it depends on.
    Verdict verdict{};                   ///< Its ranks are among those that are shown.
    bool operator==(const RecordedJob&) const = default;
};

/// The same as a recording that can be stepped through: read as one of a lesson that ran.
Recording recordingOf(const RecordedJob& job);

std::string_view nameOf(RecordedJob::Happening::Kind kind);

} // namespace ringmaster::lesson

#pragma once

#include "engine/base/Result.h"
#include "engine/event/Snapshot.h"
#include "engine/record/LogAssembler.h"
#include "engine/record/LogPage.h"
#include "engine/record/LogPlace.h"
#include "engine/record/WriteQueue.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace ringmaster {

/// Reads one run file in whatever state it is: while an agent writes it, after that was killed,
/// finished, on a medium that can't be written. Changes nothing. One thread at a time.
class RunFileReader
{
public:
    /// Whether the file may name log files that lie outside its folder. One that somebody sent must
    /// not: showing or sharing the run would show any file of the user's.
    enum class Origin { OwnRun, Foreign };

    struct Limits
    {
        size_t events = 10'000;
        size_t bytes = 16U << 20U; ///< Of the events' bodies; at least one event comes.
    };

    static Result<RunFileReader> open(const std::filesystem::path& file,
                                      Origin origin = Origin::Foreign);
    RunFileReader(RunFileReader&&) noexcept;
    RunFileReader& operator=(RunFileReader&&) noexcept;
    ~RunFileReader();

    const std::string& run() const;
    const std::string& ringmasterVersion() const;

    /// Those after `sequence`, in order; less than the limits when there are no more. Numbers are
    /// missing only where samples were thinned. What can't be understood is a Notice in its place.
    Result<std::vector<Event>> events(std::uint64_t sequence, Limits limits) const;
    Result<std::vector<Event>> events(std::uint64_t sequence = 0) const;
    /// Those that hold Evidence, alone.
    Result<std::vector<Event>> evidence() const;
    /// The same of Notices.
    Result<std::vector<Event>> notices() const;
    Result<std::uint64_t> lastSequence() const;
    Result<RunSnapshot> snapshot() const;

    Result<LogPage> readLog(const LogQuery& query) const;
    /// One line a place, empty where there is none (any more); the beginning of a very long one.
    Result<std::vector<LogLine>> readLines(const std::vector<LogPlace>& places) const;
    /// Their bytes as they stand in the files, of the first places: as many as `mostBytes` has room
    /// for, but one at least.
    Result<std::vector<std::string>> readLineBytes(const std::vector<LogPlace>& places,
                                                   size_t mostBytes) const;
    Result<std::vector<LogFile>> logFiles() const;
    /// How many bytes of each worker's stream are recorded: by attempt, rank and stream.
    Result<std::map<std::tuple<int, int, Stream>, std::uint64_t>> recordedLogBytes() const;

    /// Blocks of operations behind `cursor`, in the order in which they were written, at most
    /// `limit`; what is in them, unpackOperations() tells.
    struct OperationPage
    {
        std::vector<OperationRow> rows{};
        std::uint64_t cursor = 0; ///< For the next call; unchanged at the end.
    };
    Result<OperationPage> operations(std::uint64_t cursor = 0, size_t limit = 1000) const;

    /// What is left of operations that are no longer there one by one.
    struct Folded
    {
        std::int64_t beforeNs = 0; ///< They ended before that, by the agent's clock; 0: none is.
        std::vector<FoldRow> rows{};
    };
    Result<Folded> foldedOperations() const;
    /// Folded::beforeNs alone.
    Result<std::int64_t> foldedBefore() const;

    /// What isn't in the file that could have been.
    Result<std::vector<RecordGap>> gaps() const;

private:
    Result<std::vector<Event>> ofKind(const EventBody& body) const;

    struct Native;
    explicit RunFileReader(std::unique_ptr<Native> native);

    std::unique_ptr<Native> m_native;
};

} // namespace ringmaster

#pragma once

#include "engine/base/Clock.h"
#include "engine/base/Result.h"
#include "engine/base/Version.h"
#include "engine/record/Codes.h"
#include "engine/record/RunSummary.h"
#include "engine/record/WriteQueue.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace ringmaster {

/// Appends to one run file from a thread of its own ("rm-record"), in transactions: killing the
/// process at any moment leaves a file that opens. Nothing here waits for the disk but open(),
/// flush() and finish(). All methods may be called from any thread.
class RunFileWriter
{
public:
    struct Options
    {
        std::string run{};
        std::string ringmasterVersion = RINGMASTER_VERSION;
        /// The file can't be written (code::RecordStalled, once) and can again
        /// (code::RecordResumed). Called on the writer's thread.
        std::function<void(const Message&)> onTrouble{};
        WriteQueue::Limits limits{};
        std::chrono::milliseconds batchDelay{50};
        std::chrono::milliseconds retryDelay{1000};
        std::chrono::milliseconds finishPatience{10'000};
        /// open() waits so long for somebody else who has the folder's lock: whoever closes a lost
        /// run has it for a moment.
        std::chrono::milliseconds lockPatience{10'000};
        /// What is old is folded by that; outlives the writer, null: the system's.
        const Clock* clock = nullptr;
    };

    /// Where a network file system doesn't allow WAL, a rollback journal.
    enum class JournalMode { Wal, Delete };
    static JournalMode journalModeFor(bool isNetworkFileSystem);

    /// Creates the file, or goes on in one of the same run. Takes the folder's lock;
    /// code::RunFileLocked where somebody else keeps it.
    static Result<std::unique_ptr<RunFileWriter>> open(const std::filesystem::path& file,
                                                       Options options);
    /// As finish(), its result ignored.
    ~RunFileWriter();

    /// The event has its run sequence already; one that is there already is left as it is.
    /// Samples may be thinned, anything else is kept in memory until it is written.
    void append(Event event);

    /// A number for the file, which appendLog() takes.
    int addLogFile(LogFile file);
    void appendLog(const LogIndexEntry& entry);
    /// Output that could not be kept, for the reader to see.
    void addLostOutput(Moment at, std::uint64_t bytes);

    /// Operations may be left out where the file can't be written for long; a gap says so.
    void appendOperations(OperationRow row);
    /// What operations that were appended amount to: after an hour they are only this.
    void appendFold(FoldRow row);

    /// Waits until all that came before is in the file, or says why it can't be.
    Result<void> flush();

    /// Writes what waits and leaves one file without a journal beside it. No calls afterwards.
    Result<void> finish();

    /// After finish(): what could not be written.
    Unrecorded unrecorded() const;

    /// Events that wait in memory.
    size_t pendingEvents() const;

private:
    struct Native;
    explicit RunFileWriter(std::unique_ptr<Native> native);

    std::unique_ptr<Native> m_native;
};

} // namespace ringmaster

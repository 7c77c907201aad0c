#pragma once

#include "engine/base/LoopThread.h"
#include "engine/node/DrillNumbers.h"
#include "engine/record/NumberScanner.h"
#include "engine/record/RunFolder.h"

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace ringmaster {

/// Reads the numbers that a run prints while it goes on, from its recorded log, several times a
/// second, by a thread of its own ("rm-numbers"). Made only where somebody needs them.
class NumberReader
{
public:
    enum class From {
        Beginning,
        Now ///< And a little of what came before.
    };
    /// On the loop's thread, in order. `isAll`: there was no more when that was read.
    using Read = std::function<void(const std::vector<PrintedNumbers>& printed, bool isAll)>;

    NumberReader(EventLoop& loop, RunFolder folder, NumberRules rules, Read read);
    ~NumberReader();
    NumberReader(const NumberReader&) = delete;
    NumberReader& operator=(const NumberReader&) = delete;

    /// Neither waits for the disk. What was on its way doesn't come any more.
    void start(From from);
    void stop();

    /// The last call of a reading: what it hasn't told yet comes before this returns. `settle` is
    /// called on the thread, and waits until what has been printed is recorded. A disk that takes
    /// longer than `patience` isn't waited for.
    void finish(std::function<void()> settle, std::chrono::milliseconds patience);

private:
    /// On its way from the thread to the loop.
    struct Found
    {
        std::uint64_t reading = 0;
        std::vector<PrintedNumbers> printed{};
        bool isAll = false;
    };

    void look(std::uint64_t reading);
    void leave(std::uint64_t reading, std::vector<PrintedNumbers> printed, bool isAll);
    void tell();
    bool readOn(std::vector<PrintedNumbers>& all);
    Result<LogPage> nextPage();

    EventLoop& m_loop;
    const RunFolder m_folder;
    const NumberRules m_rules;
    const Read m_read;
    std::shared_ptr<bool> m_isAlive = std::make_shared<bool>(true);
    std::uint64_t m_reading = 0; ///< Counts start(), stop() and finish().
    std::mutex m_mutex;          ///< Of what was found.
    Found m_found;

    // The thread's own.
    From m_from = From::Now;
    NumberScanner m_scanner{};
    std::optional<RunFileReader> m_reader;
    std::uint64_t m_cursor = 0;
    EventLoop::Registration m_again;

    LoopThread m_thread{"rm-numbers"}; ///< Last: what it uses is there as long.
};

} // namespace ringmaster

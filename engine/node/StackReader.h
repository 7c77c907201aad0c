#pragma once

#include "engine/base/EventLoop.h"
#include "engine/base/FileDescriptor.h"
#include "engine/diagnose/RankView.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>

namespace ringmaster {

/// Says where ranks stand, without waiting: asks torch's worker server in the process and
/// py-spy, if there is one, which alone says who holds the interpreter's lock. What comes from them
/// is bounded, and nothing of it is believed. One loop's.
class StackReader
{
public:
    struct Target
    {
        int rank = 0;
        int pid = 0;
        bool isStopped = false; ///< Then no thread of its own can answer.
    };

    struct Reading
    {
        std::optional<diagnose::Stack> stack{};
        Message problem{}; ///< Why there is none; code::None: nobody has looked yet.
    };

    /// Each has so long to answer.
    struct Patience
    {
        std::chrono::milliseconds server{1000}; ///< torch's.
        std::chrono::milliseconds pySpy{3000};
    };

    /// Sockets are made in `folder`, and removed with the reader.
    StackReader(EventLoop& loop, const std::filesystem::path& folder)
        : StackReader(loop, folder, Patience{})
    {
    }
    StackReader(EventLoop& loop, const std::filesystem::path& folder, Patience patience);
    ~StackReader();
    StackReader(const StackReader&) = delete;
    StackReader& operator=(const StackReader&) = delete;

    /// What the hook's part `stacks` in a rank needs, whatever the folder's path is.
    std::string socketOf(int attempt, int rank) const;

    /// Another attempt: what was read is forgotten.
    void begin(int attempt);
    /// Looks at these, now and then, and at no others.
    void want(const std::vector<Target>& targets, std::int64_t nowNs);
    /// nullptr: never wanted.
    const Reading* find(int rank) const;

    static constexpr size_t MostAtOnce = 4;
    static constexpr std::int64_t IntervalNs = 4'000'000'000;

private:
    class Request;
    void removeSockets() const;
    void finished(int rank, std::optional<diagnose::Stack> stack, Message problem);

    struct Watched
    {
        Reading reading{};
        std::int64_t askedNs = 0;           ///< By the asker's time.
        std::int64_t startedNs = 0;         ///< The same moment by the clock.
        int pid = 0;                        ///< Of whom that is.
        std::shared_ptr<Request> request{}; ///< Null: none is under way.
    };

    EventLoop& m_loop;
    const Patience m_patience;
    FileDescriptor m_folder;
    int m_attempt = 0;
    std::map<int, Watched> m_watched; ///< By rank.
};

} // namespace ringmaster

#pragma once

#include "engine/base/Fnv1a.h"
#include "engine/event/Codes.h"
#include "engine/event/Event.h"
#include "engine/ledger/Operation.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ringmaster {

/// A job as it is told by files that something else wrote; what a run file is made of. All times
/// are nanoseconds since 1970, also those of the operations, since the files have no other clock.
struct ImportedRun
{
    struct Fact
    {
        std::int64_t atNs = 0;
        EventBody body{};
        std::string node{};  ///< Empty: not known.
        std::string agent{}; ///< Whose it is, where the job had several hosts.
    };

    /// What a rank printed.
    struct Log
    {
        int attempt = 0;
        int rank = 0;
        Stream stream = Stream::Stdout;
        std::filesystem::path file{};
        std::int64_t atNs = 0;
    };

    std::string name{}; ///< Of the job.
    std::filesystem::path source{};
    std::string fingerprint{}; ///< Of all that was read: the same files are the same run.
    std::int64_t beganNs = 0;
    std::int64_t endedNs = 0;
    std::vector<Fact> facts{}; ///< In their order, without the run's own beginning and end.
    std::vector<OperationBatch> operations{};
    std::vector<Log> logs{};
    RunStateChanged end{.state = RunState::Lost, .reason = {code::ImportedEndUnknown, {}, {}}};

    /// It began no later, and ended no earlier; 0: not known.
    void wasGoingOn(std::int64_t ns);
    void tell(std::int64_t atNs, EventBody body) { facts.push_back({atNs, std::move(body)}); }
    void note(Message message) { tell(endedNs, Notice{.message = std::move(message)}); }
};

/// A digest of what was read, part after part: by it the same files are known again.
class Fingerprint
{
public:
    void add(std::string_view part);
    std::string text() const; ///< Of lower-case letters and digits.

private:
    Fnv1a m_hash{};
};

} // namespace ringmaster

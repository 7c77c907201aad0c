#pragma once

#include "engine/ledger/Layout.h"
#include "engine/ledger/Operation.h"

#include <map>
#include <optional>

namespace ringmaster {

/// Which calls have work on a GPU, and when that was over. A launch belongs to the call in which
/// its thread is; a call that has returned is over with the last of its launches. Pure.
class DeviceTimes
{
public:
    void called(const ledger::Record& open);
    void launched(const ledger::Record& begun);

    /// The call has returned. True: it isn't over yet.
    bool returned(std::uint64_t operation);
    /// A launch is over: the operation that is over with it.
    std::optional<std::uint64_t> ended(const ledger::Record& ended);

    /// What was measured of an operation that is over; it is forgotten.
    void complete(Operation& operation);

private:
    struct Work
    {
        int left = 0;
        bool isReturned = false;
        bool isMeasured = true;
        std::int64_t startedNs = 0;
        std::int64_t endedNs = 0;
        std::uint32_t channels = 0;
    };

    std::map<std::uint32_t, std::uint64_t> m_calls;    ///< Not returned yet, by thread.
    std::map<std::uint64_t, std::uint64_t> m_launches; ///< Operations, by launch.
    std::map<std::uint64_t, Work> m_work;              ///< By operation.
};

} // namespace ringmaster

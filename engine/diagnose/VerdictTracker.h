#pragma once

#include "engine/diagnose/VerdictCandidate.h"

#include <map>

namespace ringmaster::diagnose {

/// Makes events of what holds from one look to the next: stated when it is new or something of it
/// is different, withdrawn when it is gone. More evidence alone is told ever less often. Pure.
class VerdictTracker
{
public:
    /// Ids go on from one attempt to the next.
    void begin(int attempt);
    std::vector<Verdict> update(const std::vector<VerdictCandidate>& found, std::int64_t nowNs);
    /// For the last time: who waits or hangs is stated again, with the ages of this moment.
    std::vector<Verdict> freeze(const std::vector<VerdictCandidate>& found, std::int64_t nowNs);

    static constexpr size_t MostStanding = 200; ///< Of more, the later are left out.

private:
    struct Entry
    {
        Verdict verdict{};
        std::int64_t firstNs = 0;
        std::int64_t statedNs = 0;
    };

    int m_attempt = 0;
    std::uint64_t m_lastId = 0;
    std::map<std::string, Entry> m_standing;
};

} // namespace ringmaster::diagnose

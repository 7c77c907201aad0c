#pragma once

#include <algorithm>
#include <chrono>

namespace ringmaster {

/// How soon the ledgers are read again: often enough that none gets a quarter full between two
/// looks, seldom enough that an idle job costs nothing. A worker rings at half full all the same.
class PollPace
{
public:
    using Milliseconds = std::chrono::milliseconds;
    static constexpr Milliseconds Shortest{2};
    static constexpr Milliseconds Longest{100};

    /// `fill`: of the fullest ledger, 0 to 1, when it was about to be read.
    Milliseconds after(double fill)
    {
        if (fill > 0.25)
            m_interval = std::max(Shortest, m_interval / 4);
        else if (fill > 0.125)
            m_interval = std::max(Shortest, m_interval / 2);
        else if (fill < 0.0625)
            m_interval = std::min(Longest, m_interval * 2);
        return m_interval;
    }

private:
    Milliseconds m_interval = Longest;
};

} // namespace ringmaster

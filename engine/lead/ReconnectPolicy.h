#pragma once

#include "engine/base/Error.h"

#include <chrono>
#include <set>

namespace ringmaster {

/// How and when the way to a host is tried again, and which reasons for its failure may pass. Pure.
class ReconnectPolicy
{
public:
    /// Whether others may use the same connection: it could be the broken one.
    enum class Connection { Shared, Fresh };

    struct Try
    {
        Connection connection = Connection::Shared;
        /// The host was there and is awaited: ssh connects soon or begins anew.
        bool isHurried = false;
        int silentLogins = 0; ///< That nothing has come of.
    };

    ReconnectPolicy(std::chrono::milliseconds firstDelay, std::chrono::milliseconds longestDelay)
        : m_firstDelay(firstDelay), m_longestDelay(longestDelay), m_delay(firstDelay)
    {
    }

    Try next(bool isAwaited) const;
    /// Before the next try: longer each time, but for what the last one took.
    std::chrono::milliseconds nextDelay(std::chrono::nanoseconds took);

    /// The next try may find it otherwise; a wrong key or name stays wrong.
    bool mayPass(Code why) const;
    /// True the first time: the same is found again and again.
    bool isNew(Code why) { return m_found.insert(why).second; }

    void loginFailed(Code why);
    /// There was an agent at the other end.
    void connectionFailed(Code why);
    void answered();
    /// What kept it away until it was there.
    void forgetReasons() { m_found.clear(); }

private:
    const std::chrono::milliseconds m_firstDelay;
    const std::chrono::milliseconds m_longestDelay;
    std::chrono::milliseconds m_delay;
    Connection m_connection = Connection::Shared;
    int m_silentLogins = 0;
    bool m_isSlow = false; ///< It is reached, and doesn't greet as soon as a hurried try wants.
    std::set<Code> m_found;
};

} // namespace ringmaster

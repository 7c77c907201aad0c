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

    ReconnectPolicy(std::chrono::milliseconds firstDelay, std::chrono::milliseconds longestDelay)
        : m_firstDelay(firstDelay), m_longestDelay(longestDelay), m_delay(firstDelay)
    {
    }

    /// Of the next try.
    Connection connection() const { return m_connection; }
    /// After so many logins that nothing came of.
    int silentLogins() const { return m_silentLogins; }
    /// Before the next try: longer each time.
    std::chrono::milliseconds nextDelay();

    /// The next try may find it otherwise; a wrong key or name stays wrong.
    bool mayPass(Code why) const;
    /// True the first time: the same is found again and again.
    bool isNew(Code why) { return m_found.insert(why).second; }

    void loginFailed(Code why);
    /// There was an agent at the other end.
    void connectionFailed() { m_connection = Connection::Fresh; }
    void answered();
    /// What kept it away until it was there.
    void forgetReasons() { m_found.clear(); }

private:
    const std::chrono::milliseconds m_firstDelay;
    const std::chrono::milliseconds m_longestDelay;
    std::chrono::milliseconds m_delay;
    Connection m_connection = Connection::Shared;
    int m_silentLogins = 0;
    std::set<Code> m_found;
};

} // namespace ringmaster

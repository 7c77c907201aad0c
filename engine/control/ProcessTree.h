#pragma once

#include "engine/base/ProcessInfo.h"

#include <functional>
#include <set>
#include <vector>

namespace ringmaster {

/// The processes of this machine at one moment, but for zombies: who descends from whom, and who
/// shares a session.
class ProcessTree
{
public:
    static ProcessTree read();

    /// What belongs to a process: its descendants and, where its session is one of `sessions`, who
    /// else is in that, with their descendants. Never whom `isLeftOut` names, nor the caller's
    /// process, nor what descends from these.
    std::vector<ProcessIdentity> familyOf(const ProcessIdentity& process,
                                          const std::set<pid_t>& sessions,
                                          const std::function<bool(pid_t)>& isLeftOut) const;

private:
    struct Row
    {
        ProcessIdentity process{};
        pid_t parent = 0;
        pid_t session = 0;
    };

    static bool readRow(pid_t pid, Row& row);
    void addDescendantsOf(pid_t parent, std::set<pid_t>& found) const;

    std::vector<Row> m_rows;
};

} // namespace ringmaster

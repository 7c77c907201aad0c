#include "engine/control/ProcessTree.h"

#include "engine/base/ProcessSignal.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <string>

#include <unistd.h>

namespace ringmaster {

/// False: it is gone, or a zombie.
bool ProcessTree::readRow(pid_t pid, Row& row)
{
    const std::string stat = statOf(pid);
    unsigned long long startTime = 0;
    // proc(5): fields 4, 6 and 22.
    const int fields = std::sscanf(
        stat.c_str(),
        " %*c %d %*d %d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
        &row.parent, &row.session, &startTime);
    row.process = {pid, startTime};
    return fields == 3 && !isZombie(stat);
}

ProcessTree ProcessTree::read()
{
    ProcessTree tree;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
        const std::string text = entry.path().filename();
        pid_t pid = 0;
        const auto parsed = std::from_chars(text.data(), text.data() + text.size(), pid);
        Row row;
        if (parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() &&
            readRow(pid, row))
            tree.m_rows.push_back(row);
    }
    return tree;
}

void ProcessTree::addDescendantsOf(pid_t parent, std::set<pid_t>& found) const
{
    for (const Row& row : m_rows) {
        if (row.parent == parent && found.insert(row.process.pid).second)
            addDescendantsOf(row.process.pid, found);
    }
}

std::vector<ProcessIdentity>
ProcessTree::familyOf(const ProcessIdentity& process, const std::set<pid_t>& sessions,
                      const std::function<bool(pid_t)>& isLeftOut) const
{
    std::vector<ProcessIdentity> family;
    std::set<pid_t> known{process.pid, ::getpid()};
    addDescendantsOf(::getpid(), known);
    const auto root = std::ranges::find(m_rows, process, &Row::process);
    if (root == m_rows.end() || process.pid == ::getpid())
        return family;
    const auto add = [&](const Row& row) {
        if (!known.insert(row.process.pid).second)
            return;
        if (isLeftOut(row.process.pid))
            addDescendantsOf(row.process.pid, known);
        else
            family.push_back(row.process);
    };
    const auto addChildrenOf = [&](pid_t parent) {
        for (const Row& row : m_rows) {
            if (row.parent == parent)
                add(row);
        }
    };
    addChildrenOf(process.pid);
    for (size_t i = 0; i < family.size(); ++i)
        addChildrenOf(family[i].pid);
    if (!sessions.contains(root->session))
        return family;
    for (const Row& row : m_rows) {
        if (row.session == root->session)
            add(row);
    }
    for (size_t i = 0; i < family.size(); ++i)
        addChildrenOf(family[i].pid);
    return family;
}

} // namespace ringmaster

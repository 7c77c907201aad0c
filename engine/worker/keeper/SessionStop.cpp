#include "engine/worker/keeper/SessionStop.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <iterator>
#include <string>
#include <string_view>

#include <unistd.h>

namespace ringmaster::keeper {

namespace {

constexpr std::array<std::string_view, 7> Shells{"sh",  "bash", "dash",   "zsh",
                                                 "ksh", "mksh", "busybox"};

bool isShell(pid_t pid)
{
    std::array<char, 4096> target{};
    const std::string link = "/proc/" + std::to_string(pid) + "/exe";
    const ssize_t size = readlink(link.c_str(), target.data(), target.size());
    const std::string_view path(target.data(),
                                static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    const std::string_view name = path.substr(path.rfind('/') + 1);
    return std::find(Shells.begin(), Shells.end(), name) != Shells.end();
}

bool isSame(const ProcessRow& one, const ProcessRow& other)
{
    return one.pid == other.pid && one.startTime == other.startTime;
}

bool isAmong(const std::vector<ProcessRow>& processes, const ProcessRow& one)
{
    return std::any_of(processes.begin(), processes.end(),
                       [&](const ProcessRow& each) { return isSame(each, one); });
}

/// A shell passes no signal on and hears none before its command has ended: what it runs is told,
/// too.
void addWithCommands(const ProcessRow& process, const std::vector<ProcessRow>& rows,
                     std::vector<ProcessRow>& found)
{
    found.push_back(process);
    if (!isShell(process.pid))
        return;
    for (const ProcessRow& row : rows) {
        if (row.parent == process.pid && !row.isZombie)
            addWithCommands(row, rows, found);
    }
}

void signalAndContinue(const std::vector<ProcessRow>& processes, int number)
{
    for (const int each : {number, SIGCONT}) {
        for (const ProcessRow& process : processes)
            (void)signalProcess(process, each);
    }
}

} // namespace

SessionStop::SessionStop(std::function<void(std::int32_t)> ended) : m_ended(std::move(ended)) {}

void SessionStop::stop(std::int32_t localRank, pid_t leader, int number,
                       const std::vector<ProcessRow>& rows)
{
    Stop stop{.leader = leader, .restNumber = number};
    const auto before = m_stops.find(localRank);
    if (number == SIGKILL && before != m_stops.end() && before->second.leader == leader) {
        stop.restNumber = before->second.restNumber;
        stop.isRestTold = before->second.isRestTold;
        // What a shell ran outlives it.
        std::copy_if(rows.begin(), rows.end(), std::back_inserter(stop.told),
                     [&told = before->second.told](const ProcessRow& row) {
                         return !row.isZombie && isAmong(told, row);
                     });
    }
    for (const ProcessRow& row : rows) {
        // Its number can't be another's while something is left of its session.
        if (row.pid == leader && row.parent == getpid() && !isAmong(stop.told, row))
            addWithCommands(row, rows, stop.told);
    }
    signalAndContinue(stop.told, number);
    // What the terminal or a user has stopped may be needed for saving.
    for (const ProcessRow& row : rows) {
        if (row.session == leader && !row.isZombie)
            (void)signalProcess(row, SIGCONT);
    }
    m_stops[localRank] = std::move(stop);
}

void SessionStop::look()
{
    if (m_stops.empty())
        return;
    const std::vector<ProcessRow> rows = descendantsOf(getpid());
    std::vector<std::int32_t> over;
    for (auto& [localRank, stop] : m_stops) {
        if (isOver(stop, rows))
            over.push_back(localRank);
    }
    for (const std::int32_t localRank : over) {
        m_stops.erase(localRank);
        m_ended(localRank);
    }
}

bool SessionStop::isOver(Stop& stop, const std::vector<ProcessRow>& rows) const
{
    std::vector<ProcessRow> left;
    bool isToldLeft = false;
    for (const ProcessRow& row : rows) {
        // A leader that isn't reaped yet hasn't been reported either, and what it leaves is counted
        // before it is told.
        const bool isLeader = row.pid == stop.leader && row.parent == getpid();
        const bool isTold = isAmong(stop.told, row);
        isToldLeft = isToldLeft || (isTold && (isLeader || !row.isZombie));
        if (isLeader || ((isTold || row.session == stop.leader) && !row.isZombie))
            left.push_back(row);
    }
    if (!isToldLeft && !stop.isRestTold) {
        stop.isRestTold = true;
        signalAndContinue(left, stop.restNumber);
    }
    return left.empty();
}

} // namespace ringmaster::keeper

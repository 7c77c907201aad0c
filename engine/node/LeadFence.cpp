#include "engine/node/LeadFence.h"

#include "engine/base/FileDescriptor.h"
#include "engine/base/Log.h"
#include "engine/base/ProcessSignal.h"
#include "engine/control/OrphanSweep.h"
#include "engine/event/AgentName.h"
#include "engine/node/Codes.h"

#include <algorithm>
#include <csignal>

#include <poll.h>
#include <unistd.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr int EndPatienceMs = 2000;

} // namespace

LeadFence::LeadFence(fs::path parts, const AgentLaunchRequest& order)
    : m_parts(std::move(parts))
    , m_run(order.run)
    , m_agent(order.agent)
    , m_host(order.host)
    , m_generation(order.generation)
{
}

std::vector<LeadFence::Part> LeadFence::parts() const
{
    std::vector<Part> found;
    std::error_code error;
    for (fs::directory_iterator entry(m_parts, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename();
        if (!name.starts_with(m_run + "."))
            continue;
        const auto folder = RunFolder::find(m_parts, name);
        const auto agent =
            folder ? folder->agent() : Result<AgentRecord>(tl::unexpected(folder.error()));
        if (agent && agent->process != identityOf(::getpid()))
            found.push_back({*folder, *agent, name == m_run + "." + m_agent});
    }
    return found;
}

Result<void> LeadFence::check() const
{
    const std::vector<Part> known = parts();
    const bool isReplaced = std::ranges::any_of(
        known, [this](const Part& part) { return part.agent.generation > m_generation; });
    if (isReplaced)
        return fail(code::LeadReplaced, {{"host", m_host}});
    return {};
}

Result<void> LeadFence::claim() const
{
    RM_TRY(check());
    for (const Part& part : parts()) {
        const std::string agent = part.folder.id().substr(m_run.size() + 1);
        const bool isOlder =
            part.agent.generation < m_generation && hostNumberOf(agent) == hostNumberOf(m_agent);
        if (!isOlder && !part.hasOurName)
            continue;
        end(part);
        if (part.hasOurName)
            RM_TRY(putAside(part));
    }
    return {};
}

Result<void> LeadFence::obey(const RunFolder& folder, std::uint64_t generation)
{
    AgentRecord agent = RM_TRY(folder.agent());
    agent.generation = generation;
    return folder.setAgent(agent);
}

/// No lead waits for what it does.
void LeadFence::end(const Part& part) const
{
    const FileDescriptor process(
        lifeOf(part.agent) == AgentLife::Alive ? openProcess(part.agent.process) : -1);
    if (process.isOpen() && signalPidfd(process.get(), SIGKILL)) {
        log::warning("node", "ended agent " + part.folder.id() + ", which no lead knows any more");
        pollfd ended{process.get(), POLLIN, 0};
        (void)::poll(&ended, 1, EndPatienceMs);
    }
    const RunSummary lost{.id = part.folder.id(), .state = RunState::Lost};
    (void)sweepOrphans(RunCatalog(m_parts), {lost});
}

Result<void> LeadFence::putAside(const Part& part) const
{
    const ProcessIdentity& process = part.agent.process;
    const fs::path aside =
        m_parts / (part.folder.id() + ".aside-" + std::to_string(process.startTime) + "-" +
                   std::to_string(process.pid));
    std::error_code error;
    fs::rename(part.folder.path(), aside, error);
    if (error)
        return fail(code::FolderNotWritable, {{"path", m_parts.string()}}, error.message());
    return {};
}

} // namespace ringmaster

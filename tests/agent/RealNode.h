#pragma once

#include "engine/agent/KeeperWorkerProcesses.h"
#include "engine/base/Files.h"
#include "engine/base/ProcessInfo.h"
#include "engine/worker/Descendants.h"
#include "engine/worker/Subreaper.h"
#include "tests/agent/FakeNode.h"

#include <QTemporaryDir>

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>

#include <unistd.h>

namespace ringmaster::test {

inline std::string contentOf(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// An agent with real workers, a real keeper and real output; only the rendezvous is faked.
class RealNode : OutputHub::Sink
{
public:
    RealNode(JobSpec spec, int workers, std::map<std::string, std::string> variables = {},
             std::chrono::milliseconds killPatience = AgentOptions().killPatience,
             std::chrono::milliseconds answerPatience = std::chrono::seconds(10),
             OutOfMemoryWatch::Files memory = {})
        : token(randomToken(12))
    {
        (void)becomeSubreaper();
        variables["RINGMASTER_TEST_TOKEN"] = token;
        variables.emplace("PATH", "/usr/bin:/bin");
        variables["FOLDER"] = folder.path().toStdString();
        spec.logs.folder = (folder.path() + "/wanted").toStdString();
        m_output = *OutputHub::create(loop, *this,
                                      {.logs = spec.logs,
                                       .runFolder = folder.path().toStdString(),
                                       .answerPatience = answerPatience});
        m_agent = std::make_unique<Agent>(
            std::move(spec),
            AgentOptions{.hostName = "localhost",
                         .workers = {workers},
                         .temporaryFolder = folder.path().toStdString(),
                         .killPatience = killPatience,
                         .environment = std::move(variables)},
            Agent::Parts{.loop = loop,
                         .clock = clock,
                         .events = record,
                         .host = record,
                         .rendezvous =
                             [this](Rendezvous::Host& host) -> Result<std::unique_ptr<Rendezvous>> {
                             return std::make_unique<FakeRendezvous>(loop, host);
                         },
                         .processes =
                             [this, memory](WorkerProcesses::Host& host) {
                                 return std::make_unique<KeeperWorkerProcesses>(
                                     loop,
                                     Keeper::Options{.executable = RINGMASTER_BUILD_DIR
                                                     "/bin/ringmaster-keeper",
                                                     .title = "test"},
                                     *m_output, host, memory);
                             }});
    }
    ~RealNode() override { holdOutput(false); }

    Agent& agent() { return *m_agent; }

    /// As a disk that doesn't take what workers write, until it is let go.
    void holdOutput(bool isHeld)
    {
        const std::lock_guard lock(m_mutex);
        m_isHeld = isHeld;
        m_isOpen.notify_all();
    }

    /// Something was written meanwhile, and waits.
    bool isHoldingOutput()
    {
        const std::lock_guard lock(m_mutex);
        return m_isWaiting;
    }

    bool isOutputStuck() const { return m_output->isStuck(); }

    bool until(const std::function<bool()>& condition)
    {
        return runUntil(loop, std::chrono::seconds(60), condition);
    }
    bool untilHealthy()
    {
        return until([this] { return m_agent->group() == WorkerState::Healthy; });
    }
    /// Every worker has made its file FOLDER/<name><rank>.
    bool untilFile(const std::string& name)
    {
        return until([&] { return std::filesystem::exists(path(name)); });
    }
    bool untilEnd()
    {
        return until([this] { return record.end.has_value(); });
    }
    std::filesystem::path path(const std::string& name) const
    {
        return std::filesystem::path(folder.path().toStdString()) / name;
    }
    std::vector<pid_t> processes() const
    {
        return processesWithEnvironment("RINGMASTER_TEST_TOKEN", token);
    }
    static std::vector<pid_t> children(pid_t parent)
    {
        std::vector<pid_t> found;
        for (const ProcessRow& row : descendantsOf(parent))
            if (row.parent == parent)
                found.push_back(row.pid);
        return found;
    }
    pid_t keeper() const
    {
        // Its guard is the agent's child.
        const auto guards = children(::getpid());
        const auto keepers = guards.empty() ? guards : children(guards.front());
        return keepers.empty() ? -1 : keepers.front();
    }

    EventLoop loop;
    SystemClock clock;
    Record record;
    QTemporaryDir folder;
    std::string token;

private:
    void outputRead(const OutputChunk&) override
    {
        std::unique_lock lock(m_mutex);
        m_isWaiting = m_isHeld;
        m_isOpen.wait(lock, [this] { return !m_isHeld; });
        m_isWaiting = false;
    }
    void outputLost(const OutputLoss&) override {}

    std::mutex m_mutex;
    std::condition_variable m_isOpen;
    bool m_isHeld = false;
    bool m_isWaiting = false;
    std::unique_ptr<OutputHub> m_output;
    std::unique_ptr<Agent> m_agent;
};

} // namespace ringmaster::test

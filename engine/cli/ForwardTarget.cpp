#include "engine/cli/ForwardTarget.h"

#include "engine/base/Paths.h"
#include "engine/cli/Codes.h"
#include "engine/cli/ReachedMachine.h"
#include "engine/cli/RunChoice.h"
#include "engine/control/PortForwards.h"
#include "engine/control/RemoteMachine.h"
#include "engine/hosts/HostBook.h"
#include "engine/record/RunCatalog.h"

#include <algorithm>
#include <optional>

namespace ringmaster {

namespace {

using Found = std::function<void(Result<ForwardTarget::Place>)>;
using namespace std::chrono_literals;

class RunOfMachine : public ForwardTarget
{
public:
    RunOfMachine(EventLoop& loop, std::string machine, std::string run)
        : m_loop(loop), m_name(std::move(machine)), m_text(std::move(run))
    {
    }

    void find(Found found, std::function<void()> ended) override
    {
        m_found = std::move(found);
        m_ended = std::move(ended);
        const auto changed = [this] { m_loop.post([this] { look(); }); };
        m_machine.emplace(m_name,
                          ReachedMachine::Told{.runsChanged = changed,
                                               .stateChanged = changed,
                                               .notReached = [this](const Message& why) {
                                                   m_loop.post([this, why] { notReached(why); });
                                               }});
        m_machine->start();
    }

private:
    void look()
    {
        const WatchedMachineState state = m_machine->state();
        if (state.connection != WatchedMachineState::Connection::Connected)
            return; // the run goes on without us, and so does ssh, or not
        const std::vector<RunSummary> runs = m_machine->runs();
        if (m_found)
            return choose(runs);
        const auto run = std::ranges::find(runs, m_run, &RunSummary::id);
        if (m_ended && !m_run.empty() && (run == runs.end() || !run->isLive))
            std::exchange(m_ended, nullptr)();
    }

    void notReached(const Message& why)
    {
        if (m_found)
            answer(tl::unexpected(Error{why, {}}));
    }

    void choose(const std::vector<RunSummary>& runs)
    {
        const auto chosen = chooseRun(runs, m_text, RunScope::Running);
        if (!chosen)
            return answer(tl::unexpected(chosen.error()));
        if (!chosen->isLive)
            return answer(fail(code::ForwardRunOver, {{"run", chosen->id}}));
        auto machine = RemoteMachine::find(m_name);
        if (!machine)
            return answer(tl::unexpected(machine.error()));
        m_run = chosen->id;
        answer(Place{MachineRun{m_name, m_run}.id(), machine->host, machine->ssh});
    }

    void answer(Result<Place> place)
    {
        const Found found = std::exchange(m_found, nullptr);
        if (!place)
            m_ended = nullptr;
        found(std::move(place));
    }

    EventLoop& m_loop;
    const std::string m_name;
    const std::string m_text;
    std::string m_run;
    Found m_found;
    std::function<void()> m_ended;
    std::optional<ReachedMachine> m_machine;
};

class RunOnHosts : public ForwardTarget
{
public:
    RunOnHosts(EventLoop& loop, std::string run, int rank, int port)
        : m_loop(loop), m_text(std::move(run)), m_rank(rank), m_port(port)
    {
    }

    void find(Found found, std::function<void()> ended) override
    {
        m_ended = std::move(ended);
        m_loop.post([this, found = std::move(found)] {
            Result<Place> place = look();
            const bool isFound = place.has_value();
            found(std::move(place));
            if (isFound)
                lookAgain();
        });
    }

private:
    Result<Place> look()
    {
        const RunCatalog catalog(runsFolder());
        const RunSummary chosen = RM_TRY(chooseRun(catalog.list(), m_text, RunScope::Running));
        if (!chosen.isLive)
            return fail(code::ForwardRunOver, {{"run", chosen.id}});
        m_run = chosen.id;
        const RunFileReader reader = RM_TRY(RM_TRY(catalog.find(m_run)).openReader());
        const RunSnapshot snapshot = RM_TRY(reader.snapshot());
        const std::string name = RM_TRY(hostOf(snapshot));
        const HostBook book = RM_TRY(HostBook::load());
        const Host* known = book.find(name);
        Place place{.run = m_run, .host = known != nullptr ? *known : Host{.name = name}};
        if (place.host.isHere())
            return isHere();
        place.ssh = RM_TRY(usualSshSettings(book.sshConfig()));
        return place;
    }

    tl::unexpected<Error> isHere() const
    {
        return fail(code::ForwardIsHere, {{"run", m_run}, {"port", std::to_string(m_port)}});
    }

    Result<std::string> hostOf(const RunSnapshot& run) const
    {
        if (run.hosts.empty())
            return isHere();
        const auto host = hostOfRank(run, m_rank);
        if (!host)
            return fail(code::ForwardNoRank, {{"run", m_run}, {"rank", std::to_string(m_rank)}});
        return *host;
    }

    void lookAgain()
    {
        m_again = m_loop.callAfter(1s, [this] {
            const auto folder = RunCatalog(runsFolder()).find(m_run);
            if (!folder || !folder->summary().isLive)
                return m_ended();
            lookAgain();
        });
    }

    EventLoop& m_loop;
    const std::string m_text;
    const int m_rank;
    const int m_port;
    std::string m_run;
    std::function<void()> m_ended;
    EventLoop::Registration m_again;
};

} // namespace

std::unique_ptr<ForwardTarget> runOfMachine(EventLoop& loop, const std::string& machine,
                                            const std::string& run)
{
    return std::make_unique<RunOfMachine>(loop, machine, run);
}

std::unique_ptr<ForwardTarget> runOnHosts(EventLoop& loop, const std::string& run, int rank,
                                          int port)
{
    return std::make_unique<RunOnHosts>(loop, run, rank, port);
}

} // namespace ringmaster

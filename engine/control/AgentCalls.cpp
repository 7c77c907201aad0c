#include "engine/control/AgentCalls.h"

#include "engine/control/Codes.h"
#include "engine/control/OperationTally.h"

namespace ringmaster {

namespace {

RankPlaces placesOf(const std::vector<RankActivity>& ranks)
{
    OperationTally tally;
    for (const RankActivity& rank : ranks)
        tally.add(rank.now);
    OperationSummary summary = tally.summary();
    return {summary.attempt, std::move(summary.places)};
}

} // namespace

Result<std::unique_ptr<AgentClient>> AgentCalls::connect(const std::string& run) const
{
    const RunFolder folder = RM_TRY(m_catalog.find(run));
    const auto agent = folder.agent();
    if (!agent || lifeOf(*agent) != AgentLife::Alive)
        return fail(code::RunNotRunning, {{"run", run}});
    return AgentClient::connect(agent->socket, run, m_queue);
}

template <class T, class Call>
void AgentCalls::ask(const std::string& run, Once<T> answer, Call call)
{
    auto client = connect(run);
    if (!client)
        return answer(tl::unexpected(std::move(client).error()));
    const auto asker = m_askers.insert(m_askers.end(), *std::move(client));
    call(**asker, [this, asker, answer](Result<T> result) {
        answer(std::move(result));
        // Not here: a client isn't destroyed from within its answer.
        m_loop.post([this, asker] { m_askers.erase(asker); });
    });
}

void AgentCalls::send(const std::string& run, const Command& command, Once<void> answer)
{
    ask(run, std::move(answer), [&command](AgentClient& client, AgentClient::Answer<void> then) {
        client.send(command, std::move(then));
    });
}

void AgentCalls::takeStacks(const std::string& run, Once<KeptEvidence> answer)
{
    ask(run, std::move(answer), [](AgentClient& client, AgentClient::Answer<KeptEvidence> then) {
        client.takeStacks(std::move(then));
    });
}

void AgentCalls::lookAtRanks(const std::string& run, Once<RankPlaces> answer)
{
    if (!m_looker || m_looker->run != run) {
        m_looker.reset();
        auto client = connect(run);
        if (!client)
            return answer(tl::unexpected(std::move(client).error()));
        m_looker = Looker{run, *std::move(client)};
    }
    m_looker->client->lookAtRanks({}, [this, run, answer](Result<std::vector<RankActivity>> ranks) {
        answer(std::move(ranks).map(placesOf));
        if (ranks)
            return;
        m_loop.post([this, run] {
            if (m_looker && m_looker->run == run)
                m_looker.reset();
        });
    });
}

} // namespace ringmaster

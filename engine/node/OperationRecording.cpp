#include "engine/node/OperationRecording.h"

#include "engine/container/ImageFetch.h"

#include <sys/un.h>

namespace ringmaster {

OperationRecording::OperationRecording(EventLoop& loop, LoopInbox& inbox, Setting setting,
                                       RunFileWriter& writer, RankActivityCache& rankActivities)
    : m_inbox(inbox)
    , m_folder(setting.folder)
    , m_isInContainers(needsImages(setting.spec))
    , m_ledgers(
          LedgerRecorder::Setting{
              .run = setting.run,
              .spec = setting.spec,
              .isLed = setting.isLed,
              .reportFile = setting.folder / "hook.jsonl",
              .tell = [&inbox, tell = setting.tell](
                          const EventBody& body) { inbox.leave([tell, body] { tell(body); }); },
              .firstCollectiveDone =
                  [&inbox, done = setting.firstCollectiveDone](const FirstCollectiveTimes& first) {
                      inbox.leave([done, first] { done(first); });
                  }},
          writer, rankActivities)
{
    if (!m_isInContainers)
        return;
    auto socket = LedgerSocket::open(loop, m_folder / "ledger.sock", [this](int localRank) {
        return m_ledgers.ledgerOf(localRank);
    });
    if (socket)
        m_socket = *std::move(socket);
}

void OperationRecording::happened(const EventBody& body)
{
    const auto* run = std::get_if<RunStateChanged>(&body);
    // What they still know comes before the end.
    if (run != nullptr && isFinal(run->state))
        settle();
    if (const auto* attempt = std::get_if<AttemptStarted>(&body))
        m_ledgers.attemptStarted(*attempt);
    if (const auto* worker = std::get_if<WorkerStateChanged>(&body))
        m_ledgers.workerStateChanged(*worker);
    // Whatever the reason is, the workers that still run are signalled next.
    if (run != nullptr && (run->state == RunState::Stopping || run->state == RunState::Restarting))
        m_ledgers.stopping();
    if (const auto* worker = std::get_if<WorkerExited>(&body))
        m_ledgers.workerExited(*worker);
}

void OperationRecording::settle()
{
    m_ledgers.settle();
    m_inbox.runAll();
}

/// The agent's own /proc isn't open to a container.
std::vector<HookPart> OperationRecording::hookParts(int localRank) const
{
    std::vector<HookPart> parts;
    std::string ledger = m_ledgers.ledgerOf(localRank);
    std::string stacks = m_ledgers.stacksOf(localRank);
    if (m_isInContainers) {
        ledger = m_socket && !ledger.empty() ? m_socket->valueFor(localRank) : std::string();
        const auto socket = m_folder / stacks.substr(stacks.rfind('/') + 1);
        stacks = socket.native().size() < sizeof(sockaddr_un::sun_path) ? socket.string() : "";
    }
    if (!ledger.empty())
        parts.push_back({"ledger", std::move(ledger)});
    if (!stacks.empty())
        parts.push_back({"stacks", std::move(stacks)});
    return parts;
}

} // namespace ringmaster

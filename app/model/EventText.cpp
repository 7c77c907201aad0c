#include "app/model/EventText.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "engine/event/VerdictTraits.h"

#include <QCoreApplication>

namespace ringmaster::app {

namespace {

using Severity = Notice::Severity;

class Describer
{
    Q_DECLARE_TR_FUNCTIONS(EventText)

public:
    EventText operator()(const RunStarted& body) const
    {
        return {tr("Run"), -1, Severity::Info,
                tr("%1 started by agent %2 in %3")
                    .arg(QString::fromStdString(body.name))
                    .arg(body.agentPid)
                    .arg(QString::fromStdString(body.workingFolder))};
    }

    EventText operator()(const RunStateChanged& body) const
    {
        const bool bad = body.state == RunState::Failed || body.state == RunState::Lost;
        return {tr("Run"), -1, bad ? Severity::Error : Severity::Info,
                withReason(word(body.state), body.reason)};
    }

    EventText operator()(const RendezvousStep& body) const
    {
        QString sentence = tr("Round %1: %2").arg(body.round).arg(word(body.step));
        if (body.step == RendezvousStep::Step::Completed)
            sentence = tr("Round %1 completed: node %2 of %3, master %4:%5")
                           .arg(body.round)
                           .arg(body.groupRank + 1)
                           .arg(body.groupWorldSize)
                           .arg(QString::fromStdString(body.masterAddress))
                           .arg(body.masterPort);
        const bool bad = body.step == RendezvousStep::Step::Failed;
        return {tr("Rendezvous"), -1, bad ? Severity::Error : Severity::Info,
                withReason(sentence, body.detail)};
    }

    EventText operator()(const AttemptStarted& body) const
    {
        const int count = static_cast<int>(body.workers.size());
        return {tr("Attempt"), -1, Severity::Info,
                tr("Attempt %1 started: %2").arg(body.attempt + 1).arg(ranksCountText(count))};
    }

    EventText operator()(const WorkerStateChanged& body) const
    {
        const QString state = word(body.state);
        const bool bad = body.state == WorkerState::Failed;
        return {tr("Worker"), body.globalRank, bad ? Severity::Error : Severity::Info,
                body.pid > 0 ? tr("%1 (pid %2)").arg(state).arg(body.pid) : state};
    }

    EventText operator()(const WorkerImporting& body) const
    {
        return {tr("Worker"), body.globalRank, Severity::Info,
                body.isImporting ? tr("imports torch") : tr("has imported torch")};
    }

    EventText operator()(const WorkerExited& body) const
    {
        const bool bad = !body.status.succeeded() && !body.endedByAgent;
        QString sentence = exitText(body.status);
        if (!body.errorType.empty())
            sentence += QStringLiteral(" · %1: %2")
                            .arg(QString::fromStdString(body.errorType),
                                 QString::fromStdString(body.errorText));
        else if (saysAnything(body.explanation))
            sentence += QStringLiteral(" · ") + text(body.explanation);
        return {tr("Exit"), body.globalRank, bad ? Severity::Error : Severity::Info, sentence};
    }

    EventText operator()(const GroupRestarting& body) const
    {
        const QString budget =
            body.budgetAfter < body.budgetBefore
                ? tr("Restarting the worker group; %n restarts left", nullptr, body.budgetAfter)
                : tr("Restarting the worker group; not charged to the budget");
        return {tr("Restart"), -1, Severity::Warning, withReason(budget, body.cause)};
    }

    EventText operator()(const FirstCause& body) const
    {
        const QString sentence =
            body.sure ? tr("First cause: %1").arg(text(body.cause))
                      : tr("Not sure which rank failed first: %1").arg(ranksText(body.candidates));
        return {tr("Verdict"), body.globalRank, Severity::Error, sentence};
    }

    EventText operator()(const ProcessSample& body) const
    {
        return {tr("Sample"), body.globalRank, Severity::Info,
                QStringLiteral("%1 · %2").arg(percentText(body.cpuFraction),
                                              bytesText(body.residentBytes))};
    }

    EventText operator()(const DeviceSample& body) const
    {
        return {tr("Sample"), -1, Severity::Info, percentText(body.cpuFraction)};
    }

    EventText operator()(const Notice& body) const
    {
        const QString sentence = text(body.message);
        return {word(body.severity), body.globalRank, body.severity, sentence};
    }

    EventText operator()(const Verdict& body) const
    {
        const bool isWaiting = body.kind == Verdict::Kind::Waiting;
        const int rank = body.guilty.size() == 1 ? body.guilty.front() : -1;
        const Severity severity = body.isStanding ? traitsOf(body.kind).severity : Severity::Info;
        return {isWaiting ? tr("Waiting") : tr("Verdict"), rank, severity,
                withReason(text(body.statement), body.remedy)};
    }

    EventText operator()(const LastOperation& body) const
    {
        return {tr("Operation"), body.globalRank, Severity::Info, text(body.place)};
    }

    EventText operator()(const Evidence& body) const
    {
        std::vector<int> ranks;
        for (const RankEvidence& rank : body.ranks)
            ranks.push_back(rank.globalRank);
        return {
            tr("Evidence"), ranks.size() == 1 ? ranks.front() : -1, Severity::Info,
            withReason(tr("Stacks of ranks %1 were taken", nullptr, static_cast<int>(ranks.size()))
                           .arg(ranksText(ranks)),
                       body.reason)};
    }

    EventText operator()(const HostChanged& body) const
    {
        const bool isBad = body.state == HostChanged::State::Gone;
        const bool isCut = body.state == HostChanged::State::Lost ||
                           body.state == HostChanged::State::Reconnecting;
        return {tr("Host"), -1,
                isBad   ? Severity::Error
                : isCut ? Severity::Warning
                        : Severity::Info,
                withReason(tr("%1: %2").arg(QString::fromStdString(body.host), word(body.state)),
                           body.reason)};
    }

    EventText operator()(const ClockMeasured& body) const
    {
        return {tr("Clock"), -1, Severity::Info,
                tr("Agent %1: %2 ms ahead, within %3 ms")
                    .arg(QString::fromStdString(body.agent))
                    .arg(static_cast<double>(body.wallOffsetNs) / 1e6, 0, 'f', 3)
                    .arg(static_cast<double>(body.boundNs) / 1e6, 0, 'f', 3)};
    }

    EventText operator()(const RendezvousReport& body) const
    {
        if (body.step == RendezvousReport::Step::Finished)
            return {tr("Rendezvous"), -1, Severity::Info, tr("All workers of the host are done")};
        int workers = 0;
        for (const RendezvousReport::RoleCount& role : body.roles)
            workers += role.workers;
        return {tr("Rendezvous"), -1, Severity::Info,
                tr("Ready with %n workers at %1", nullptr, workers)
                    .arg(QString::fromStdString(body.address))};
    }

    EventText operator()(const SweepPlan& body) const
    {
        const int rows = static_cast<int>(body.rows());
        return {tr("Sweep"), -1, Severity::Info, tr("%n rows to measure", nullptr, rows)};
    }

    EventText operator()(const SweepRow& body) const
    {
        const QString what =
            QStringLiteral("%1 · %2 · %3")
                .arg(QString::fromStdString(body.collective), QString::fromStdString(body.backend),
                     bytesText(body.wantedBytes));
        if (!body.isMeasured())
            return {tr("Sweep"), -1, Severity::Warning, withReason(what, body.problem)};
        const bool isRight = body.wrong <= 0;
        const QString speed = QStringLiteral("%1 GB/s").arg(body.busBandwidth / 1e9, 0, 'g', 3);
        return {tr("Sweep"), -1, isRight ? Severity::Info : Severity::Error,
                isRight ? QStringLiteral("%1 · %2").arg(what, speed)
                        : QStringLiteral("%1 · %2").arg(
                              what, tr("%n wrong values", nullptr, static_cast<int>(body.wrong)))};
    }

    EventText operator()(const LessonStarted& body) const
    {
        return {
            tr("Lesson"), -1, Severity::Info,
            tr("%1 on %n ranks", nullptr, body.ranks).arg(QString::fromStdString(body.program))};
    }

    EventText operator()(const LessonStep& body) const
    {
        return {tr("Lesson"), body.globalRank, Severity::Info, tr("Line %1").arg(body.line)};
    }

private:
    static QString withReason(const QString& sentence, const Message& reason)
    {
        if (!saysAnything(reason))
            return sentence;
        return QStringLiteral("%1 · %2").arg(sentence, text(reason));
    }
};

} // namespace

EventText describeEvent(const Event& event)
{
    return std::visit(Describer(), event.body);
}

bool isListed(const Event& event)
{
    return !isSample(event.body) && !std::holds_alternative<LessonStep>(event.body);
}

} // namespace ringmaster::app

#include "app/model/PhaseWords.h"

#include "app/bridge/Words.h"

#include <QCoreApplication>

namespace ringmaster::app {

namespace {

/// The words of the timeline, for lupdate.
struct PhaseWords
{
    Q_DECLARE_TR_FUNCTIONS(PhaseWords)
};

} // namespace

QString word(StartPhase phase)
{
    switch (phase) {
    case StartPhase::Preparing: return PhaseWords::tr("preparing");
    case StartPhase::Rendezvous: return PhaseWords::tr("rendezvous");
    case StartPhase::Starting: return PhaseWords::tr("starting processes");
    case StartPhase::Importing: return PhaseWords::tr("importing torch");
    case StartPhase::InitProcessGroup: return QStringLiteral("init_process_group");
    case StartPhase::UserCode: return PhaseWords::tr("user code");
    }
    return {};
}

QString summary(const StartMark& mark)
{
    return PhaseWords::tr("first collective after %1")
        .arg(durationText(mark.to.monotonicNs - mark.from.monotonicNs));
}

QString details(const StartMark& mark, const RunHistory& history)
{
    const QString taken = durationText(mark.to.monotonicNs - mark.from.monotonicNs);
    QString text =
        mark.attempt == 0
            ? PhaseWords::tr("Attempt 1: first collective %1 after the launch; %2 was last")
                  .arg(taken, rankText(mark.globalRank))
            : PhaseWords::tr("Attempt %1: first collective %2 after the failure; %3 was last")
                  .arg(mark.attempt + 1)
                  .arg(taken, rankText(mark.globalRank));
    for (auto id = mark.firstSpan; id < mark.endSpan; ++id) {
        if (const StateSpan* span = history.span(id); span != nullptr && span->phase)
            text += PhaseWords::tr("\n%1: %2", "phase: time")
                        .arg(word(*span->phase),
                             durationText(span->to.monotonicNs - span->from.monotonicNs));
    }
    return text;
}

} // namespace ringmaster::app

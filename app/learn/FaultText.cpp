#include "app/learn/FaultText.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/learn/LearnText.h"

#include <QCoreApplication>

namespace ringmaster::app {

namespace {

struct FaultText
{
    Q_DECLARE_TR_FUNCTIONS(FaultText)
};

QString faultName(const lesson::FaultReport& report)
{
    using Kind = InjectFault::Kind;
    const int rank = report.rank;
    switch (report.kind) {
    case Kind::Kill: return FaultText::tr("Rank %1 was killed.").arg(rank);
    case Kind::Pause: return FaultText::tr("Rank %1 was paused.").arg(rank);
    case Kind::Resume: return FaultText::tr("Rank %1 goes on.").arg(rank);
    case Kind::Delay: return FaultText::tr("A call of rank %1 was delayed.").arg(rank);
    case Kind::WrongShape: return FaultText::tr("Rank %1 gave a wrong shape.").arg(rank);
    case Kind::WrongType: return FaultText::tr("Rank %1 gave a wrong type.").arg(rank);
    case Kind::CorruptData: break;
    }
    if (report.chunk == LessonChunk{})
        return FaultText::tr("A bit of the tensor of rank %1 was flipped.").arg(rank);
    return FaultText::tr("A bit of chunk %1 was flipped on its way from rank %2 to rank %3.")
        .arg(report.chunk.chunk)
        .arg(report.chunk.from)
        .arg(report.chunk.to);
}

QString noticeText(const lesson::FaultReport::Notice& notice)
{
    using By = lesson::FaultReport::Notice::By;
    const QString after = durationText(notice.afterNs);
    switch (notice.by) {
    case By::Rank:
        return FaultText::tr("Noticed after %1 by rank %2: %3")
            .arg(after, QString::number(notice.rank), QString::fromStdString(notice.text));
    case By::Agent:
        return FaultText::tr("Noticed after %1 by the agent: rank %2, %3")
            .arg(after, QString::number(notice.rank), text(notice.message));
    case By::Diagnosis:
        return FaultText::tr("Noticed after %1 by the diagnosis: %2")
            .arg(after, text(notice.message));
    case By::Comparison:
        return FaultText::tr("Noticed after %1 by comparing the calls: %2 differs")
            .arg(after, disagreementWord(notice.text));
    }
    return {};
}

bool isWaitedFor(const lesson::FaultReport& report)
{
    const auto answers = lesson::answersOf(report);
    return answers && answers->outcome == lesson::FaultOutcome::Waits;
}

QString endText(const lesson::FaultReport& report)
{
    using End = lesson::FaultReport::End;
    const QString after = durationText(report.endAfterNs);
    switch (report.end) {
    case End::Open: return FaultText::tr("Not over yet.");
    case End::Recovered:
        return isWaitedFor(report)
                   ? FaultText::tr("Recovered: the others waited until it went on, and the program "
                                   "came to its end after %1.")
                         .arg(after)
                   : FaultText::tr("Recovered: the program went on to its end.");
    case End::Restarted:
        return FaultText::tr("Recovered: the worker group was restarted after %1.").arg(after);
    case End::Failed: return FaultText::tr("Not recovered: the run failed after %1.").arg(after);
    case End::Stopped: return FaultText::tr("Not recovered: the run was stopped.");
    }
    return {};
}

} // namespace

QString faultText(const lesson::FaultReport& report, size_t steps)
{
    QStringList texts{faultName(report)};
    for (const lesson::FaultReport::Notice& notice : report.notices) {
        if (notice.step <= steps)
            texts << noticeText(notice);
    }
    const bool isOver = report.end != lesson::FaultReport::End::Open && report.endStep <= steps;
    if (texts.size() == 1)
        texts << (isOver ? FaultText::tr("Nobody noticed.") : FaultText::tr("Nobody has noticed."));
    if (isOver)
        texts << endText(report);
    return texts.join(u' ');
}

QString sentence(lesson::FaultOutcome outcome, const InjectFault& fault)
{
    using Kind = InjectFault::Kind;
    const int rank = fault.globalRank;
    switch (outcome) {
    case lesson::FaultOutcome::Completes:
        return FaultText::tr("The program runs to its end, and nobody is held up.");
    case lesson::FaultOutcome::Waits:
        return (fault.kind == Kind::Pause
                    ? FaultText::tr("The others wait for rank %1 until it is let go on.")
                : fault.kind == Kind::Delay
                    ? FaultText::tr("The others wait for rank %1; then all go on, late.")
                    : FaultText::tr("The others wait for rank %1 without end."))
            .arg(rank);
    case lesson::FaultOutcome::Restarts:
        return FaultText::tr("The whole worker group is started again.");
    case lesson::FaultOutcome::Fails: return FaultText::tr("The run fails.");
    }
    return {};
}

QString sentence(lesson::FaultWitness witness)
{
    switch (witness) {
    case lesson::FaultWitness::Nobody: return FaultText::tr("Nobody: nothing is noticed.");
    case lesson::FaultWitness::Exceptions:
        return FaultText::tr(
            "Nobody: ranks fail with exceptions that don't say whose fault it is.");
    case lesson::FaultWitness::Agent: return FaultText::tr("The agent: it sees a process end.");
    case lesson::FaultWitness::Diagnosis:
        return FaultText::tr("The diagnosis: it names the rank that others wait for.");
    case lesson::FaultWitness::Comparison:
        return FaultText::tr("The comparison of the calls: this rank's doesn't fit.");
    }
    return {};
}

} // namespace ringmaster::app

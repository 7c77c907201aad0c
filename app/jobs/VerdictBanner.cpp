#include "app/jobs/VerdictBanner.h"

#include "app/bridge/Messages.h"
#include "app/model/RunModel.h"
#include "app/widget/Banner.h"
#include "app/widget/BannerPlace.h"
#include "engine/base/Codes.h"
#include "engine/diagnose/Codes.h"
#include "engine/event/EndCause.h"
#include "engine/event/VerdictTraits.h"

#include <QCoreApplication>

namespace ringmaster::app {

namespace {

using Kind = Verdict::Kind;

/// A file may hold more than anybody wants to read.
constexpr size_t MostLines = 400;

class VerdictBanner
{
    Q_DECLARE_TR_FUNCTIONS(VerdictBanner)

public:
    static QString headlineOf(const Verdict& verdict, RunState state, Health health)
    {
        const bool isRunning = !isFinal(state);
        const bool isRecorded = health == Health::Recorded;
        if (state == RunState::Stopped)
            return tr("Stopped by you.");
        switch (verdict.kind) {
        case Kind::Waiting:
            if (isRecorded)
                return tr("Ranks waited when this was recorded.");
            return isRunning ? tr("Waiting.") : tr("It ended while ranks waited.");
        case Kind::SlowWire:
        case Kind::Straggler: return tr("Slower than it could be.");
        case Kind::Hang:
            if (isRecorded)
                return tr("It hung when this was recorded.");
            if (!isRunning)
                return tr("It ended in a hang.");
            return verdict.isSure ? tr("The job hangs.")
                                  : tr("The job seems to hang; not sure who is guilty.");
        case Kind::Mismatch: return tr("The ranks' calls don't match.");
        }
        return {};
    }

    static Notice::Severity severityOf(Kind kind, RunState state)
    {
        if (state == RunState::Failed)
            return Notice::Severity::Error;
        // Somebody chose this end: nothing is wrong any more.
        if (state == RunState::Stopped)
            return Notice::Severity::Info;
        return traitsOf(kind).severity;
    }
};

/// As it was when it was stated: it doesn't move under the reader. Stacks are set in.
void addEvidence(QStringList& lines, const Verdict& verdict)
{
    for (const Message& message : verdict.evidence) {
        lines << text(message);
        for (const QString& line : detailOf(message).split(u'\n', Qt::SkipEmptyParts))
            lines << QStringLiteral("    ") + line;
    }
}

QString evidenceOf(const RunSnapshot& run)
{
    QStringList lines;
    for (const StandingVerdict& standing : run.verdicts) {
        if (&standing != &run.verdicts.front())
            lines << text(standing.verdict.statement);
        addEvidence(lines, standing.verdict);
    }
    if (run.firstCause && run.firstCause->attempt == run.attempt)
        lines << text(run.firstCause->cause) << QString::fromStdString(run.firstCause->traceback);
    return lines.mid(0, MostLines).join(u'\n').trimmed();
}

} // namespace

bool showVerdict(Banner& banner, const RunModel& model, Kind least, std::int64_t wallNs)
{
    const RunSnapshot& run = model.snapshot();
    if (run.verdicts.empty() || isWeightier(least, run.verdicts.front().verdict.kind) ||
        model.health().health == Health::Lost)
        return false;
    const auto cause = endCauseOf(run);
    const StandingVerdict& first =
        cause && cause->verdict != nullptr ? *cause->verdict : run.verdicts.front();
    const Verdict& verdict = first.verdict;
    // A rank that failed by itself is why the others waited for it.
    const bool isToldOtherwise = isFinal(run.state)
                                     ? cause && cause->verdict == nullptr
                                     : run.firstCause && run.firstCause->attempt == run.attempt;
    if (verdict.kind == Kind::Hang && isToldOtherwise)
        return false;
    const std::int64_t nowNs =
        model.isRunning() ? first.monotonicAt(wallNs) : run.endedAt.monotonicNs;
    QStringList sentences{text(atTime(verdict.statement, nowNs))};
    if (cause && cause->place.code != code::None)
        sentences << text(cause->place);
    if (verdict.remedy.code != code::None)
        sentences << text(verdict.remedy);
    if (const QString before = restartText(run); !model.isRunning() && !before.isEmpty())
        sentences << before;
    banner.show(VerdictBanner::severityOf(verdict.kind, run.state),
                VerdictBanner::headlineOf(verdict, run.state, model.health().health),
                sentences.join(u'\n'), evidenceOf(run), Banner::Details::Evidence);
    return true;
}

void keepPlaceOfVerdicts(BannerPlace& place)
{
    const Message statement{code::HangStopped,
                            {{"ranks", "0-1, 3-7"},
                             {"operation", "all_reduce"},
                             {"number", "1000"},
                             {"group", "default"},
                             {"absent", "2"}},
                            {}};
    const Message remedy{code::RemedyResume, {{"rank", "2"}}, {}};
    place.setUsual(
        VerdictBanner::headlineOf({.kind = Kind::Hang}, RunState::Running, Health::Hanging),
        text(statement) + u'\n' + text(remedy));
}

QString restartText(const RunSnapshot& run)
{
    const FirstCause* cause = restartCauseOf(run);
    return cause == nullptr ? QString()
                            : VerdictBanner::tr("Restarted before, after attempt %1: %2")
                                  .arg(cause->attempt + 1)
                                  .arg(text(cause->cause));
}

int stoppedRankOf(const RunModel& run)
{
    const auto& standing = run.snapshot().verdicts;
    if (!run.isRunning() || standing.empty())
        return -1;
    const Message& remedy = standing.front().verdict.remedy;
    const auto rank = remedy.parameters.find("rank");
    const bool isStopped = remedy.code == code::RemedyResume && rank != remedy.parameters.end();
    return isStopped ? QString::fromStdString(rank->second).toInt() : -1;
}

QString lastOperationOf(const RunModel& run, int globalRank)
{
    for (const WorkerSnapshot& worker : run.snapshot().workers) {
        if (worker.assignment.globalRank == globalRank && worker.lastOperation.code != code::None)
            return text(worker.lastOperation);
    }
    return {};
}

} // namespace ringmaster::app

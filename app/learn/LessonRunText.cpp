#include "app/learn/LessonRunText.h"

#include "app/bridge/Words.h"
#include "app/learn/LearnText.h"
#include "app/learn/LessonRun.h"

#include <QCoreApplication>

namespace ringmaster::app {

namespace {

struct LessonRunText
{
    Q_DECLARE_TR_FUNCTIONS(LessonRunText)
};

QString liveText(const LessonRun& run)
{
    if (!run.isOwn())
        return LessonRunText::tr("a run that was started elsewhere: it can be looked at");
    const int ranks = run.recording().latest().rankCount();
    if (run.arrived() < ranks)
        return LessonRunText::tr("%1 of %2 workers have come …").arg(run.arrived()).arg(ranks);
    const QString backend = run.recording().started()
                                ? QString::fromStdString(run.recording().started()->backend)
                                : QString();
    return LessonRunText::tr("%1 · %2").arg(LessonRunText::tr("%n real processes", nullptr, ranks),
                                            backend);
}

} // namespace

QString statusText(const LessonRun* run)
{
    if (run == nullptr)
        return {};
    if (const lesson::RecordedJob* job = run->job())
        return LessonRunText::tr("recorded, nothing runs: %n ranks", nullptr, job->worldSize);
    switch (run->phase()) {
    case LessonRun::Phase::Preparing:
    case LessonRun::Phase::Launching: return LessonRunText::tr("Waiting for the agent to start …");
    case LessonRun::Phase::Starting:
        return LessonRunText::tr("Waiting for the workers: they start Python and import torch …");
    case LessonRun::Phase::Live: return liveText(*run);
    case LessonRun::Phase::Over: break;
    }
    const auto outcome = lesson::outcomeOf(run->recording());
    if (!outcome && run->isOwn() && run->run().empty())
        return LessonRunText::tr("not started");
    const QString end = outcome ? LessonRunText::tr("the program %1").arg(word(*outcome))
                        : isFinal(run->state()) ? word(run->state())
                                                : LessonRunText::tr("its end isn't known");
    return run->isOwn() ? LessonRunText::tr("ended: %1").arg(end)
                        : LessonRunText::tr("recorded, nothing runs: %1").arg(end);
}

} // namespace ringmaster::app

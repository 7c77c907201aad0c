#include "app/learn/LearnNotices.h"

#include "app/bridge/Messages.h"
#include "app/widget/Banner.h"
#include "engine/lesson/Codes.h"

namespace ringmaster::app {

LearnNotices::LearnNotices(Banner& banner, QObject* parent) : QObject(parent), m_banner(banner) {}

void LearnNotices::clear()
{
    m_banner.clear();
}

void LearnNotices::fileRefused(const QString& path, const QStringList& findings)
{
    m_banner.show(Notice::Severity::Error, tr("%1 is no lesson.").arg(path), findings.value(0),
                  findings.join(u'\n'), Banner::Details::Evidence);
}

void LearnNotices::runFailed(const Error& error)
{
    m_banner.show(Notice::Severity::Error, tr("The lesson does not run."), text(error), {});
}

void LearnNotices::runUnreadable(const Error& error)
{
    m_banner.show(Notice::Severity::Error, tr("This run can't be read."), text(error), {});
}

void LearnNotices::runOver(const LessonRun& run)
{
    const bool isEmpty = run.recording().isEmpty();
    if (isEmpty && run.reason().code != code::None)
        m_banner.show(Notice::Severity::Error, tr("The program did not run."), text(run.reason()),
                      run.traceback());
    else if (isEmpty && run.state() == RunState::Succeeded)
        m_banner.show(Notice::Severity::Warning, tr("Nothing to see."),
                      tr("The program ended at once: no line of it was reached."), {});
    else if (run.reason().code == code::LessonTooLong)
        m_banner.show(Notice::Severity::Warning, tr("The program was stopped."), text(run.reason()),
                      {});
}

void LearnNotices::adviseOnTorch(const lesson::State& state)
{
    for (int rank = 0; rank < state.rankCount(); ++rank) {
        if (state.rank(rank).error.find("No module named 'torch'") != std::string::npos)
            m_banner.show(Notice::Severity::Error, tr("This Python has no torch."),
                          tr("Choose an interpreter that has it, above, or install it: "
                             "pip install torch."),
                          {});
    }
}

void LearnNotices::faultJudged(const QString& headline, const QString& told)
{
    m_banner.show(Notice::Severity::Info, headline, told, {});
}

} // namespace ringmaster::app

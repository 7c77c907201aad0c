#include "app/bridge/Background.h"
#include "app/bridge/Messages.h"
#include "app/bridge/SaveFile.h"
#include "app/bridge/Words.h"
#include "app/learn/LearnHead.h"
#include "app/learn/LearnPage.h"
#include "app/learn/LearnText.h"
#include "app/learn/LessonPicture.h"
#include "app/learn/LessonsCard.h"
#include "app/learn/MomentPanel.h"
#include "app/learn/ProgramCard.h"
#include "app/learn/ProgramEditor.h"
#include "app/widget/Banner.h"

#include <QFileDialog>

namespace ringmaster::app {

namespace {

constexpr double LargeType = 1.5;

} // namespace

/// One moment, everywhere: at most once a frame, because that is how often events come.
void LearnPage::refresh()
{
    m_moment->refresh(m_run ? waitingText()
                            : tr("Run starts the program on real processes and holds them before "
                                 "their first line. Then you let them go: all together, or one by "
                                 "one, in the order that you choose."));
    m_program->show(m_player);
    adviseOnTorch();
    refreshHead();
}

void LearnPage::refreshHead()
{
    const bool isBusy = m_run && m_run->isOwn() && m_run->phase() != LessonRun::Phase::Over;
    m_program->setRunning(isBusy);
    const QString state = waitingText();
    m_head->refresh(state, lesson() != nullptr, isBusy);
    m_moment->setSubtitle(m_isNarrow ? state : QString());
}

/// What the page shows processes of, or what it waits for.
QString LearnPage::waitingText() const
{
    if (!m_run)
        return {};
    const int ranks = m_run->recording().latest().rankCount();
    const QString backend = m_run->recording().started()
                                ? QString::fromStdString(m_run->recording().started()->backend)
                                : QString();
    switch (m_run->phase()) {
    case LessonRun::Phase::Preparing:
    case LessonRun::Phase::Launching: return tr("Waiting for the agent to start …");
    case LessonRun::Phase::Starting:
        return tr("Waiting for the workers: they start Python and import torch …");
    case LessonRun::Phase::Live:
        if (!m_run->isOwn())
            return tr("a run that was started elsewhere: it can be looked at");
        if (m_run->arrived() < ranks)
            return tr("%1 of %2 workers have come …").arg(m_run->arrived()).arg(ranks);
        return tr("%1 · %2").arg(tr("%n real processes", nullptr, ranks), backend);
    case LessonRun::Phase::Over: break;
    }
    const auto outcome = lesson::outcomeOf(m_run->recording());
    const QString end = outcome ? tr("the program %1").arg(word(*outcome)) : word(m_run->state());
    return m_run->isOwn() ? tr("ended: %1").arg(end) : tr("recorded, nothing runs: %1").arg(end);
}

void LearnPage::adviseOnTorch()
{
    const lesson::State& state = m_player.state();
    for (int rank = 0; m_player.isAtEnd() && rank < state.rankCount(); ++rank) {
        if (state.rank(rank).error.find("No module named 'torch'") != std::string::npos)
            m_banner->show(Notice::Severity::Error, tr("This Python has no torch."),
                           tr("Choose an interpreter that has it, above, or install it: "
                              "pip install torch."),
                           {});
    }
}

/// What will come of it is asked first; not of a rank that is let go on again.
void LearnPage::inject(InjectFault::Kind kind, int rank)
{
    const InjectFault fault{.kind = kind, .globalRank = rank, .delay = std::chrono::seconds(3)};
    if (!m_run)
        return;
    if (kind == InjectFault::Kind::Resume)
        return m_run->inject(fault);
    m_faultPredictor.ask(*m_run, fault);
}

void LearnPage::faultJudged(const QString& headline, const QString& told,
                            std::optional<size_t> wrongAt)
{
    m_banner->show(Notice::Severity::Info, headline, told, {});
    if (!wrongAt)
        return;
    m_player.pause();
    m_player.go(*wrongAt);
}

void LearnPage::setPresenting(bool isOn)
{
    m_isPresenting = isOn;
    m_moment->picture().setTypeScale(isOn ? LargeType : 1);
    m_program->editor().setTypeSize(isOn ? 18 : 12);
    m_lessonsCard->setVisible(!isOn);
    Q_EMIT presentationRequested(isOn);
}

void LearnPage::openLesson()
{
    auto* dialog = new QFileDialog(this, tr("Open a lesson"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Lessons (*.ringlesson)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &LearnPage::openLessonFile);
    dialog->open();
}

void LearnPage::openLessonFile(const QString& path)
{
    inBackground(
        m_files, this, [path] { return lesson::loadPack(path.toStdString()); },
        [this, path](const lesson::PackResult& pack) {
            if (pack) {
                const int row =
                    m_lessons.add({.file = path.toStdString(), .pack = *pack, .isOwn = false});
                m_shownLesson.clear();
                m_lessonsCard->setCurrent(row);
                return showLesson(row);
            }
            QStringList findings;
            for (const Finding& finding : pack.error())
                findings << tr("line %1: %2")
                                .arg(QString::number(finding.place.line), text(finding.message));
            m_banner->show(Notice::Severity::Error, tr("%1 is no lesson.").arg(path),
                           findings.value(0), findings.join(u'\n'), Banner::Details::Evidence);
        });
}

void LearnPage::savePicture()
{
    auto* dialog = new QFileDialog(this, tr("Save the picture"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("PNG picture (*.png)"), tr("SVG drawing (*.svg)")});
    dialog->setDefaultSuffix(QStringLiteral("png"));
    dialog->selectFile(QString::fromStdString(m_shownLesson) + QStringLiteral(".png"));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        const bool isSvg = filter.contains(QLatin1String("svg"));
        dialog->setDefaultSuffix(isSvg ? QStringLiteral("svg") : QStringLiteral("png"));
    });
    connect(dialog, &QFileDialog::fileSelected, this, &LearnPage::savePictureAs);
    dialog->open();
}

void LearnPage::savePictureAs(const QString& path)
{
    const bool isSvg = path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive);
    const QByteArray picture = isSvg ? m_moment->svg() : m_moment->png();
    saveFile(
        m_files, this, path, [picture] { return picture; },
        [this](const QString& told) { Q_EMIT toastRequested(told, nullptr); });
}

} // namespace ringmaster::app

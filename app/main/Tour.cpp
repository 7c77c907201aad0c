#include "app/main/Tour.h"

#include "app/jobs/JobPage.h"
#include "app/jobs/JobsPage.h"
#include "app/widget/Card.h"
#include "app/widget/Translated.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <csignal>

namespace ringmaster::app {

namespace {
constexpr auto Example = "ddp_digits";
constexpr auto ExampleName = "ddp digits"; ///< As its file says.
constexpr int GuiltyRank = 2;
constexpr int Launch = 1;
constexpr int Kill = 2;
constexpr int Cause = 3;
} // namespace

Tour::Tour(EngineBridge& bridge, JobsPage& jobs, QWidget* parent)
    : QFrame(parent)
    , m_bridge(bridge)
    , m_jobs(jobs)
    , m_text(new QLabel(this))
    , m_action(new QPushButton(this))
    , m_skip(new QPushButton(this))
{
    build();
    connect(&jobs, &JobsPage::shownRunChanged, this, &Tour::followJob);
    // Who has runs already knows what this would show.
    connect(&bridge, &EngineBridge::runsChanged, this, [this] {
        const auto& runs = m_bridge.runs();
        if (m_step == Launch && !runs.empty() && !runs.front().isLive)
            Q_EMIT over();
    });
    connect(m_action, &QPushButton::clicked, this, &Tour::act);
    connect(m_skip, &QPushButton::clicked, this, &Tour::over);
    translated(this, [this] { update(); });
}

void Tour::build()
{
    setLook(this, "tour");
    setObjectName(QStringLiteral("tour"));
    m_text->setWordWrap(true);
    setLook(m_skip, "flat");
    setLook(m_action, "primary");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(22, 8, 22, 8);
    row->setSpacing(10);
    row->addWidget(m_text, 1);
    row->addWidget(m_action);
    row->addWidget(m_skip);
}

void Tour::followJob()
{
    disconnect(m_watching);
    if (m_jobs.jobPage() == nullptr)
        return update();
    m_watching = connect(&m_jobs.jobPage()->run(), &RunModel::runChanged, this, &Tour::look);
    look();
}

bool Tour::showsExample() const
{
    if (m_jobs.jobPage() == nullptr)
        return false;
    const RunSnapshot& run = m_jobs.jobPage()->run().snapshot();
    return run.started.name == ExampleName && run.worldSize > GuiltyRank && run.restartBudget > 0;
}

void Tour::look()
{
    if (!showsExample())
        return update();
    const RunSnapshot& run = m_jobs.jobPage()->run().snapshot();
    if (m_step == Launch && run.attempt >= 0)
        goTo(Kill);
    if (m_step == Kill && (run.firstCause || run.restartsUsed > 0))
        goTo(Cause);
    update();
}

void Tour::goTo(int step)
{
    m_step = step;
    update();
}

void Tour::act()
{
    switch (m_step) {
    case Launch: Q_EMIT exampleRequested(QString::fromLatin1(Example)); break;
    case Kill:
        m_jobs.jobPage()->selectRank(GuiltyRank);
        m_jobs.jobPage()->sendSignal(SIGKILL);
        break;
    case Cause: Q_EMIT over(); break;
    default: break;
    }
}

void Tour::update()
{
    const JobPage* job = m_jobs.jobPage();
    switch (m_step) {
    case Launch:
        m_text->setText(tr("<b>1 of 3.</b> Run the example: four workers learn digits together."));
        m_action->setText(tr("Run the example"));
        break;
    case Kill:
        m_text->setText(tr("<b>2 of 3.</b> End a worker, as a crash would: choose a rank, then "
                           "Signal, SIGKILL. All four start again."));
        m_action->setText(tr("Kill rank %1").arg(GuiltyRank));
        break;
    case Cause:
        m_text->setText(tr("<b>3 of 3.</b> The cause is said below the job's name. The timeline "
                           "has the restart, the log what the rank said last."));
        m_action->setText(tr("Done"));
        break;
    default: break;
    }
    m_action->setEnabled(m_step != Kill ||
                         (job != nullptr && job->run().health().health == Health::Running));
    setVisible(m_step == Launch || showsExample());
    m_skip->setText(tr("Skip"));
    m_skip->setVisible(m_step != Cause);
}

} // namespace ringmaster::app

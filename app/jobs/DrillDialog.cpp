#include "app/jobs/DrillDialog.h"

#include "app/widget/Card.h"
#include "engine/event/DrilledHost.h"
#include "engine/event/Snapshot.h"
#include "engine/machine/ProcessAbout.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <chrono>

#include <unistd.h>

namespace ringmaster::app {

namespace {

using Kind = BeginDrill::Kind;

constexpr std::chrono::minutes Limit{5};
constexpr int UsualSeconds = 20;
constexpr int MostSeconds = 3600;

} // namespace

DrillDialog::DrillDialog(const RunSnapshot& run, int rank, QWidget* parent)
    : QDialog(parent)
    , m_restartsLeft(run.restartBudget - run.restartsUsed)
    , m_form(new QFormLayout)
    , m_kind(new QComboBox(this))
    , m_rank(new QComboBox(this))
    , m_host(new QComboBox(this))
    , m_seconds(new QSpinBox(this))
    , m_cost(new QLabel(this))
{
    for (const WorkerSnapshot& worker : run.workers)
        m_rank->addItem(QString::number(worker.assignment.globalRank),
                        worker.assignment.globalRank);
    const int chosen = m_rank->findData(rank);
    m_rank->setCurrentIndex(chosen >= 0 ? chosen : m_rank->count() - 1);
    for (const HostSnapshot& host : latestOfEachHost(run))
        if (hostToDrill(run, host.host))
            m_host->addItem(QString::fromStdString(host.host));
    build();
    update();
}

void DrillDialog::build()
{
    setWindowTitle(tr("Fire drill"));
    m_kind->addItem(tr("Kill (SIGKILL)"), static_cast<int>(Kind::Kill));
    m_kind->addItem(tr("Stop (SIGSTOP, then SIGCONT)"), static_cast<int>(Kind::Stop));
    m_kind->addItem(tr("Slow down to a quarter"), static_cast<int>(Kind::Slow));
    if (m_host->count() > 0) {
        m_kind->addItem(tr("Kill a host's agent and workers"), static_cast<int>(Kind::KillHost));
        m_kind->addItem(tr("Cut a host off from its lead"), static_cast<int>(Kind::CutHost));
    }
    m_seconds->setRange(1, MostSeconds);
    m_seconds->setValue(UsualSeconds);
    m_seconds->setSuffix(tr(" s"));
    m_cost->setWordWrap(true);
    m_form->addRow(tr("What"), m_kind);
    m_form->addRow(tr("Rank"), m_rank);
    m_form->addRow(tr("Host"), m_host);
    m_form->addRow(tr("For"), m_seconds);
    m_kind->setAccessibleName(tr("What"));
    m_rank->setAccessibleName(tr("Rank"));
    m_host->setAccessibleName(tr("Host"));
    m_seconds->setAccessibleName(tr("For"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    QPushButton* begin = buttons->button(QDialogButtonBox::Ok);
    begin->setText(tr("Begin the drill"));
    begin->setEnabled(m_rank->count() > 0);
    begin->setAutoDefault(false);
    buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
    buttons->button(QDialogButtonBox::Cancel)->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &DrillDialog::update);
    connect(m_rank, &QComboBox::currentIndexChanged, this, &DrillDialog::update);
    connect(m_host, &QComboBox::currentIndexChanged, this, &DrillDialog::update);
    connect(m_seconds, &QSpinBox::valueChanged, this, &DrillDialog::update);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(m_form);
    layout->addWidget(m_cost, 1);
    layout->addWidget(buttons);
    resize(460, 260);
}

void DrillDialog::update()
{
    const BeginDrill wanted = drill();
    m_form->setRowVisible(m_rank, !wanted.isOfHost());
    m_form->setRowVisible(m_host, wanted.isOfHost());
    m_form->setRowVisible(m_seconds, !wanted.isKill());
    m_cost->setText(whatComes());
}

QString DrillDialog::whatComes() const
{
    const QString rank = m_rank->currentText();
    const QString host = m_host->currentText();
    switch (chosenKind()) {
    case Kind::Kill: return tr("Rank %1 is killed now.").arg(rank) + u'\n' + costOfKill();
    case Kind::Stop:
        return tr("Rank %1 stands still for %2 s, and the others wait for it.")
            .arg(rank)
            .arg(m_seconds->value());
    case Kind::Slow:
        return tr("Rank %1 runs only a quarter of the time for %2 s.")
            .arg(rank)
            .arg(m_seconds->value());
    case Kind::KillHost:
        return tr("The agent and all workers on %1 are killed now (SIGKILL), as if its power had "
                  "failed. The job goes on without it, or with its next agent; what was done since "
                  "the last checkpoint is lost.")
            .arg(host);
    case Kind::CutHost:
        return tr("The lead doesn't reach %1 for %2 s; its workers go on. If that is longer than "
                  "the job's node_timeout, the others go on without it.")
            .arg(host)
            .arg(m_seconds->value());
    }
    return {};
}

QString DrillDialog::costOfKill() const
{
    if (m_restartsLeft <= 0)
        return tr("The job has no restarts left, and will end by it.");
    return tr("That takes one of the %n restarts that are left, and what was done since the last "
              "checkpoint.",
              nullptr, m_restartsLeft);
}

BeginDrill::Kind DrillDialog::chosenKind() const
{
    return static_cast<Kind>(m_kind->currentData().toInt());
}

BeginDrill DrillDialog::drill() const
{
    BeginDrill drill{.kind = chosenKind(), .limit = Limit, .by = aboutProcess(::getpid()).user};
    if (drill.isOfHost())
        drill.host = m_host->currentText().toStdString();
    else
        drill.globalRank = m_rank->currentData().toInt();
    if (!drill.isKill())
        drill.duration = std::chrono::seconds(m_seconds->value());
    return drill;
}

} // namespace ringmaster::app

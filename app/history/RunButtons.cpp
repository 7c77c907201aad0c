#include "app/history/RunButtons.h"

#include "app/bridge/MachineBridge.h"
#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/history/ConfirmDelete.h"
#include "app/history/LabelsDialog.h"
#include "app/widget/Translated.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <iterator>

namespace ringmaster::app {

using namespace std::chrono_literals;

namespace {

/// As long as the message that offers to take a deletion back stays.
constexpr auto UndoTime = 10s;

std::vector<std::string> idsOf(const std::vector<RunSummary>& runs)
{
    std::vector<std::string> ids;
    std::ranges::transform(runs, std::back_inserter(ids), &RunSummary::id);
    return ids;
}

} // namespace

RunButtons::RunButtons(EngineBridge& bridge, QWidget* parent)
    : QWidget(parent)
    , m_bridge(bridge)
    , m_jobs(bridge)
    , m_open(new QPushButton(this))
    , m_runAgain(new QPushButton(this))
    , m_edit(new QPushButton(this))
    , m_compare(new QPushButton(this))
    , m_label(new QPushButton(this))
    , m_pin(new QPushButton(this))
    , m_export(new QPushButton(this))
    , m_delete(new QPushButton(this))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    for (QPushButton* button : buttons())
        row->addWidget(button);
    row->addStretch();
    connect(m_open, &QPushButton::clicked, this, &RunButtons::open);
    connect(m_runAgain, &QPushButton::clicked, this, &RunButtons::runAgain);
    connect(m_edit, &QPushButton::clicked, this, &RunButtons::edit);
    connect(m_compare, &QPushButton::clicked, this, &RunButtons::compareRequested);
    connect(m_label, &QPushButton::clicked, this, &RunButtons::label);
    connect(m_pin, &QPushButton::clicked, this, &RunButtons::togglePin);
    connect(m_export, &QPushButton::clicked, this, &RunButtons::exportRun);
    connect(m_delete, &QPushButton::clicked, this, &RunButtons::askToDelete);
    translated(this, [this] { setTexts(); });
}

/// Nobody can take them back any more, and the Cluster promises that they still go.
RunButtons::~RunButtons()
{
    for (const auto& [run, deletion] : m_pending) {
        if (m_bridge.isHidden(run))
            m_bridge.removeRun(run, nullptr, {});
    }
}

void RunButtons::setRuns(std::vector<RunSummary> runs)
{
    m_runs = std::move(runs);
    update();
}

void RunButtons::update()
{
    const bool one = m_runs.size() == 1;
    for (QPushButton* button : {m_open, m_runAgain, m_edit, m_label, m_export})
        button->setEnabled(one);
    m_compare->setEnabled(m_runs.size() >= 2);
    const auto elsewhere = std::ranges::find_if(
        m_runs, [](const RunSummary& run) { return !machineOf(run.id).isEmpty(); });
    const QString reason = elsewhere == m_runs.end()
                               ? QString()
                               : tr("Its files are on %1").arg(machineOf(elsewhere->id));
    m_edit->setEnabled(one && reason.isEmpty());
    m_edit->setToolTip(reason);
    m_compare->setToolTip(tr("Select two or more runs to lay them beside each other"));
    for (QPushButton* button : {m_pin, m_delete})
        button->setEnabled(!m_runs.empty());
    m_pin->setText(one && m_runs.front().isPinned ? tr("Unpin") : tr("Pin"));
}

std::vector<QPushButton*> RunButtons::buttons() const
{
    return {m_open, m_runAgain, m_edit, m_compare, m_label, m_pin, m_export, m_delete};
}

void RunButtons::openMenu(const QPoint& globalPosition)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (QPushButton* button : buttons()) {
        QAction* action = menu->addAction(button->text(), button, &QPushButton::click);
        action->setEnabled(button->isEnabled());
    }
    menu->popup(globalPosition);
}

void RunButtons::open()
{
    if (!m_runs.empty())
        Q_EMIT openRequested(QString::fromStdString(m_runs.front().id));
}

void RunButtons::runAgain()
{
    if (m_runs.size() != 1)
        return;
    const std::string id = m_runs.front().id;
    m_jobs.fetch(id, [this, machine = machineOf(id)](const Result<RunStarted>& job) {
        if (!job)
            return tellWhyNot(job.error());
        Q_EMIT runAgainRequested(QString::fromStdString(job->jobFile),
                                 QString::fromStdString(job->workingFolder), machine);
    });
}

void RunButtons::edit()
{
    if (m_runs.size() != 1)
        return;
    m_jobs.fetch(m_runs.front().id, [this](const Result<RunStarted>& job) {
        if (!job)
            return tellWhyNot(job.error());
        Q_EMIT editRequested(QString::fromStdString(job->jobFile),
                             QString::fromStdString(job->workingFolder));
    });
}

void RunButtons::tellWhyNot(const Error& error)
{
    Q_EMIT toastRequested(text(error), {});
}

EngineBridge::Reply<void> RunButtons::sayingWhyNot()
{
    return [this](const Result<void>& done) {
        if (!done)
            tellWhyNot(done.error());
    };
}

void RunButtons::label()
{
    if (m_runs.size() != 1)
        return;
    auto* dialog = new LabelsDialog(m_runs.front(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, id = m_runs.front().id] {
        m_bridge.ask(&Cluster::setLabels, id, dialog->labels()).then(this, sayingWhyNot());
    });
    dialog->open();
}

void RunButtons::togglePin()
{
    for (const RunSummary& run : m_runs)
        m_bridge.ask(&Cluster::setPinned, run.id, !run.isPinned).then(this, sayingWhyNot());
}

void RunButtons::exportRun()
{
    if (m_runs.size() != 1)
        return;
    const std::string id = m_runs.front().id;
    auto* dialog = new QFileDialog(this, tr("Export the run"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Runs (*.ringrun)"), tr("All files (*)")});
    dialog->setDefaultSuffix(QStringLiteral("ringrun"));
    const auto there = MachineRun::parse(id);
    dialog->selectFile(QString::fromStdString(there ? there->run : id) +
                       QStringLiteral(".ringrun"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, id](const QString& file) {
        ++m_exports;
        m_bridge.ask(&Cluster::exportRun, id, file.toStdString())
            .then(this, [this, file](const Result<ExportReport>& report) {
                --m_exports;
                Q_EMIT toastRequested(report ? exportedText(file, *report) : text(report.error()),
                                      {});
            });
    });
    dialog->open();
}

/// What goes out has its secrets masked, which whoever passes it on wants to know.
QString RunButtons::exportedText(const QString& file, const ExportReport& report)
{
    const QString size = bytesText(static_cast<std::int64_t>(report.fileBytes));
    const auto masked = static_cast<int>(report.maskedNames.size());
    return masked == 0
               ? tr("Exported to %1 (%2)").arg(file, size)
               : tr("Exported to %1 (%2); %n secrets are masked", nullptr, masked).arg(file, size);
}

void RunButtons::askToDelete()
{
    if (!m_runs.empty())
        confirmDelete(this, m_runs, [this, runs = m_runs] { hideAndDelete(runs); });
}

void RunButtons::hideAndDelete(const std::vector<RunSummary>& runs)
{
    const std::vector<std::string> ids = idsOf(runs);
    auto* timer = new QTimer(this);
    for (const std::string& id : ids)
        m_pending[id] = timer;
    timer->setSingleShot(true);
    connect(timer, &QTimer::timeout, this, [this, timer, ids] {
        timer->deleteLater();
        removeNow(timer, ids);
    });
    timer->start(UndoTime);
    m_bridge.hideRuns(ids);
    Q_EMIT toastRequested(tr("%n runs deleted", nullptr, static_cast<int>(ids.size())),
                          [this, timer = QPointer(timer), ids] {
                              if (timer == nullptr)
                                  return;
                              std::vector<std::string> back;
                              for (const std::string& id : ids) {
                                  if (takePending(timer, id))
                                      back.push_back(id);
                              }
                              delete timer;
                              m_bridge.showRuns(back);
                          });
}

/// Who has opened the file of a run meanwhile sees it again, and wants to keep it.
void RunButtons::removeNow(const QTimer* deletion, const std::vector<std::string>& runs)
{
    for (const std::string& run : runs) {
        if (takePending(deletion, run) && m_bridge.isHidden(run))
            m_bridge.removeRun(run, this, sayingWhyNot());
    }
}

/// False: it is another deletion's by now.
bool RunButtons::takePending(const QTimer* deletion, const std::string& run)
{
    const auto found = m_pending.find(run);
    if (found == m_pending.end() || found->second != deletion)
        return false;
    m_pending.erase(found);
    return true;
}

void RunButtons::setTexts()
{
    m_open->setText(tr("Open"));
    m_runAgain->setText(tr("Run again"));
    m_edit->setText(tr("Edit a copy"));
    m_compare->setText(tr("Compare"));
    m_label->setText(tr("Name and tags…"));
    m_export->setText(tr("Export…"));
    m_pin->setToolTip(tr("A pinned run is never removed to make room"));
    m_delete->setText(tr("Delete…"));
    update();
}

} // namespace ringmaster::app

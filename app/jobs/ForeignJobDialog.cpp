#include "app/jobs/ForeignJobDialog.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/jobs/EvidenceTree.h"
#include "app/model/ForeignJobModel.h"
#include "app/widget/Banner.h"
#include "app/widget/Card.h"
#include "app/widget/Question.h"
#include "app/widget/TableLook.h"
#include "app/widget/Translated.h"
#include "engine/attach/Codes.h"
#include "engine/attach/JobEnd.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace ringmaster::app {

namespace {

QString foundStateText(FoundRank::State state)
{
    switch (state) {
    case FoundRank::State::Running: return word(ForeignRankUse::State::Running);
    case FoundRank::State::Stopped: return word(ForeignRankUse::State::Stopped);
    case FoundRank::State::Ended: return ForeignJobDialog::tr("Ended", "a rank");
    }
    return {};
}

/// "GPU 0: 12.3 GB, 75 % busy; GPU 1: 2 GB"
QString devicesText(const std::vector<HeldDevice>& devices)
{
    QStringList texts;
    for (const HeldDevice& device : devices) {
        const QString memory =
            device.usedBytes < 0 ? QStringLiteral("?") : bytesText(device.usedBytes);
        texts << (device.utilisation
                      ? ForeignJobDialog::tr("GPU %1: %2, %3 busy")
                            .arg(QString::number(device.index), memory,
                                 percentText(*device.utilisation))
                      : ForeignJobDialog::tr("GPU %1: %2").arg(device.index).arg(memory));
    }
    return texts.isEmpty() ? QStringLiteral("–") : texts.join(QStringLiteral("; "));
}

} // namespace

ForeignJobDialog::ForeignJobDialog(ForeignJobs& jobs, ForeignJob job, QString machine,
                                   QWidget* parent)
    : QDialog(parent)
    , m_jobs(jobs)
    , m_job(std::move(job))
    , m_machine(std::move(machine))
    , m_source{code::ForeignJobSeen, {}, {}}
    , m_about(new QLabel(this))
    , m_words(new Banner(this))
    , m_ranks(new QTableWidget(this))
    , m_tree(new EvidenceTree(this))
    , m_note(new QLabel(this))
    , m_end(new QPushButton(this))
    , m_copy(new QPushButton(this))
    , m_again(new QPushButton(this))
    , m_close(new QPushButton(this))
{
    build();
    connect(&jobs, &ForeignJobs::changed, this, &ForeignJobDialog::follow);
    connect(m_again, &QPushButton::clicked, this, &ForeignJobDialog::look);
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QApplication::clipboard()->setText(wholeText()); });
    connect(m_end, &QPushButton::clicked, this, &ForeignJobDialog::askToEnd);
    connect(m_close, &QPushButton::clicked, this, &QDialog::close);
    translated(this, [this] { setTexts(); });
}

void ForeignJobDialog::build()
{
    constexpr QSize Wanted{860, 600};
    resize(parentWidget() == nullptr ? Wanted : Wanted.boundedTo(parentWidget()->size()));
    setLook(m_about, "muted");
    setLook(m_note, "muted");
    m_about->setTextFormat(Qt::PlainText);
    m_about->setWordWrap(true);
    m_note->setWordWrap(true);
    dressTable(*m_ranks, 26);
    m_ranks->setColumnCount(ColumnCount);
    setColumnWidths(*m_ranks, {60, 80, 96, 64, 90, 170});
    m_ranks->setColumnHidden(Gpu, true);
    m_copy->setEnabled(false);
    for (QPushButton* button : {m_end, m_copy, m_again, m_close})
        button->setAutoDefault(false);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(10);
    buttons->addWidget(m_end);
    buttons->addStretch(1);
    buttons->addWidget(m_copy);
    buttons->addWidget(m_again);
    buttons->addWidget(m_close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(18, 16, 18, 16);
    layout->setSpacing(10);
    layout->addWidget(m_about);
    layout->addWidget(m_words);
    layout->addWidget(m_ranks);
    layout->addWidget(m_tree, 1);
    layout->addWidget(m_note);
    layout->addLayout(buttons);
}

void ForeignJobDialog::look()
{
    if (m_isLooking || m_hasEnded)
        return;
    m_isLooking = true;
    m_again->setEnabled(false);
    m_words->show(Notice::Severity::Info, tr("Looking at its ranks twice, some seconds apart…"), {},
                  {});
    m_jobs.look(m_job, this, [this](const Result<JobFindings>& found) { take(found); });
}

void ForeignJobDialog::take(const Result<JobFindings>& found)
{
    m_isLooking = false;
    m_again->setEnabled(!m_hasEnded);
    if (!found)
        return m_words->show(Notice::Severity::Error, text(found.error()), {}, {});
    showJudgement(*found);
    fillRanks(found->ranks);
    m_source = found->source;
    m_note->setText(text(m_source));
    m_tree->setEvidence(found->stacks.evidence);
    m_copy->setEnabled(true);
}

void ForeignJobDialog::showJudgement(const JobFindings& found)
{
    QStringList evidence;
    for (const Message& message : found.evidence)
        evidence << text(message);
    for (const Message& remark : remarksOn(m_job))
        evidence << text(remark);
    m_words->show(found.isAnybodyNamed ? Notice::Severity::Warning : Notice::Severity::Info,
                  text(found.statement), evidence.join(u' '), {});
}

void ForeignJobDialog::fillRanks(const std::vector<FoundRank>& ranks)
{
    m_ranks->setRowCount(static_cast<int>(ranks.size()));
    for (int row = 0; row < m_ranks->rowCount(); ++row) {
        const FoundRank& rank = ranks[static_cast<size_t>(row)];
        const auto put = [&](int column, const QString& text, bool isNumber) {
            auto* item = new QTableWidgetItem(text);
            if (isNumber)
                item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            item->setToolTip(text);
            m_ranks->setItem(row, column, item);
        };
        put(Rank, QString::number(rank.rank), true);
        put(Process, QString::number(rank.pid), true);
        put(State, foundStateText(rank.state), false);
        put(Cpu, percentText(rank.cpuShare), true);
        put(Memory, bytesText(rank.memoryBytes), true);
        put(Gpu, devicesText(rank.devices), false);
        put(StandsIn, rank.place.empty() ? tr("not known") : QString::fromStdString(rank.place),
            false);
    }
    m_ranks->setColumnHidden(Gpu, std::ranges::all_of(ranks, [](const FoundRank& rank) {
                                 return rank.devices.empty();
                             }));
    constexpr int MostRows = 6;
    m_ranks->setFixedHeight(tableHeight(*m_ranks, MostRows));
}

QString ForeignJobDialog::endInformation() const
{
    const std::vector<ProcessIdentity> processes = processesToEnd(m_job);
    QStringList numbers;
    for (const ProcessIdentity& process : processes)
        numbers << QString::number(process.pid);
    const auto count = static_cast<int>(processes.size());
    const QString all = numbers.join(QStringLiteral(", "));
    return m_machine.isEmpty()
               ? tr("Something else started this job. Process %1 gets SIGTERM; what its ranks did "
                    "since their last checkpoint is lost, and this can't be undone.",
                    nullptr, count)
                     .arg(all)
               : tr("Something else started this job on %2. Process %1 gets SIGTERM there; what "
                    "its ranks did since their last checkpoint is lost, and this can't be undone.",
                    nullptr, count)
                     .arg(all, m_machine);
}

/// The question says what is lost; nothing is sent before it is answered.
void ForeignJobDialog::askToEnd()
{
    ask(this,
        {.objectName = QStringLiteral("confirmEnd"),
         .title = tr("End the job?"),
         .text = tr("End %1?").arg(QString::fromStdString(m_job.name).toHtmlEscaped()),
         .information = endInformation(),
         .accept = tr("End it"),
         .keep = tr("Keep running")},
        [this](bool /*skips*/) { end(); });
}

void ForeignJobDialog::end()
{
    m_end->setEnabled(false);
    m_jobs.end(m_job, this, [this](const Result<void>& answer) {
        m_end->setEnabled(!answer && !m_hasEnded);
        m_words->show(answer ? Notice::Severity::Info : Notice::Severity::Error,
                      answer ? tr("It was asked to end.") : text(answer.error()), {}, {});
    });
}

/// Whether it is still there.
void ForeignJobDialog::follow()
{
    if (m_hasEnded || m_jobs.trouble() || m_jobs.find(job()) != nullptr)
        return;
    m_hasEnded = true;
    m_end->setEnabled(false);
    m_again->setEnabled(false);
    setTexts();
}

QString ForeignJobDialog::aboutText() const
{
    QStringList parts{startedByText(m_job), ranksCountText(static_cast<int>(m_job.ranks.size()))};
    if (!m_machine.isEmpty())
        parts.prepend(m_machine);
    if (!m_job.user.empty())
        parts << tr("of %1", "a user").arg(QString::fromStdString(m_job.user));
    if (m_job.startedNs > 0)
        parts << tr("since %1").arg(dateTimeText(Moment{.wallNs = m_job.startedNs}));
    if (m_job.restarts > 0)
        parts << tr("%n restarts", nullptr, m_job.restarts);
    if (!m_job.store.empty())
        parts << tr("store %1").arg(QString::fromStdString(m_job.store));
    if (m_hasEnded)
        parts << tr("has ended");
    return parts.join(QStringLiteral(" · "));
}

QString ForeignJobDialog::wholeText() const
{
    return QStringList{windowTitle(), m_about->text(), m_words->text(),
                       QString(),     m_tree->text(),  m_note->text()}
        .join(u'\n');
}

void ForeignJobDialog::setTexts()
{
    setWindowTitle(QString::fromStdString(m_job.name));
    m_about->setText(aboutText());
    m_ranks->setHorizontalHeaderLabels({tr("Rank"), tr("Process"), tr("State"),
                                        QStringLiteral("CPU"), tr("Memory"), QStringLiteral("GPU"),
                                        tr("Stands in")});
    for (const int column : {Rank, Process, Cpu, Memory})
        m_ranks->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_ranks->setAccessibleName(tr("Ranks of the job"));
    m_tree->setAccessibleName(tr("Where the ranks stand, equal stacks once"));
    m_note->setText(text(m_source));
    m_end->setText(tr("End the job…"));
    m_copy->setText(tr("Copy all"));
    m_copy->setToolTip(tr("Copy all of it as text"));
    m_again->setText(tr("Look again"));
    m_close->setText(tr("Close"));
}

} // namespace ringmaster::app

#include "app/bandwidth/BandwidthPage.h"

#include "app/bandwidth/SweepForm.h"
#include "app/bandwidth/SweepText.h"
#include "app/bridge/Background.h"
#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/widget/Banner.h"
#include "app/widget/Card.h"
#include "app/widget/ElidedLabel.h"
#include "app/widget/EmptyState.h"
#include "app/widget/Translated.h"
#include "engine/job/Devices.h"

#include <QListView>
#include <QPushButton>
#include <QStackedLayout>
#include <QTableView>
#include <QToolButton>

#include <algorithm>

namespace ringmaster::app {

namespace {

/// The colour and shape of a backend's line; those of further sweeps are others.
int lookOf(const std::string& backend, size_t sweep)
{
    const int look = backend == "ring" ? 0 : backend == "nccl" ? 1 : 2;
    return (look + 3 * static_cast<int>(sweep)) % 6;
}

} // namespace

BandwidthPage::BandwidthPage(EngineBridge& bridge, QWidget* parent)
    : Page(parent)
    , m_bridge(bridge)
    , m_sweeps(bridge)
    , m_title(new QLabel(this))
    , m_subtitle(new ElidedLabel(this))
    , m_form(new SweepForm(this))
    , m_banner(new Banner(this))
    , m_chartCard(new Card(this))
    , m_tableCard(new Card(this))
    , m_listCard(new Card(this))
    , m_chart(new SweepChart(this))
    , m_table(new QTableView(this))
    , m_list(new QListView(this))
    , m_empty(new EmptyState(this))
    , m_stack(new QStackedLayout)
    , m_columns(new QSplitter(this))
    , m_lines(new QSplitter(Qt::Vertical, this))
    , m_bandwidthButton(new QToolButton(this))
    , m_latencyButton(new QToolButton(this))
    , m_export(new QPushButton(this))
    , m_calibrate(new QPushButton(this))
    , m_job(new QPushButton(this))
    , m_run(new QPushButton(this))
    , m_stop(new QPushButton(this))
    , m_csv(new QAction(this))
    , m_json(new QAction(this))
    , m_picture(new QAction(this))
{
    build();
    connectControls();
    translated(this, [this] { setTexts(); });
    updateRuns();
}

BandwidthPage::~BandwidthPage() = default;

QString BandwidthPage::title() const
{
    return tr("Bandwidth");
}

bool BandwidthPage::shows(const std::string& run) const
{
    const RunSummary* summary = m_bridge.find(run);
    return summary != nullptr && SweepListModel::isSweep(*summary);
}

void BandwidthPage::openRun(const std::string& run)
{
    m_sweeps.showOnly(run);
}

void BandwidthPage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    if (m_runs.empty() && m_sweeps.rowCount() > 0)
        openRun(m_sweeps.index(0).data(SweepListModel::RunRole).toString().toStdString());
    lookAround();
    readCeilings();
}

void BandwidthPage::readCeilings()
{
    inBackground(
        m_files, this, [] { return readCalibrations(); },
        [this](const std::vector<Calibration>& calibrations) {
            m_calibrations = calibrations;
            updateResults();
        });
}

std::vector<Ceiling> BandwidthPage::ceilings() const
{
    std::vector<Ceiling> found;
    const SweepRun* run = latest();
    if (run == nullptr || !run->plan() || run->plan()->collectives.size() != 1 ||
        run->plan()->sizes.empty())
        return found;
    const SweepPlan& plan = *run->plan();
    const std::vector<std::string> hosts = run->hosts();
    for (const std::string& backend : plan.backends) {
        if (const auto ceiling = ceilingOf(m_calibrations, backend, plan.collectives.front(),
                                           plan.ranks, plan.sizes.back(), hosts))
            found.push_back(*ceiling);
    }
    return found;
}

/// Drivers and files may take their time.
void BandwidthPage::lookAround()
{
    inBackground(
        m_files, this, [] { return sweepFacts(static_cast<int>(listDevices().devices.size())); },
        [this](const SweepFacts& facts) {
            m_facts = facts;
            check();
        });
}

void BandwidthPage::check()
{
    if (!m_facts)
        return;
    const std::vector<Finding> findings = validate(m_form->request(), *m_facts);
    m_run->setEnabled(!hasErrors(findings));
    if (findings.empty())
        return m_banner->clear();
    QStringList words;
    for (const Finding& finding : findings)
        words << text(finding.message);
    m_banner->show(hasErrors(findings) ? Notice::Severity::Error : Notice::Severity::Warning,
                   hasErrors(findings) ? tr("This can't be measured.") : tr("Not all of it."),
                   words.join(u'\n'), {});
}

void BandwidthPage::start(SweepRequest request)
{
    if (!m_facts)
        return;
    m_run->setEnabled(false);
    m_bridge.launch(sweepJob(request, *m_facts), {}, this, [this](const Result<std::string>& run) {
        m_run->setEnabled(true);
        if (run)
            m_sweeps.showOnly(*run);
        else
            m_banner->show(Notice::Severity::Error, tr("The sweep did not start."),
                           text(run.error()), {});
    });
}

void BandwidthPage::stop()
{
    const SweepRun* run = latest();
    if (run == nullptr)
        return;
    m_bridge.send(run->run(), StopRun{}, this, [this](const Result<void>& result) {
        Q_EMIT toastRequested(result ? tr("Stopping the sweep") : text(result.error()), nullptr);
    });
}

/// Those that are no longer shown go, those that are keep what they have.
void BandwidthPage::updateRuns()
{
    const std::vector<std::string> wanted = m_sweeps.shown();
    std::vector<SweepRun*> runs;
    for (const std::string& id : wanted) {
        const auto known =
            std::ranges::find_if(m_runs, [&](const SweepRun* run) { return run->run() == id; });
        if (known != m_runs.end()) {
            runs.push_back(*known);
            continue;
        }
        auto* run = new SweepRun(m_bridge, id, this);
        connect(run, &SweepRun::changed, this, &BandwidthPage::updateResults);
        runs.push_back(run);
    }
    for (SweepRun* run : std::exchange(m_runs, runs)) {
        if (std::ranges::find(m_runs, run) == m_runs.end())
            run->deleteLater();
    }
    updateResults();
}

const SweepRun* BandwidthPage::latest() const
{
    return m_runs.empty() ? nullptr : m_runs.front();
}

void BandwidthPage::updateResults()
{
    std::vector<SweepChart::Line> lines;
    std::vector<SweepTableModel::Row> rows;
    std::map<std::tuple<size_t, std::string, std::string>, int> series;
    for (size_t i = 0; i < m_runs.size(); ++i) {
        const auto& plan = m_runs[i]->plan();
        const bool isOne = !plan || plan->collectives.size() < 2;
        for (const SweepRow& row : m_runs[i]->rows()) {
            const auto next = static_cast<int>(lines.size());
            const auto [at, isNew] = series.try_emplace({i, row.collective, row.backend}, next);
            rows.push_back({at->second, m_runs[i]->label(), row});
            if (!isNew)
                continue;
            QStringList name{QString::fromStdString(row.backend)};
            if (!isOne)
                name.prepend(QString::fromStdString(row.collective));
            if (m_runs.size() > 1)
                name << m_runs[i]->label();
            lines.push_back(
                {name.join(QStringLiteral(" · ")), isOne ? lookOf(row.backend, i) : next});
        }
    }
    m_rows.show(rows);
    m_chart->show(lines, m_rows.rows(), ceilings());
    m_table->setColumnHidden(SweepTableModel::Run, m_runs.size() < 2);
    m_stack->setCurrentIndex(m_runs.empty() ? 0 : 1);
    updateHead();
}

void BandwidthPage::updateHead()
{
    const SweepRun* run = latest();
    const bool calibrates =
        run != nullptr && run->plan() && run->plan()->isCalibration && !run->isOver();
    if (std::exchange(m_isCalibrating, calibrates) && !calibrates)
        readCeilings();
    const bool isGoing = run != nullptr && !run->isOver();
    m_stop->setVisible(isGoing);
    m_run->setVisible(!isGoing);
    m_job->setEnabled(run != nullptr);
    m_export->setEnabled(m_rows.rowCount() > 0);
    QStringList parts;
    if (run != nullptr && run->plan())
        parts << planText(*run->plan());
    m_subtitle->setText(parts.join(QStringLiteral(" · ")));
    QString state;
    if (isGoing && run->plan())
        state = tr("%1 of %2 measured").arg(run->rows().size()).arg(run->plan()->rows());
    else if (isGoing)
        state = tr("starting");
    else if (run != nullptr && run->state() != RunState::Succeeded)
        state = run->reason().code == code::None ? word(run->state()) : text(run->reason());
    m_chartCard->setSubtitle(state);
}

void BandwidthPage::chooseSeries(int series)
{
    m_chart->setSelected(series);
    const QModelIndexList chosen = m_table->selectionModel()->selectedRows();
    const auto isOfSeries = [series](const QModelIndex& index) {
        return index.data(SweepTableModel::SeriesRole).toInt() == series;
    };
    if (!chosen.isEmpty() && isOfSeries(chosen.first()))
        return;
    for (int row = 0; series >= 0 && row < m_sorted.rowCount(); ++row) {
        if (isOfSeries(m_sorted.index(row, 0)))
            return m_table->selectRow(row);
    }
    m_table->selectionModel()->clearSelection();
}

QVariantMap BandwidthPage::saveState() const
{
    return {{QStringLiteral("form"), m_form->saveState()},
            {QStringLiteral("latency"), m_latencyButton->isChecked()},
            {QStringLiteral("columns"), m_columns->saveState()},
            {QStringLiteral("lines"), m_lines->saveState()}};
}

void BandwidthPage::restoreState(const QVariantMap& state)
{
    m_form->restoreState(state.value(QStringLiteral("form")).toMap());
    const bool latency = state.value(QStringLiteral("latency")).toBool();
    (latency ? m_latencyButton : m_bandwidthButton)->setChecked(true);
    m_columns->restoreState(state.value(QStringLiteral("columns")).toByteArray());
    m_lines->restoreState(state.value(QStringLiteral("lines")).toByteArray());
}

} // namespace ringmaster::app

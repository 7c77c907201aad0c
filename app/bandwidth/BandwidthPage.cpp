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
#include "app/widget/FieldText.h"
#include "app/widget/Translated.h"
#include "engine/machine/Devices.h"

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

PageDescription BandwidthPage::description()
{
    return describePage<BandwidthPage>(QStringLiteral("bandwidth"));
}

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
    // Until it is known what can be measured here.
    m_run->setEnabled(false);
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
        openRun(m_sweeps.at(0).id);
    lookAround();
    readCeilings();
    listHosts();
}

/// A book that can't be read is the Hosts page's to tell of.
void BandwidthPage::listHosts()
{
    m_bridge.listHosts(this, [this](const Result<std::vector<Host>>& hosts) {
        if (hosts)
            m_form->setHosts(*hosts);
    });
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
    m_findings = validate(m_form->request(), *m_facts);
    m_refusal.reset();
    m_run->setEnabled(!hasErrors(m_findings));
    updateCalibrate();
    updateBanner();
}

/// What can't be measured, what didn't start, or why the sweep that is shown has failed.
void BandwidthPage::updateBanner()
{
    const SweepRun* run = latest();
    if (m_refusal)
        return m_banner->show(Notice::Severity::Error, tr("The sweep did not start."),
                              text(static_cast<const Message&>(*m_refusal)), detailOf(*m_refusal));
    if (!m_findings.empty()) {
        QStringList words;
        for (const Finding& finding : m_findings)
            words << text(finding.message);
        const bool isWrong = hasErrors(m_findings);
        return m_banner->show(isWrong ? Notice::Severity::Error : Notice::Severity::Warning,
                              isWrong ? tr("This can't be measured.") : tr("Not all of it."),
                              words.join(u'\n'), {});
    }
    if (run != nullptr && run->state() == RunState::Failed && run->reason().code != code::None)
        return m_banner->show(Notice::Severity::Error, tr("The sweep failed."), text(run->reason()),
                              {});
    m_banner->clear();
}

void BandwidthPage::start(const SweepRequest& request)
{
    if (!m_facts)
        return;
    m_run->setEnabled(false);
    m_bridge.launch(sweepJob(request, *m_facts), {}, this,
                    [this, isCalibration = request.isCalibration](const Result<std::string>& run) {
                        started(run, isCalibration);
                    });
}

void BandwidthPage::started(const Result<std::string>& run, bool isCalibration)
{
    check();
    if (run) {
        if (isCalibration)
            m_calibrating = *run;
        followCalibration();
        return m_sweeps.showOnly(*run);
    }
    m_pairs.clear();
    m_refusal = run.error();
    updateBanner();
}

/// Of hosts each pair, one after the other.
std::vector<SweepRequest> BandwidthPage::calibrations() const
{
    const SweepRequest chosen = m_form->request();
    std::vector<SweepRequest> all;
    if (chosen.hosts.empty())
        all.push_back(calibrationRequest(chosen.ranks, chosen.backends));
    for (auto one = chosen.hosts.begin(); one != chosen.hosts.end(); ++one)
        for (auto other = one + 1; other != chosen.hosts.end(); ++other)
            all.push_back(calibrationRequest(chosen.ranks, chosen.backends, {*one, *other}));
    return all;
}

void BandwidthPage::calibrateNext()
{
    if (m_pairs.empty())
        return;
    const SweepRequest next = m_pairs.front();
    m_pairs.erase(m_pairs.begin());
    start(next);
}

void BandwidthPage::followCalibration()
{
    if (m_calibrating.empty())
        return;
    const RunSummary* run = m_bridge.find(m_calibrating);
    if (run == nullptr || !isFinal(run->state))
        return;
    m_calibrating.clear();
    readCeilings();
    if (run->state == RunState::Succeeded)
        return calibrateNext();
    m_pairs.clear();
}

void BandwidthPage::stop()
{
    const SweepRun* run = latest();
    if (run == nullptr)
        return;
    m_pairs.clear();
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
    const bool isGoing = run != nullptr && !run->isOver();
    m_stop->setVisible(isGoing);
    m_run->setVisible(!isGoing);
    m_job->setEnabled(run != nullptr);
    m_export->setEnabled(m_rows.rowCount() > 0);
    QStringList parts;
    if (run != nullptr && run->plan())
        parts << planText(*run->plan());
    if (run != nullptr && !run->hosts().empty())
        parts << listText(run->hosts());
    m_subtitle->setText(parts.join(QStringLiteral(" · ")));
    QString state;
    if (isGoing && run->plan())
        state = tr("%1 of %2 measured").arg(run->rows().size()).arg(run->plan()->rows());
    else if (isGoing)
        state = tr("starting");
    else if (run != nullptr && run->state() != RunState::Succeeded)
        state = word(run->state());
    if (isGoing && !m_pairs.empty())
        state += QStringLiteral(" · ") +
                 tr("%n more pairs afterwards", nullptr, static_cast<int>(m_pairs.size()));
    m_chartCard->setSubtitle(state);
    updateBanner();
}

void BandwidthPage::updateCalibrate()
{
    const std::vector<SweepRequest> all = calibrations();
    m_calibrate->setEnabled(m_facts && !all.empty() && !hasErrors(validate(all.front(), *m_facts)));
    const size_t hosts = m_form->request().hosts.size();
    m_calibrate->setToolTip(
        hosts == 0 ? tr("Measure what this machine can reach at best: about ten seconds a backend")
        : hosts == 1 ? tr("Choose two hosts: what is calibrated is the way between them")
                     : tr("Measure what each pair of these hosts can reach at best, one after the "
                          "other: about ten seconds a backend"));
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

#include "app/bandwidth/BandwidthPage.h"

#include "app/bandwidth/Calibrator.h"
#include "app/bandwidth/SweepExportMenu.h"
#include "app/bandwidth/SweepForm.h"
#include "app/bandwidth/SweepResults.h"
#include "app/bandwidth/SweepText.h"
#include "app/bridge/Background.h"
#include "app/bridge/MachineBridge.h"
#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/widget/Banner.h"
#include "app/widget/Card.h"
#include "app/widget/ElidedLabel.h"
#include "app/widget/EmptyState.h"
#include "app/widget/FieldText.h"
#include "app/widget/Translated.h"
#include "engine/machine/Devices.h"

#include <QLabel>
#include <QPushButton>
#include <QStackedLayout>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>

namespace ringmaster::app {

using namespace std::chrono_literals;

namespace {

/// For the list to have a run that was launched.
constexpr auto ListPatience = 10s;

} // namespace

PageDescription BandwidthPage::description()
{
    return {.key = QStringLiteral("bandwidth"),
            .title = [] { return tr("Bandwidth"); },
            .results = RunPurpose::Sweep,
            .make = makePage<BandwidthPage>};
}

BandwidthPage::BandwidthPage(EngineBridge& bridge, QWidget* parent)
    : Page(parent)
    , m_bridge(bridge)
    , m_sweeps(bridge)
    , m_calibrator(new Calibrator(bridge, this))
    , m_title(new QLabel(this))
    , m_subtitle(new ElidedLabel(this))
    , m_form(new SweepForm(this))
    , m_banner(new Banner(this))
    , m_results(new SweepResults(m_sweeps, this))
    , m_empty(new EmptyState(this))
    , m_stack(new QStackedLayout)
    , m_export(new QPushButton(this))
    , m_calibrate(new QPushButton(this))
    , m_job(new QPushButton(this))
    , m_run(new QPushButton(this))
    , m_stop(new QPushButton(this))
{
    build();
    connectControls();
    translated(this, [this] { setTexts(); });
    updateRuns();
}

BandwidthPage::~BandwidthPage() = default;

void BandwidthPage::build()
{
    auto* head = new QHBoxLayout;
    head->setSpacing(10);
    setLook(m_title, "title");
    setLook(m_subtitle, "muted");
    setLook(m_run, "primary");
    head->addWidget(m_title);
    head->addWidget(m_subtitle, 1);
    for (QPushButton* button : {m_job, m_export, m_calibrate, m_stop, m_run})
        head->addWidget(button);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_results);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(22, 16, 22, 18);
    layout->setSpacing(12);
    layout->addLayout(head);
    layout->addWidget(m_form);
    layout->addWidget(m_banner);
    layout->addLayout(m_stack, 1);
}

void BandwidthPage::connectControls()
{
    auto* menu = new SweepExportMenu(*m_results, m_export);
    m_export->setMenu(menu);
    connect(menu, &SweepExportMenu::told, this,
            [this](const QString& sentence) { Q_EMIT toastRequested(sentence, nullptr); });
    connect(m_results, &SweepResults::told, this,
            [this](const QString& sentence) { Q_EMIT toastRequested(sentence, nullptr); });
    connect(m_form, &SweepForm::changed, this, [this] {
        m_calibrator->forgetFindings();
        check();
    });
    connect(&m_sweeps, &SweepListModel::shownChanged, this, &BandwidthPage::updateRuns);
    connect(m_run, &QPushButton::clicked, this, [this] {
        m_calibrator->forgetFindings();
        start(m_form->request());
    });
    connect(m_calibrate, &QPushButton::clicked, this,
            [this] { m_calibrator->begin(Calibrator::requestsFor(m_form->request())); });
    connect(m_calibrator, &Calibrator::runWanted, this, &BandwidthPage::start);
    connect(m_calibrator, &Calibrator::knownChanged, this, &BandwidthPage::updateResults);
    connect(&m_bridge, &EngineBridge::runsChanged, this, &BandwidthPage::lookForLaunched);
    connect(&m_bridge, &EngineBridge::hostsChanged, this, &BandwidthPage::listHosts);
    connect(m_stop, &QPushButton::clicked, this, &BandwidthPage::stop);
    connect(m_job, &QPushButton::clicked, this, [this] {
        if (latest() != nullptr)
            Q_EMIT jobChosen(QString::fromStdString(latest()->run()));
    });
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
    m_calibrator->read();
    listHosts();
}

/// A book that can't be read is the Hosts page's to tell of.
void BandwidthPage::listHosts()
{
    m_bridge.ask(&HostRegistry::list).then(this, [this](const Result<std::vector<Host>>& hosts) {
        if (hosts)
            m_form->setHosts(*hosts);
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
    // Read from a file that doesn't say where it was measured.
    if (plan.ranks == 0)
        return found;
    // What was calibrated here says nothing of another machine.
    if (!machineOf(run->run()).isEmpty())
        return found;
    const std::vector<std::string> hosts = run->hosts();
    for (const std::string& backend : plan.backends) {
        if (const auto ceiling = ceilingOf(m_calibrator->known(), backend, plan.collectives.front(),
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
    const SweepRequest request = m_form->request();
    m_findings = validate(request, *m_facts);
    const std::vector<SweepRequest> all = Calibrator::requestsFor(request);
    m_canCalibrate = !all.empty() && !hasErrors(validate(all.front(), *m_facts));
    m_refusal.reset();
    updateButtons();
    updateBanner();
}

/// What can't be measured, what didn't start, or why the sweep that is shown has failed or can't be
/// read.
void BandwidthPage::updateBanner()
{
    const SweepRun* run = latest();
    if (m_refusal)
        return m_banner->show(Notice::Severity::Error, tr("The sweep did not start."),
                              text(static_cast<const Message&>(*m_refusal)), detailOf(*m_refusal));
    const QStringList found = m_calibrator->findings();
    if (!found.isEmpty() && !hasErrors(m_findings))
        return m_banner->show(Notice::Severity::Info, tr("Calibrated."), found.join(u'\n'), {});
    if (!m_findings.empty()) {
        QStringList words;
        for (const Finding& finding : m_findings)
            words << text(finding.message);
        const bool isWrong = hasErrors(m_findings);
        return m_banner->show(isWrong ? Notice::Severity::Error : Notice::Severity::Warning,
                              isWrong ? tr("This can't be measured.") : tr("Not all of it."),
                              words.join(u'\n'), {});
    }
    if (run != nullptr && run->error())
        return m_banner->show(Notice::Severity::Error, tr("The sweep can't be read."),
                              text(static_cast<const Message&>(*run->error())),
                              detailOf(*run->error()));
    if (run != nullptr && run->state() == RunState::Failed && run->reason().code != code::None)
        return m_banner->show(Notice::Severity::Error, tr("The sweep failed."), text(run->reason()),
                              {});
    m_banner->clear();
}

void BandwidthPage::start(const SweepRequest& request)
{
    if (!m_facts)
        return;
    m_isLaunching = true;
    updateButtons();
    m_bridge.ask(&Cluster::launch, sweepJob(request, *m_facts), Cluster::LaunchOptions{})
        .then(this, [this, isCalibration = request.isCalibration](const Result<std::string>& run) {
            started(run, isCalibration);
        });
}

void BandwidthPage::started(const Result<std::string>& run, bool isCalibration)
{
    m_isLaunching = false;
    if (!run) {
        m_calibrator->stop();
        check();
        m_refusal = run.error();
        return updateBanner();
    }
    m_launched = *run;
    if (isCalibration)
        m_calibrator->started(*run);
    // Where new runs aren't seen, the page doesn't wait for this one.
    QTimer::singleShot(ListPatience, this, [this, launched = m_launched] {
        if (m_launched == launched && m_bridge.find(launched) == nullptr)
            m_launched.clear();
        updateButtons();
    });
    lookForLaunched();
    check();
    m_sweeps.showOnly(*run);
}

/// The list of runs tells what goes on, but a moment after the launch has been answered.
void BandwidthPage::lookForLaunched()
{
    const RunSummary* launched = m_bridge.find(m_launched);
    if (launched != nullptr && (!launched->isLive || isFinal(launched->state)))
        m_launched.clear();
    updateButtons();
}

/// What is shown or was started here, on this machine: two at once would both be wrong. Of others'
/// it isn't known whether they are here at all.
bool BandwidthPage::isMeasuring() const
{
    const SweepRun* shown = latest();
    const RunSummary* listed =
        shown == nullptr || shown->isOver() ? nullptr : m_bridge.find(shown->run());
    const bool isGoing = listed != nullptr && listed->isLive && !isFinal(listed->state) &&
                         machineOf(listed->id).isEmpty();
    return m_isLaunching || !m_launched.empty() || m_calibrator->left() > 0 || isGoing;
}

void BandwidthPage::stop()
{
    const SweepRun* run = latest();
    if (run == nullptr)
        return;
    m_calibrator->stop();
    m_bridge.ask(&Cluster::send, run->run(), StopRun{})
        .then(this, [this](const Result<void>& result) {
            Q_EMIT toastRequested(result ? tr("Stopping the sweep") : text(result.error()),
                                  nullptr);
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
    m_results->show(m_runs, ceilings());
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
    m_export->setEnabled(!m_results->rows().empty());
    QStringList parts;
    if (run != nullptr && run->plan())
        parts << planText(*run->plan());
    if (run != nullptr && !machineOf(run->run()).isEmpty())
        parts << machineOf(run->run());
    if (run != nullptr && !run->hosts().empty())
        parts << listText(run->hosts());
    m_subtitle->setText(parts.join(QStringLiteral(" · ")));
    QString state;
    if (isGoing && run->plan())
        state = tr("%1 of %2 measured").arg(run->rows().size()).arg(run->plan()->rows());
    else if (isGoing)
        state = tr("starting");
    else if (run != nullptr && isFinal(run->state()) && run->state() != RunState::Succeeded)
        state = word(run->state());
    if (isGoing && m_calibrator->left() > 0)
        state += QStringLiteral(" · ") +
                 tr("%n more pairs afterwards", nullptr, static_cast<int>(m_calibrator->left()));
    m_results->setProgress(state);
    updateButtons();
    updateBanner();
}

void BandwidthPage::updateButtons()
{
    const bool isBusy = isMeasuring();
    // Not before it is known what can be measured here.
    m_run->setEnabled(m_facts && !isBusy && !hasErrors(m_findings));
    m_calibrate->setEnabled(m_facts && !isBusy && m_canCalibrate);
    const QString why =
        isBusy ? tr("A sweep is running; two at once would slow each other down") : QString();
    m_run->setToolTip(why);
    const size_t hosts = m_form->request().hosts.size();
    m_calibrate->setToolTip(
        isBusy ? why
        : hosts == 0
            ? tr("Measure what this machine can reach at best: about ten seconds a backend")
        : hosts == 1 ? tr("Choose two hosts: what is calibrated is the way between them")
                     : tr("Measure what each pair of these hosts can reach at best, one after the "
                          "other: about ten seconds a backend"));
}

QVariantMap BandwidthPage::saveState() const
{
    QVariantMap state = m_results->saveLook();
    state.insert(QStringLiteral("form"), m_form->saveState());
    return state;
}

void BandwidthPage::restoreState(const QVariantMap& state)
{
    m_form->restoreState(state.value(QStringLiteral("form")).toMap());
    m_results->restoreLook(state);
}

void BandwidthPage::setTexts()
{
    m_title->setText(description().title());
    m_run->setText(tr("Run sweep"));
    m_stop->setText(tr("Stop sweep"));
    m_export->setText(tr("Export") + QStringLiteral(" ▾"));
    m_calibrate->setText(tr("Calibrate"));
    m_job->setText(tr("Show job"));
    m_job->setToolTip(tr("Workers, log and events of this sweep"));
    m_empty->setTexts(tr("No sweep yet."),
                      tr("A sweep measures a collective over message sizes, with real workers, and "
                         "checks its results. Choose above what to measure, then run it."));
    updateHead();
}

} // namespace ringmaster::app

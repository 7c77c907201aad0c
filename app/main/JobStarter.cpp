#include "app/main/JobStarter.h"

#include "app/bridge/Background.h"
#include "app/bridge/MachineBridge.h"
#include "app/bridge/Messages.h"
#include "app/main/Examples.h"
#include "app/main/LaunchBar.h"
#include "app/main/MessageBoxes.h"
#include "engine/job/JobFile.h"

#include <QFileInfo>

#include <algorithm>

namespace ringmaster::app {

namespace {

bool isSameLaunch(const MachineLaunch& one, const MachineLaunch& other)
{
    return one.machine == other.machine && one.spec == other.spec && one.folder == other.folder &&
           one.program == other.program;
}

} // namespace

JobStarter::JobStarter(EngineBridge& bridge, QWidget* window)
    : QObject(window), m_bridge(bridge), m_window(window), m_runJobs(bridge)
{
}

void JobStarter::launch(const JobSpec& spec, const QString& workingFolder, const QString& machine)
{
    const MachineLaunch wanted{
        .machine = machine.toStdString(), .spec = spec, .folder = workingFolder.toStdString()};
    if (!machine.isEmpty())
        return launchThere(wanted);
    if (!begin(wanted))
        return;
    Cluster::LaunchOptions options;
    options.workingFolder = wanted.folder;
    m_bridge.ask(&Cluster::launch, spec, options)
        .then(this, [this, wanted](const Result<std::string>& run) {
            answered(wanted);
            if (run)
                tellStarted(wanted, QString::fromStdString(*run));
            else
                showLaunchFailure(m_window, run.error());
        });
}

/// False: the same is being started already, as by the first half of a double click.
bool JobStarter::begin(const MachineLaunch& launch)
{
    if (std::ranges::any_of(m_unanswered, [&](const MachineLaunch& unanswered) {
            return isSameLaunch(unanswered, launch);
        }))
        return false;
    m_unanswered.push_back(launch);
    return true;
}

void JobStarter::answered(const MachineLaunch& launch)
{
    std::erase_if(m_unanswered, [&](const MachineLaunch& unanswered) {
        return isSameLaunch(unanswered, launch);
    });
}

void JobStarter::tellStarted(const MachineLaunch& launch, const QString& run)
{
    Q_EMIT jobStarted(launch.spec);
    Q_EMIT started(run);
}

/// The machine is watched once there is something to see.
void JobStarter::launchThere(const MachineLaunch& launch)
{
    if (m_machines == nullptr || !begin(launch))
        return;
    auto* bar = new LaunchBar(*m_machines, launch, m_window);
    Q_EMIT barMade(bar);
    const auto over = [this, bar, launch](bool isSeen) {
        answered(launch);
        bar->hide();
        bar->deleteLater();
        if (isSeen)
            m_machines->setWatched(bar->machine(), true);
    };
    connect(bar, &LaunchBar::started, this, [this, over, launch](const QString& run) {
        over(true);
        tellStarted(launch, run);
    });
    connect(bar, &LaunchBar::failed, this, [this, over](const Error& why) {
        over(false);
        showLaunchFailure(m_window, why);
    });
    connect(bar, &LaunchBar::cancelled, this, [this, over, bar](bool mayHaveStarted) {
        over(mayHaveStarted);
        Q_EMIT told(mayHaveStarted
                        ? tr("Called off. Whether the job had been started isn't known: if it "
                             "was, it appears among those of %1.")
                              .arg(bar->machine())
                        : tr("Called off: no job was started on %1.").arg(bar->machine()));
    });
}

void JobStarter::runAgain(const QString& jobFile, const QString& workingFolder,
                          const QString& machine)
{
    const JobFileResult job = parseJobFile(jobFile.toStdString());
    if (job && !machine.isEmpty())
        launchThere({.machine = machine.toStdString(),
                     .spec = job->spec,
                     .folder = workingFolder.toStdString(),
                     .program = MachineLaunch::Program::There});
    else if (!job && !machine.isEmpty())
        Q_EMIT told(text(job.error().front().message));
    else if (job)
        launch(job->spec, workingFolder);
    else
        Q_EMIT editWanted(jobFile, workingFolder);
}

void JobStarter::runLast()
{
    std::vector<RunSummary> runs;
    std::ranges::copy_if(m_bridge.runs(), std::back_inserter(runs),
                         [](const RunSummary& run) { return machineOf(run.id).isEmpty(); });
    if (runs.empty()) {
        Q_EMIT told(tr("No job has run yet."));
        return;
    }
    const auto last = std::ranges::max_element(
        runs, {}, [](const RunSummary& run) { return run.startedAt.wallNs; });
    m_runJobs.fetch(last->id, [this](const Result<RunStarted>& job) {
        if (job)
            runAgain(QString::fromStdString(job->jobFile),
                     QString::fromStdString(job->workingFolder));
        else
            Q_EMIT told(text(job.error()));
    });
}

void JobStarter::runExample(const QString& name)
{
    const QString path = exampleFile(name);
    inBackground(
        m_files, this, [path] { return loadJobFile(path.toStdString()); },
        [this, path, name](const JobFileResult& job) {
            if (job)
                launch(job->spec, QFileInfo(path).absolutePath());
            else
                Q_EMIT told(noExampleText(name));
        });
}

void JobStarter::editRun(const QString& run)
{
    m_runJobs.fetch(run.toStdString(), [this](const Result<RunStarted>& job) {
        if (job)
            Q_EMIT editWanted(QString::fromStdString(job->jobFile),
                              QString::fromStdString(job->workingFolder));
        else
            Q_EMIT told(text(job.error()));
    });
}

} // namespace ringmaster::app

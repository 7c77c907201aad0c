#include "app/main/JobStarter.h"

#include "app/bridge/Background.h"
#include "app/bridge/MachineBridge.h"
#include "app/main/Examples.h"
#include "app/main/MessageBoxes.h"
#include "engine/job/JobFile.h"

#include <QFileInfo>

#include <algorithm>

namespace ringmaster::app {

JobStarter::JobStarter(EngineBridge& bridge, QWidget* window)
    : QObject(window), m_bridge(bridge), m_window(window), m_runJobs(bridge)
{
}

void JobStarter::launch(const JobSpec& spec, const QString& workingFolder)
{
    Cluster::LaunchOptions options;
    options.workingFolder = workingFolder.toStdString();
    m_bridge.launch(spec, options, this, [this](const Result<std::string>& run) {
        if (run)
            Q_EMIT started(QString::fromStdString(*run));
        else
            showLaunchFailure(m_window, run.error());
    });
}

void JobStarter::runAgain(const QString& jobFile, const QString& workingFolder)
{
    const JobFileResult job = parseJobFile(jobFile.toStdString());
    if (job)
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
    m_runJobs.fetch({last->id}, [this](const std::vector<RunStarted>& jobs) {
        runAgain(QString::fromStdString(jobs.front().jobFile),
                 QString::fromStdString(jobs.front().workingFolder));
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
    m_runJobs.fetch({run.toStdString()}, [this](const std::vector<RunStarted>& jobs) {
        Q_EMIT editWanted(QString::fromStdString(jobs.front().jobFile),
                          QString::fromStdString(jobs.front().workingFolder));
    });
}

} // namespace ringmaster::app

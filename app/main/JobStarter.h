#pragma once

#include "app/bridge/EngineBridge.h"
#include "app/history/RunJobs.h"
#include "engine/control/MachineWatch.h"

#include <QObject>
#include <QThreadPool>

class QWidget;

namespace ringmaster::app {

class LaunchBar;
class MachineBridge;

/// Starts jobs: as they are asked for, as they ran before, as an example has them.
class JobStarter : public QObject
{
    Q_OBJECT

public:
    /// A job that doesn't start is explained above `window`.
    JobStarter(EngineBridge& bridge, QWidget* window);

    /// Those that are watched, where jobs can be launched; they outlive this.
    void setMachines(MachineBridge& machines) { m_machines = &machines; }
    /// With a machine, there by itself.
    void launch(const JobSpec& spec, const QString& workingFolder, const QString& machine = {});
    /// `jobFile`: its text; one that can't be read is wanted in the editor.
    void runAgain(const QString& jobFile, const QString& workingFolder,
                  const QString& machine = {});
    /// The job that was started last on this machine.
    void runLast();
    void runExample(const QString& name);
    /// What a run had been asked to do is wanted in the editor.
    void editRun(const QString& run);

Q_SIGNALS:
    void started(const QString& run);
    void jobStarted(const ringmaster::JobSpec& spec);
    void editWanted(const QString& jobFile, const QString& workingFolder);
    /// A sentence: why nothing is started.
    void told(const QString& sentence);
    /// What is to be seen while a job is being started on another machine.
    void barMade(LaunchBar* bar);

private:
    bool begin(const MachineLaunch& launch);
    void tellStarted(const MachineLaunch& launch, const QString& run);
    void answered(const MachineLaunch& launch);
    void launchThere(const MachineLaunch& launch);

    EngineBridge& m_bridge;
    QWidget* m_window;
    RunJobs m_runJobs;
    MachineBridge* m_machines = nullptr;
    std::vector<MachineLaunch> m_unanswered; ///< Without a machine: on this one.
    QThreadPool m_files;                     ///< Last: ended first.
};

} // namespace ringmaster::app

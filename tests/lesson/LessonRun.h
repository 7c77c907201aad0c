#pragma once

#include "engine/base/ProcessInfo.h"
#include "engine/control/LocalCluster.h"
#include "engine/lesson/Pack.h"
#include "engine/lesson/Recording.h"

#include <QTemporaryDir>

#include <chrono>
#include <functional>
#include <mutex>

namespace ringmaster::test {

/// A program run as a lesson: by a real agent, with real workers, followed as the dashboard does.
class LessonRun
{
public:
    struct Setting
    {
        QByteArray program{};
        QString file{}; ///< A program that is there already, instead.
        std::vector<std::string> arguments{};
        int ranks = 2;
        bool isHeld = true;
        QString backend = QStringLiteral("gloo");
        std::string ringAlgorithm{};
        int maxRestarts = 0;
        WarmMode warm = WarmMode::On;
        std::map<std::string, std::string> environment{};
    };

    explicit LessonRun(const Setting& setting);
    /// Whatever is left is ended: afterwards nobody writes into the tests' folders.
    ~LessonRun();

    const std::string& id() const { return m_run; }
    Result<void> send(const Command& command);
    /// What was recorded until now.
    lesson::Recording recording() const;
    std::vector<Event> events() const;
    RunState state() const;
    /// How the run and each rank stand, for whoever reads why a test failed.
    std::string standing() const;

    /// Until `claim` holds of what is recorded, or for three minutes.
    bool waitFor(const std::function<bool(const lesson::Recording&)>& claim) const;
    /// The same, or until the run is over.
    bool finishOr(const std::function<bool(const lesson::Recording&)>& claim) const;
    bool isOver() const { return isFinal(state()); }
    bool finish(std::chrono::milliseconds patience = std::chrono::minutes(3)) const;
    /// As the list of runs says, without following it.
    bool isListedAsLive() const;
    void stopFollowing() { m_subscription.cancel(); }

private:
    bool waitForNews(const std::function<bool()>& claim) const;

    QTemporaryDir m_folder;
    std::unique_ptr<Cluster> m_cluster;
    std::string m_run;
    ProcessIdentity m_agent;
    mutable std::mutex m_mutex;
    std::vector<Event> m_events;
    lesson::Recording m_recording;
    RunSnapshot m_snapshot;
    Subscription m_subscription;
};

/// The lesson's own program, without being held.
LessonRun::Setting settingOf(const lesson::Pack& pack, int ranks);

/// Folders of the tests' own; once a process.
void useOwnFolders(const QTemporaryDir& folder);

} // namespace ringmaster::test

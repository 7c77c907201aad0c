#pragma once

#include "engine/control/Cluster.h"
#include "engine/lesson/Pack.h"
#include "engine/lesson/Recording.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>

namespace ringmaster {

/// Runs a lesson from a terminal: without holding it, to its end, or until it can't go on.
class LessonWatch
{
public:
    struct Setting
    {
        lesson::Pack pack{};
        std::filesystem::path packFile{};
        std::filesystem::path program{}; ///< Empty: the pack's own, in a temporary folder.
        int ranks = 0;                   ///< 0: as the pack says.
        std::string backend{};
        std::string interpreter{};
        bool showsSteps = false;
        std::function<void(const Event&)> onStep{}; ///< Each, in the recording's order.
    };

    explicit LessonWatch(Cluster& cluster) : m_cluster(cluster) {}

    /// Returns when the run has ended; a deadlock is ended.
    Result<lesson::Recording> run(const Setting& setting);
    const std::string& runId() const { return m_run; }
    /// Why it was stopped, where somebody said so.
    const Message& complaint() const { return m_complaint; }

private:
    Result<std::string> launch(const Setting& setting, const std::filesystem::path& program);
    void take(const std::vector<Event>& events, const Setting& setting);
    bool isStuck() const;

    Cluster& m_cluster;
    std::string m_run;
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    lesson::Recording m_recording;
    Message m_complaint{};
    RunState m_state = RunState::Starting;
    bool m_hasFailed = false; ///< A worker of this attempt: the agent sees to the others.
};

/// One step as a line of text.
std::string describe(const LessonStep& step);

} // namespace ringmaster

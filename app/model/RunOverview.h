#pragma once

#include "app/bridge/EngineBridge.h"

#include <QTimer>

#include <map>
#include <set>

namespace ringmaster::app {

/// What is told of each run that goes on beside its state, for a list of them: asked for every two
/// seconds, and with samples of processors and GPUs once a second, while somebody looks.
class RunOverview : public QObject
{
    Q_OBJECT

public:
    static constexpr size_t MostSamples = 120; ///< A second each.

    struct Entry
    {
        RunFigures figures{};
        std::vector<float> cpu{}; ///< Cores that its workers use, by time.
        std::vector<float> gpu{}; ///< Of its machines' GPUs, the mean, 0 to 1.
    };

    explicit RunOverview(EngineBridge& bridge, QObject* parent = nullptr);

    void setWatched(bool isWatched);
    /// Null: nothing is known of it.
    const Entry* find(const std::string& run) const;
    bool hasGpus() const;

Q_SIGNALS:
    void changed();

private:
    /// What a run's samples add up to.
    struct Sampling
    {
        RunFeed* feed = nullptr;
        int attempt = -1;
        std::int64_t cpuSecond = 0;
        std::int64_t gpuSecond = 0;
        std::map<int, double> cpuOfRank{};
        std::map<std::string, double> gpuOfNode{};
    };

    void ask();
    void forgetEnded();
    void take(const std::string& run, const Result<RunFigures>& answer);
    void follow(const std::string& run, std::uint64_t sequence);
    void sample(const std::string& run, const std::vector<Event>& events);
    void unfollow();

    EngineBridge& m_bridge;
    std::map<std::string, Entry> m_entries;
    std::map<std::string, Sampling> m_sampling;
    std::set<std::string> m_asked;
    bool m_isWatched = false;
    QTimer m_tick;
};

} // namespace ringmaster::app

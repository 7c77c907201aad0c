#include "app/model/RunOverview.h"

#include <algorithm>
#include <chrono>
#include <numeric>

using namespace std::chrono_literals;

namespace ringmaster::app {

namespace {

constexpr std::int64_t SampleSpan = 1'000'000'000;

template <class Map>
float sumOf(const Map& values)
{
    double sum = 0;
    for (const auto& [key, value] : values)
        sum += value;
    return static_cast<float>(sum);
}

/// One value a second: what comes within one replaces it.
void put(std::vector<float>& samples, std::int64_t& last, std::int64_t second, float value)
{
    if (std::exchange(last, second) == second && !samples.empty()) {
        samples.back() = value;
        return;
    }
    if (samples.size() >= RunOverview::MostSamples)
        samples.erase(samples.begin());
    samples.push_back(value);
}

/// Nothing: it has none, or none that tells.
std::optional<double> utilisationOf(const DeviceSample& sample)
{
    double sum = 0;
    int count = 0;
    for (const GpuSample& gpu : sample.gpus) {
        if (gpu.utilisation) {
            sum += *gpu.utilisation;
            ++count;
        }
    }
    return count == 0 ? std::nullopt : std::optional(sum / count);
}

} // namespace

RunOverview::RunOverview(EngineBridge& bridge, QObject* parent) : QObject(parent), m_bridge(bridge)
{
    m_tick.setInterval(2s);
    connect(&m_tick, &QTimer::timeout, this, &RunOverview::ask);
    connect(&bridge, &EngineBridge::runsChanged, this, [this] {
        forgetEnded();
        if (m_isWatched)
            ask();
    });
}

void RunOverview::setWatched(bool isWatched)
{
    if (std::exchange(m_isWatched, isWatched) == isWatched)
        return;
    if (!isWatched) {
        m_tick.stop();
        unfollow();
        return;
    }
    m_tick.start();
    ask();
}

const RunOverview::Entry* RunOverview::find(const std::string& run) const
{
    const auto found = m_entries.find(run);
    return found == m_entries.end() ? nullptr : &found->second;
}

bool RunOverview::hasGpus() const
{
    return std::ranges::any_of(m_entries,
                               [](const auto& entry) { return !entry.second.gpu.empty(); });
}

void RunOverview::ask()
{
    for (const RunSummary& run : m_bridge.runs()) {
        if (!run.isLive || !m_asked.insert(run.id).second)
            continue;
        m_bridge.ask(&Cluster::readFigures, run.id)
            .then(this, [this, id = run.id](const Result<RunFigures>& answer) {
                m_asked.erase(id);
                take(id, answer);
            });
    }
}

void RunOverview::take(const std::string& run, const Result<RunFigures>& answer)
{
    const RunSummary* summary = m_bridge.find(run);
    if (!answer || summary == nullptr || !summary->isLive)
        return;
    Entry& entry = m_entries[run];
    const bool isNew = entry.figures != *answer;
    entry.figures = *answer;
    if (m_isWatched && !m_sampling.contains(run))
        follow(run, answer->lastSequence);
    if (isNew)
        Q_EMIT changed();
}

void RunOverview::forgetEnded()
{
    const auto isOver = [this](const std::string& run) {
        const RunSummary* summary = m_bridge.find(run);
        return summary == nullptr || !summary->isLive;
    };
    std::erase_if(m_sampling, [&](const auto& entry) {
        if (!isOver(entry.first))
            return false;
        entry.second.feed->deleteLater();
        return true;
    });
    if (std::erase_if(m_entries, [&](const auto& entry) { return isOver(entry.first); }) > 0)
        Q_EMIT changed();
}

/// Whoever follows a run makes its agent sample.
void RunOverview::follow(const std::string& run, std::uint64_t sequence)
{
    RunFeed* feed = m_bridge.follow(run, sequence, this);
    m_sampling[run].feed = feed;
    connect(feed, &RunFeed::eventsArrived, this,
            [this, run](const std::vector<Event>& events) { sample(run, events); });
}

void RunOverview::unfollow()
{
    for (auto& [run, sampling] : m_sampling)
        sampling.feed->deleteLater();
    m_sampling.clear();
    // Lines that go on later would hide that nobody looked in between.
    for (auto& [run, entry] : m_entries) {
        entry.cpu.clear();
        entry.gpu.clear();
    }
}

void RunOverview::sample(const std::string& run, const std::vector<Event>& events)
{
    const auto found = m_sampling.find(run);
    if (found == m_sampling.end())
        return;
    Sampling& sampling = found->second;
    Entry& entry = m_entries[run];
    bool isChanged = false;
    for (const Event& event : events) {
        const std::int64_t second = event.at.monotonicNs / SampleSpan;
        if (const auto* process = std::get_if<ProcessSample>(&event.body)) {
            if (std::exchange(sampling.attempt, process->attempt) != process->attempt)
                sampling.cpuOfRank.clear();
            sampling.cpuOfRank[process->globalRank] = process->cpuFraction;
            put(entry.cpu, sampling.cpuSecond, second, sumOf(sampling.cpuOfRank));
            isChanged = true;
        } else if (const auto* device = std::get_if<DeviceSample>(&event.body)) {
            const auto utilisation = utilisationOf(*device);
            if (!utilisation)
                continue;
            sampling.gpuOfNode[event.node] = *utilisation;
            const auto nodes = static_cast<float>(sampling.gpuOfNode.size());
            put(entry.gpu, sampling.gpuSecond, second, sumOf(sampling.gpuOfNode) / nodes);
            isChanged = true;
        }
    }
    if (isChanged)
        Q_EMIT changed();
}

} // namespace ringmaster::app

#include "app/learn/MemoryBars.h"

#include <algorithm>
#include <numeric>

namespace ringmaster::app {

namespace {

/// `shards[1]` and `layer.weight` are in what is called so.
bool isIn(const std::string& variable, const std::string& name)
{
    return variable.starts_with(name) &&
           (variable.size() == name.size() || variable[name.size()] == '[' ||
            variable[name.size()] == '.');
}

} // namespace

std::uint64_t MemoryBars::Bar::bytes() const
{
    return std::accumulate(parts.begin(), parts.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Part& part) { return sum + part.bytes; });
}

void MemoryBars::setNames(std::vector<std::string> names)
{
    m_names = std::move(names);
    follow(nullptr);
}

void MemoryBars::follow(const lesson::Recording* recording)
{
    const std::int64_t firstAtNs =
        recording == nullptr || recording->isEmpty() ? 0 : recording->step(0).atNs;
    if (recording != m_recording || firstAtNs != m_firstAtNs) {
        m_most.clear();
        m_longest = 0;
    }
    m_recording = recording;
    m_firstAtNs = firstAtNs;
    if (recording == nullptr || m_names.empty())
        return;
    for (size_t step = m_most.size(); step < recording->size(); ++step) {
        const lesson::State& state = recording->stateAt(step);
        const bool isSameAttempt =
            step > 0 && recording->step(step).attempt == recording->step(step - 1).attempt;
        std::vector<std::uint64_t> most =
            isSameAttempt ? m_most.back() : std::vector<std::uint64_t>();
        most.resize(static_cast<size_t>(state.rankCount()));
        // Only the rank that did the step has other tensors after it.
        const int rank = recording->step(step).globalRank;
        if (rank >= 0 && rank < state.rankCount())
            most[static_cast<size_t>(rank)] =
                std::max(most[static_cast<size_t>(rank)], barOf(state.rank(rank)).bytes());
        for (const std::uint64_t bytes : most)
            m_longest = std::max(m_longest, bytes);
        m_most.push_back(std::move(most));
    }
}

std::vector<MemoryBars::Bar> MemoryBars::at(size_t step) const
{
    if (m_recording == nullptr || step >= m_most.size())
        return {};
    const lesson::State& state = m_recording->stateAt(step);
    std::vector<Bar> bars;
    for (int rank = 0; rank < state.rankCount(); ++rank) {
        bars.push_back(barOf(state.rank(rank)));
        bars.back().most = m_most[step][static_cast<size_t>(rank)];
    }
    return bars;
}

MemoryBars::Bar MemoryBars::barOf(const lesson::RankState& rank) const
{
    Bar bar;
    for (const std::string& name : m_names) {
        Part& part = bar.parts.emplace_back(Part{name});
        for (const lesson::Frame& frame : rank.frames)
            for (const lesson::Cell& cell : frame.cells)
                if (cell.value.kind == LessonValue::Kind::Tensor && isIn(cell.value.name, name))
                    part.bytes += cell.value.bytes;
    }
    return bar;
}

} // namespace ringmaster::app

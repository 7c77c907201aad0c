#include "engine/lesson/Recording.h"

#include <algorithm>

namespace ringmaster::lesson {

namespace {

constexpr size_t CausesACheckpoint = 512;

bool isCause(const EventBody& body)
{
    return std::holds_alternative<AttemptStarted>(body) ||
           std::holds_alternative<WorkerStateChanged>(body) ||
           std::holds_alternative<WorkerExited>(body) || std::holds_alternative<LessonStep>(body);
}

} // namespace

void Recording::add(const Event& event)
{
    if (const auto* started = std::get_if<LessonStarted>(&event.body))
        m_started = *started;
    if (!isCause(event.body))
        return;
    m_causes.push_back({event, size()});
    if (std::holds_alternative<LessonStep>(event.body))
        m_causeOfStep.push_back(m_causes.size() - 1);
    m_latest.apply(event, m_causes.back().step);
    if (m_causes.size() % CausesACheckpoint == 0)
        m_checkpoints.push_back({m_causes.size(), m_latest});
}

const State& Recording::stateAt(size_t index) const
{
    const size_t wanted = m_causeOfStep[index] + 1;
    const auto after = std::ranges::upper_bound(m_checkpoints, wanted, {}, &Checkpoint::causes);
    const bool hasCheckpoint = after != m_checkpoints.begin();
    const size_t nearest = hasCheckpoint ? std::prev(after)->causes : 0;
    if (m_cursor.causes > wanted || m_cursor.causes < nearest)
        m_cursor = hasCheckpoint ? *std::prev(after) : Checkpoint();
    for (; m_cursor.causes < wanted; ++m_cursor.causes) {
        const Cause& cause = m_causes[m_cursor.causes];
        m_cursor.state.apply(cause.event, cause.step);
    }
    return m_cursor.state;
}

std::vector<int> Recording::order() const
{
    std::vector<int> ranks;
    for (size_t index = 0; index < size(); ++index)
        if (step(index).kind == LessonStep::Kind::Line)
            ranks.push_back(step(index).globalRank);
    return ranks;
}

} // namespace ringmaster::lesson

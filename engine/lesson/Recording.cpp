#include "engine/lesson/Recording.h"

#include <algorithm>
#include <set>

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
    if (const auto* verdict = std::get_if<Verdict>(&event.body))
        take(*verdict);
    const size_t step = size();
    if (isCause(event.body))
        take(event);
    m_faults.add(event, step, m_latest);
}

void Recording::take(const Event& event)
{
    m_causes.push_back({event, size()});
    if (std::holds_alternative<LessonStep>(event.body))
        m_causeOfStep.push_back(m_causes.size() - 1);
    m_latest.apply(event, m_causes.back().step);
    if (const auto* step = std::get_if<LessonStep>(&event.body))
        m_lanes.add(*step, m_latest);
    if (m_causes.size() % CausesACheckpoint == 0)
        m_checkpoints.push_back({m_causes.size(), m_latest});
}

void Recording::take(const Verdict& verdict)
{
    const auto known = std::ranges::find_if(m_judgements, [&](const Judgement& judgement) {
        return judgement.verdict.id == verdict.id;
    });
    if (known != m_judgements.end())
        known->verdict = verdict;
    else
        m_judgements.push_back({verdict, size()});
}

const State& Recording::stateAt(size_t index) const
{
    const size_t wanted = m_causeOfStep[index] + 1;
    const auto after = std::ranges::upper_bound(m_checkpoints, wanted, {}, &Checkpoint::causes);
    const bool hasCheckpoint = after != m_checkpoints.begin();
    const size_t nearest = hasCheckpoint ? std::prev(after)->causes : 0;
    if (m_cursor.causes > wanted || m_cursor.causes < nearest)
        m_cursor = hasCheckpoint ? *std::prev(after) : Checkpoint{0, m_beginning};
    for (; m_cursor.causes < wanted; ++m_cursor.causes) {
        const Cause& cause = m_causes[m_cursor.causes];
        m_cursor.state.apply(cause.event, cause.step);
    }
    return m_cursor.state;
}

std::vector<int> Recording::order(int start) const
{
    using Kind = LessonStep::Kind;
    std::vector<int> ranks;
    std::set<int> begun;
    std::set<int> atLine; // and not let go yet
    for (const Cause& cause : m_causes) {
        if (std::holds_alternative<AttemptStarted>(cause.event.body)) {
            ranks.clear();
            begun.clear();
            atLine.clear();
        }
        const auto* step = std::get_if<LessonStep>(&cause.event.body);
        const bool isOfProgram = step != nullptr && step->kind != Kind::Chunk &&
                                 step->kind != Kind::Hazard && step->kind != Kind::Fault;
        if (!isOfProgram)
            continue;
        // What a rank does first after a line shows that it was let go there.
        if (atLine.erase(step->globalRank) > 0)
            ranks.push_back(step->globalRank);
        if (step->kind != Kind::Line)
            continue;
        if (start == 0 || step->line == start)
            begun.insert(step->globalRank);
        if (begun.contains(step->globalRank))
            atLine.insert(step->globalRank);
    }
    return ranks;
}

} // namespace ringmaster::lesson

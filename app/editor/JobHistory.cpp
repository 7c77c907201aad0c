#include "app/editor/JobHistory.h"

namespace ringmaster::app {

void JobHistory::reset(const JobSpec& spec)
{
    m_states = {State{spec, nullptr}};
    m_at = 0;
}

void JobHistory::add(const JobSpec& spec, const void* place)
{
    if (m_states[m_at].spec == spec)
        return;
    m_states.erase(m_states.begin() + static_cast<std::ptrdiff_t>(m_at) + 1, m_states.end());
    if (place != nullptr && m_at > 0 && m_states[m_at].place == place) {
        m_states[m_at].spec = spec;
        return;
    }
    m_states.push_back({spec, place});
    if (m_states.size() > MostStates)
        m_states.erase(m_states.begin());
    m_at = m_states.size() - 1;
}

const JobSpec& JobHistory::undo()
{
    m_at -= canUndo() ? 1 : 0;
    // What is typed next is a new step, not the one that was left.
    m_states[m_at].place = nullptr;
    return m_states[m_at].spec;
}

const JobSpec& JobHistory::redo()
{
    m_at += canRedo() ? 1 : 0;
    m_states[m_at].place = nullptr;
    return m_states[m_at].spec;
}

} // namespace ringmaster::app

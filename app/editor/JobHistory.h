#pragma once

#include "engine/job/JobSpec.h"

#include <vector>

namespace ringmaster::app {

/// The states of a job that is being edited. Pure; bounded, the oldest go first.
class JobHistory
{
public:
    static constexpr size_t MostStates = 200;

    /// Begins anew.
    void reset(const JobSpec& spec);
    /// What is typed in one place is one step: a state goes in the place of the last one where both
    /// come from the same `place`; null: a step of its own.
    void add(const JobSpec& spec, const void* place);

    bool canUndo() const { return m_at > 0; }
    bool canRedo() const { return m_at + 1 < m_states.size(); }
    const JobSpec& undo();
    const JobSpec& redo();

private:
    struct State
    {
        JobSpec spec{};
        const void* place = nullptr;
    };

    std::vector<State> m_states{State{}};
    size_t m_at = 0;
};

} // namespace ringmaster::app

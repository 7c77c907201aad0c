#pragma once

#include "app/learn/LessonScene.h"

#include <functional>
#include <vector>

namespace ringmaster::app {

/// Adds to a scene what goes from one rank to another: messages, and who waits for whom. Lives as
/// long as that takes.
class SceneMessages
{
public:
    /// `position` is the step that `state` follows; `waits` are the state's.
    SceneMessages(const lesson::State& state, size_t position,
                  const std::vector<lesson::Wait>& waits, LessonScene& scene)
        : m_state(state), m_position(position), m_waits(waits), m_scene(scene)
    {
    }

    void addMessages();
    /// For ranks that are shown.
    void addWaits(const std::function<bool(int rank)>& isShown);

private:
    LessonScene::Link linkOf(const lesson::PeerMessage& message) const;
    const lesson::Wait* waitFor(const lesson::PeerMessage& message) const;
    const LessonValue* offeredBy(const lesson::Wait& wait) const;

    const lesson::State& m_state;
    size_t m_position;
    const std::vector<lesson::Wait>& m_waits;
    LessonScene& m_scene;
};

} // namespace ringmaster::app

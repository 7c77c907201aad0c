#pragma once

#include "app/learn/LessonScene.h"

namespace ringmaster::app {

/// Adds to a scene what several ranks do together: groups, collectives and the ring's chunks. The
/// ranks are in it already. Lives as long as that takes.
class SceneCollectives
{
public:
    /// `position` is the step in the recording that `state` follows, and `now` is that step.
    SceneCollectives(const lesson::State& state, const LessonStep& now, size_t position,
                     LessonScene& scene);

    void addGroups();
    /// The groups are in the scene already.
    void addCollectives();
    void addChunks();

private:
    QString groupName(const lesson::Group& group, size_t number) const;
    LessonScene::Collective collectiveOf(const lesson::Collective& collective) const;
    void addChunkValues(const lesson::RingOperation& operation);

    const lesson::State& m_state;
    const LessonStep& m_now;
    size_t m_position;
    LessonScene& m_scene;
};

} // namespace ringmaster::app

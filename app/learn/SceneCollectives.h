#pragma once

#include "app/learn/LessonScene.h"

namespace ringmaster::app {

/// Adds to a scene what several ranks do together: groups, collectives and the ring's chunks. The
/// ranks are in it already. Lives as long as that takes.
class SceneCollectives
{
public:
    /// `position` is the step in the recording that `state` follows.
    SceneCollectives(const lesson::Recording& recording, const lesson::State& state,
                     size_t position, LessonScene& scene);

    void addGroups();
    /// The groups are in the scene already.
    void addCollectives();
    void addChunks();

    /// What the chunk has done where it arrived: "held 2 + arrived 3 = now 5".
    static QString changeText(const LessonChunk& chunk, const lesson::State& state);
    static QString changeText(const LessonChunk& chunk, const std::string& reduction);

private:
    QString groupName(const lesson::Group& group, size_t number) const;
    void nameOperations(const lesson::Collective& collective, LessonScene::Collective& box) const;
    const lesson::RingOperation& ringOperation() const;
    void addOwnValues(const lesson::RingOperation& operation,
                      std::vector<LessonScene::Value>& rows) const;
    LessonScene::Collective collectiveOf(const lesson::Collective& collective) const;
    void addChunkValues(const lesson::RingOperation& operation);

    const lesson::Recording& m_recording;
    const lesson::State& m_state;
    const LessonStep& m_now;
    size_t m_position;
    LessonScene& m_scene;
};

} // namespace ringmaster::app

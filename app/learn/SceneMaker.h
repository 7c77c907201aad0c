#pragma once

#include "app/learn/LessonScene.h"

namespace ringmaster::app {

/// Reads one moment of a recording into a scene. Lives as long as that takes.
class SceneMaker
{
public:
    explicit SceneMaker(const LessonPlayer& player);

    LessonScene make();

private:
    /// Null: a program's run.
    const lesson::RecordedJob* job() const { return m_player.run()->job(); }
    bool isShown(int rank) const;
    void addRanks();
    LessonScene::Standing standingOf(int rank) const;
    QString detailOf(int rank) const;
    LessonScene::Value valueOf(const lesson::Cell& cell) const;
    void markHazards();
    void addFindings();
    bool isNews(const Verdict& verdict) const;
    void addJudgements();
    void addActs();
    QString titleText() const;
    QString originText() const;
    const LessonStep& now() const;

    const LessonPlayer& m_player;
    const lesson::Recording& m_recording;
    const lesson::State& m_state;
    size_t m_position;
    std::vector<lesson::Wait> m_waits;
    LessonScene m_scene;
};

} // namespace ringmaster::app

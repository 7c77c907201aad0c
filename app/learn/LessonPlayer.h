#pragma once

#include "app/learn/LessonRun.h"
#include "app/learn/StepMotion.h"

#include <QTimer>

#include <set>

namespace ringmaster::app {

/// Where in a recording the page stands, and what moves it. At the end of a live one, forward moves
/// the real processes; anywhere else, it moves through what is recorded. What the processes do then
/// is shown step by step (in motion), until the end is reached or the reader goes elsewhere.
class LessonPlayer : public QObject
{
    Q_OBJECT

public:
    explicit LessonPlayer(QObject* parent = nullptr);

    /// Null: nothing is played.
    void setRun(LessonRun* run);
    LessonRun* run() const { return m_run; }

    /// Steps of the recording; 0: nothing to look at.
    size_t size() const;
    size_t position() const;
    bool isAtEnd() const { return size() == 0 || position() + 1 == size(); }
    bool canMove() const { return m_run != nullptr && m_run->canMove(); }
    bool isPlaying() const { return m_isPlaying; }
    /// It stands at the end, or is on the way there.
    bool isFollowing() const { return m_isFollowing; }
    bool isInMotion() const { return m_motion.has_value(); }
    /// Of the step at `position()`, how much has happened: 1, except in motion.
    double progress() const { return m_progress; }
    /// How long a step takes in motion; 0: all is shown at once.
    void setStepTime(std::chrono::milliseconds time);
    std::chrono::milliseconds stepTime() const { return m_stepTime; }
    /// Variables that the lesson's questions are about.
    void setAskedFor(std::set<std::string> variables) { m_askedFor = std::move(variables); }
    bool isAskedFor(const std::string& variable) const { return m_askedFor.contains(variable); }
    const lesson::State& state() const;

    void go(size_t position);
    void back(int steps = 1);
    void forward(int steps = 1);
    void toStart();
    void toEnd();
    void togglePlay();
    void pause();
    /// In the past: on to the rank's next step.
    void stepRank(int rank);
    /// In the past: on to the next step with which a rank is blocked.
    void untilBlocked();
    /// Of a live one, without waiting at the gate.
    void finish();
    void setStepsASecond(double steps);
    double stepsASecond() const { return m_stepsASecond; }

Q_SIGNALS:
    void moved();
    /// Within a step.
    void progressed();

private:
    void runChanged();
    void playOn();
    void moveProcesses(MoveLesson move);
    void showMotion();
    void endMotion();

    LessonRun* m_run = nullptr;
    size_t m_position = 0;
    bool m_isFollowing = true; ///< The end, as it moves on.
    bool m_isPlaying = false;
    double m_stepsASecond = 2;
    QTimer m_clock;
    std::chrono::milliseconds m_stepTime{300};
    bool m_isMotionWanted = false; ///< The processes do what the reader asked for.
    std::optional<StepMotion> m_motion;
    double m_progress = 1;
    QTimer m_frames;
    std::set<std::string> m_askedFor;
};

} // namespace ringmaster::app

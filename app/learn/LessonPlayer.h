#pragma once

#include "app/learn/LessonRun.h"

#include <QTimer>

namespace ringmaster::app {

/// Where in a recording the page stands, and what moves it. At the end of a live one, forward moves
/// the real processes; anywhere else, it moves through what is recorded.
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

private:
    void runChanged();
    void playOn();

    LessonRun* m_run = nullptr;
    size_t m_position = 0;
    bool m_isFollowing = true; ///< The end, as it moves on.
    bool m_isPlaying = false;
    double m_stepsASecond = 2;
    QTimer m_clock;
};

} // namespace ringmaster::app

#include "app/learn/LessonPlayer.h"

#include <algorithm>

namespace ringmaster::app {

namespace {

constexpr int FrameMs = 15;

const lesson::State& nothing()
{
    static const lesson::State state;
    return state;
}

int blockedRanks(const lesson::State& state)
{
    int blocked = 0;
    for (int rank = 0; rank < state.rankCount(); ++rank)
        blocked += state.calls().isBlocked(rank);
    return blocked;
}

} // namespace

LessonPlayer::LessonPlayer(QObject* parent) : QObject(parent)
{
    connect(&m_clock, &QTimer::timeout, this, &LessonPlayer::playOn);
    m_frames.setTimerType(Qt::PreciseTimer);
    m_frames.setInterval(FrameMs);
    connect(&m_frames, &QTimer::timeout, this, &LessonPlayer::showMotion);
}

void LessonPlayer::setRun(LessonRun* run)
{
    if (m_run != nullptr)
        m_run->disconnect(this);
    m_run = run;
    endMotion();
    m_isMotionWanted = false;
    m_position = size() == 0 ? 0 : size() - 1;
    m_isFollowing = true;
    m_isPlaying = false;
    m_clock.stop();
    if (run != nullptr)
        connect(run, &LessonRun::changed, this, &LessonPlayer::runChanged);
    Q_EMIT moved();
}

void LessonPlayer::runChanged()
{
    const size_t last = size() == 0 ? 0 : size() - 1;
    const bool isNew = m_isFollowing && m_position < last;
    if (m_run->phase() == LessonRun::Phase::Over && m_isFollowing)
        m_isPlaying = false;
    if (isNew && m_motion) {
        m_motion->extend(last, StepMotion::Clock::now());
    } else if (isNew && m_isMotionWanted && m_stepTime.count() > 0) {
        m_motion.emplace(m_stepTime, m_position, last, StepMotion::Clock::now());
        m_frames.start();
        return showMotion();
    } else if (isNew) {
        m_position = last;
    }
    Q_EMIT moved();
}

void LessonPlayer::showMotion()
{
    if (!m_motion)
        return;
    const StepMotion::Place place = m_motion->at(StepMotion::Clock::now());
    const bool isOther = place.step != m_position;
    const bool isOver = place.progress >= 1;
    m_position = place.step;
    m_progress = place.progress;
    if (isOver)
        endMotion();
    if (isOther || isOver)
        Q_EMIT moved();
    else
        Q_EMIT progressed();
}

void LessonPlayer::endMotion()
{
    m_motion.reset();
    m_progress = 1;
    m_frames.stop();
}

void LessonPlayer::setStepTime(std::chrono::milliseconds time)
{
    m_stepTime = time;
    if (m_motion && time.count() == 0)
        toEnd();
}

/// What they do then is shown in motion.
void LessonPlayer::moveProcesses(MoveLesson move)
{
    m_isMotionWanted = true;
    m_run->move(std::move(move));
}

size_t LessonPlayer::size() const
{
    return m_run == nullptr ? 0 : m_run->recording().size();
}

size_t LessonPlayer::position() const
{
    return size() == 0 ? 0 : std::min(m_position, size() - 1);
}

const lesson::State& LessonPlayer::state() const
{
    if (m_run == nullptr)
        return nothing();
    return isAtEnd() ? m_run->recording().latest() : m_run->recording().stateAt(position());
}

void LessonPlayer::go(size_t position)
{
    if (size() == 0)
        return;
    endMotion();
    m_position = std::min(position, size() - 1);
    m_isFollowing = m_position + 1 == size();
    Q_EMIT moved();
}

void LessonPlayer::back(int steps)
{
    pause();
    const size_t now = position();
    go(now - std::min(now, static_cast<size_t>(steps)));
}

void LessonPlayer::forward(int steps)
{
    // Whoever can't wait sees the newest moment.
    if (isInMotion())
        return toEnd();
    if (!isAtEnd())
        return go(position() + static_cast<size_t>(steps));
    if (!canMove())
        return;
    m_isPlaying = false;
    moveProcesses({.move = MoveLesson::Move::Step});
    Q_EMIT moved();
}

void LessonPlayer::toStart()
{
    pause();
    go(0);
}

void LessonPlayer::toEnd()
{
    if (size() > 0)
        go(size() - 1);
}

void LessonPlayer::togglePlay()
{
    if (m_isPlaying)
        return pause();
    if (isInMotion())
        toEnd();
    if (isAtEnd() && !canMove()) {
        if (size() == 0)
            return;
        go(0);
    }
    m_isPlaying = true;
    if (isAtEnd())
        moveProcesses({.move = MoveLesson::Move::Play, .stepsASecond = m_stepsASecond});
    else
        m_clock.start(static_cast<int>(1000 / m_stepsASecond));
    Q_EMIT moved();
}

void LessonPlayer::pause()
{
    if (!m_isPlaying)
        return;
    m_isPlaying = false;
    if (m_clock.isActive())
        m_clock.stop();
    else if (canMove())
        m_run->move({.move = MoveLesson::Move::Hold});
    Q_EMIT moved();
}

/// From the past into the present: there, the processes go on at the same speed.
void LessonPlayer::playOn()
{
    go(position() + 1);
    if (!isAtEnd())
        return;
    m_clock.stop();
    m_isPlaying = canMove();
    if (m_isPlaying)
        moveProcesses({.move = MoveLesson::Move::Play, .stepsASecond = m_stepsASecond});
    Q_EMIT moved();
}

void LessonPlayer::stepRank(int rank)
{
    if (isInMotion())
        return toEnd();
    if (rank < 0 || rank >= state().rankCount())
        return;
    if (isAtEnd()) {
        m_isPlaying = false;
        if (canMove())
            moveProcesses({.move = MoveLesson::Move::Step, .ranks = {rank}});
        Q_EMIT moved();
        return;
    }
    pause();
    for (size_t step = position() + 1; step < size(); ++step) {
        if (m_run->recording().step(step).globalRank == rank)
            return go(step);
    }
    toEnd();
}

void LessonPlayer::untilBlocked()
{
    if (isInMotion())
        toEnd();
    if (isAtEnd()) {
        m_isPlaying = false;
        if (canMove())
            moveProcesses({.move = MoveLesson::Move::ToBlocked});
        Q_EMIT moved();
        return;
    }
    pause();
    int before = blockedRanks(state());
    const auto isMore = [&before](const lesson::State& state) {
        const int now = blockedRanks(state);
        return now > std::exchange(before, now);
    };
    go(m_run->recording().firstStep(isMore, position() + 1).value_or(size() - 1));
}

void LessonPlayer::finish()
{
    pause();
    toEnd();
    m_isMotionWanted = false;
    if (canMove())
        m_run->move({.move = MoveLesson::Move::ToEnd});
}

void LessonPlayer::setStepsASecond(double steps)
{
    m_stepsASecond = std::clamp(steps, 0.5, 20.0);
    if (m_clock.isActive())
        m_clock.setInterval(static_cast<int>(1000 / m_stepsASecond));
    else if (m_isPlaying && canMove())
        m_run->move({.move = MoveLesson::Move::Play, .stepsASecond = m_stepsASecond});
}

} // namespace ringmaster::app

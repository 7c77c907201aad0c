#pragma once

#include "app/learn/FaultPredictor.h"
#include "app/learn/LessonPlayer.h"

#include <QThreadPool>

#include <memory>

namespace ringmaster::app {

/// The run that the page shows, if there is one, and what the learner breaks in it. The player has
/// it as well.
class ShownRun : public QObject
{
    Q_OBJECT

public:
    ShownRun(EngineBridge& bridge, LessonPlayer& player, QWidget* page);

    LessonRun* get() const { return m_run.get(); }
    LessonRun* operator->() const { return m_run.get(); }
    explicit operator bool() const { return m_run != nullptr; }
    bool isOver() const { return m_run && m_run->phase() == LessonRun::Phase::Over; }
    /// Its processes are this window's, and there.
    bool isBusy() const { return m_run && m_run->isOwn() && !isOver(); }
    bool isRun(const std::string& run) const { return m_run && m_run->run() == run; }

    void start(LessonRun::Setting setting);
    void open(const std::string& run);
    void open(const lesson::RecordedJob& job);
    void close() { replace(nullptr); }
    /// Meanwhile there is none.
    std::unique_ptr<LessonRun> take() { return std::move(m_run); }
    void replace(std::unique_ptr<LessonRun> run);

    /// True once, after its end.
    bool hasJustEnded();
    /// What will come of it is asked first; not of a rank that is let go on again.
    void inject(InjectFault::Kind kind, int rank);
    void judgeFaults() { m_faultPredictor.judge(m_run->recording()); }

Q_SIGNALS:
    /// It is another one now.
    void replaced();
    void changed();
    void failed(const ringmaster::Error& error);
    void faultJudged(const QString& headline, const QString& told, std::optional<size_t> wrongAt);

private:
    EngineBridge& m_bridge;
    LessonPlayer& m_player;
    FaultPredictor m_faultPredictor;
    bool m_wasOver = false;
    std::unique_ptr<LessonRun> m_run;
    QThreadPool m_files; ///< Last: ended first.
};

} // namespace ringmaster::app

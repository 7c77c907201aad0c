#pragma once

#include "app/bridge/EngineBridge.h"
#include "engine/lesson/Pack.h"
#include "engine/lesson/Recording.h"

#include <QObject>

#include <deque>
#include <map>
#include <optional>

class QThreadPool;

namespace ringmaster::app {

/// One run of a lesson's program: started here, with its workers at the step gate, or opened to be
/// looked at. What it records is the same; only a started one can be moved or broken.
class LessonRun : public QObject
{
    Q_OBJECT

public:
    struct Setting
    {
        lesson::Pack pack{};
        std::filesystem::path packFile{};
        std::string source{}; ///< The learner's version of the program.
        int ranks = 2;
        std::string backend{};
        std::string interpreter{}; ///< Empty: the active one.
        std::vector<int> order{};  ///< In which the ranks are let go from the lesson's first line.
    };

    enum class Phase {
        Preparing, ///< The program is being written.
        Launching, ///< The agent starts.
        Starting,  ///< Workers start and import torch.
        Live,      ///< A first line was reached.
        Over
    };

    /// Something that the agent did with the workers.
    struct Act
    {
        size_t step = 0; ///< Steps that had been recorded by then.
        Event event{};
    };

    /// What `files` does for it isn't waited for when it ends.
    LessonRun(EngineBridge& bridge, QThreadPool& files, Setting setting, QObject* parent);
    LessonRun(EngineBridge& bridge, const std::string& run, QObject* parent);
    /// A job that a lesson holds: nothing runs.
    LessonRun(EngineBridge& bridge, lesson::RecordedJob job, QObject* parent);
    /// One that was started and isn't over is stopped.
    ~LessonRun() override;

    const lesson::Recording& recording() const { return m_recording; }
    const std::string& run() const { return m_run; }
    EngineBridge& bridge() const { return m_bridge; }
    Phase phase() const { return m_phase; }
    bool isOwn() const { return m_isOwn; }
    /// Null: it was a lesson's program that ran.
    const lesson::RecordedJob* job() const { return m_job ? &*m_job : nullptr; }
    /// Its processes can be moved.
    bool canMove() const { return m_isOwn && m_phase == Phase::Live; }
    RunState state() const { return m_state; }
    const Message& reason() const { return m_reason; }
    /// From the first failure of a worker on: exits, restarts, rendezvous, starts.
    const std::vector<Act>& acts() const { return m_acts; }
    /// Of the first worker that failed; may be empty.
    const QString& traceback() const { return m_traceback; }
    /// Whether a step's file is the program itself and not one beside it.
    bool isProgram(const std::string& file) const;
    /// Up to which it runs without being stepped: as the lesson says, or else behind the imports;
    /// 0: its first one.
    int startLine() const;
    /// Ranks whose tracer has been heard of.
    int arrived() const;
    /// The rank was let go, and has done no line since.
    bool isBusy(int rank) const;

    void move(const MoveLesson& move);
    void inject(const InjectFault& fault);
    void stop();

Q_SIGNALS:
    void changed();
    void failed(const ringmaster::Error& error);

private:
    void prepared(const Result<lesson::RunChoice>& choice);
    void launch(const lesson::RunChoice& choice);
    void launched(const Result<std::string>& run);
    void follow(const std::string& run);
    void apply(const std::vector<Event>& events);
    void takeAct(const Event& event);
    void toFirstLine();
    void repeatOrder();
    void send(Command command);
    void sendNext();

    EngineBridge& m_bridge;
    Setting m_setting;
    bool m_isOwn = false;
    bool m_isStopWanted = false;
    std::string m_run;
    Phase m_phase = Phase::Preparing;
    RunState m_state = RunState::Starting;
    Message m_reason{};
    bool m_hasComplaint = false; ///< The reason is an error that was told.
    QString m_traceback;
    std::optional<lesson::RecordedJob> m_job;
    lesson::Recording m_recording;
    std::vector<Act> m_acts;
    std::deque<Command> m_unsent;               ///< The first is on its way.
    std::map<int, std::uint64_t> m_linesBefore; ///< Of the ranks that were let go.
};

} // namespace ringmaster::app

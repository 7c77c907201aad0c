#pragma once

#include "engine/lesson/Progress.h"

#include <QObject>
#include <QThreadPool>

#include <vector>

namespace ringmaster::lesson {
class Recording;
} // namespace ringmaster::lesson

namespace ringmaster::app {

struct Lesson;
class LessonListModel;

/// How far the learner has come: shown in the list of lessons, and kept in a file on a thread of
/// its own. Other dashboards and `ringmaster lesson run` write that file, too.
class LearnProgress : public QObject
{
    Q_OBJECT

public:
    explicit LearnProgress(LessonListModel& lessons, QObject* parent = nullptr);

    /// As it was kept.
    void set(lesson::Progress progress);
    const lesson::Progress& known() const { return m_progress; }

    void ran(const std::string& lesson);
    /// The learner's version of its program was recorded: which of its tasks that solves.
    void ran(const Lesson& lesson, const lesson::Recording& recording);
    void answered(const std::string& lesson, size_t question, bool isRight);

Q_SIGNALS:
    void changed();
    /// A sentence for the reader: what was solved, or why it isn't kept.
    void told(const QString& sentence);

private:
    void keep(const lesson::Progress::Change& change);
    void kept(const Result<lesson::Progress>& saved,
              const std::vector<lesson::Progress::Change>& changes);

    LessonListModel& m_lessons;
    lesson::Progress m_progress;
    std::vector<lesson::Progress::Change> m_unsaved; ///< Couldn't be, and are tried with the next.
    int m_saving = 0;
    QThreadPool m_files; ///< Last: ended first.
};

} // namespace ringmaster::app

#pragma once

#include "app/learn/LessonListModel.h"

#include <QObject>

#include <map>
#include <string>
#include <utility>

namespace ringmaster::lesson {
class Recording;
}

namespace ringmaster::app {

class LearnProgress;
class LearnView;
class LessonPlayer;

/// The lesson that the page shows: puts its text, its program and its questions where they are
/// seen. What runs of it is a ShownRun.
class ShownLesson : public QObject
{
    Q_OBJECT

public:
    ShownLesson(const LessonListModel& lessons, const LearnProgress& progress, LessonPlayer& player,
                LearnView& view, QObject* parent = nullptr);

    void show(int row);
    /// The next one is shown, also if it has the same name.
    void forget();
    /// Title and text, in the reader's language and with how far the learner is.
    void showText();
    /// The program as the lesson has it; the learner can undo that.
    void resetProgram();
    /// The program as it ran in a recording.
    void showRecorded(const std::string& source);
    /// The first question that is asked before the line of the last step, unless it has been;
    /// whether there is one.
    bool offerQuestion(const lesson::Recording& recording);

    const std::string& name() const { return m_name; }
    /// Nothing, as long as none is shown.
    const Lesson* lesson() const;

private:
    void keepProgram();
    void showProgram(const lesson::Pack& pack);

    const LessonListModel& m_lessons;
    const LearnProgress& m_progress;
    LessonPlayer& m_player;
    LearnView& m_view;
    std::string m_name;
    std::string m_source; ///< The lesson's own program.
    /// Those that the learner has changed and left, by the lesson's name and its own program.
    std::map<std::pair<std::string, std::string>, LessonProgram> m_kept;
};

} // namespace ringmaster::app

#pragma once

#include "app/learn/LessonSource.h"
#include "engine/lesson/Pack.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

namespace ringmaster::app {

/// What is wrong in one line of a lesson's files.
struct LessonFinding
{
    Message message{};
    int line = 0;             ///< From 1; 0: it is about the whole.
    bool isInProgram = false; ///< In the file of the program, not in the lesson's.
    bool operator==(const LessonFinding&) const = default;
};

/// As `ringmaster lesson check` says it.
struct LessonCheckup
{
    lesson::Pack pack{};    ///< As far as it can be read.
    bool isReadable = true; ///< Else nothing of the pack is known.
    std::vector<LessonFinding> findings{};
};

/// Reads a program beside it that the source doesn't have, and asks the Python that a lesson gets;
/// without one the program's syntax isn't checked. Waits for both.
LessonCheckup checkLesson(const LessonSource& source, const std::string& interpreter);

/// Checks a lesson soon after it has changed, on a thread of its own: one check at a time, and what
/// is told is always of the newest text.
class LessonChecker : public QObject
{
    Q_OBJECT

public:
    /// `source`: what there is to check, asked for when a check begins.
    explicit LessonChecker(std::function<LessonSource()> source, QObject* parent = nullptr);

    /// Typing doesn't start a check a letter.
    void checkSoon();
    void checkNow();
    /// The last checked() is of the text as it is.
    bool isDone() const { return !m_isRunning && !m_soon.isActive(); }

Q_SIGNALS:
    void began();
    void checked(const ringmaster::app::LessonCheckup& checkup);

private:
    void start();

    std::function<LessonSource()> m_source;
    QTimer m_soon;
    bool m_isRunning = false;
    bool m_isOutdated = false; ///< Something has changed since it began.
    std::shared_ptr<std::string> m_interpreter = std::make_shared<std::string>(); ///< The thread's.
    QThreadPool m_thread; ///< Last: ended first.
};

} // namespace ringmaster::app

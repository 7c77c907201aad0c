#include "app/learn/LearnProgress.h"

#include "app/bridge/Background.h"
#include "app/bridge/Messages.h"
#include "app/learn/LearnText.h"
#include "app/learn/LessonListModel.h"
#include "engine/lesson/Recording.h"

namespace ringmaster::app {

LearnProgress::LearnProgress(LessonListModel& lessons, QObject* parent)
    : QObject(parent), m_lessons(lessons)
{
    // What is saved is saved in the order in which it happened.
    m_files.setMaxThreadCount(1);
}

void LearnProgress::set(lesson::Progress progress)
{
    m_progress = std::move(progress);
    m_lessons.setProgress(m_progress);
}

void LearnProgress::ran(const std::string& lesson)
{
    m_progress.ran(lesson);
    keep();
}

void LearnProgress::ran(const Lesson& lesson, const lesson::Recording& recording)
{
    const std::string& name = lesson.pack.name;
    const auto outcome = lesson::outcomeOf(recording);
    const bool isChanged = recording.started() && recording.started()->source != lesson.pack.source;
    for (size_t task = 0; task < lesson.pack.tasks.size(); ++task) {
        const bool isNew = isChanged && !m_progress.isSolved(name, task);
        if (!isNew || outcome != std::optional(lesson.pack.tasks[task].expect))
            continue;
        m_progress.solved(name, task);
        Q_EMIT told(tr("Solved: the program %1.").arg(word(*outcome)));
    }
    ran(name);
}

void LearnProgress::answered(const std::string& lesson, size_t question, bool isRight)
{
    m_progress.answered(lesson, question, isRight);
    keep();
}

void LearnProgress::keep()
{
    m_lessons.setProgress(m_progress);
    Q_EMIT changed();
    inBackground(
        m_files, this, [progress = m_progress] { return progress.save(); },
        [this](const Result<void>& saved) {
            if (!saved)
                Q_EMIT told(text(saved.error()));
        });
}

} // namespace ringmaster::app

#include "app/learn/LearnProgress.h"

#include "app/bridge/Background.h"
#include "app/bridge/Messages.h"
#include "app/learn/LearnText.h"
#include "app/learn/LessonListModel.h"
#include "engine/lesson/Recording.h"

#include <utility>

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
    keep([lesson](lesson::Progress& progress) { progress.ran(lesson); });
}

void LearnProgress::ran(const Lesson& lesson, const lesson::Recording& recording)
{
    const std::string& name = lesson.pack.name;
    const auto outcome = lesson::outcomeOf(recording);
    const bool isChanged = recording.started() && recording.started()->source != lesson.pack.source;
    std::vector<size_t> solved;
    for (size_t task = 0; task < lesson.pack.tasks.size(); ++task) {
        const bool isNew = isChanged && !m_progress.isSolved(name, task);
        if (!isNew || outcome != std::optional(lesson.pack.tasks[task].expect))
            continue;
        solved.push_back(task);
        Q_EMIT told(tr("Solved: the program %1.").arg(word(*outcome)));
    }
    keep([name, solved](lesson::Progress& progress) {
        progress.ran(name);
        for (const size_t task : solved)
            progress.solved(name, task);
    });
}

void LearnProgress::answered(const std::string& lesson, size_t question, bool isRight)
{
    keep([lesson, question, isRight](lesson::Progress& progress) {
        progress.answered(lesson, question, isRight);
    });
}

void LearnProgress::keep(const lesson::Progress::Change& change)
{
    change(m_progress);
    m_lessons.setProgress(m_progress);
    Q_EMIT changed();
    std::vector<lesson::Progress::Change> changes = std::exchange(m_unsaved, {});
    changes.push_back(change);
    ++m_saving;
    inBackground(
        m_files, this,
        [known = m_progress, changes]() -> Result<lesson::Progress> {
            lesson::Progress progress = known;
            RM_TRY(progress.change([&changes](lesson::Progress& now) {
                for (const lesson::Progress::Change& each : changes)
                    each(now);
            }));
            return progress;
        },
        [this, changes](const Result<lesson::Progress>& saved) { kept(saved, changes); });
}

void LearnProgress::kept(const Result<lesson::Progress>& saved,
                         const std::vector<lesson::Progress::Change>& changes)
{
    --m_saving;
    if (!saved) {
        m_unsaved.insert(m_unsaved.end(), changes.begin(), changes.end());
        Q_EMIT told(text(saved.error()));
        return;
    }
    // It has what others have written, but not yet what is still to be saved.
    if (m_saving > 0 || !m_unsaved.empty() || *saved == m_progress)
        return;
    set(*saved);
    Q_EMIT changed();
}

} // namespace ringmaster::app

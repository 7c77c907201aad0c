#include "app/learn/ShownLesson.h"

#include "app/learn/LearnHead.h"
#include "app/learn/LearnProgress.h"
#include "app/learn/LearnView.h"
#include "app/learn/LessonHtml.h"
#include "app/learn/LessonPlayer.h"
#include "app/learn/LessonsCard.h"
#include "app/learn/MomentPanel.h"
#include "app/learn/ProgramCard.h"
#include "app/learn/QuestionPanel.h"
#include "engine/lesson/Questions.h"

#include <set>

namespace ringmaster::app {

ShownLesson::ShownLesson(const LessonListModel& lessons, const LearnProgress& progress,
                         LessonPlayer& player, LearnView& view, QObject* parent)
    : QObject(parent), m_lessons(lessons), m_progress(progress), m_player(player), m_view(view)
{
}

const Lesson* ShownLesson::lesson() const
{
    const int row = m_lessons.rowOf(m_name);
    return row < 0 ? nullptr : &m_lessons.lessonAt(row);
}

void ShownLesson::show(int row)
{
    keepProgram();
    const Lesson& shown = m_lessons.lessonAt(row);
    m_name = shown.pack.name;
    m_source = shown.pack.source;
    m_view.head().setLesson(shown.pack);
    m_view.head().setEditing(shown.file.empty() ? LearnHead::Editing::Nothing
                             : shown.isOwn      ? LearnHead::Editing::Copy
                                                : LearnHead::Editing::Itself);
    m_view.questions().setQuestions(shown.pack.questions);
    std::set<std::string> askedFor;
    for (const lesson::Question& question : shown.pack.questions)
        if (!question.variable.empty())
            askedFor.insert(question.variable);
    m_player.setAskedFor(std::move(askedFor));
    m_view.moment().setBars(shown.pack.bars);
    showProgram(shown.pack);
    showText();
}

void ShownLesson::forget()
{
    keepProgram();
    m_name.clear();
}

/// A recording's, which is shown in its place, isn't the lesson's.
void ShownLesson::keepProgram()
{
    const LessonProgram program = m_view.program().program();
    if (!m_name.empty() && program.origin == m_source && m_view.program().isChanged())
        m_kept.insert_or_assign({m_name, m_source}, program);
}

void ShownLesson::showProgram(const lesson::Pack& pack)
{
    if (pack.recording)
        return m_view.program().setCode(pack.recording->code);
    const auto kept = m_kept.extract(std::pair(m_name, m_source));
    m_view.program().setProgram(kept ? kept.mapped()
                                     : LessonProgram{.text = pack.source, .origin = pack.source});
}

void ShownLesson::showRecorded(const std::string& source)
{
    keepProgram();
    m_view.program().setProgram({.text = source, .origin = source});
}

void ShownLesson::showText()
{
    const Lesson* shown = lesson();
    if (shown != nullptr)
        m_view.head().setTitle(QString::fromStdString(shown->pack.title.in(lessonLanguage())));
    m_view.lessons().setText(shown == nullptr
                                 ? QString()
                                 : lessonHtml(shown->pack, m_progress.known(), lessonLanguage()));
}

void ShownLesson::resetProgram()
{
    const Lesson* shown = lesson();
    if (shown != nullptr && !shown->pack.recording)
        m_view.program().reset(shown->pack.source);
}

bool ShownLesson::offerQuestion(const lesson::Recording& recording)
{
    const Lesson* shown = lesson();
    if (shown == nullptr || m_player.size() == 0)
        return false;
    const LessonStep& step = recording.step(m_player.size() - 1);
    if (step.kind != LessonStep::Kind::Line)
        return false;
    const std::string& source = recording.started()->source;
    bool isAsked = false;
    // Of several there, the first is shown.
    for (size_t i = shown->pack.questions.size(); i-- > 0;) {
        const lesson::Question& question = shown->pack.questions[i];
        const bool isHere =
            !question.at.empty() && lesson::lineWith(source, question.at) == step.line;
        if (isHere && m_view.questions().offer(i))
            isAsked = true;
    }
    return isAsked;
}

} // namespace ringmaster::app

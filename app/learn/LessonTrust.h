#pragma once

#include <QPointer>

#include <functional>
#include <set>
#include <string>

class QMessageBox;
class QWidget;

namespace ringmaster::app {

struct Lesson;
struct LessonProgram;

/// A lesson's program runs with the learner's rights: one that didn't come with Ringmaster asks
/// before it runs for the first time, and again when it is another one. What the learner changes in
/// it asks no more.
class LessonTrust
{
public:
    explicit LessonTrust(QWidget* page) : m_page(page) {}

    /// `run`: at once, or when the learner has agreed.
    void ask(const Lesson& lesson, const LessonProgram& program, std::function<void()> run);
    /// The program isn't shown any more: a question about it that is open goes.
    void withdraw();
    /// The learner has written it.
    void trust(const Lesson& lesson);

private:
    bool isTrusted(const Lesson& lesson, const std::string& program) const;

    QWidget* m_page;
    QPointer<QMessageBox> m_question;
    std::set<std::string> m_trusted; ///< Programs, as they are.
};

} // namespace ringmaster::app

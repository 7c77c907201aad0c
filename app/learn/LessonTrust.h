#pragma once

#include <functional>
#include <set>
#include <string>

class QWidget;

namespace ringmaster::app {

struct Lesson;

/// A lesson's program runs with the learner's rights: one that didn't come with Ringmaster asks
/// before it runs for the first time, and again when it is another one.
class LessonTrust
{
public:
    explicit LessonTrust(QWidget* page) : m_page(page) {}

    /// `run`: at once, or when the learner has agreed.
    void ask(const Lesson& lesson, std::function<void()> run);
    /// The learner has written it.
    void trust(const Lesson& lesson);

private:
    QWidget* m_page;
    std::set<std::string> m_trusted; ///< Programs, as they are.
};

} // namespace ringmaster::app

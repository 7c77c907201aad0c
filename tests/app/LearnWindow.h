#pragma once

#include "app/learn/LearnPage.h"
#include "app/learn/LessonPicture.h"
#include "app/learn/ProgramEditor.h"
#include "tests/app/Window.h"

#include <QAbstractButton>

class QAction;

namespace ringmaster::app {

/// The Learn page over a FakeCluster, whose steps a test makes up.
class LearnWindow
{
public:
    static constexpr auto Run = "launched";
    static constexpr int Patience = 60'000;

    LearnWindow();

    /// Shown, in English, with its lessons read and `lesson` chosen. False: it didn't come to that.
    bool open(const char* lesson = "deadlock");

    Window& dashboard() { return m_dashboard; }
    LearnPage& page() { return *m_page; }
    ProgramEditor& editor() { return *m_page->findChild<ProgramEditor*>(); }
    const LessonScene& scene() { return m_page->findChild<LessonPicture*>()->scene(); }

    /// The visible one with this text.
    QAbstractButton* button(const char* text);
    /// Of the menu of faults.
    QAction* faultOf(const char* kind, int rank);
    /// Chooses the answers that begin so in the question that a fault asks first, and goes on.
    /// False: there is no such question or answer.
    bool predictFault(const char* outcome, const char* witness);
    /// Of the menu "More".
    QAction* actionOf(const char* text);
    /// Whether a visible label has this part.
    bool says(const char* part);
    /// Whether the picture's twin has this text in any cell.
    bool tableHas(const QString& text);
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {});
    MoveLesson lastMove();

    /// Presses Run, and the agent is there.
    bool launch();
    /// What the agent says first.
    bool begin();
    void publish(const std::vector<EventBody>& bodies) { publishTo(Run, bodies); }
    void publishTo(const std::string& run, const std::vector<EventBody>& bodies);
    void endRun(RunState state = RunState::Stopped, const Message& reason = {});

    int sendLine();
    /// Both ranks send, and nobody receives.
    std::vector<EventBody> deadlockOf(int line) const;
    void deadlockSteps() { publish(deadlockOf(sendLine())); }
    bool deadlock();

private:
    Window m_dashboard;
    LearnPage* m_page = nullptr;
};

AttemptStarted attemptOf(int ranks);

} // namespace ringmaster::app

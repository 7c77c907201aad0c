#pragma once

#include "app/learn/LessonRun.h"
#include "engine/lesson/FaultAnswers.h"

namespace ringmaster::app {

/// Has the learner say what a fault will lead to before it is made, and says how right that was
/// once it is over.
class FaultPredictor : public QObject
{
    Q_OBJECT

public:
    explicit FaultPredictor(QWidget* page);

    void ask(LessonRun& run, const InjectFault& fault);
    /// Another run: what was said of the last one is void.
    void forget() { m_guesses.clear(); }
    void judge(const lesson::Recording& recording);

Q_SIGNALS:
    /// `wrongAt`: the step that contradicts what was said; none where that was right.
    void judged(const QString& headline, const QString& text, std::optional<size_t> wrongAt);

private:
    struct Guess
    {
        InjectFault fault{};
        size_t reportsBefore = 0; ///< Faults that the run had had by then.
        lesson::FaultOutcome outcome{};
        lesson::FaultWitness witness{};
    };

    void tell(const Guess& guess, const lesson::FaultReport& report,
              const lesson::FaultAnswers& right);

    QWidget* m_page;
    std::vector<Guess> m_guesses;
};

} // namespace ringmaster::app

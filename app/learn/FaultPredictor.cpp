#include "app/learn/FaultPredictor.h"

#include "app/learn/FaultQuestion.h"
#include "app/learn/FaultText.h"

#include <QWidget>

#include <algorithm>

namespace ringmaster::app {

FaultPredictor::FaultPredictor(QWidget* page) : QObject(page), m_page(page) {}

void FaultPredictor::ask(LessonRun& run, const InjectFault& fault)
{
    auto* question = new FaultQuestion(fault, m_page);
    question->setObjectName(QStringLiteral("predictFault"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    // The run may be gone before the answer comes.
    connect(question, &QDialog::accepted, &run, [this, question, fault, &run] {
        m_guesses.push_back(
            {fault, run.recording().faults().size(), question->outcome(), question->witness()});
        run.inject(fault);
    });
    question->open();
}

void FaultPredictor::judge(const lesson::Recording& recording)
{
    const auto& reports = recording.faults();
    const auto isJudged = [&](const Guess& guess) {
        const auto from =
            static_cast<std::ptrdiff_t>(std::min(guess.reportsBefore, reports.size()));
        const auto report = std::find_if(
            reports.begin() + from, reports.end(), [&](const lesson::FaultReport& known) {
                return known.kind == guess.fault.kind && known.rank == guess.fault.globalRank;
            });
        if (report == reports.end())
            return false;
        const auto right = lesson::answersOf(*report);
        if (right)
            tell(guess, *report, *right);
        return right.has_value();
    };
    std::erase_if(m_guesses, isJudged);
}

void FaultPredictor::tell(const Guess& guess, const lesson::FaultReport& report,
                          const lesson::FaultAnswers& right)
{
    const bool isOutcomeRight = guess.outcome == right.outcome;
    const bool isWitnessRight = guess.witness == right.witness;
    const QString headline = isOutcomeRight && isWitnessRight ? tr("As you said, both times.")
                             : isOutcomeRight || isWitnessRight
                                 ? tr("One of your two predictions was right.")
                                 : tr("Neither was as you said.");
    const auto line = [](bool isRight, const QString& answer, const QString& said) {
        return isRight ? tr("✓ %1").arg(answer) : tr("✗ %1 You said: %2").arg(answer, said);
    };
    const QStringList lines{line(isOutcomeRight, sentence(right.outcome, guess.fault),
                                 sentence(guess.outcome, guess.fault)),
                            line(isWitnessRight, sentence(right.witness), sentence(guess.witness)),
                            faultText(report)};
    std::optional<size_t> wrongAt;
    if (!isOutcomeRight)
        wrongAt = right.courseStep;
    else if (!isWitnessRight)
        wrongAt = right.witnessStep;
    Q_EMIT judged(headline, u'\n' + lines.join(u'\n'), wrongAt);
}

} // namespace ringmaster::app

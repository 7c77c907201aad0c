#include "Steps.h"
#include "engine/lesson/Codes.h"
#include "engine/lesson/Questions.h"

#include <QtTest>

#include <random>

using namespace ringmaster;
using namespace ringmaster::test;
using lesson::Choice;
using lesson::Question;

namespace {

const std::string Source = "a\nt = before()\nsend(t)\nrecv(t)\nend()\n";

/// Each rank has a number, sends it to the next and receives the one before it; in a run that
/// isn't whole, the first one doesn't send. From the step `freeFrom` on nobody was held.
lesson::Recording neighbours(const std::vector<double>& numbers, bool isWhole, bool isHeld = true,
                             size_t freeFrom = 1000)
{
    const int ranks = static_cast<int>(numbers.size());
    lesson::Recording recording;
    const auto add = [&](EventBody body) {
        if (auto* step = std::get_if<LessonStep>(&body))
            step->isFree = recording.size() >= freeFrom;
        recording.add(eventOf(std::move(body)));
    };
    const auto text = [&](int rank) {
        return std::to_string(numbers[static_cast<size_t>((rank + ranks) % ranks)]);
    };
    add(LessonStarted{.source = Source, .ranks = ranks, .isHeld = isHeld});
    add(AttemptStarted{.worldSize = ranks});
    const CallSetting base{.members = {}};
    for (int rank = 0; rank < ranks; ++rank)
        add(lineStep(rank, 3, {tensorOf("t", {text(rank)})}));
    for (int rank = isWhole ? 0 : 1; rank < ranks; ++rank) {
        CallSetting send = base;
        send.operation = "isend";
        send.peer = (rank + 1) % ranks;
        send.isAsync = true;
        send.inputs = {tensorOf("t", {text(rank)})};
        add(callStep(rank, 1, send));
        add(callStep(rank, 1, send, LessonStep::Kind::Return));
    }
    for (int rank = 0; rank < ranks; ++rank) {
        CallSetting receive = base;
        receive.operation = "recv";
        receive.peer = (rank + ranks - 1) % ranks;
        receive.outputs = {tensorOf("t", {text(rank - 1)})};
        add(lineStep(rank, 4));
        add(callStep(rank, 2, receive, LessonStep::Kind::Call, 4));
        if (!isWhole && rank == 1)
            continue;
        add(callStep(rank, 2, receive, LessonStep::Kind::Return, 4));
        add(lineStep(rank, 5, {tensorOf("t", {text(rank - 1)})}));
        LessonStep end = lineStep(rank, 5);
        end.kind = LessonStep::Kind::Finish;
        add(end);
    }
    return recording;
}

int rightOnes(const lesson::Asked& asked, const Choice& truth)
{
    int count = 0;
    for (const Choice& choice : asked.choices) {
        const bool isNumber = truth.kind == Choice::Kind::Number;
        count += isNumber ? std::stod(choice.number) == std::stod(truth.number) : choice == truth;
    }
    return count;
}

} // namespace

class tst_questions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyQuestionHasExactlyOneRightAnswerInAHundredRuns()
    {
        std::mt19937 random(11);
        for (int run = 0; run < 100; ++run) {
            std::vector<double> numbers(2 + random() % 7);
            for (double& number : numbers)
                number = static_cast<double>(random() % 5); // often the same
            const bool isWhole = run % 3 != 0;
            const auto recording = neighbours(numbers, isWhole);
            const int rank = static_cast<int>(random() % numbers.size());
            const auto before = (static_cast<size_t>(rank) + numbers.size() - 1) % numbers.size();
            const auto value = lesson::ask(
                {.kind = Question::Kind::Value, .at = "recv(t)", .rank = rank, .variable = "t"},
                recording);
            if (isWhole || rank != 1) {
                QVERIFY(value.has_value());
                const Choice truth{.number = std::to_string(numbers[before])};
                QCOMPARE(rightOnes(*value, truth), 1);
                QVERIFY(value->choices.size() >= 2);
                QCOMPARE(std::stod(value->choices[value->right].number), numbers[before]);
                QVERIFY(value->askedAt < value->answeredAt);
            } else {
                QVERIFY(value.error().code == code::QuestionLineNotDone);
            }
            const auto deadlock =
                lesson::ask({.kind = Question::Kind::Deadlock, .at = "recv(t)"}, recording);
            QVERIFY(deadlock.has_value());
            QCOMPARE(deadlock->choices.size(), 2U);
            QVERIFY(deadlock->choices[deadlock->right].kind ==
                    (isWhole ? Choice::Kind::No : Choice::Kind::Yes));
            const auto blocked =
                lesson::ask({.kind = Question::Kind::Blocked, .at = "recv(t)"}, recording);
            QVERIFY(blocked.has_value());
            const Choice stuck{.kind = Choice::Kind::Ranks,
                               .ranks = isWhole ? std::vector<int>{} : std::vector{1}};
            QCOMPARE(rightOnes(*blocked, stuck), 1);
            QVERIFY(blocked->choices[blocked->right] == stuck);
            const auto bytes =
                lesson::ask({.kind = Question::Kind::BytesSent, .rank = rank}, recording);
            QVERIFY(bytes.has_value());
            const Choice sent{.number = isWhole || rank != 0 ? "4" : "0"};
            QCOMPARE(rightOnes(*bytes, sent), 1);
            QCOMPARE(bytes->choices[bytes->right].number, sent.number);
        }
    }

    void whatDependsOnTimeIsAskedUnderAFixedOrderOnly()
    {
        const Question question{.kind = Question::Kind::Sender, .at = "recv(t)", .rank = 0};
        const auto held = lesson::ask(question, neighbours({2, 3, 5}, true));
        QVERIFY(held.has_value());
        QCOMPARE(held->choices[held->right].ranks, std::vector{2});
        QCOMPARE(held->choices.size(), 2U);
        const auto free = lesson::ask(question, neighbours({2, 3, 5}, true, false));
        QVERIFY(free.error().code == code::QuestionNeedsGate);
        const auto letGo = lesson::ask(question, neighbours({2, 3, 5}, true, true, 6));
        QVERIFY(letGo.error().code == code::QuestionNeedsGate);
        const auto letGoAfter = lesson::ask(question, neighbours({2, 3, 5}, true, true, 20));
        QVERIFY(letGoAfter.has_value());
    }

    void whatIsFoundBeforeTheEndIsNotTheEnd()
    {
        // A buffer was touched too early, and rank 1 has not sent yet.
        lesson::Recording recording;
        const auto add = [&](EventBody body) { recording.add(eventOf(std::move(body))); };
        add(LessonStarted{.source = Source, .ranks = 2});
        add(AttemptStarted{.worldSize = 2});
        add(lineStep(0, 3));
        add(lineStep(1, 3));
        LessonStep early = callStep(0, 1, {.operation = "isend"}, LessonStep::Kind::Hazard, 3);
        early.text = "written";
        add(early);
        QVERIFY(lesson::outcomeOf(recording) == lesson::Outcome::Hazard);
        for (const Question::Kind kind :
             {Question::Kind::BytesSent, Question::Kind::Deadlock, Question::Kind::Blocked}) {
            const auto asked = lesson::ask({.kind = kind, .at = "send(t)", .rank = 1}, recording);
            QVERIFY(!asked.has_value());
            QVERIFY(asked.error().code == code::QuestionRunStopped);
        }
        for (int rank = 0; rank < 2; ++rank) {
            LessonStep end = lineStep(rank, 5);
            end.kind = LessonStep::Kind::Finish;
            add(end);
        }
        const auto bytes = lesson::ask({.kind = Question::Kind::BytesSent, .rank = 1}, recording);
        QVERIFY(bytes.has_value());
    }

    void aQuestionThatDoesNotFitTheProgramSaysWhy()
    {
        const auto recording = neighbours({2, 3}, true);
        const auto why = [&](const Question& question) {
            const auto asked = lesson::ask(question, recording);
            return asked ? Code{} : asked.error().code;
        };
        QVERIFY(why({.at = "gone", .variable = "t"}) == code::QuestionLineGone);
        QVERIFY(why({.at = "recv(t)", .rank = 7, .variable = "t"}) == code::QuestionNoRank);
        QVERIFY(why({.at = "recv(t)", .variable = "u"}) == code::QuestionNoVariable);
        QVERIFY(why({.at = "recv(t)", .variable = "t", .element = 9}) == code::QuestionNoVariable);
        QVERIFY(why({.at = "recv(t)", .occurrence = 2, .variable = "t"}) ==
                code::QuestionLineNotReached);
        QVERIFY(lesson::ask({}, lesson::Recording()).error().code == code::QuestionRunStopped);
    }

    void whatARunCameToIsRead()
    {
        QVERIFY(lesson::outcomeOf(neighbours({2, 3}, true)) == lesson::Outcome::Succeeds);
        QVERIFY(lesson::outcomeOf(neighbours({2, 3}, false)) == lesson::Outcome::Deadlocks);
        auto failed = neighbours({2, 3}, true);
        LessonStep error = lineStep(0, 5);
        error.kind = LessonStep::Kind::Error;
        error.text = "ValueError: no";
        failed.add(eventOf(error));
        QVERIFY(lesson::outcomeOf(failed) == lesson::Outcome::Fails);
        auto hazard = neighbours({2, 3}, true);
        LessonStep early = callStep(1, 1, {.operation = ""}, LessonStep::Kind::Hazard, 3);
        early.text = "written";
        hazard.add(eventOf(early));
        QVERIFY(lesson::outcomeOf(hazard) == lesson::Outcome::Hazard);
        QCOMPARE(hazard.latest().hazards().front().call.operation, std::string("isend"));
        QVERIFY(!lesson::outcomeOf(lesson::Recording()));
    }
};

QTEST_GUILESS_MAIN(tst_questions)
#include "tst_questions.moc"

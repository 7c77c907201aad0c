#include "Steps.h"
#include "engine/lesson/StepGate.h"

#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::test;
using Move = MoveLesson::Move;

namespace {

/// Tells the gate what tracers would, and notes whom it lets go.
class Tracers : public lesson::StepGate::Host
{
public:
    Tracers() = default;
    explicit Tracers(int ranks) { start(ranks); }

    void start(int ranks)
    {
        m_gate.attemptStarted(ranks);
        for (int rank = 0; rank < ranks; ++rank)
            m_gate.came(rank);
    }

    void go(int rank) override { m_released.push_back(rank); }
    void setFree(int, bool) override {}
    EventLoop::Registration callAfter(std::chrono::nanoseconds, EventLoop::Task) override
    {
        return {};
    }

    void tellLine(int rank, int line) { m_gate.took(lineStep(rank, line), m_index++); }
    void tellCall(int rank)
    {
        m_gate.took(callStep(rank, 1, {.operation = "recv", .peer = 0}), m_index++);
    }
    void stopAt(int rank, int line)
    {
        tellLine(rank, line);
        m_gate.held(rank);
    }
    lesson::StepGate& gate() { return m_gate; }
    std::vector<int> takeReleased() { return std::exchange(m_released, {}); }

private:
    lesson::StepGate m_gate{*this};
    std::vector<int> m_released;
    size_t m_index = 0;
};

} // namespace

/// Who is let go, for each order in which tracers' messages can come.
class tst_gate_order : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aStepWaitsForWhoeverIsOnItsWayToTheGate()
    {
        Tracers tracers(2);
        tracers.stopAt(0, 1);
        tracers.tellLine(1, 1);
        tracers.gate().move({.move = Move::Step});
        QCOMPARE(tracers.takeReleased(), std::vector<int>{});
        tracers.gate().held(1);
        QCOMPARE(tracers.takeReleased(), (std::vector{0, 1}));
        QVERIFY(!tracers.gate().isMoving());
    }

    void aStepDoesNotWaitForALongLine()
    {
        Tracers tracers(2);
        tracers.stopAt(0, 1);
        tracers.stopAt(1, 1);
        tracers.gate().move({.move = Move::Step});
        QCOMPARE(tracers.takeReleased(), (std::vector{0, 1}));
        tracers.stopAt(0, 2);
        tracers.gate().move({.move = Move::Step});
        QCOMPARE(tracers.takeReleased(), std::vector{0});
    }

    void aStepDoesNotWaitForOneThatLeftBeforeItWasHeldAgain()
    {
        Tracers tracers(2);
        tracers.stopAt(0, 1);
        tracers.stopAt(1, 1);
        tracers.gate().move({.move = Move::ToEnd});
        tracers.gate().move({.move = Move::Hold});
        tracers.stopAt(0, 2);
        tracers.tellLine(1, 2);
        tracers.tellCall(1);
        tracers.gate().move({.move = Move::Step});
        QCOMPARE(tracers.takeReleased(), std::vector{0});
    }

    /// The command may be faster than the start of the workers.
    void aMoveThatComesBeforeTheRanksWaitsForThem()
    {
        Tracers playing;
        playing.gate().move({.move = Move::Play, .stepsASecond = 1000});
        QVERIFY(playing.gate().isMoving());
        playing.start(2);
        playing.stopAt(0, 1);
        QCOMPARE(playing.takeReleased(), std::vector<int>{});
        playing.stopAt(1, 1);
        QCOMPARE(playing.takeReleased(), (std::vector{0, 1}));
        Tracers stepping;
        stepping.gate().move({.move = Move::Step});
        stepping.start(1);
        stepping.stopAt(0, 1);
        QCOMPARE(stepping.takeReleased(), std::vector{0});
    }

    void aRankThatIsGoneIsNotWaitedFor()
    {
        Tracers tracers(2);
        tracers.stopAt(0, 1);
        tracers.tellLine(1, 1);
        tracers.gate().move({.move = Move::Step});
        tracers.gate().gone(1);
        QCOMPARE(tracers.takeReleased(), std::vector{0});
    }
};

QTEST_GUILESS_MAIN(tst_gate_order)
#include "tst_gate_order.moc"

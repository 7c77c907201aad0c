#include "engine/attach/StackPlace.h"

#include <QtTest>

using namespace ringmaster;
using diagnose::Stack;

namespace {

const std::string Distributed = "/venv/lib/python3.11/site-packages/torch/distributed/";
const Stack::Frame Step{"step", "/home/ada/train.py", 88};
const Stack::Frame Main{"main", "/home/ada/train.py", 120};

/// In all_reduce, as torch's own decorators lead there.
Stack inAllReduce(std::vector<Stack::Frame> below = {Step, Main})
{
    Stack stack{.frames = {{"all_reduce", Distributed + "distributed_c10d.py", 3075},
                           {"wrapper", Distributed + "c10d_logger.py", 83}}};
    stack.frames.insert(stack.frames.end(), below.begin(), below.end());
    return stack;
}

} // namespace

class tst_stack_place : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theCallIsTheOutermostOfTorchsOwn()
    {
        QCOMPARE(operationIn(inAllReduce()), std::string("all_reduce"));
        Stack inside = inAllReduce();
        inside.frames.insert(inside.frames.begin(),
                             {"_helper", Distributed + "distributed_c10d.py", 10});
        QCOMPARE(operationIn(inside), std::string("all_reduce"));
        QCOMPARE(operationIn({.frames = {Step, Main}}), std::string());
        QCOMPARE(operationIn({}), std::string());
    }

    void autogradsThreadsAreWaitedForInBackward()
    {
        const Stack stack{
            .frames = {{"_engine_run_backward", "/venv/torch/autograd/graph.py", 1}, Step}};
        QCOMPARE(operationIn(stack), std::string("backward"));
    }

    void aPlaceIsToldWithTheProgramsOwnLine()
    {
        QCOMPARE(placeIn(inAllReduce()), std::string("all_reduce, train.py:88"));
        QCOMPARE(placeIn({.frames = {Step, Main}}), std::string("train.py:88"));
        QCOMPARE(placeIn({}), std::string());
    }

    void twoWaysToOneLineAreOnePlaceUnlessAllIsLookedAt()
    {
        Stack::Frame other = Main;
        other.line = 130;
        const Stack here = inAllReduce();
        const Stack there = inAllReduce({Step, other});
        QVERIFY(StackPlace::of(here, false) == StackPlace::of(there, false));
        QVERIFY(StackPlace::of(here, true) != StackPlace::of(there, true));
        QVERIFY((StackPlace::of(here, true) <=> StackPlace::of(there, true)) != 0);
    }

    void torchsFramesAreNoPartOfIt()
    {
        const StackPlace place = StackPlace::of(inAllReduce(), false);
        QCOMPARE(place.operation, std::string("all_reduce"));
        QCOMPARE(place.frames, std::vector<Stack::Frame>{Step});
    }
};

QTEST_GUILESS_MAIN(tst_stack_place)
#include "tst_stack_place.moc"

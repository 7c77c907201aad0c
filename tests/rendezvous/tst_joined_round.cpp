#include "engine/rendezvous/JoinedRound.h"

#include <QtTest>

using namespace ringmaster;

namespace {

const NodeDescription A{"a", 1, 0};
const NodeDescription B{"b", 1, 0};
const NodeDescription C{"c", 1, 0};

RendezvousState threeInRound(std::int64_t round)
{
    return {.round = round, .complete = true, .participants = {{A, 0}, {B, 1}, {C, 2}}};
}

NodeOffer offerOf(int workers)
{
    return {.roles = {{.role = "default", .workers = workers}}};
}

} // namespace

class tst_joined_round : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ranksAreTheStates()
    {
        const JoinedRound round(B, threeInRound(4));
        QCOMPARE(round.number(), 4);
        QCOMPARE(round.groupRank(), 1);
        QCOMPARE(round.groupWorldSize(), 3);
        QVERIFY(round.isWhole());
        const Round assigned = round.assignedTo({offerOf(2), offerOf(3), offerOf(1)});
        QCOMPARE(assigned.groupRank, 1);
        QCOMPARE(assigned.worldSize, 6);
        QCOMPARE(assigned.places.front().globalRankBase, 2);
    }

    void roundThatLostANodeIsntWhole()
    {
        RendezvousState state = threeInRound(4);
        state.participants.erase(A);
        QVERIFY(!JoinedRound(B, state).isWhole());
        state = threeInRound(4);
        state.participants.erase(B);
        QVERIFY(!JoinedRound(A, state).isWhole());
    }

    void whoHasLeftIsMissing()
    {
        const JoinedRound round(B, threeInRound(4));
        RendezvousState state = threeInRound(4);
        QVERIFY(round.missing(state) == nullptr);
        state.participants.erase(B); // itself: it lives
        QVERIFY(round.missing(state) == nullptr);
        state.participants.erase(C);
        QCOMPARE(round.missing(state)->address, C.address);
    }

    /// The others have begun another one.
    void inAnotherRoundAllAreMissing()
    {
        const JoinedRound round(B, threeInRound(4));
        QCOMPARE(round.missing(threeInRound(5))->address, A.address);
    }
};

QTEST_GUILESS_MAIN(tst_joined_round)
#include "tst_joined_round.moc"

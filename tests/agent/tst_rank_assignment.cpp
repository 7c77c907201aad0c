#include "engine/agent/Codes.h"
#include "engine/agent/RankAssignment.h"

#include <QtTest>

using namespace ringmaster;

namespace {

JobSpec jobWithRoles(const std::vector<std::string>& names)
{
    JobSpec spec;
    spec.roles.clear();
    for (const std::string& name : names)
        spec.roles.push_back({.name = name});
    return spec;
}

} // namespace

class tst_rank_assignment : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void countsOneRoleFromTheNodesBase()
    {
        const NodeOffer offer = offerOf(jobWithRoles({"reader"}), {2});
        const auto workers = assignRanks(offer, {.worldSize = 3, .places = {{"reader", 1, 0, 2}}});
        QVERIFY(workers.has_value());
        QCOMPARE(workers->size(), size_t{2});
        QCOMPARE(workers->at(1).globalRank, 2);
        QCOMPARE(workers->at(1).localRank, 1);
        QCOMPARE(workers->at(1).roleRank, 1);
        QCOMPARE(workers->at(1).roleWorldSize, 2);
        QCOMPARE(workers->at(1).role, std::string("reader"));
    }

    void keepsTheOrderOfTheRolesAndCountsLocalRanksOverTheNode()
    {
        const NodeOffer offer = offerOf(jobWithRoles({"master", "worker"}), {1, 3});
        const auto workers = assignRanks(
            offer, {.worldSize = 8, .places = {{"master", 4, 1, 2}, {"worker", 5, 3, 6}}});
        QVERIFY(workers.has_value());
        QCOMPARE(workers->size(), size_t{4});
        for (int local = 0; local < 4; ++local) {
            QCOMPARE(workers->at(static_cast<size_t>(local)).localRank, local);
            QCOMPARE(workers->at(static_cast<size_t>(local)).globalRank, 4 + local);
        }
        QCOMPARE(workers->at(0).role, std::string("master"));
        QCOMPARE(workers->at(0).roleRank, 1);
        QCOMPARE(workers->at(0).roleWorldSize, 2);
        QCOMPARE(workers->at(3).role, std::string("worker"));
        QCOMPARE(workers->at(3).roleRank, 5);
        QCOMPARE(workers->at(3).roleWorldSize, 6);
    }

    void leavesOutARoleWithoutWorkersHere()
    {
        const NodeOffer offer = offerOf(jobWithRoles({"master", "worker"}), {0, 1});
        const auto workers = assignRanks(
            offer, {.worldSize = 2, .places = {{"master", 1, 1, 1}, {"worker", 1, 0, 1}}});
        QVERIFY(workers.has_value());
        QCOMPARE(workers->size(), size_t{1});
        QCOMPARE(workers->at(0).role, std::string("worker"));
        QCOMPARE(workers->at(0).localRank, 0);
    }

    void refusesARoundThatDoesNotFit()
    {
        const NodeOffer offer = offerOf(jobWithRoles({"master", "worker"}), {1, 1});
        const auto workers = assignRanks(offer, {.places = {{"master", 0, 0, 1}}});
        QVERIFY(!workers.has_value());
        QVERIFY(workers.error().code == code::RoundDoesNotFit);
    }
};

QTEST_GUILESS_MAIN(tst_rank_assignment)
#include "tst_rank_assignment.moc"

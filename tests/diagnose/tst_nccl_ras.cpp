#include "Scenario.h"
#include "engine/diagnose/Diagnosis.h"
#include "engine/diagnose/NcclRas.h"
#include "engine/diagnose/NcclWitness.h"
#include "tests/support/NcclRasAnswer.h"

#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::diagnose;
using test::rasAnswer;

namespace {

/// Rank 2 of three never comes to what the others call with nccl.
Scenario absence()
{
    Scenario scenario(3);
    const Scenario::Call call{.backend = ledger::Backend::Nccl};
    scenario.together(1, call);
    for (const int rank : {0, 1})
        scenario.enter(rank, 2, call);
    return scenario;
}

/// The ranks have launched so many, and as many when RAS was asked before.
void told(Scenario& scenario, const std::vector<std::uint64_t>& launched,
          const std::string& communicator = "c")
{
    for (size_t rank = 0; rank < launched.size(); ++rank)
        scenario.process(static_cast<int>(rank))
            .nccl.push_back({.communicator = communicator,
                             .rank = static_cast<int>(rank),
                             .size = static_cast<int>(launched.size()),
                             .launched = launched[rank],
                             .isStill = true});
}

/// What is said beside the only wait.
QStringList witnessIn(const Scenario& scenario)
{
    Diagnosis diagnosis;
    diagnosis.begin(1, 3);
    const std::vector<Verdict> verdicts = diagnosis.look(scenario.views(), Scenario::at(10));
    if (verdicts.size() != 1)
        return {QStringLiteral("%1 verdicts").arg(verdicts.size())};
    QStringList texts;
    for (const Message& message : verdicts.front().evidence) {
        const QString text = QString::fromStdString(describe(message));
        if (text.contains(QStringLiteral("RAS")))
            texts += text;
    }
    return texts;
}

} // namespace

/// NCCL's own witness: what its RAS answers, and how that stands beside what was recorded.
class tst_nccl_ras : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsWhatEachProcessHasLaunched()
    {
        const auto report = readNcclRasReport(rasAnswer({{{10, 31}, {11, 31}}, {12}}));
        QVERIFY(report.has_value());
        QCOMPARE(report->processes.size(), size_t(3));
        const std::vector<NcclMember> members = report->membersOf(11);
        QCOMPARE(members.size(), size_t(1));
        QCOMPARE(members[0].rank, 1);
        QCOMPARE(members[0].size, 3);
        QCOMPARE(members[0].launched, std::uint64_t(31 + 2));
        QVERIFY(!members[0].isUnresponsive && !members[0].isStill);
        QVERIFY(report->membersOf(12).at(0).isUnresponsive);
        QVERIFY(report->membersOf(13).empty());
    }

    void whoHasLaunchedAsManyAsBeforeIsStill()
    {
        auto report = readNcclRasReport(rasAnswer({{{10, 31}, {11, 31}}, {}})).value();
        report.compareWith(readNcclRasReport(rasAnswer({{{10, 31}, {11, 30}}, {}})).value());
        QVERIFY(report.membersOf(10).at(0).isStill);
        QVERIFY(!report.membersOf(11).at(0).isStill);
    }

    /// A process of two hosts with one pid is nobody's.
    void aPidIsOfOneHost()
    {
        NcclRasReport report;
        report.processes = {{"10.0.0.1", 7, {.communicator = "a"}},
                            {"10.0.0.1", 7, {.communicator = "b"}}};
        QCOMPARE(report.membersOf(7).size(), size_t(2));
        report.processes.push_back({"10.0.0.2", 7, {.communicator = "a"}});
        QVERIFY(report.membersOf(7).empty());
    }

    void nothingElseIsAnAnswer_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("a text") << QByteArray("NCCL version 2.24.3 compiled with CUDA 12.6");
        QTest::newRow("cut off") << QByteArray(R"({"communicators": [{"hash": "0x1")");
        QTest::newRow("another object") << QByteArray(R"({"ranks": []})");
        QTest::newRow("no list") << QByteArray(R"({"communicators": {"hash": 1}})");
        QTest::newRow("too deep") << QByteArray(100'000, '[') + QByteArray(100'000, ']');
    }

    void nothingElseIsAnAnswer()
    {
        QFETCH(QByteArray, text);
        QVERIFY(!readNcclRasReport(text.toStdString()));
    }

    void whatIsOfNoUseIsLeftOut()
    {
        const auto report = readNcclRasReport(
            R"({"communicators": [7, {"hash": 5, "ranks": [null, {"rank": -3, "pid": 4},
                {"rank": 0, "pid": "x"}, {"rank": 0, "pid": 9, "collective_counts": {"A": "a", "B": -1, "C": 2}}]}]})");
        QVERIFY(report.has_value());
        QCOMPARE(report->processes.size(), size_t(1));
        QCOMPARE(report->membersOf(9).at(0).launched, std::uint64_t(2));
    }

    void itListensWhereTheVariableSays_data()
    {
        QTest::addColumn<QByteArray>("variable");
        QTest::addColumn<int>("port"); // 0: it isn't asked
        QTest::newRow("NCCL's own") << QByteArray() << 28028;
        QTest::newRow("a port") << QByteArray("localhost:4711") << 4711;
        QTest::newRow("IPv4") << QByteArray("127.0.0.1:4711") << 4711;
        QTest::newRow("IPv6") << QByteArray("[::1]:4711") << 4711;
        QTest::newRow("elsewhere") << QByteArray("10.0.0.3:4711") << 0;
        QTest::newRow("no port") << QByteArray("localhost") << 0;
        QTest::newRow("too high") << QByteArray("localhost:70000") << 0;
        QTest::newRow("more than a number") << QByteArray("localhost:1x") << 0;
    }

    void itListensWhereTheVariableSays()
    {
        QFETCH(QByteArray, variable);
        QFETCH(int, port);
        const auto address = ncclRasAddressOf("1", variable.toStdString());
        QCOMPARE(address ? int(address->port) : 0, port);
        QCOMPARE(address && address->isIpv6, variable.startsWith("["));
        QVERIFY(!ncclRasAddressOf("0", variable.toStdString()));
    }

    void itAgrees()
    {
        Scenario scenario = absence();
        told(scenario, {31, 31, 30});
        QCOMPARE(witnessIn(scenario),
                 QStringList("NCCL's RAS says the same: rank 2 has launched fewer collectives (30) "
                             "than ranks 0 and 1 (31)."));
    }

    void itDisagrees()
    {
        Scenario scenario = absence();
        told(scenario, {30, 31, 31});
        QCOMPARE(witnessIn(scenario),
                 QStringList("NCCL's RAS says something else: rank 0 has launched fewer "
                             "collectives (30) than ranks 1 and 2 (31)."));
        scenario = absence();
        told(scenario, {31, 31, 31});
        QCOMPARE(witnessIn(scenario),
                 QStringList("NCCL's RAS says something else: ranks 0-2 have launched as many "
                             "collectives as each other (31)."));
    }

    void whoDoesNotAnswerItIsNamed()
    {
        Scenario scenario = absence();
        told(scenario, {31, 31, 0});
        scenario.process(2).nccl[0] = {
            .communicator = "c", .rank = 2, .size = 3, .isUnresponsive = true};
        QCOMPARE(witnessIn(scenario), QStringList("NCCL's RAS gets no answer of rank 2."));
    }

    void aGroupOfTheSameMembersSaysNothingElse()
    {
        Scenario scenario = absence();
        told(scenario, {31, 31, 30});
        told(scenario, {5, 5, 5}, "another");
        QCOMPARE(witnessIn(scenario).size(), 1);
        QVERIFY(witnessIn(scenario).front().contains(QStringLiteral("says the same")));
    }

    void whatMovesOrIsNotWholeIsNoWitness()
    {
        Scenario moving = absence();
        told(moving, {31, 31, 30});
        moving.process(0).nccl[0].isStill = false;
        QVERIFY(witnessIn(moving).isEmpty());
        Scenario part = absence();
        told(part, {31, 31, 30});
        part.process(1).nccl.clear();
        QVERIFY(witnessIn(part).isEmpty());
        Scenario smaller = absence();
        told(smaller, {31, 31, 30});
        for (const int rank : {0, 1, 2})
            smaller.process(rank).nccl[0].size = 2;
        QVERIFY(witnessIn(smaller).isEmpty());
    }

    void anotherBackendIsNotItsConcern()
    {
        Scenario scenario(3);
        scenario.together(1, {});
        for (const int rank : {0, 1})
            scenario.enter(rank, 2, {});
        told(scenario, {31, 31, 30});
        QVERIFY(witnessIn(scenario).isEmpty());
    }
};

QTEST_GUILESS_MAIN(tst_nccl_ras)
#include "tst_nccl_ras.moc"

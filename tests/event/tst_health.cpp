#include "engine/base/Codes.h"
#include "engine/event/Codes.h"
#include "engine/event/Health.h"
#include "tests/event/EventSamples.h"

#include <QtTest>

using namespace ringmaster;

namespace {

using Kind = Verdict::Kind;

/// Four ranks that run, and what was told of them since.
RunSnapshot ranksAfter(std::vector<EventBody> bodies)
{
    std::vector<EventBody> all{
        RunStarted{.name = "demo", .maxRestarts = 3},
        AttemptStarted{.worldSize = 4, .workers = {{0, 0}, {1, 1}, {2, 2}, {3, 3}}},
        RunStateChanged{.state = RunState::Running}};
    for (const int rank : {0, 1, 2, 3})
        all.emplace_back(WorkerStateChanged{.globalRank = rank, .state = WorkerState::Healthy});
    all.insert(all.end(), bodies.begin(), bodies.end());
    RunSnapshot snapshot;
    std::uint64_t sequence = 0;
    for (EventBody& body : all)
        snapshot.apply(samples::event(++sequence, std::move(body)));
    return snapshot;
}

Verdict says(Kind kind, std::vector<int> guilty, std::vector<int> waiting = {},
             std::vector<int> stopped = {})
{
    static std::uint64_t id = 0;
    return {.id = ++id,
            .kind = kind,
            .guilty = std::move(guilty),
            .waiting = std::move(waiting),
            .stopped = std::move(stopped),
            .statement = {code::TimedOut, {{"what", "it"}}, {}}};
}

QString wordsOf(const RunSnapshot& run)
{
    const RankHealth health(run);
    QStringList words{QString::fromUtf8(nameOf(healthOf(run).health))};
    for (const WorkerSnapshot& worker : run.workers)
        words << QString::fromUtf8(nameOf(health.of(worker)));
    return words.join(QStringLiteral(", "));
}

std::vector<EventBody> imports(std::vector<int> ranks, bool isImporting)
{
    std::vector<EventBody> bodies;
    for (const int rank : ranks)
        bodies.emplace_back(WorkerImporting{.globalRank = rank, .isImporting = isImporting});
    return bodies;
}

RunStateChanged readFromFiles()
{
    return {.state = RunState::Lost, .reason = {code::ImportedEndUnknown, {}, {}}};
}

WorkerExited exits(int rank, int code, bool byAgent = false)
{
    return {.globalRank = rank, .status = {.code = code}, .endedByAgent = byAgent};
}

} // namespace

class tst_health : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isOneWordForTheJobAndForEachRank_data()
    {
        using Bodies = std::vector<EventBody>;
        QTest::addColumn<Bodies>("bodies");
        QTest::addColumn<QString>("words"); // of the job, then of each rank
        const auto row = [](const char* name, Bodies bodies, const char* words) {
            QTest::newRow(name) << std::move(bodies) << QString(words);
        };
        row("nothing is said", {}, "running, running, running, running, running");
        row("all import torch", imports({0, 1, 2, 3}, true),
            "starting, starting, starting, starting, starting");
        row("some import torch still", imports({1, 3}, true),
            "running, running, starting, running, starting");
        row(
            "all have imported torch",
            [] {
                Bodies bodies = imports({0, 1, 2, 3}, true);
                const Bodies after = imports({0, 1, 2, 3}, false);
                bodies.insert(bodies.end(), after.begin(), after.end());
                return bodies;
            }(),
            "running, running, running, running, running");
        row("one ended while it imported torch",
            {WorkerImporting{.globalRank = 1, .isImporting = true}, exits(1, 1)},
            "running, running, failed, running, running");
        row("one that has ended imports nothing",
            {exits(1, 1), WorkerImporting{.globalRank = 1, .isImporting = true}},
            "running, running, failed, running, running");
        row("ranks wait for one that computes", {says(Kind::Waiting, {2}, {0, 1, 3})},
            "waiting, waiting, waiting, running, waiting");
        row("ranks wait for one that does nothing", {says(Kind::Hang, {2}, {0, 1, 3})},
            "hanging, waiting, waiting, hanging, waiting");
        row("ranks wait for one that is stopped", {says(Kind::Hang, {2}, {0, 1, 3}, {2})},
            "hanging, waiting, waiting, stopped, waiting");
        row("a circle", {says(Kind::Hang, {0, 1})}, "hanging, hanging, hanging, running, running");
        row("a straggler", {says(Kind::Straggler, {3})}, "slow, running, running, running, slow");
        row("a slow wire names no rank", {says(Kind::SlowWire, {0, 1})},
            "slow, running, running, running, running");
        row("the weightier has the word",
            {says(Kind::Straggler, {3}), says(Kind::Hang, {3}, {0, 1, 2})},
            "hanging, waiting, waiting, waiting, hanging");
        row("calls that don't fit, and nobody waits", {says(Kind::Mismatch, {1})},
            "running, running, running, running, running");
        row("calls that don't fit, and ranks wait since", {says(Kind::Mismatch, {1}, {0, 2})},
            "hanging, waiting, hanging, waiting, running");
        row("a survived mismatch hides no straggler",
            {says(Kind::Mismatch, {1}), says(Kind::Straggler, {2})},
            "slow, running, running, slow, running");
        row("a rank has failed, another was ended", {exits(1, 1), exits(2, 0, false)},
            "running, running, failed, finished, running");
        row("failed",
            {exits(1, 1),
             WorkerExited{.globalRank = 0, .status = {.signal = 15}, .endedByAgent = true},
             samples::state(RunState::Failed)},
            "failed, ended, failed, running, running");
        row("stopped by the user while it hung",
            {says(Kind::Hang, {2}, {0}),
             WorkerExited{.globalRank = 0, .status = {.signal = 15}, .endedByAgent = true},
             samples::state(RunState::Stopped)},
            "stopped by you, stopped by you, running, hanging, running");
        row("restarting", {says(Kind::Hang, {2}, {0}), samples::state(RunState::Restarting)},
            "restarting, waiting, running, hanging, running");
        row("lost", {samples::state(RunState::Lost)}, "lost, lost, lost, lost, lost");
        row("read from files", {readFromFiles()},
            "recorded, recorded, recorded, recorded, recorded");
        row("it hung when the files were written", {says(Kind::Hang, {2}, {0, 1}), readFromFiles()},
            "recorded, waiting, waiting, hanging, recorded");
        row("read from files, which tell of one rank's end",
            {exits(1, 1), WorkerStateChanged{.globalRank = 0, .state = WorkerState::Unknown},
             samples::state(RunState::Failed)},
            "failed, recorded, failed, running, running");
        row("failed, and a host was lost",
            {RunStarted{.jobFile = "program = 'train.py'"}, exits(1, 1),
             WorkerStateChanged{.globalRank = 0, .state = WorkerState::Unknown},
             samples::state(RunState::Failed)},
            "failed, lost, failed, running, running");
        row("the next attempt forgets",
            {says(Kind::Hang, {2}, {0}),
             AttemptStarted{.attempt = 1, .worldSize = 1, .workers = {{0, 0}}}},
            "running, starting");
    }

    void isOneWordForTheJobAndForEachRank()
    {
        QFETCH(std::vector<EventBody>, bodies);
        QFETCH(QString, words);
        QCOMPARE(wordsOf(ranksAfter(bodies)), words);
    }

    void saysSinceWhenAndWhat()
    {
        Verdict verdict = says(Kind::Hang, {2}, {0});
        RunSnapshot run = ranksAfter({verdict});
        QCOMPARE(healthOf(run).since, run.verdicts.front().at);
        QVERIFY(healthOf(run).statement == verdict.statement);

        verdict.sinceNs = run.verdicts.front().at.monotonicNs - 5'000'000'000;
        run = ranksAfter({verdict});
        QCOMPARE(healthOf(run).since.monotonicNs, verdict.sinceNs);
        QCOMPARE(run.verdicts.front().at.wallNs - healthOf(run).since.wallNs, 5'000'000'000);

        run = ranksAfter({});
        QCOMPARE(healthOf(run).since, run.stateSince);
        QVERIFY(healthOf(run).statement == Message{});
    }

    void isReadByItsName()
    {
        for (int i = 0; i <= static_cast<int>(Health::Lost); ++i) {
            const auto health = static_cast<Health>(i);
            QVERIFY(healthFromName(nameOf(health)) == health);
        }
        QVERIFY(!healthFromName("well"));
    }
};

QTEST_GUILESS_MAIN(tst_health)
#include "tst_health.moc"

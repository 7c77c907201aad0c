#include "engine/lead/GatheredOperations.h"
#include "engine/ledger/OperationBlock.h"
#include "engine/record/RunFileReader.h"
#include "tests/support/Nanoseconds.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace ringmaster;

namespace {

constexpr std::int64_t Start = 1'000 * Second; ///< By the lead's clock.
constexpr std::int64_t Ahead = 500 * Second;   ///< Host 2's clock.
constexpr std::int64_t Failed = Start + 13 * Second;

OperationBatch batchOf(int rank, std::vector<Operation> operations)
{
    return {.attempt = 0,
            .rank = rank,
            .operations = std::move(operations),
            .groups = {{.group = 0, .name = "0", .members = {0, 1}}}};
}

/// Times by the lead's clock; 0: it goes on.
Operation operationOf(int rank, std::uint64_t number, std::int64_t enteredNs, std::int64_t endedNs)
{
    const std::int64_t ahead = rank == 1 ? Ahead : 0;
    return {.id = number,
            .kind = ledger::OperationKind::AllReduce,
            .type = ledger::DataType::Float32,
            .outcome = endedNs == 0 ? Operation::Outcome::Running : Operation::Outcome::Done,
            .number = number,
            .bytes = 4,
            .elements = 1,
            .enqueuedNs = enteredNs + ahead,
            .endedNs = endedNs == 0 ? 0 : endedNs + ahead};
}

} // namespace

/// What the lead makes of two hosts' operations, one of which has another clock.
class tst_gathered_operations : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_said.clear();
        m_seenNs = Start + 1000 * Second;
        m_writer = RunFileWriter::open(file(), {.run = "train"}).value();
        m_ranks = std::make_unique<RankActivityCache>();
        m_gathered = std::make_unique<GatheredOperations>(
            *m_writer, *m_ranks, [this](const EventBody& body) {
                if (const auto* verdict = std::get_if<Verdict>(&body))
                    m_said += QString::fromStdString(describe(verdict->statement));
            });
        begin(0);
    }

    void cleanup()
    {
        m_gathered.reset();
        m_writer.reset();
    }

    void theRunFileHasThemByTheLeadsClock()
    {
        train(10);
        m_gathered->finish(Start + 20 * Second);
        QVERIFY(m_writer->finish().has_value());
        const auto page = RunFileReader::open(file()).value().operations().value();
        QCOMPARE(page.rows.size(), size_t(2));
        for (const OperationRow& row : page.rows) {
            const OperationBatch batch = unpackOperations(row.block).value();
            QCOMPARE(batch.operations.size(), size_t(10));
            QVERIFY(batch.operations.front().enqueuedNs >= Start);
            QVERIFY(batch.operations.back().endedNs < Start + 20 * Second);
            QVERIFY(row.firstNs >= Start && row.lastNs < Start + 20 * Second);
        }
    }

    void aStoppedRankOfAnotherHostIsNamed()
    {
        train(10);
        const std::int64_t entered = Start + 11 * Second;
        see(0, diagnose::ProcessView::State::Alive, {operationOf(0, 11, entered, 0)});
        see(1, diagnose::ProcessView::State::Stopped,
            {operationOf(1, 10, Start + 10 * Second, Start + 10 * Second + 1000)});
        look(entered + 5 * Second);
        QVERIFY2(m_said.join('\n').contains("for rank 1, which is stopped"),
                 qPrintable(m_said.join('\n')));
    }

    /// Who waits for it is about to hear of its end.
    void oneThatWasSeenDeadJustNowIsNotJudged()
    {
        train(10);
        const std::int64_t entered = Start + 11 * Second;
        const auto seen = [&](std::int64_t afterNs) {
            m_seenNs = entered + afterNs;
            see(0, diagnose::ProcessView::State::Alive, {operationOf(0, 11, entered, 0)});
            see(1, diagnose::ProcessView::State::Dead, {});
            look(entered + afterNs);
        };
        seen(4 * Second);
        QVERIFY2(!m_said.join('\n').contains("has ended"), qPrintable(m_said.join('\n')));
        seen(6 * Second);
        QVERIFY2(m_said.join('\n').contains("for rank 1, which has ended"),
                 qPrintable(m_said.join('\n')));
    }

    /// Its link is cut: nobody knows what its ranks did since then.
    void whoIsNotHeardOfIsNotJudged()
    {
        train(10);
        const std::int64_t entered = Start + 11 * Second;
        const auto see0Waiting = [&] {
            see(0, diagnose::ProcessView::State::Alive, {operationOf(0, 11, entered, 0)});
        };
        m_seenNs = entered;
        see(1, diagnose::ProcessView::State::Alive, {});
        m_seenNs = entered + 10 * Second;
        see0Waiting();
        look(entered + 10 * Second);
        QVERIFY2(m_said.isEmpty(), qPrintable(m_said.join('\n')));
        see(1, diagnose::ProcessView::State::Alive, {});
        look(entered + 11 * Second);
        QVERIFY2(m_said.size() == 1 && m_said[0].contains("for rank 1"),
                 qPrintable(m_said.join('\n')));
        // What has been said stands until something else is known.
        m_seenNs = entered + 30 * Second;
        see0Waiting();
        look(entered + 30 * Second);
        QCOMPARE(m_said.size(), 1);
        const std::int64_t over = entered + 25 * Second;
        see(0, diagnose::ProcessView::State::Alive, {operationOf(0, 11, entered, over)});
        see(1, diagnose::ProcessView::State::Alive, {operationOf(1, 11, over - 1000, over)});
        look(entered + 32 * Second);
        QCOMPARE(m_said.size(), 2);
    }

    void whatIsSaidAsItsRanksAreEndedStays()
    {
        train(10);
        const std::int64_t entered = Start + 11 * Second;
        see(0, diagnose::ProcessView::State::Alive, {operationOf(0, 11, entered, 0)});
        see(1, diagnose::ProcessView::State::Alive, {});
        look(entered + 4 * Second);
        m_said.clear();
        m_gathered->stopping(entered + 7 * Second);
        QVERIFY2(m_said.size() == 1 &&
                     m_said[0].contains("Rank 0 has waited 7.0 s in all_reduce "
                                        "#11 (float32, 1 elements, group default) for rank 1"),
                 qPrintable(m_said.join('\n')));
        // What comes of the signals isn't judged.
        see(0, diagnose::ProcessView::State::Dead, {});
        look(entered + 60 * Second);
        m_gathered->finish(entered + 61 * Second);
        QCOMPARE(m_said.size(), 1);
    }

    void theNextAttemptIsLookedAtAgain()
    {
        train(10);
        m_gathered->stopping(Start + 11 * Second);
        QVERIFY(m_said.isEmpty());
        begin(1);
        const std::int64_t entered = Start + 20 * Second;
        see(0, diagnose::ProcessView::State::Alive, {operationOf(0, 1, entered, 0)}, 0, 1);
        see(1, diagnose::ProcessView::State::Stopped, {}, 0, 1);
        look(entered + 5 * Second);
        QVERIFY2(m_said.join('\n').contains("for rank 1, which is stopped"),
                 qPrintable(m_said.join('\n')));
    }

    void whoEndedWithoutWhatTheOthersCalledIsNamed()
    {
        train(10);
        exits(1, 0);
        look(Start + 12 * Second);
        QVERIFY2(m_said.isEmpty(), qPrintable(m_said.join('\n')));
        Operation failed =
            operationOf(0, 11, Start + 11 * Second, Start + 11 * Second + Second / 10);
        failed.outcome = Operation::Outcome::Failed;
        see(0, diagnose::ProcessView::State::Alive, {failed});
        exits(0, 1);
        m_gathered->finish(Start + 15 * Second);
        QVERIFY2(m_said.size() == 1 &&
                     m_said[0].contains("Rank 1 ended without all_reduce #11 of group default, "
                                        "which rank 0 called"),
                 qPrintable(m_said.join('\n')));
    }

    void whoFailedItselfIsNotSaidToHaveLeft()
    {
        train(10);
        Operation failed =
            operationOf(0, 11, Start + 11 * Second, Start + 11 * Second + Second / 10);
        failed.outcome = Operation::Outcome::Failed;
        see(0, diagnose::ProcessView::State::Alive, {failed});
        exits(1, 1);
        exits(0, 1);
        m_gathered->finish(Start + 15 * Second);
        QCOMPARE(m_said.join('\n'), QString());
    }

    void whatComesLateIsWaitedFor_data()
    {
        QTest::addColumn<bool>("hasCalled"); ///< As becomes known late.
        QTest::newRow("it had called it") << true;
        QTest::newRow("it had left before") << false;
    }

    /// Host 2 is slow to say what its rank did last.
    void whatComesLateIsWaitedFor()
    {
        QFETCH(const bool, hasCalled);
        failAtEleven();
        m_gathered->allCame("1", OperationGatherer::AtItsEnd);
        m_gathered->allCame("2", Failed - Second);
        look(Failed + 2 * Second);
        QVERIFY2(m_said.isEmpty(), qPrintable(m_said.join('\n')));
        if (hasCalled)
            come(1, {operationOf(1, 11, Start + 11 * Second, Start + 11 * Second + 1000)});
        m_gathered->allCame("2", Failed + 2 * Second);
        look(Failed + 4 * Second);
        QVERIFY2(m_said.size() == (hasCalled ? 0 : 1), qPrintable(m_said.join('\n')));
    }

    void whoDoesNotAnswerIsNotWaitedForLong()
    {
        failAtEleven();
        m_gathered->allCame("1", Failed + 2 * Second);
        look(Failed + 3 * Second);
        QVERIFY2(m_said.isEmpty(), qPrintable(m_said.join('\n')));
        look(Failed + 5 * Second);
        QCOMPARE(m_said.size(), 1);
    }

    void theNextAttemptEndsTheWait_data()
    {
        QTest::addColumn<int>("after"); ///< Milliseconds.
        QTest::addColumn<int>("said");
        QTest::newRow("what came in time counts") << 2000 << 1;
        QTest::newRow("nothing can have come yet") << 500 << 0;
    }

    void theNextAttemptEndsTheWait()
    {
        QFETCH(const int, after);
        QFETCH(const int, said);
        failAtEleven();
        begin(1, Failed + after * (Second / 1000));
        QCOMPARE(m_said.size(), said);
        look(Failed + 10 * Second);
        QCOMPARE(m_said.size(), said);
    }

    void whatHasEndedIsNoWait()
    {
        train(10);
        // Seen before its end came from the file, told after.
        see(0, diagnose::ProcessView::State::Alive, {operationOf(0, 10, Start + 10 * Second, 0)});
        // Over meanwhile, and the file doesn't have it yet.
        see(0, diagnose::ProcessView::State::Alive, {operationOf(0, 11, Start + 11 * Second, 0)});
        see(0, diagnose::ProcessView::State::Alive, {});
        see(1, diagnose::ProcessView::State::Alive, {});
        look(Start + 60 * Second);
        QCOMPARE(m_said.join('\n'), QString());
    }

    /// Its operations are counted anew, and so are the ids of what it was before no longer its own.
    void aRankThatReplacedItselfBeginsAnew()
    {
        train(10);
        const std::int64_t entered = Start + 12 * Second;
        Operation first = operationOf(0, 1, entered, 0);
        first.id = 11;
        see(0, diagnose::ProcessView::State::Alive, {first}, 11);
        see(1, diagnose::ProcessView::State::Stopped, {}, 11);
        train(10); // told late, of the process before
        look(entered + 5 * Second);
        QVERIFY2(
            m_said.join('\n').contains("it waits in all_reduce #1 of group default for rank 1, "
                                       "which is stopped"),
            qPrintable(m_said.join('\n')));
    }

    void whoAsksSeesWhereTheRanksAre()
    {
        QVERIFY(m_ranks->read({}).empty());
        see(1, diagnose::ProcessView::State::Alive, {operationOf(1, 7, Start + Second, 0)});
        look(Start + 2 * Second);
        const std::vector<RankActivity> ranks = m_ranks->read({1});
        QCOMPARE(ranks.size(), size_t(1));
        QCOMPARE(ranks[0].rank, 1);
        QCOMPARE(ranks[0].now.operations.at(0).enqueuedNs, Start + Second);
        QCOMPARE(m_ranks->stacksWanted(), std::vector<int>{1});
    }

    void nonsenseOfAnAgentIsLeftOut()
    {
        m_gathered->operationsCame("1", {.attempt = 0, .globalRank = 0, .block = "nonsense"});
        m_gathered->operationsCame("1",
                                   {.attempt = 7, .globalRank = 99, .block = packOperations({})});
        m_gathered->ranksSeen("9", {{.rank = 0, .attempt = 0}});
        look(Start + 2 * Second);
        QVERIFY(m_said.isEmpty());
    }

private:
    std::filesystem::path file() const
    {
        return std::filesystem::path(m_folder->path().toStdString()) / "run.ringrun";
    }

    void begin(int number, std::int64_t nowNs = Start)
    {
        for (int rank = 0; rank < 2; ++rank) {
            const std::string agent = std::to_string(rank + 1);
            AttemptStarted attempt{.attempt = number, .worldSize = 2};
            attempt.workers.push_back({.globalRank = rank});
            m_gathered->happened(agent, "lab" + agent, attempt, nowNs);
            m_gathered->measured(
                {.agent = agent, .monotonicOffsetNs = rank == 1 ? Ahead : 0, .boundNs = 200'000},
                Start);
        }
    }

    void train(std::uint64_t steps)
    {
        for (int rank = 0; rank < 2; ++rank) {
            std::vector<Operation> operations;
            for (std::uint64_t step = 1; step <= steps; ++step) {
                const std::int64_t at = Start + static_cast<std::int64_t>(step) * Second;
                operations.push_back(operationOf(rank, step, at, at + 1000));
            }
            come(rank, std::move(operations));
        }
    }

    /// From the file of its agent.
    void come(int rank, std::vector<Operation> operations)
    {
        const OperationBatch batch = batchOf(rank, std::move(operations));
        m_gathered->operationsCame(std::to_string(rank + 1), {.attempt = 0,
                                                              .globalRank = rank,
                                                              .count = batch.operations.size(),
                                                              .block = packOperations(batch)});
    }

    /// Rank 1 ends well after ten operations, as far as is known; the eleventh fails for rank 0.
    void failAtEleven()
    {
        train(10);
        exits(1, 0);
        const std::int64_t entered = Start + 11 * Second;
        Operation failed = operationOf(0, 11, entered, entered + Second / 10);
        failed.outcome = Operation::Outcome::Failed;
        see(0, diagnose::ProcessView::State::Alive, {failed});
        exits(0, 1);
    }

    void see(int rank, diagnose::ProcessView::State state, std::vector<Operation> operations,
             std::uint64_t firstOperation = 0, int attempt = 0)
    {
        m_gathered->ranksSeen(std::to_string(rank + 1),
                              {{.rank = rank,
                                .attempt = attempt,
                                .isRecorded = true,
                                .process = {.state = state, .pid = 100 + rank},
                                .now = batchOf(rank, std::move(operations)),
                                .firstOperation = firstOperation,
                                .seenNs = m_seenNs + (rank == 1 ? Ahead : 0)}});
    }

    void exits(int rank, int code)
    {
        WorkerExited exit{.globalRank = rank, .pid = 100 + rank};
        exit.status = {code, 0, false};
        m_gathered->happened(std::to_string(rank + 1), "host", exit, Failed);
    }

    void look(std::int64_t nowNs)
    {
        m_gathered->look(nowNs);
        m_gathered->look(nowNs + Second);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunFileWriter> m_writer;
    std::unique_ptr<RankActivityCache> m_ranks;
    std::unique_ptr<GatheredOperations> m_gathered;
    QStringList m_said;
    std::int64_t m_seenNs = 0; ///< All is seen as it was then.
};

QTEST_GUILESS_MAIN(tst_gathered_operations)
#include "tst_gathered_operations.moc"

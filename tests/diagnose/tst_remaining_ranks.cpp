#include "engine/diagnose/Codes.h"
#include "engine/diagnose/Diagnosis.h"
#include "engine/diagnose/RemainingRanks.h"
#include "tests/diagnose/Scenario.h"

#include <QtTest>

#include <functional>

using namespace ringmaster;
using namespace ringmaster::diagnose;

using State = ProcessView::State;
using Arrange = std::function<void(Scenario&)>;
Q_DECLARE_METATYPE(Arrange)

/// Who keeps a run from ending.
class tst_remaining_ranks : public QObject
{
    Q_OBJECT

private:
    static constexpr std::int64_t Second = Scenario::Second;

    /// A job of four that has trained, and then went quiet.
    static Scenario trained()
    {
        Scenario job(4);
        for (int step = 0; step < 5; ++step)
            job.together(step, {});
        return job;
    }

    static void end(Scenario& job, const std::vector<int>& ranks)
    {
        for (const int rank : ranks)
            job.process(rank).state = State::Dead;
    }

    /// Looked at from the end on; what is said after so many seconds of nothing.
    static std::vector<VerdictCandidate> saidAfter(Scenario& job, double seconds,
                                                   const std::vector<VerdictCandidate>& waits = {})
    {
        RemainingRanks remaining;
        for (int rank = 0; rank < 4; ++rank)
            job.process(rank).idleNs = 0;
        (void)remaining.look(job.views(), Scenario::at(10), waits);
        for (int rank = 0; rank < 4; ++rank)
            job.process(rank).idleNs = static_cast<std::int64_t>(seconds * double(Second));
        return remaining.look(job.views(), Scenario::at(10 + seconds), waits);
    }

private Q_SLOTS:
    void whoRemainsIsNamed_data()
    {
        QTest::addColumn<Arrange>("arrange");
        QTest::addColumn<QString>("statement");
        QTest::addColumn<QList<int>>("guilty");
        QTest::newRow("one goes on") << Arrange([](Scenario& job) {
            end(job, {0, 1, 3});
        })
                                     << "Rank 2 keeps the run from ending: it has done nothing for "
                                        "12.0 s, and ranks 0, 1 and 3 have ended."
                                     << QList<int>{2};
        QTest::newRow("several go on") << Arrange([](Scenario& job) { end(job, {1}); })
                                       << "Ranks 0, 2 and 3 keep the run from ending: they have "
                                          "done nothing for 12.0 s, and rank 1 has ended."
                                       << QList<int>{0, 2, 3};
        QTest::newRow("stopped") << Arrange([](Scenario& job) {
            end(job, {0, 1, 3});
            job.process(2).state = State::Stopped;
        }) << "Rank 2 keeps the run from ending: it is stopped, and ranks 0, 1 and 3 have ended."
                                 << QList<int>{2};
        QTest::newRow("a thread") << Arrange([](Scenario& job) {
            end(job, {0, 1, 3});
            job.process(2).threadsLeft = {{code::ThreadLeft, {{"rank", "2"}}, {}}};
        })
                                  << "The main program of rank 2 has ended, but its process goes "
                                     "on for a thread that has "
                                     "done nothing for 12.0 s."
                                  << QList<int>{2};
        QTest::newRow("threads of all")
            << Arrange([](Scenario& job) {
                   for (int rank = 0; rank < 4; ++rank)
                       job.process(rank).threadsLeft = {{code::ThreadLeft, {}, {}}};
               })
            << "The main program of ranks 0-3 has ended, but their processes go on for a thread "
               "that has done nothing for 12.0 s."
            << QList<int>{0, 1, 2, 3};
        QTest::newRow("one left early")
            << Arrange([](Scenario& job) {
                   for (const int rank : {0, 2, 3})
                       job.fail(rank, 7, job.enter(rank, 6, {}));
                   end(job, {1});
               })
            << "Rank 1 ended without all_reduce #6 of group default, which ranks 0, 2 and 3 "
               "called; "
               "it failed there, and ranks 0, 2 and 3 have done nothing for 12.0 s."
            << QList<int>{1};
    }
    void whoRemainsIsNamed()
    {
        QFETCH(Arrange, arrange);
        QFETCH(QString, statement);
        QFETCH(QList<int>, guilty);
        Scenario job = trained();
        arrange(job);
        QVERIFY(saidAfter(job, 9).empty());
        const auto said = saidAfter(job, 12);
        QCOMPARE(said.size(), size_t(1));
        const Verdict& verdict = said[0].verdict;
        QCOMPARE(QString::fromStdString(describe(verdict.statement)), statement);
        QCOMPARE(QList<int>(verdict.guilty.begin(), verdict.guilty.end()), guilty);
        QVERIFY(verdict.kind == Verdict::Kind::Waiting);
        QVERIFY(!verdict.evidence.empty() && verdict.remedy.code != code::None);
    }

    void nothingIsSaidOf_data()
    {
        QTest::addColumn<Arrange>("arrange");
        QTest::newRow("all go on") << Arrange([](Scenario&) {});
        QTest::newRow("all have ended") << Arrange([](Scenario& job) { end(job, {0, 1, 2, 3}); });
        QTest::newRow("one is in an operation") << Arrange([](Scenario& job) {
            end(job, {0, 1, 3});
            job.enter(2, 6, {});
        });
        QTest::newRow("one isn't known") << Arrange([](Scenario& job) {
            end(job, {0, 1});
            job.process(3).state = State::Unknown;
        });
    }
    void nothingIsSaidOf()
    {
        QFETCH(Arrange, arrange);
        Scenario job = trained();
        arrange(job);
        QVERIFY(saidAfter(job, 12).empty());
    }

    /// A caller goes on before the backend's thread says that its operation is over: who ends at
    /// once ends that thread, too.
    void whoEndedRightAfterACallIsInNone()
    {
        Scenario job = trained();
        std::vector<std::uint64_t> calls;
        for (int rank = 0; rank < 4; ++rank)
            calls.push_back(job.enter(rank, 6, {}));
        for (const int rank : {0, 1, 3})
            job.leave(rank, 6.01, calls[static_cast<size_t>(rank)]);
        end(job, {2});
        Diagnosis diagnosis;
        diagnosis.begin(0);
        QStringList said;
        for (int second = 0; second <= 20; ++second) {
            for (const int rank : {0, 1, 3})
                job.process(rank).idleNs = second * Second;
            for (const Verdict& verdict : diagnosis.look(job.views(), Scenario::at(10 + second)))
                said += QString::fromStdString(describe(verdict.statement));
        }
        QCOMPARE(said.join('\n'),
                 QString("Ranks 0, 1 and 3 keep the run from ending: they have done "
                         "nothing for 10.0 s, and rank 2 has ended."));
    }

    void whoWorksOrWaitsIsntSaidToDoNothing()
    {
        Scenario job = trained();
        end(job, {0, 1, 3});
        QVERIFY(saidAfter(job, 12, {{.key = "wait"}}).empty());
        RemainingRanks remaining;
        (void)remaining.look(job.views(), Scenario::at(10), {});
        job.process(2).idleNs = Second; // it writes its checkpoint
        QVERIFY(remaining.look(job.views(), Scenario::at(60), {}).empty());
    }
};

QTEST_GUILESS_MAIN(tst_remaining_ranks)
#include "tst_remaining_ranks.moc"

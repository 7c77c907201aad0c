#include "tests/collective/RankProcesses.h"

#include <QElapsedTimer>
#include <QtTest>

#include <csignal>

using ringmaster::ring::testing::RankProcesses;

class tst_ring_death : public QObject
{
    Q_OBJECT

    qint64 m_longest = 0;

    /// The victim is gone; every other rank must say so, long before the deadline of two minutes.
    void checkSurvivors(RankProcesses& ranks, int victim)
    {
        QElapsedTimer sinceDeath;
        sinceDeath.start();
        for (int rank = 0; rank < ranks.size(); ++rank) {
            if (rank == victim)
                continue;
            QVERIFY2(ranks.waitFor(rank), qPrintable(QString("rank %1 hangs").arg(rank)));
            const QString line = ranks.lastLine(rank);
            QVERIFY2(line == QString("CollectivePeerDied %1").arg(victim),
                     qPrintable(QString("rank %1: %2").arg(rank).arg(line)));
        }
        m_longest = std::max(m_longest, sinceDeath.elapsed());
    }

private Q_SLOTS:
    void aKilledRankIsNamedInEveryPhase_data()
    {
        QTest::addColumn<QString>("hosts");
        QTest::addColumn<QString>("operation");
        QTest::addColumn<QString>("algorithm");
        const auto add = [](const char* hosts, const char* operation, const char* algorithm) {
            QTest::addRow("%s, %s, %s", hosts, operation, algorithm)
                << hosts << operation << algorithm;
        };
        for (const char* operation :
             {"all_reduce", "reduce", "broadcast", "all_gather", "reduce_scatter"}) {
            add("aaaa", operation, "ring");
            add("aaaa", operation, "direct");
        }
        for (const char* operation : {"all_reduce", "reduce", "broadcast"})
            add("aaaa", operation, "tree");
        for (const char* operation : {"scatter", "gather", "all_to_all", "barrier", "message"})
            add("aaaa", operation, "auto");
        // Over a network each operation goes through channels, whatever its way.
        for (const char* algorithm : {"ring", "tree", "direct"})
            add("aabb", "all_reduce", algorithm);
        for (const char* operation : {"reduce", "broadcast", "all_gather", "reduce_scatter"})
            add("aabb", operation, "ring");
        for (const char* operation : {"scatter", "gather", "all_to_all", "barrier", "message"})
            add("aabb", operation, "auto");
    }

    void aKilledRankIsNamedInEveryPhase()
    {
        QFETCH(QString, hosts);
        QFETCH(QString, operation);
        QFETCH(QString, algorithm);
        // Before the first operation, at its first chunk, in its middle, and in a later one. Both
        // the rank that others find their memory through and one that only takes part.
        for (const int chunk : {0, 1, 6, 23}) {
            const int victim = chunk % 2 == 0 ? 1 : 2;
            RankProcesses ranks(hosts, operation, algorithm, 400'000, victim, chunk);
            QVERIFY(ranks.allJoined());
            QVERIFY(ranks.waitFor(victim));
            QCOMPARE(ranks[victim].exitStatus(), QProcess::CrashExit);
            checkSurvivors(ranks, victim);
            if (QTest::currentTestFailed())
                return;
        }
    }

    void theFirstRankIsMissedToo()
    {
        for (const char* hosts : {"aaaa", "aabb", "abcd"}) {
            RankProcesses ranks(hosts, "all_reduce", "ring", 1'000'000, 0, 5);
            QVERIFY(ranks.allJoined());
            QVERIFY(ranks.waitFor(0));
            checkSurvivors(ranks, 0);
        }
    }

    void aRankKilledFromOutsideIsNamed()
    {
        for (int rank = 0; rank < 3; ++rank) {
            RankProcesses ranks("aaa", "all_reduce", "auto", 100, -1, 0);
            QVERIFY(ranks.allJoined());
            ranks[rank].kill();
            QVERIFY(ranks.waitFor(rank));
            // Some may have done their thousand rounds before.
            for (int other = 0; other < 3; ++other) {
                QVERIFY(ranks.waitFor(other));
                const QString line = ranks.lastLine(other);
                QVERIFY2(other == rank || line == "done" ||
                             line == QString("CollectivePeerDied %1").arg(rank),
                         qPrintable(line));
            }
        }
    }

    void aStoppedRankDelaysButDoesNotBreak()
    {
        // A peer that stops reading: the others sleep until it goes on.
        for (const char* hosts : {"aaa", "abc"}) {
            RankProcesses ranks(hosts, "all_reduce", "ring", 4'000'000, -1, 0);
            QVERIFY(ranks.allJoined());
            const auto pid = static_cast<pid_t>(ranks[1].processId());
            QCOMPARE(::kill(pid, SIGSTOP), 0);
            // Killed while it is stopped: its peers don't wait for it to be continued.
            QVERIFY(!ranks[0].waitForFinished(200));
            QCOMPARE(::kill(pid, SIGKILL), 0);
            QVERIFY(ranks.waitFor(1));
            checkSurvivors(ranks, 1);
        }
    }

    void worksWithoutRoomInDevShm()
    {
        if (::geteuid() != 0)
            QSKIP("only root can give a process a small /dev/shm");
        QTemporaryDir folder;
        QProcess shell;
        shell.start("unshare",
                    {"--mount", "sh", "-c",
                     "mount -t tmpfs -o size=1M tmpfs /dev/shm && "
                     "head -c 1048576 /dev/zero > /dev/shm/full; "
                     "for rank in 0 1 2; do " RINGMASTER_BUILD_DIR
                     "/bin/ring_rank \"$0\" $rank aaa all_reduce ring 400000 -1 0 & done; wait",
                     folder.path()});
        QVERIFY(shell.waitForFinished(100'000));
        if (shell.readAllStandardError().contains("unshare"))
            QSKIP("mount name spaces aren't allowed here");
        QCOMPARE(shell.readAllStandardOutput().count("done"), 3);
    }

    void cleanupTestCase() { qInfo("slowest group to notice: %lld ms", m_longest); }
};

QTEST_GUILESS_MAIN(tst_ring_death)
#include "tst_ring_death.moc"

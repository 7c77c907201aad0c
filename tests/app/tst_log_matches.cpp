#include "app/jobs/SourcePlace.h"
#include "app/model/LogMatchModel.h"
#include "tests/app/FarCluster.h"

#include <QAbstractItemModelTester>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;

class tst_log_matches : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_cluster = std::make_unique<FarCluster>();
        m_bridge = std::make_unique<EngineBridge>(*m_cluster);
        m_matches = std::make_unique<LogMatchModel>(*m_bridge, "a");
        m_failures = 0;
        connect(m_matches.get(), &LogMatchModel::failed, this, [this] { ++m_failures; });
        m_matches->setActive(true);
        m_tester = std::make_unique<QAbstractItemModelTester>(m_matches.get());
    }

    void cleanup()
    {
        m_tester.reset();
        m_matches.reset();
        m_bridge.reset();
        m_cluster.reset();
    }

    void findsLinesThatAreFarApart()
    {
        // More than a LogModel holds.
        for (int i = 1; i <= 50'000; ++i)
            print(i % 2, i % 5'000 == 0 ? "WARNING: slow\n" : "line " + std::to_string(i) + "\n");
        start("level:warning");
        QTRY_VERIFY(m_matches->isAtEnd());
        QCOMPARE(m_matches->matches(), std::uint64_t(10));
        QCOMPARE(m_matches->rowCount(), 10);
        QTRY_COMPARE(text(9), QStringLiteral("WARNING: slow"));
        QCOMPARE(m_matches->index(9).data(LogModel::NumberRole).toULongLong(), 25'000ULL);
        QCOMPARE(m_matches->index(9).data(LogModel::LevelRole).toInt(),
                 static_cast<int>(LogLevel::Warning));
        start("\"line 1234\"");
        QTRY_COMPARE(m_matches->rowCount(), 11);
    }

    void readsTheTextOfRowsThatAreLookedAt()
    {
        for (int i = 0; i < 20'000; ++i)
            print(0, "line " + std::to_string(i) + "\n");
        start("line");
        QTRY_COMPARE(m_matches->rowCount(), 20'000);
        // Back and forth over more than is held.
        for (const int row : {0, 19'999, 10'000, 255, 256, 0}) {
            for (int other = 0; row == 10'000 && other < 20'000; other += 256)
                QTRY_COMPARE(text(other), QStringLiteral("line %1").arg(other));
            QTRY_COMPARE(text(row), QStringLiteral("line %1").arg(row));
        }
    }

    void findsWhatIsPrintedMeanwhile()
    {
        print(0, "one x\n");
        start("x");
        QTRY_COMPARE(m_matches->rowCount(), 1);
        QTRY_COMPARE(text(0), QStringLiteral("one x"));
        print(0, "two\nthree x\n");
        QTRY_COMPARE(m_matches->rowCount(), 2);
        QTRY_COMPARE(text(1), QStringLiteral("three x"));
        m_matches->setLive(false);
        QTRY_VERIFY(m_matches->isAtEnd());
    }

    void theLastLinesAreFoundWhereAPartIsUnderWayAtTheEnd()
    {
        print(0, "one x\n");
        start("x");
        QTRY_COMPARE(m_matches->rowCount(), 1);
        m_cluster->hold();
        QTRY_COMPARE(m_cluster->held, 1);
        m_cluster->settle();
        print(0, "two x\n");
        m_matches->setLive(false);
        m_cluster->letGo();
        QTRY_COMPARE(m_matches->rowCount(), 2);
    }

    void searchesOnceTheMachineIsReached()
    {
        print(0, "one x\n");
        m_cluster->isReached = false;
        start("x");
        QTRY_VERIFY(m_failures > 0);
        m_cluster->isReached = true;
        QTRY_COMPARE(m_matches->rowCount(), 1);
    }

    void readsTextsOnceTheMachineIsReached()
    {
        print(0, "one x\n");
        start("x");
        m_cluster->isReached = false; // The search was asked before.
        QTRY_COMPARE(m_matches->rowCount(), 1);
        QCOMPARE(text(0), QString());
        QTRY_VERIFY(m_failures > 0);
        m_cluster->isReached = true;
        QTRY_COMPARE(text(0), QStringLiteral("one x"));
    }

    void goesFromMatchToMatch()
    {
        print(0, "a\nx 1\nb\nc\nd\nx 2\n");
        start("x", 1);
        QTRY_COMPARE(m_matches->rowCount(), 5);
        QTRY_COMPARE(text(0), QStringLiteral("a"));
        QVERIFY(m_matches->index(0).data(LogModel::AroundRole).toBool());
        QCOMPARE(m_matches->matchFrom(0, 1), 1);
        QCOMPARE(m_matches->matchFrom(2, 1), 4);
        QCOMPARE(m_matches->matchFrom(3, -1), 1);
        QCOMPARE(m_matches->matchFrom(5, 1), -1);
        QCOMPARE(m_matches->matchFrom(0, -1), -1);
        QCOMPARE(m_matches->matchesUpTo(3), 1);
        QCOMPARE(m_matches->matchesUpTo(4), 2);
    }

    void aNewSearchForgetsTheOneBefore()
    {
        print(0, "a\nb\n");
        start("a");
        start("b");
        QTRY_COMPARE(m_matches->rowCount(), 1);
        QTRY_COMPARE(text(0), QStringLiteral("b"));
        m_matches->stop();
        QCOMPARE(m_matches->rowCount(), 0);
        QVERIFY(!m_matches->isStarted());
    }

    void readsAllOfThem()
    {
        for (int i = 0; i < 1'000; ++i)
            print(0, "line " + std::to_string(i) + "\n");
        start("line");
        QTRY_COMPARE(m_matches->rowCount(), 1'000);
        std::vector<LogLine> all;
        m_matches->readAll(this, [&](const std::vector<LogLine>& lines) { all = lines; });
        QTRY_COMPARE(all.size(), size_t(1'000));
        QCOMPARE(all[999].text, std::string("line 999"));
    }

    void findsTheSourceThatALineNames_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("line");
        const auto row = [](const char* text, const char* file, int line) {
            QTest::newRow(text) << QString::fromLatin1(file) << line;
        };
        row("  File \"/home/a b/train.py\", line 12, in <module>", "/home/a b/train.py", 12);
        row("[rank0]:   File \"train.py\", line 3", "train.py", 3);
        row("src/x-y.cpp:14:3: error: no", "src/x-y.cpp", 14);
        row("/usr/lib/x.py:12: FutureWarning: old", "/usr/lib/x.py", 12);
        row("10:14:03 step 3", "", 0);
        row("127.0.0.1:29500", "", 0);
        row("  File \"<string>\", line 1, in <module>", "", 0);
        row("loss 0.31", "", 0);
    }

    void findsTheSourceThatALineNames()
    {
        QFETCH(QString, file);
        QFETCH(int, line);
        const auto place = sourcePlaceIn(QString::fromLatin1(QTest::currentDataTag()));
        QCOMPARE(place.value_or(SourcePlace()), (SourcePlace{file, line}));
    }

    void fillsInTheEditorsCommand()
    {
        const SourcePlace place{QStringLiteral("/a b/{line}.py"), 12};
        QCOMPARE(editorWords(QStringLiteral("code -g {file}:{line}"), place),
                 QStringList({QStringLiteral("code"), QStringLiteral("-g"),
                              QStringLiteral("/a b/{line}.py:12")}));
        QCOMPARE(editorWords({}, place), QStringList());
    }

private:
    void start(const std::string& filter, int linesAround = 0)
    {
        m_matches->start(LogFilter::parse(filter).value(), -1, linesAround);
    }

    QString text(int row) const { return m_matches->index(row).data().toString(); }

    void print(int rank, const std::string& bytes) { m_cluster->print("a", {1, 1}, rank, bytes); }

    std::unique_ptr<FarCluster> m_cluster;
    std::unique_ptr<EngineBridge> m_bridge;
    std::unique_ptr<LogMatchModel> m_matches;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
    int m_failures = 0;
};

QTEST_GUILESS_MAIN(tst_log_matches)
#include "tst_log_matches.moc"

#include "app/model/LogModel.h"
#include "tests/app/FarCluster.h"
#include "tests/app/Scenario.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

/// A model that is looked at, of another cluster: what it has read by now, any other could have
/// read.
class Witness
{
public:
    Witness() { m_log.setActive(true); }

    [[nodiscard]] bool sees(const std::string& line)
    {
        m_cluster.print("a", {1, 1}, 0, line);
        const int rows = ++m_rows;
        return QTest::qWaitFor([&] { return m_log.rowCount() == rows; }, 60'000);
    }

private:
    FakeCluster m_cluster;
    EngineBridge m_bridge{m_cluster};
    LogModel m_log{m_bridge, "a"};
    int m_rows = 0;
};

} // namespace

class tst_log_model : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_cluster = std::make_unique<FakeCluster>();
        m_bridge = std::make_unique<EngineBridge>(*m_cluster);
        m_log = std::make_unique<LogModel>(*m_bridge, "a");
        m_tester = std::make_unique<QAbstractItemModelTester>(m_log.get());
    }

    void cleanup()
    {
        m_tester.reset();
        m_log.reset();
        m_bridge.reset();
        m_cluster.reset();
    }

    void followsTheEnd()
    {
        print(0, "one\ntwo\n");
        m_log->setActive(true);
        QTRY_COMPARE(m_log->rowCount(), 2);
        print(1, "three\n");
        QTRY_COMPARE(m_log->rowCount(), 3);
        QCOMPARE(lines(), QStringList({QStringLiteral("one"), QStringLiteral("two"),
                                       QStringLiteral("three")}));
    }

    void readsNothingWhileNobodyLooks()
    {
        Witness witness;
        print(0, "one\n");
        QVERIFY(witness.sees("one\n"));
        QCOMPARE(m_cluster->logReads(), 0);
        m_log->setActive(true);
        QTRY_COMPARE(m_log->rowCount(), 1);
        m_log->setActive(false);
        m_cluster->settle();
        const int reads = m_cluster->logReads();
        print(0, "two\n");
        QVERIFY(witness.sees("two\n"));
        QVERIFY(witness.sees("three\n"));
        QVERIFY(m_cluster->logReads() <= reads + 1);
        QCOMPARE(m_log->rowCount(), 1);
    }

    void theLastLinesComeWhereAPageIsUnderWayAtTheEnd()
    {
        FarCluster cluster;
        EngineBridge bridge(cluster);
        LogModel log(bridge, "a");
        Witness witness;
        cluster.print("a", {1, 1}, 0, "one\n");
        log.setActive(true);
        QTRY_COMPARE(log.rowCount(), 1);
        cluster.hold();
        QTRY_COMPARE(cluster.held, 1);
        cluster.settle();
        cluster.print("a", {1, 1}, 0, "two\n");
        log.setLive(false);
        // By then it has asked once more.
        for (int line = 0; line < 6; ++line)
            QVERIFY(witness.sees("line\n"));
        cluster.letGo();
        QTRY_COMPARE(log.rowCount(), 2);
    }

    void aCarriageReturnRedrawsOneLine()
    {
        m_log->setActive(true);
        print(0, "epoch 1:  10%\r");
        QTRY_COMPARE(m_log->rowCount(), 1);
        QSignalSpy inserted(m_log.get(), &QAbstractItemModel::rowsInserted);
        for (int i = 2; i <= 9; ++i)
            print(0, "epoch 1:  " + std::to_string(i * 10) + "%\r");
        print(1, "other\n");
        QTRY_COMPARE(lines(),
                     QStringList({QStringLiteral("epoch 1:  90%"), QStringLiteral("other")}));
        QCOMPARE(inserted.count(), 1);
    }

    void linesCutByAPageBoundaryAreJoined()
    {
        // More than one page, in pieces that end within lines.
        std::string all;
        for (int i = 0; i < 30'000; ++i)
            all += "line number " + std::to_string(i) + "\n";
        for (size_t at = 0; at < all.size(); at += 1000)
            print(0, all.substr(at, 1000));
        m_log->setActive(true);
        QTRY_VERIFY(m_log->hasEarlier());
        m_log->setFollowing(false);
        while (m_log->hasEarlier() && m_log->rowCount() < 15'000) {
            QSignalSpy arrived(m_log.get(), &LogModel::pageArrived);
            m_log->loadEarlier();
            QVERIFY(arrived.wait(60'000));
        }
        const int first = number(1);
        for (int row = 1; row < m_log->rowCount(); ++row)
            QCOMPARE(number(row), first + row - 1);
    }

    void coloursComeWithTheText()
    {
        print(0, "step \x1B[1;31mé\x1B[0m end\n");
        m_log->setActive(true);
        QTRY_COMPARE(lines(), QStringList{QStringLiteral("step é end")});
        const auto pieces = m_log->index(0).data(LogModel::PiecesRole).value<QList<StyledPiece>>();
        QCOMPARE(pieces.size(), 3);
        QCOMPARE(pieces[0].text, QStringLiteral("step "));
        QCOMPARE(pieces[1].text, QStringLiteral("é"));
        QVERIFY(pieces[1].style.isBold && pieces[1].style.foreground.red == 1);
        QCOMPARE(pieces[2].text, QStringLiteral(" end"));
        QVERIFY(pieces[2].style == TextStyle{});
        m_log->setFilter(*LogFilter::parse("\"step é\""), -1);
        QCOMPARE(m_log->rowCount(), 1);
    }

    void aLineThatWasCutKeepsItsColours()
    {
        LogBuffer buffer;
        buffer.append({{.cursor = 2, .globalRank = 0, .offset = 10, .bytes = "\x1B[32mrest\n"}});
        buffer.prepend({{.cursor = 1, .globalRank = 0, .offset = 0, .bytes = "a\x1B[31mb"}});
        const LogLine& line = buffer.line(buffer.firstId());
        QCOMPARE(line.text, std::string("abrest"));
        QCOMPARE(line.runs.size(), size_t{2});
        QCOMPARE(line.runs[0].begin, 1U);
        QCOMPARE(line.runs[1].begin, 2U);
    }

    void holdsABoundedWindowAndPagesBothWays()
    {
        for (int i = 0; i < 60'000; ++i)
            print(0, "line number " + std::to_string(i) + "\n");
        m_log->setActive(true);
        QTRY_VERIFY(m_log->rowCount() > 0);
        m_log->setFollowing(false);
        while (m_log->hasEarlier()) {
            QSignalSpy arrived(m_log.get(), &LogModel::pageArrived);
            m_log->loadEarlier();
            QVERIFY(arrived.wait(60'000));
            QVERIFY(m_log->rowCount() <= LogModel::MaxLines);
        }
        QCOMPARE(number(0), 0);
        QVERIFY(!m_log->isAtEnd());
        while (!m_log->isAtEnd()) {
            QSignalSpy arrived(m_log.get(), &LogModel::pageArrived);
            m_log->loadLater();
            QVERIFY(arrived.wait(60'000));
        }
        QCOMPARE(number(m_log->rowCount() - 1), 59'999);
        for (int row = 1; row < m_log->rowCount(); ++row)
            QCOMPARE(number(row), number(0) + row);
    }

    void filtersByTextAndRank()
    {
        for (int i = 0; i < 10; ++i)
            print(i % 2, i == 4 ? "ERROR: bad shard\n" : "step " + std::to_string(i) + "\n");
        m_log->setActive(true);
        QTRY_COMPARE(m_log->rowCount(), 10);
        m_log->setFilter(*LogFilter::parse("level:error"), -1);
        QTRY_COMPARE(lines(), QStringList{QStringLiteral("ERROR: bad shard")});
        m_log->setFilter(*LogFilter::parse("/step [37]/"), -1);
        QTRY_COMPARE(m_log->rowCount(), 2);
        m_log->setFilter({}, 1);
        QTRY_COMPARE(m_log->rowCount(), 5);
        print(1, "step 10\n");
        print(0, "step 11\n");
        QTRY_COMPARE(lines().last(), QStringLiteral("step 10"));
    }

private:
    void print(int rank, const std::string& bytes) { m_cluster->print("a", {1, 1}, rank, bytes); }

    QStringList lines() const
    {
        QStringList lines;
        for (int row = 0; row < m_log->rowCount(); ++row)
            lines << m_log->index(row).data().toString();
        return lines;
    }

    int number(int row) const
    {
        return m_log->index(row).data().toString().section(QLatin1Char(' '), 2).toInt();
    }

    std::unique_ptr<FakeCluster> m_cluster;
    std::unique_ptr<EngineBridge> m_bridge;
    std::unique_ptr<LogModel> m_log;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
};

QTEST_GUILESS_MAIN(tst_log_model)
#include "tst_log_model.moc"

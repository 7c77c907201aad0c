#include "engine/control/NumberNews.h"
#include "tests/TestMain.h"

#include <QtTest>

using namespace ringmaster;

namespace {

NumberSummary printed(int steps, int attempt = 0)
{
    NumberSummary whole{.attempt = attempt, .names = {"loss", "step"}};
    for (const int rank : {0, 1}) {
        NumberSummary::Line line{.name = "loss", .attempt = attempt, .rank = rank};
        for (int step = 1; step <= steps; ++step)
            line.points.push_back({step * 1'000, 1.0 / step});
        whole.lines.push_back(line);
    }
    for (const char* name : {"loss", "step"})
        for (const int rank : {0, 1})
            whole.latest.push_back(
                {.name = name, .rank = rank, .value = 1.0 * steps, .atNs = steps * 1'000});
    return whole;
}

constexpr std::uint64_t First = 1'000;
const std::vector<std::string> Loss{"loss"};

} // namespace

/// Printed numbers on their way to another machine: the second time only what is new.
class tst_number_news : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyWhatIsNewIsTold()
    {
        ToldNumbers told(First);
        HeldNumbers held;
        NumberNews news = told.tell("run", Loss, held.known(), printed(100));
        QVERIFY(!news.isDelta);
        held.take(news);
        QCOMPARE(held.summary().lines, printed(100).lines);

        NumberSummary next = printed(102);
        next.latest[3] = printed(100).latest[3]; // rank 1 hasn't printed its step again
        news = told.tell("run", Loss, held.known(), next);
        QVERIFY(news.isDelta);
        QCOMPARE(news.numbers.lines.size(), size_t{2});
        QCOMPARE(news.numbers.lines.front().points.size(), size_t{2});
        QCOMPARE(news.numbers.latest.size(), size_t{3});
        held.take(news);
        QCOMPARE(held.summary().lines, next.lines);
        QCOMPARE(held.summary().latest, next.latest);

        news = told.tell("run", Loss, held.known(), next);
        QVERIFY(news.isDelta && news.numbers.lines.empty() && news.numbers.latest.empty());
        held.take(news);
        QCOMPARE(held.summary().lines, next.lines);
        QCOMPARE(held.summary().latest, next.latest);
    }

    void whoDoesNotKnowWhatCameLastIsToldAll_data()
    {
        QTest::addColumn<QString>("run");
        QTest::addColumn<bool>("isOther");
        QTest::addColumn<int>("known");
        QTest::addColumn<int>("attempt");
        QTest::addRow("nothing has come") << "run" << false << 0 << 0;
        QTest::addRow("an answer was lost") << "run" << false << -1 << 0;
        QTest::addRow("another run") << "other" << false << 1 << 0;
        QTest::addRow("other names") << "run" << true << 1 << 0;
        QTest::addRow("another attempt") << "run" << false << 1 << 1;
    }

    void whoDoesNotKnowWhatCameLastIsToldAll()
    {
        QFETCH(QString, run);
        QFETCH(bool, isOther);
        QFETCH(int, known);
        QFETCH(int, attempt);
        ToldNumbers told(First);
        const std::uint64_t serial = told.tell("run", Loss, 0, printed(5)).serial;
        const auto news = told.tell(run.toStdString(), isOther ? std::vector<std::string>{} : Loss,
                                    known > 0   ? serial
                                    : known < 0 ? serial - 1
                                                : 0,
                                    printed(6, attempt));
        QVERIFY(!news.isDelta);
        QCOMPARE(news.numbers.lines.front().points.size(), size_t{6});
        QCOMPARE(news.numbers.latest.size(), size_t{4});
    }

    void aLineOfWhichTooMuchIsHeldIsAskedForAnew()
    {
        HeldNumbers held;
        held.take({.numbers = printed(10), .serial = 1});
        NumberSummary more = printed(0);
        more.lines.front().points.resize(5 * NumberSeries::MostPoints);
        more.lines.pop_back();
        held.take({.numbers = more, .serial = 2, .isDelta = true});
        QCOMPARE(held.known(), std::uint64_t{0});
    }
};

QTEST_APPLESS_MAIN(tst_number_news)
#include "tst_number_news.moc"

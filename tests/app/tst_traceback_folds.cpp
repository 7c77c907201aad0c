#include "app/model/TracebackFolds.h"

#include <QElapsedTimer>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

const std::vector<std::string> Plain{
    "Traceback (most recent call last):", "  File \"train.py\", line 12, in <module>",
    "    step(batch)", "ValueError: bad shard"};

} // namespace

/// Which tracebacks of a mixed log are shown once.
class tst_traceback_folds : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_next = 0, m_folds = {}; }

    void whatRanksPrintAlikeIsThereOnce()
    {
        // As they come: mixed, with other lines between them, and with torch's prefix.
        for (const std::string& line : Plain) {
            for (int rank = 0; rank < 3; ++rank)
                print(rank, "[rank" + std::to_string(rank) + "]: " + line);
        }
        print(1, "bye");
        QCOMPARE(hidden(), (std::vector<int>{1, 2, 4, 5, 7, 8, 10, 11}));
        QVERIFY(m_folds.foldAt(0) != nullptr);
        QCOMPARE(m_folds.foldAt(0)->ranks, (std::vector<int>{0, 1, 2}));
        QVERIFY(!m_folds.foldAt(0)->numbersDiffer);
        QVERIFY(m_folds.takeChanged() && !m_folds.takeChanged());
    }

    void oneOfARankAloneStays()
    {
        printAll(0, Plain);
        print(1, "step 3");
        printAll(2, {Plain[0], "  File \"train.py\", line 13, in <module>", Plain[2], Plain[3]});
        printAll(3, {Plain[0], Plain[1], Plain[2], "KeyError: 3"});
        QVERIFY(hidden().empty() && m_folds.foldAt(0) == nullptr);
    }

    void numbersOfTheLastLineMayDiffer()
    {
        for (const char* port : {"2931", "61234"})
            printAll(port[0] - '0',
                     {Plain[0], Plain[1], Plain[2],
                      "RuntimeError: closed by peer [127.0.0.1]:" + std::string(port)});
        QCOMPARE(hidden(), (std::vector<int>{4, 5, 6, 7}));
        QVERIFY(m_folds.foldAt(0)->numbersDiffer);
    }

    void anExceptionThatCameOfAnotherBelongsToIt()
    {
        for (int rank = 0; rank < 2; ++rank) {
            printAll(rank, Plain);
            printAll(
                rank,
                {"", "During handling of the above exception, another exception occurred:", ""});
            printAll(rank, Plain);
        }
        QCOMPARE(hidden().size(), size_t{11});
        QCOMPARE(hidden().front(), 11);
        // Only one of them has a second one.
        init();
        printAll(0, Plain);
        printAll(1, Plain);
        QCOMPARE(hidden().size(), size_t{4});
        printAll(1,
                 {"", "The above exception was the direct cause of the following exception:", ""});
        printAll(1, Plain);
        QVERIFY(hidden().empty() && m_folds.foldAt(0) == nullptr);
    }

    void theSecondOfARankGoesWithTheSecondOfOthers()
    {
        printAll(0, Plain);
        printAll(0, Plain);
        printAll(1, Plain);
        QCOMPARE(hidden(), (std::vector<int>{8, 9, 10, 11}));
        printAll(1, Plain);
        QCOMPARE(m_folds.foldAt(4)->ranks, (std::vector<int>{0, 1}));
    }

    /// As of a loop that logs each failure and tries again.
    void oneRankMayRepeatItForHours()
    {
        constexpr int Times = 40'000;
        const int length = static_cast<int>(Plain.size());
        QElapsedTimer took;
        took.start();
        for (int i = 0; i < Times; ++i)
            printAll(0, Plain);
        QVERIFY2(took.elapsed() < 20'000, qPrintable(QString::number(took.elapsed())));
        QVERIFY(m_folds.foldAt(0) == nullptr);
        for (int i = 0; i < 3; ++i)
            printAll(1, Plain);
        QCOMPARE(hidden().size(), 3 * Plain.size());
        for (const int first : {0, length, 2 * length})
            QCOMPARE(m_folds.foldAt(first)->ranks, (std::vector<int>{0, 1}));
        QVERIFY(m_folds.foldAt(3 * length) == nullptr);
    }

    void whatBecameAnotherOneLeavesItsPlace()
    {
        printAll(0, Plain);
        printAll(0,
                 {"", "The above exception was the direct cause of the following exception:", ""});
        printAll(0, Plain);
        const int second = m_next;
        printAll(0, Plain);
        printAll(1, Plain);
        QCOMPARE(hidden().size(), Plain.size());
        QCOMPARE(m_folds.foldAt(second)->ranks, (std::vector<int>{0, 1}));
    }

    void anotherAttemptIsAnotherMatter()
    {
        printAll(0, Plain);
        m_attempt = 1;
        printAll(1, Plain);
        m_attempt = 0;
        QVERIFY(hidden().empty());
    }

    void whatIsUnfoldedStaysIt()
    {
        printAll(0, Plain);
        printAll(1, Plain);
        m_folds.setUnfolded(0, true);
        QVERIFY(hidden().empty() && m_folds.foldAt(0)->isUnfolded);
        printAll(2, Plain);
        QVERIFY(hidden().empty());
        QCOMPARE(m_folds.foldAt(0)->ranks, (std::vector<int>{0, 1, 2}));
        m_folds.clear();
        m_next = 0;
        printAll(0, Plain);
        printAll(1, Plain);
        QVERIFY(hidden().empty() && m_folds.foldAt(0)->isUnfolded);
        m_folds.setUnfolded(0, false);
        QCOMPARE(hidden().size(), size_t{4});
        m_folds.reveal(5);
        QVERIFY(hidden().empty());
    }

private:
    void print(int rank, const std::string& text)
    {
        m_folds.add(m_next++, {.attempt = m_attempt, .globalRank = rank, .text = text});
    }

    void printAll(int rank, const std::vector<std::string>& lines)
    {
        for (const std::string& line : lines)
            print(rank, line);
    }

    std::vector<int> hidden() const
    {
        std::vector<int> ids;
        for (int id = 0; id < m_next; ++id) {
            if (m_folds.hides(id))
                ids.push_back(id);
        }
        return ids;
    }

    TracebackFolds m_folds;
    int m_next = 0;
    int m_attempt = 0;
};

QTEST_GUILESS_MAIN(tst_traceback_folds)
#include "tst_traceback_folds.moc"

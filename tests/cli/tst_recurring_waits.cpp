#include "engine/cli/RecurringWaits.h"
#include "tests/support/Nanoseconds.h"

#include <QtTest>

using namespace ringmaster;
using Telling = RecurringWaits::Telling;

namespace {

Verdict waitFor(int rank, std::uint64_t id, std::int64_t sinceNs, const std::string& group = "0")
{
    return {.id = id,
            .guilty = {rank},
            .waiting = {0},
            .sinceNs = sinceNs,
            .statement = {
                codeOf("RanksWait"),
                {{"operation", "all_reduce"}, {"group", group}, {"number", std::to_string(id)}},
                {}}};
}

} // namespace

/// Waits that come and go, and how much is told of each.
class tst_recurring_waits : public QObject
{
    Q_OBJECT

private:
    RecurringWaits m_waits;
    std::uint64_t m_id = 0;
    std::int64_t m_nowNs = 1000 * Second;

    /// One that goes on after so long; how it was told at first, and whether its end is.
    std::pair<Telling, bool> wait(int rank, std::int64_t seconds)
    {
        const Verdict verdict = waitFor(rank, ++m_id, m_nowNs);
        const Telling telling = m_waits.stated(verdict, m_nowNs + 3 * Second);
        m_nowNs += seconds * Second;
        return {telling, m_waits.ended(verdict, m_nowNs)};
    }

private Q_SLOTS:
    void init()
    {
        m_waits = {};
        m_id = 0;
    }

    void theSameWaitIsToldEverLess()
    {
        QVERIFY(wait(1, 8) == std::pair(Telling::Whole, true));
        QVERIFY(wait(1, 5) == std::pair(Telling::Whole, true));
        QVERIFY(wait(2, 5) == std::pair(Telling::Whole, true)); // another one's
        QVERIFY(wait(1, 6) == std::pair(Telling::Short, true));
        for (int times = 0; times < 10; ++times)
            QVERIFY(wait(1, 8) == std::pair(Telling::Nothing, false));
        QVERIFY(wait(2, 5) == std::pair(Telling::Whole, true));
        QVERIFY(wait(2, 5) == std::pair(Telling::Short, true));
    }

    void whatIsExpectedIsSaid()
    {
        (void)wait(1, 8);
        (void)wait(1, 5);
        QCOMPARE(m_waits.expectation(waitFor(1, 9, m_nowNs)),
                 std::string("It has happened 2 times before, for up to 8.00 s; from now on it is "
                             "told where it takes 16 s."));
        QCOMPARE(m_waits.expectation(waitFor(2, 9, m_nowNs)), std::string());
    }

    void whatTakesLongerIsToldWhole()
    {
        for (int times = 0; times < 5; ++times)
            (void)wait(1, 8);
        const Verdict verdict = waitFor(1, ++m_id, m_nowNs);
        QVERIFY(m_waits.stated(verdict, m_nowNs + 3 * Second) == Telling::Nothing);
        QVERIFY(m_waits.stated(verdict, m_nowNs + 16 * Second) == Telling::Nothing);
        QVERIFY(m_waits.stated(verdict, m_nowNs + 17 * Second) == Telling::Whole);
        QVERIFY(m_waits.stated(verdict, m_nowNs + 18 * Second) == Telling::Whole);
        QVERIFY(m_waits.ended(verdict, m_nowNs + 20 * Second));
    }

    /// A hang is none of them, nor is what it came from.
    void whatIsMoreThanAWaitIsToldWhole()
    {
        for (int times = 0; times < 5; ++times)
            (void)wait(1, 8);
        Verdict verdict = waitFor(1, ++m_id, m_nowNs);
        QVERIFY(m_waits.stated(verdict, m_nowNs + 3 * Second) == Telling::Nothing);
        verdict.kind = Verdict::Kind::Hang;
        QVERIFY(m_waits.stated(verdict, m_nowNs + 4 * Second) == Telling::Whole);
        QVERIFY(m_waits.ended(verdict, m_nowNs + 5 * Second));
    }

    void whoWaitsForOthersThanAtFirstIsToldWhole()
    {
        for (int times = 0; times < 5; ++times)
            (void)wait(1, 8);
        Verdict verdict = waitFor(1, ++m_id, m_nowNs);
        QVERIFY(m_waits.stated(verdict, m_nowNs + 3 * Second) == Telling::Nothing);
        verdict.guilty = {1, 2};
        QVERIFY(m_waits.stated(verdict, m_nowNs + 4 * Second) == Telling::Whole);
        QVERIFY(m_waits.ended(verdict, m_nowNs + 5 * Second));
    }

    void anAttemptBeginsAnew()
    {
        for (int times = 0; times < 5; ++times)
            (void)wait(1, 8);
        m_waits.begin();
        QVERIFY(wait(1, 8) == std::pair(Telling::Whole, true));
    }

    void groupsWithoutEndAreBounded()
    {
        for (int group = 0; group < 2000; ++group) {
            const Verdict verdict = waitFor(1, ++m_id, m_nowNs, std::to_string(group));
            QVERIFY(m_waits.stated(verdict, m_nowNs + 3 * Second) == Telling::Whole);
            QVERIFY(m_waits.ended(verdict, m_nowNs + 4 * Second));
        }
        for (int times = 0; times < 3; ++times) {
            const Verdict verdict = waitFor(1, ++m_id, m_nowNs, "1999");
            QVERIFY(m_waits.stated(verdict, m_nowNs + 3 * Second) == Telling::Whole);
            QVERIFY(m_waits.ended(verdict, m_nowNs + 4 * Second));
        }
    }
};

QTEST_GUILESS_MAIN(tst_recurring_waits)
#include "tst_recurring_waits.moc"

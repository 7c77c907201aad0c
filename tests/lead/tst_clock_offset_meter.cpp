#include "engine/lead/ClockOffsetMeter.h"
#include "tests/support/Nanoseconds.h"

#include <QtTest>

using namespace ringmaster;

namespace {

/// An agent whose monotonic clock is 5 s ahead of ours, and its wall clock 2 s behind.
struct Far
{
    ClockOffsetMeter meter{"1"};

    /// The answer is given right in the middle.
    std::optional<ClockMeasured> measure(std::int64_t atNs, std::int64_t roundTripNs)
    {
        meter.asked({.monotonicNs = atNs, .wallNs = atNs});
        const std::int64_t answeredNs = atNs + roundTripNs / 2;
        return meter.answered(
            {.monotonicNs = answeredNs + 5 * Second, .wallNs = answeredNs - 2 * Second},
            {.monotonicNs = atNs + roundTripNs, .wallNs = atNs + roundTripNs});
    }
};

} // namespace

class tst_clock_offset_meter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void offsetIsWithinHalfTheRoundTrip()
    {
        Far far;
        const auto measured = far.measure(10 * Second, 40 * Millisecond);
        QVERIFY(measured);
        QCOMPARE(measured->agent, std::string("1"));
        QCOMPARE(measured->monotonicOffsetNs, 5 * Second);
        QCOMPARE(measured->wallOffsetNs, -2 * Second);
        QCOMPARE(measured->boundNs, 20 * Millisecond);
    }

    void onlyABetterAnswerIsTold()
    {
        Far far;
        QVERIFY(far.measure(10 * Second, 40 * Millisecond));
        QVERIFY(!far.measure(11 * Second, 30 * Millisecond));
        const auto better = far.measure(12 * Second, 4 * Millisecond);
        QVERIFY(better);
        QCOMPARE(better->boundNs, 2 * Millisecond);
    }

    /// Clocks drift apart: an old measurement is worth less each second.
    void oldMeasurementIsReplaced()
    {
        Far far;
        QVERIFY(far.measure(10 * Second, 2 * Millisecond));
        QVERIFY(!far.measure(15 * Second, 2 * Millisecond));
        QVERIFY(far.measure(100 * Second, 2 * Millisecond));
    }
};

QTEST_GUILESS_MAIN(tst_clock_offset_meter)
#include "tst_clock_offset_meter.moc"

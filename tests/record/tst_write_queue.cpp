#include "engine/record/WriteQueue.h"
#include "tests/event/EventSamples.h"
#include "tests/support/Nanoseconds.h"

#include <QtTest>

using namespace ringmaster;

namespace {

Event sample(int rank, std::int64_t wallNs)
{
    Event event = samples::event(1, ProcessSample{.globalRank = rank});
    event.at = {wallNs, wallNs};
    return event;
}

LogIndexEntry row(int file, std::int64_t ns, std::uint64_t offset, std::uint64_t length)
{
    return {file, {ns, ns}, offset, length};
}

} // namespace

class tst_write_queue : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void neverGivesUpAnEvent()
    {
        WriteQueue queue({.samples = 4, .logRows = 4});
        for (std::uint64_t i = 1; i <= 100'000; ++i)
            queue.add(samples::event(i, Notice{}));
        queue.putBack(queue.take());
        QCOMPARE(queue.eventCount(), size_t(100'000));
        QVERIFY(queue.take().gaps.empty());
    }

    void thinsTheSamplesOfEachRankAlike()
    {
        WriteQueue queue({.samples = 100, .logRows = 4});
        int round = 0;
        for (; round < 60; ++round) {
            queue.add(sample(0, round));
            queue.add(sample(1, round));
        }
        const auto batch = queue.take();
        QVERIFY(batch.samples.size() <= 100);
        std::map<int, int> perRank;
        for (const Event& event : batch.samples)
            perRank[std::get<ProcessSample>(event.body).globalRank] += 1;
        QVERIFY(std::abs(perRank[0] - perRank[1]) <= 1);
        QCOMPARE(batch.samples.back().at.wallNs, round - 1);
        QCOMPARE(batch.gaps.size(), size_t(1));
        QVERIFY(batch.gaps[0].kind == RecordGap::Kind::Samples);
        QCOMPARE(batch.gaps[0].rows + batch.samples.size(), size_t(120));
    }

    void mergesRowsOfTheSameMoment()
    {
        WriteQueue queue({});
        queue.add(row(1, 0, 0, 10));
        queue.add(row(2, 1, 0, 7));
        queue.add(row(1, 2, 10, 10));
        queue.add(row(1, Second, 20, 10));
        queue.add(row(1, Second, 40, 10));
        const auto batch = queue.take();
        const std::vector<LogIndexEntry> expected{row(1, 0, 0, 20), row(2, 1, 0, 7),
                                                  row(1, Second, 20, 10), row(1, Second, 40, 10)};
        QVERIFY(batch.logRows == expected);
        QVERIFY2(batch.gaps.empty(), "nobody sees the difference");
    }

    void mergesOverTimeWhenItIsFullAndSaysSo()
    {
        WriteQueue queue({.samples = 4, .logRows = 2});
        std::uint64_t bytes = 0;
        for (int i = 0; i < 1000; ++i) {
            queue.add(row(i % 3, i * Second, static_cast<std::uint64_t>(i / 3) * 10, 10));
            bytes += 10;
        }
        const auto batch = queue.take();
        QVERIFY(batch.logRows.size() <= 4);
        std::uint64_t kept = 0;
        for (const LogIndexEntry& entry : batch.logRows)
            kept += entry.length;
        QCOMPARE(kept, bytes);
        QCOMPARE(batch.gaps.size(), size_t(1));
        QVERIFY(batch.gaps[0].kind == RecordGap::Kind::LogTimes);
    }

    void keepsTheOrderWhenABatchComesBack()
    {
        WriteQueue queue({});
        queue.add(samples::event(1, Notice{}));
        queue.add(1, LogFile{});
        queue.add(row(1, 0, 0, 10));
        queue.add(sample(0, 1));
        queue.add(RecordGap{RecordGap::Kind::LogOutput, 5, 5, 1, 100});
        auto batch = queue.take();
        queue.add(samples::event(2, Notice{}));
        queue.add(2, LogFile{});
        queue.add(row(1, Second, 10, 10));
        queue.add(sample(0, 2));
        queue.add(RecordGap{RecordGap::Kind::LogOutput, 9, 9, 1, 1});
        queue.putBack(std::move(batch));

        const auto all = queue.take();
        QCOMPARE(all.events.at(0).runSequence, std::uint64_t(1));
        QCOMPARE(all.events.at(1).runSequence, std::uint64_t(2));
        QCOMPARE(all.logFiles.at(1).first, 2);
        QCOMPARE(all.logRows.at(1).offset, std::uint64_t(10));
        QCOMPARE(all.samples.at(1).at.wallNs, 2);
        const RecordGap gap{RecordGap::Kind::LogOutput, 5, 9, 2, 101};
        QVERIFY(all.gaps == std::vector<RecordGap>{gap});
        QCOMPARE(queue.size(), size_t(0));
    }

    void leavesOperationsOutAboveTheirLimit()
    {
        WriteQueue queue({.operationBytes = 100});
        for (int i = 0; i < 4; ++i)
            queue.add(OperationRow{.count = 5, .wallNs = i, .block = std::string(40, 'b')});
        WriteQueue::Batch batch = queue.take();
        QCOMPARE(batch.operations.size(), size_t(2));
        QCOMPARE(batch.gaps.size(), size_t(1));
        QVERIFY(batch.gaps[0] == (RecordGap{RecordGap::Kind::Operations, 2, 3, 10, 80}));
        queue.add(OperationRow{.count = 1, .block = std::string(40, 'c')});
        queue.putBack(std::move(batch));
        batch = queue.take();
        QCOMPARE(batch.operations.size(), size_t(2));
        QCOMPARE(batch.operations[0].count, std::uint64_t(5));
        QCOMPARE(batch.gaps[0].rows, std::uint64_t(11));
    }
};

QTEST_GUILESS_MAIN(tst_write_queue)
#include "tst_write_queue.moc"

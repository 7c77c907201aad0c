#include "engine/node/RecordedRun.h"
#include "engine/record/RunFileWriter.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace ringmaster;

class tst_recorded_run : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// The writer waits for more to write at once; whoever reads after the end doesn't see that.
    void whoHasHeardOfTheEndFindsAllInTheFile()
    {
        const QTemporaryDir temporary;
        const auto folder =
            RunFolder::create(temporary.path().toStdString(), "job",
                              AgentRecord::current("/nowhere"), SystemClock().now());
        QVERIFY(folder.has_value());
        auto writer = RunFileWriter::open(
            folder->runFile(), {.run = folder->id(), .batchDelay = std::chrono::hours(1)});
        QVERIFY(writer.has_value());
        RankActivityCache activities;
        RecordedRun run(*folder, activities, writer->get());
        QCOMPARE(eventsOf(run), size_t{0});
        (*writer)->append({.id = {folder->id(), "0", 1},
                           .runSequence = 1,
                           .body = RunStateChanged{.state = RunState::Succeeded}});
        run.runEnds();
        QCOMPARE(eventsOf(run), size_t{1});
    }

private:
    static size_t eventsOf(RecordedRun& run)
    {
        const auto events = run.events(0, 100);
        return events ? events->size() : 1000;
    }
};

QTEST_GUILESS_MAIN(tst_recorded_run)
#include "tst_recorded_run.moc"

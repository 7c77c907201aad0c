#include "engine/node/ProcessWatch.h"

#include <QProcess>
#include <QtTest>

using namespace ringmaster;
using State = diagnose::ProcessView::State;

/// What a process does, seen from one look to the next.
class tst_process_watch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whoIsGoneIsDeadAtTheSecondLook()
    {
        constexpr std::int64_t Second = 1'000'000'000;
        QProcess process;
        process.start("/bin/sleep", {"600"});
        QVERIFY(process.waitForStarted());
        const int pid = static_cast<int>(process.processId());
        ProcessWatch watch;
        QCOMPARE(watch.look(pid, Second).state, State::Alive);
        process.kill();
        QVERIFY(process.waitForFinished());
        // Its last operations may not have been read.
        QCOMPARE(watch.look(pid, 2 * Second).state, State::Unknown);
        QCOMPARE(watch.look(pid, 3 * Second).state, State::Dead);
    }

    void timeWithoutWorkIsCounted()
    {
        constexpr std::int64_t Second = 1'000'000'000;
        QProcess process;
        process.start("/bin/sleep", {"600"});
        QVERIFY(process.waitForStarted());
        const int pid = static_cast<int>(process.processId());
        ProcessWatch watch;
        std::int64_t nowNs = Second;
        QTRY_VERIFY(watch.look(pid, nowNs += Second).idleNs >= 3 * Second);
        QVERIFY(watch.look(pid, nowNs += Second).frozenNs >= 3 * Second);
        process.kill();
        QVERIFY(process.waitForFinished());
    }
};

QTEST_GUILESS_MAIN(tst_process_watch)
#include "tst_process_watch.moc"

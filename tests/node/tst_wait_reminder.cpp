#include "engine/node/WaitReminder.h"

#include <QElapsedTimer>
#include <QtTest>

#include <optional>

using namespace ringmaster;
using namespace std::chrono_literals;

class tst_wait_reminder : public QObject
{
    Q_OBJECT

    static StandingVerdict waitOf(std::uint64_t id)
    {
        StandingVerdict standing;
        standing.verdict.id = id;
        standing.verdict.statement.parameters["since"] = "1";
        return standing;
    }

private Q_SLOTS:
    /// The first is over when the second begins.
    void aNewWaitHasATimeOfItsOwn()
    {
        constexpr auto First = 400ms;
        EventLoop loop;
        const SystemClock clock;
        RunSnapshot snapshot;
        std::optional<std::uint64_t> reminded;
        QElapsedTimer since;
        WaitReminder reminder(
            loop, clock, snapshot,
            [&](const StandingVerdict& standing, std::int64_t) {
                reminded = standing.verdict.id;
                loop.stop();
            },
            First);
        snapshot.verdicts = {waitOf(1)};
        reminder.verdictsChanged();
        const auto later = loop.callAfter(First / 2, [&] {
            snapshot.verdicts = {waitOf(2)};
            since.start();
            reminder.verdictsChanged();
        });
        loop.run();
        QVERIFY(reminded == 2U);
        QVERIFY2(since.nsecsElapsed() >= std::chrono::nanoseconds(First).count(),
                 qPrintable(QString::number(since.elapsed())));
    }

    void aWaitThatIsStatedAgainIsTheSame()
    {
        constexpr auto First = 200ms;
        EventLoop loop;
        const SystemClock clock;
        RunSnapshot snapshot;
        int changes = 0;
        int reminders = 0;
        WaitReminder reminder(
            loop, clock, snapshot,
            [&](const StandingVerdict&, std::int64_t) {
                ++reminders;
                loop.stop();
            },
            First);
        snapshot.verdicts = {waitOf(1)};
        EventLoop::Registration again;
        std::function<void()> change = [&] {
            ++changes;
            reminder.verdictsChanged();
            again = loop.callAfter(First / 4, change);
        };
        change();
        loop.run();
        QCOMPARE(reminders, 1);
        QVERIFY(changes > 1);
    }

    void whenNobodyWaitsNothingIsSaid()
    {
        EventLoop loop;
        const SystemClock clock;
        RunSnapshot snapshot;
        int reminders = 0;
        WaitReminder reminder(
            loop, clock, snapshot, [&](const StandingVerdict&, std::int64_t) { ++reminders; }, 1ms);
        snapshot.verdicts = {waitOf(1)};
        reminder.verdictsChanged();
        snapshot.verdicts.clear();
        reminder.verdictsChanged();
        const auto end = loop.callAfter(100ms, [&] { loop.stop(); });
        loop.run();
        QCOMPARE(reminders, 0);
    }
};

QTEST_GUILESS_MAIN(tst_wait_reminder)
#include "tst_wait_reminder.moc"

#include "engine/node/EndLimit.h"

#include <QtTest>

#include <future>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

/// A limit whose process doesn't end.
struct Trial
{
    explicit Trial(std::chrono::milliseconds patience)
        : limit({.exitCode = 7,
                 .tell = [this](const std::string& text) { said = text; },
                 .patience = patience,
                 .exit = [this](int code) { exitCode.set_value(code); }})
    {
    }

    std::string said;
    std::promise<int> exitCode;
    EndLimit limit;
};

} // namespace

class tst_end_limit : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void endsWhatWaitsAndSaysForWhat()
    {
        Trial trial(2s); // long enough to name the folder
        trial.limit.awaits("/mnt/runs");
        QCOMPARE(trial.exitCode.get_future().get(), 7);
        const QString said = QString::fromStdString(trial.said);
        QVERIFY2(said.startsWith("ringmaster: The file system of /mnt/runs doesn't answer"),
                 qPrintable(said));
        QVERIFY2(said.endsWith(".\n"), qPrintable(said));
    }

    void whatIsKnownToBeStuckIsntWaitedFor()
    {
        Trial trial(1h);
        trial.limit.endNow("/mnt/logs");
        QCOMPARE(trial.exitCode.get_future().get(), 7);
        QVERIFY(trial.said.find("/mnt/logs") != std::string::npos);
    }

    void saysNothingInTime()
    {
        std::string said;
        bool hasEnded = false;
        {
            EndLimit limit({.tell = [&](const std::string& text) { said = text; },
                            .patience = 1h,
                            .exit = [&](int) { hasEnded = true; }});
            limit.awaits("/mnt/runs");
        }
        QVERIFY(said.empty() && !hasEnded);
    }

    /// As where standard error goes to the same disk.
    void aLastWordThatNobodyTakesIsntWaitedFor()
    {
        std::promise<void> taken;
        std::promise<int> exitCode;
        EndLimit limit(
            {.exitCode = 3,
             .tell = [answer = taken.get_future().share()](const auto&) { answer.wait(); },
             .patience = 1h,
             .lastWordPatience = 50ms,
             .exit = [&](int code) { exitCode.set_value(code); }});
        limit.endNow("/mnt/runs");
        QCOMPARE(exitCode.get_future().get(), 3);
        taken.set_value(); // its thread ends
    }
};

QTEST_GUILESS_MAIN(tst_end_limit)
#include "tst_end_limit.moc"

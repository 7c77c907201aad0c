#include "engine/node/Signals.h"

#include <QtTest>

#include <csignal>

using namespace ringmaster;

class tst_signals : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void handlesWhatIsNamedAndSkipsTheRest()
    {
        QCOMPARE(signalsToHandle({"SIGTERM", "SIGNOPE", "SIGUSR1"}, false),
                 (std::vector{SIGTERM, SIGUSR1}));
        QCOMPARE(signalsToHandle({"SIGKILL", "SIGSTOP", ""}, false), std::vector<int>());
    }

    void leavesHangupAloneUnderNohup()
    {
        QCOMPARE(signalsToHandle({"SIGHUP", "SIGINT"}, true), std::vector{SIGINT});
        QCOMPARE(signalsToHandle({"SIGHUP", "SIGINT"}, false), (std::vector{SIGHUP, SIGINT}));
    }
};

QTEST_GUILESS_MAIN(tst_signals)
#include "tst_signals.moc"

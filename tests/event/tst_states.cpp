#include "engine/event/States.h"

#include <QtTest>

#include <csignal>

using namespace ringmaster;

class tst_states : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void speaksTorchelasticsNames()
    {
        QCOMPARE(std::string(nameOf(WorkerState::Healthy)), std::string("HEALTHY"));
        for (int i = 0; i <= static_cast<int>(WorkerState::Failed); ++i)
            QVERIFY(workerStateFromName(nameOf(WorkerState(i))) == WorkerState(i));
        for (int i = 0; i <= static_cast<int>(RunState::Lost); ++i)
            QVERIFY(runStateFromName(nameOf(RunState(i))) == RunState(i));
        QVERIFY(streamFromName("stderr") == Stream::Stderr);
        QVERIFY(!workerStateFromName("healthy"));
        QVERIFY(!runStateFromName(""));
    }

    void saysHowAProcessEnded()
    {
        QCOMPARE(describe(ExitStatus{}), std::string("exit code 0"));
        QCOMPARE(describe(ExitStatus{3, 0, false}), std::string("exit code 3"));
        QCOMPARE(describe(ExitStatus{0, SIGKILL, false}), std::string("killed by SIGKILL"));
        QCOMPARE(describe(ExitStatus{0, SIGSEGV, true}),
                 std::string("killed by SIGSEGV (core dumped)"));
        QCOMPARE((ExitStatus{0, SIGKILL, false}).exitCode(), -9);
    }

    void namesSignalsBothWays()
    {
        for (int signal = 1; signal < NSIG; ++signal)
            QCOMPARE(signalFromName(signalName(signal)).value_or(-1), signal);
        QCOMPARE(signalFromName("TERM").value_or(-1), SIGTERM);
        QCOMPARE(signalFromName("15").value_or(-1), SIGTERM);
        for (const char* wrong : {"", "0", "-9", "99999", "SIGNONE", "9x"})
            QVERIFY2(!signalFromName(wrong), wrong);
        QCOMPARE(signalName(1000), std::string("signal 1000"));
    }
};

QTEST_GUILESS_MAIN(tst_states)
#include "tst_states.moc"

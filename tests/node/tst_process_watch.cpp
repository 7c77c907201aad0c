#include "engine/base/ProcessInfo.h"
#include "engine/node/ProcessWatch.h"

#include <QProcess>
#include <QtTest>

#include <array>
#include <csignal>
#include <ctime>

#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ringmaster;
using State = diagnose::ProcessView::State;

namespace {

/// Two of these on one processor wait for it in turn.
pid_t startComputing(int processor)
{
    const pid_t pid = ::fork();
    if (pid == 0) {
        (void)::prctl(PR_SET_PDEATHSIG, SIGKILL); // of a test that has failed, too
        cpu_set_t processors;
        CPU_ZERO(&processors);
        CPU_SET(processor, &processors);
        (void)::sched_setaffinity(0, sizeof processors, &processors);
        volatile std::uint64_t rounds = 0;
        for (;;)
            rounds = rounds + 1;
    }
    return pid;
}

int aProcessorOfOurs()
{
    cpu_set_t processors;
    CPU_ZERO(&processors);
    (void)::sched_getaffinity(0, sizeof processors, &processors);
    int processor = 0;
    while (CPU_ISSET(processor, &processors) == 0)
        ++processor;
    return processor;
}

bool isAsleep(int pid)
{
    QFile file(QString("/proc/%1/wchan").arg(pid));
    return file.open(QIODevice::ReadOnly) && file.readAll().contains("sleep");
}

std::int64_t nowNs()
{
    timespec time{};
    (void)::clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

} // namespace

/// What a process does, seen from one look to the next.
class tst_process_watch : public QObject
{
    Q_OBJECT

private:
    static constexpr std::int64_t Second = 1'000'000'000;

    diagnose::ProcessView look(std::int64_t seconds)
    {
        return lookAt(m_watch, m_pid, seconds * Second);
    }

    static diagnose::ProcessView lookAt(ProcessWatch& watch, int pid, std::int64_t ns)
    {
        ProcessTable processes;
        return watch.look(pid, ns, processes);
    }

    QProcess m_process;
    int m_pid = 0;
    ProcessWatch m_watch;

private Q_SLOTS:
    void init()
    {
        m_process.start("/bin/sleep", {"600"});
        QVERIFY(m_process.waitForStarted());
        m_pid = static_cast<int>(m_process.processId());
        // While it is loaded, it works.
        QTRY_VERIFY(isAsleep(m_pid));
        m_watch = {};
    }

    void cleanup()
    {
        m_process.kill();
        m_process.waitForFinished();
    }

    void whoIsGoneIsDeadAtTheSecondLook()
    {
        QCOMPARE(look(1).state, State::Alive);
        m_process.kill();
        QVERIFY(m_process.waitForFinished());
        // Its last operations may not have been read.
        QCOMPARE(look(2).state, State::Unknown);
        QCOMPARE(look(3).state, State::Dead);
    }

    void timeWithoutAProcessorIsCounted()
    {
        const int processor = aProcessorOfOurs();
        const std::array<pid_t, 2> pids{startComputing(processor), startComputing(processor)};
        ProcessWatch watch;
        QTRY_VERIFY(lookAt(watch, pids[0], nowNs()).processorWait > 0.3);
        for (const pid_t pid : pids) {
            ::kill(pid, SIGKILL);
            ::waitpid(pid, nullptr, 0);
        }
        // Who sleeps waits for none.
        std::int64_t seconds = 0;
        QTRY_VERIFY(look(++seconds).idleNs >= 3 * Second);
        QTRY_VERIFY(look(++seconds).processorWait < 0.01);
    }

    /// It works as well as it can: beside another program it hardly gets a processor.
    void whoGetsNoProcessorIsNotIdle()
    {
        const int processor = aProcessorOfOurs();
        const std::array<pid_t, 2> pids{startComputing(processor), startComputing(processor)};
        const sched_param priority{};
        QCOMPARE(::sched_setscheduler(pids[0], SCHED_IDLE, &priority), 0);
        ProcessWatch watch;
        const std::int64_t beganNs = nowNs();
        std::int64_t longestNs = 0;
        double processorWait = 0;
        int looks = 0;
        int looksWithoutWork = 0;
        const auto lookUntil = [&](std::int64_t endNs) {
            const diagnose::ProcessView view = lookAt(watch, pids[0], nowNs());
            longestNs = std::max(longestNs, view.idleNs);
            processorWait = view.processorWait;
            looksWithoutWork += view.cpuShare < 0.03 ? 1 : 0;
            ++looks;
            return nowNs() >= endNs;
        };
        QTRY_VERIFY(lookUntil(beganNs + 5 * Second));
        for (const pid_t pid : pids) {
            ::kill(pid, SIGKILL);
            ::waitpid(pid, nullptr, 0);
        }
        QVERIFY2(2 * looksWithoutWork >= looks, qPrintable(QString::number(looksWithoutWork)));
        QVERIFY2(longestNs < 2 * Second, qPrintable(QString::number(longestNs)));
        QVERIFY2(processorWait > 0.5, qPrintable(QString::number(processorWait)));
    }

    /// A debugger, or whoever reads its stack.
    void whoIsStoppedForAMomentIsNotStopped()
    {
        QCOMPARE(look(1).state, State::Alive);
        ::kill(m_pid, SIGSTOP);
        QTRY_COMPARE(look(2).state, State::Stopped);
        ::kill(m_pid, SIGCONT);
        QTRY_COMPARE(look(3).state, State::Alive);
        ProcessWatch watch;
        ::kill(m_pid, SIGSTOP);
        int status = 0;
        QCOMPARE(::waitpid(m_pid, &status, WUNTRACED), m_pid);
        QCOMPARE(lookAt(watch, m_pid, 1 * Second).state, State::Alive);
        QCOMPARE(lookAt(watch, m_pid, 2 * Second).state, State::Stopped);
    }

    /// Nobody looked for ten seconds: it may have worked in one of them.
    void whatABusyReaderHasMissedIsNotIdle()
    {
        const std::int64_t beganNs = nowNs();
        const pid_t pid = startComputing(aProcessorOfOurs());
        ProcessWatch watch;
        (void)lookAt(watch, pid, beganNs);
        const std::int64_t usedNs = usageOf(pid)->cpuNs;
        QTRY_VERIFY(usageOf(pid)->cpuNs > usedNs + 100'000'000);
        ::kill(pid, SIGSTOP);
        int status = 0;
        QCOMPARE(::waitpid(pid, &status, WUNTRACED), pid);
        const std::int64_t idleNs = lookAt(watch, pid, beganNs + 10 * Second).idleNs;
        ::kill(pid, SIGKILL);
        ::waitpid(pid, nullptr, 0);
        QCOMPARE(idleNs, 0);
    }

    /// All were stopped, say, with who looks.
    void aTimeInWhichNobodyLookedIsNotIdle()
    {
        QTRY_VERIFY(look(1).state == State::Alive);
        (void)look(2);
        const std::int64_t before = look(3).idleNs;
        QVERIFY(look(60).idleNs <= before + 1 * Second);
        QVERIFY(look(60).frozenNs <= before + 4 * Second);
        // What it did while it was looked at is over only then.
        ProcessWatch watch;
        (void)lookAt(watch, m_pid, 1 * Second);
        (void)lookAt(watch, m_pid, 2 * Second);
        watch.lookEnded(3 * Second);
        QCOMPARE(lookAt(watch, m_pid, 4 * Second).idleNs, 1 * Second);
    }

    void timeWithoutWorkIsCounted()
    {
        std::int64_t seconds = 1;
        QTRY_VERIFY(look(++seconds).idleNs >= 3 * Second);
        QTRY_VERIFY(look(++seconds).frozenNs >= 3 * Second); // It may only just have started.
    }
};

QTEST_GUILESS_MAIN(tst_process_watch)
#include "tst_process_watch.moc"

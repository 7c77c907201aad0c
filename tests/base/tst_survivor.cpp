#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/base/ProcessSignal.h"
#include "engine/base/Spawn.h"
#include "engine/base/Survivor.h"

#include <QProcess>
#include <QtTest>

#include <csignal>
#include <thread>

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ringmaster;

namespace {

constexpr long Nobody = 65534;
/// More than the kernel counts to.
constexpr pid_t NoProcess = 5'000'000;

} // namespace

/// What is frozen, and what waits in the kernel: tst_orphan_sweep and tst_unkillable.
class tst_survivor : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isNamedWithTheUserWhoMayEndIt()
    {
        if (::geteuid() != 0)
            QSKIP("only root can become another user");
        bool isNobody = false;
        Message said;
        std::thread otherUser([&] {
            // The call itself concerns this thread alone; glibc's would change all of them.
            isNobody = ::syscall(SYS_setresuid, Nobody, Nobody, Nobody) == 0;
            if (isNobody)
                said = describeSurvivor(::getpid());
        });
        otherUser.join();
        // With it the whole process is closed to debuggers, of which a leak checker is one.
        ::prctl(PR_SET_DUMPABLE, 1L, 0L, 0L, 0L);
        QVERIFY(isNobody);
        const std::string text = describe(said);
        QVERIFY2(said.code == code::SurvivorOfOtherUser, text.c_str());
        QVERIFY2(text.find("belongs to the user root") != std::string::npos, text.c_str());
        QCOMPARE(said.parameters["pid"], std::to_string(::getpid()));
        const std::string name = readFile("/proc/self/comm").value_or("?");
        QCOMPARE(said.parameters["name"] + "\n", name);
    }

    void isNamedWithItsStateWhereNothingElseIsKnown()
    {
        QProcess sleeper;
        sleeper.start("/bin/sleep", {"900"});
        QVERIFY(sleeper.waitForStarted());
        const auto pid = static_cast<pid_t>(sleeper.processId());
        QCOMPARE(::kill(pid, SIGSTOP), 0);
        QTRY_COMPARE(describeSurvivor(pid).parameters["state"], std::string("T (stopped)"));
        Message said = describeSurvivor(pid);
        QVERIFY2(said.code == code::SurvivorStillThere, describe(said).c_str());
        QCOMPARE(said.parameters["pid"], std::to_string(pid));
        QCOMPARE(said.parameters["name"], std::string("sleep"));
        QVERIFY(!said.parameters["place"].empty());
        sleeper.kill();
        QVERIFY(sleeper.waitForFinished(60'000));
    }

    void livesThoughItsFirstThreadHasEnded()
    {
        const std::string token = randomToken(12);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("RINGMASTER_TEST_TOKEN", QString::fromStdString(token));
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start(RINGMASTER_BUILD_DIR "/tests/two_threads", QStringList());
        QVERIFY(process.waitForReadyRead(60'000));
        const auto pid = static_cast<pid_t>(process.processId());
        QTRY_VERIFY(statOf(pid).starts_with(" Z"));
        const auto identity = identityOf(pid);
        QVERIFY(identity.has_value());
        QVERIFY(!isZombie(statOf(pid)));
        QVERIFY(isAlive(*identity));
        QTRY_COMPARE(stateOf(pid), 'S');
        QVERIFY(tellingThreadOf(pid) != pid);
        QCOMPARE(describeSurvivor(pid).parameters["state"], std::string("S (sleeping)"));
        QCOMPARE(describeSurvivor(pid).parameters["name"], std::string("two_threads"));
        // It alone has lost its environment.
        QVERIFY(processesWithEnvironment("RINGMASTER_TEST_TOKEN", token) == std::vector{pid});
        QVERIFY(signalProcess(*identity, SIGKILL));
        QVERIFY(process.waitForFinished(60'000));
        QVERIFY(!isAlive(*identity));
    }

    void endsWithItsLastThreadThoughNobodyHasHeardOfIt()
    {
        const auto child = spawnWatched({.command = {"/bin/true"}, .descriptors = {-1, -1, -1}});
        QVERIFY(child.has_value());
        QTRY_VERIFY(isZombie(statOf(child->pid)));
        QVERIFY(!isAlive(identityOf(child->pid).value_or(ProcessIdentity{})));
        QCOMPARE(stateOf(child->pid), 'Z');
        QCOMPARE(::waitpid(child->pid, nullptr, 0), child->pid);
        QVERIFY(!isZombie(statOf(child->pid)));
    }

    void isNamedThoughItEndsMeanwhile()
    {
        Message said = describeSurvivor(NoProcess);
        QVERIFY2(said.code == code::SurvivorStillThere, describe(said).c_str());
        QCOMPARE(said.parameters["state"], std::string("?"));
        QCOMPARE(said.parameters["place"], std::string("?"));
    }
};

QTEST_GUILESS_MAIN(tst_survivor)
#include "tst_survivor.moc"

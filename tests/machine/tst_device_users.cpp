#include "engine/base/Clock.h"
#include "engine/machine/DeviceUsers.h"

#include <QProcess>
#include <QtTest>

#include <unistd.h>

using namespace ringmaster;

namespace {

DeviceUser holds(const char* run, int rank, int device, std::int64_t bytes)
{
    return {.device = device, .usedBytes = bytes, .run = run, .rank = rank};
}

} // namespace

class tst_device_users : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysWhoAProcessIs()
    {
        QProcess worker;
        QProcessEnvironment environment;
        environment.insert(QStringLiteral("RINGMASTER_RUN"), QStringLiteral("digits"));
        environment.insert(QStringLiteral("RANK"), QStringLiteral("3"));
        worker.setProcessEnvironment(environment);
        worker.start(QStringLiteral("/bin/sleep"), {QStringLiteral("60")});
        QVERIFY(worker.waitForStarted());
        const auto pid = static_cast<pid_t>(worker.processId());
        // Between fork and exec it still is this program.
        QTRY_COMPARE(deviceUsers({{.processes = {{pid, 5}}}}).front().command,
                     std::string("/bin/sleep 60"));

        const auto users =
            deviceUsers({{.index = 0, .processes = {{getpid(), 7}, {pid, 1 << 20}}}, {.index = 1}});
        worker.kill();
        worker.waitForFinished();
        QCOMPARE(users.size(), size_t{2});
        QCOMPARE(users[0].pid, pid); // who holds more comes first
        QCOMPARE(users[0].run, std::string("digits"));
        QCOMPARE(users[0].rank, 3);
        QCOMPARE(users[0].usedBytes, std::int64_t{1 << 20});
        QVERIFY(!users[0].user.empty());
        const std::int64_t age = SystemClock().now().wallNs - users[0].startedNs;
        QVERIFY2(age > -2'000'000'000 && age < 120'000'000'000, qPrintable(QString::number(age)));
        QVERIFY(users[1].run.empty());
        QCOMPARE(users[1].rank, -1);
        QVERIFY(users[1].command.find("tst_device_users") != std::string::npos);
    }

    void aProcessThatIsGoneIsOnlyANumber()
    {
        const auto users = deviceUsers({{.index = 1, .processes = {{999'999'999, -1}}}});
        QCOMPARE(users.size(), size_t{1});
        QVERIFY(users[0] == (DeviceUser{.device = 1, .pid = 999'999'999}));
    }

    void namesRanksThatHoldMemoryWhereOthersWork()
    {
        constexpr std::int64_t GiB = 1LL << 30;
        const auto strays = strayRanks({
            holds("digits", 0, 0, 9 * GiB),
            holds("digits", 1, 0, GiB / 2),
            holds("digits", 1, 1, 9 * GiB),
            holds("digits", 2, 0, GiB / 2),
            holds("digits", 2, 2, 9 * GiB),
            holds("other", 0, 1, 2 * GiB), // of another run: nobody's business
            holds("", -1, 0, GiB),
        });
        QCOMPARE(strays.size(), size_t{1});
        QVERIFY(strays.front() == (StrayRanks{"digits", 0, {1, 2}}));
    }

    void aRankMayUseSeveralGpusForItself()
    {
        QVERIFY(strayRanks({holds("a", 0, 0, 9), holds("a", 0, 1, 5), holds("a", 1, 2, 9),
                            holds("a", 1, 3, 5)})
                    .empty());
        QVERIFY(strayRanks({}).empty());
        // Ranks that share a GPU, and hold nothing elsewhere.
        QVERIFY(strayRanks({holds("a", 0, 0, 9), holds("a", 1, 0, 9)}).empty());
    }
};

QTEST_GUILESS_MAIN(tst_device_users)
#include "tst_device_users.moc"

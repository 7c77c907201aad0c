#include "engine/agent/Codes.h"
#include "engine/agent/WatchdogTimer.h"
#include "tests/agent/FakeNode.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fcntl.h>
#include <sys/stat.h>

using namespace ringmaster;
using namespace ringmaster::test;
using namespace std::chrono_literals;

namespace {

struct Expired : WatchdogTimer::Host
{
    bool timerExpired(int pid, const std::string& scope, int signal) override
    {
        if (unknownTimes-- > 0)
            return false;
        seen.push_back(std::to_string(pid) + " " + scope + " " + std::to_string(signal));
        return true;
    }
    void timerMessageRefused(const std::string& what) override { refused.push_back(what); }

    int unknownTimes = 0;
    std::vector<std::string> seen;
    std::vector<std::string> refused;
};

struct Fixture
{
    Fixture() : timer(std::move(*WatchdogTimer::create(loop, clock, file, expired))) {}

    bool until(const std::function<bool()>& condition) { return runUntil(loop, 20s, condition); }
    /// As FileTimerClient does: opens, writes one line, closes.
    void write(const std::string& text) const
    {
        const FileDescriptor fifo(::open(file.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
        QVERIFY(fifo.isOpen());
        QVERIFY(writeAll(fifo.get(), text).has_value());
    }
    void acquire(int pid, const std::string& scope, double at, int signal = 9) const
    {
        write("{\"version\": 1, \"pid\": " + std::to_string(pid) + ", \"scope_id\": \"" + scope +
              "\", \"expiration_time\": " + std::to_string(at) +
              ", \"signal\": " + std::to_string(signal) + "}\n");
    }
    double now() const { return static_cast<double>(clock.now().wallNs) / 1e9; }

    QTemporaryDir folder;
    std::filesystem::path file = (folder.path() + "/timer").toStdString();
    EventLoop loop;
    SystemClock clock;
    Expired expired;
    std::unique_ptr<WatchdogTimer> timer;
};

} // namespace

class tst_watchdog_timer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void makesAPrivateFifoAndRemovesIt()
    {
        std::filesystem::path file;
        {
            Fixture fixture;
            file = fixture.file;
            struct stat status = {};
            QCOMPARE(::stat(file.c_str(), &status), 0);
            QVERIFY(S_ISFIFO(status.st_mode));
            QCOMPARE(status.st_mode & 0777U, 0600U);
            fixture.timer.reset();
            QVERIFY(!std::filesystem::exists(file));
        }
    }

    void tellsWhoLetATimerExpire()
    {
        Fixture fixture;
        fixture.acquire(41, "later", fixture.now() + 3600);
        fixture.acquire(42, "step", fixture.now() + 0.05);
        QVERIFY(fixture.until([&] { return !fixture.expired.seen.empty(); }));
        QCOMPARE(fixture.expired.seen, std::vector<std::string>{"42 step 9"});
    }

    void forgetsAReleasedTimer()
    {
        Fixture fixture;
        fixture.acquire(42, "step", fixture.now() + 0.1);
        fixture.acquire(42, "step", -1, 0);
        fixture.acquire(43, "other", fixture.now() + 0.2);
        QVERIFY(fixture.until([&] { return !fixture.expired.seen.empty(); }));
        QCOMPARE(fixture.expired.seen, std::vector<std::string>{"43 other 9"});
    }

    void takesTheEarliestOfAProcessAndItsSignal()
    {
        Fixture fixture;
        fixture.acquire(42, "b", 20, 15);
        fixture.acquire(42, "a", 10, 0);
        fixture.acquire(42, "c", 30, 9);
        QVERIFY(fixture.until([&] { return !fixture.expired.seen.empty(); }));
        QCOMPARE(fixture.expired.seen, std::vector<std::string>{"42 b 15"});
    }

    void asksAgainAboutAProcessThatIsNotKnownYet()
    {
        Fixture fixture;
        fixture.expired.unknownTimes = 2;
        fixture.acquire(42, "step", 10);
        QVERIFY(fixture.until([&] { return !fixture.expired.seen.empty(); }));
        QCOMPARE(fixture.expired.seen, std::vector<std::string>{"42 step 9"});
    }

    void refusesNonsenseAndGoesOn()
    {
        Fixture fixture;
        fixture.write("[1, 2\n{}\n{\"pid\": \"x\"}\n\n{\"pid\": 1e99, \"scope_id\": \"s\", "
                      "\"expiration_time\": 1, \"signal\": 9}\n");
        fixture.write(std::string(5000, 'x'));
        QVERIFY(fixture.until([&] {
            return !fixture.expired.refused.empty() && fixture.expired.refused.back() == "too long";
        }));
        fixture.acquire(42, "step", 10);
        QVERIFY(fixture.until([&] { return !fixture.expired.seen.empty(); }));
        QVERIFY(fixture.expired.refused.size() >= 5);
        QCOMPARE(fixture.expired.seen.back(), std::string("42 step 9"));
    }

    void saysWhenTheFifoCantBeMade()
    {
        EventLoop loop;
        SystemClock clock;
        Expired expired;
        const auto timer = WatchdogTimer::create(loop, clock, "/nope/timer", expired);
        QVERIFY(!timer.has_value());
        QVERIFY(timer.error().code == code::TimerNotMade);
    }
};

QTEST_GUILESS_MAIN(tst_watchdog_timer)
#include "tst_watchdog_timer.moc"

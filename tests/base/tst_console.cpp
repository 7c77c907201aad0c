#include "engine/base/Console.h"

#include <QtTest>

#include <array>
#include <atomic>
#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

/// All that is there now, and what comes until `enough`.
std::string readUntil(int fd, const std::function<bool(const std::string&)>& enough)
{
    std::string text;
    std::array<char, 65536> space;
    while (!enough(text)) {
        const ssize_t got = ::read(fd, space.data(), space.size());
        if (got <= 0)
            break;
        text.append(space.data(), static_cast<size_t>(got));
    }
    return text;
}

} // namespace

class tst_console : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesWhatItIsGivenInOrder()
    {
        auto pipe = makePipe();
        QVERIFY(pipe.has_value());
        Console console(pipe->writeEnd.get());
        std::string expected;
        for (int i = 0; i < 1000; ++i) {
            expected += std::to_string(i) + "\n";
            console.write(std::to_string(i) + "\n");
        }
        QVERIFY(console.waitUntilWritten(Console::Patience::UntilStalled));
        QCOMPARE(readUntil(pipe->readEnd.get(),
                           [&](const std::string& text) { return text.size() >= expected.size(); }),
                 expected);
    }

    void waitsForNobody()
    {
        auto pipe = makePipe();
        QVERIFY(pipe.has_value());
        Console console(pipe->writeEnd.get());
        const std::string block(1U << 20U, 'x');
        std::atomic<int> drained = 0;
        console.setDrained([&] { ++drained; });
        for (int i = 0; i < 4; ++i)
            console.write(block); // returns, though nobody reads
        QVERIFY(console.isFull());
        QVERIFY(console.isBehind() || console.isStalled());
        // Nobody waits for a reader who has paused, and who waited is told.
        QTRY_VERIFY(console.isStalled());
        QVERIFY(console.isFull() && !console.isBehind());
        QVERIFY(!console.waitUntilWritten(Console::Patience::UntilStalled));
        QTRY_COMPARE(drained.load(), 1);
        const std::string text = readUntil(
            pipe->readEnd.get(), [&](const std::string& got) { return got.size() == 4U << 20U; });
        QCOMPARE(text.size(), size_t{4U << 20U});
        QVERIFY(console.waitUntilWritten(Console::Patience::Endless));
        QVERIFY(drained >= 2); // once more, or each time when the test itself got no turn for long
        QVERIFY(!console.isStalled() && !console.isFull());
    }

    /// As behind `sudo -u`: it can't be opened anew, and write() itself waits for the reader.
    void aTerminalOfSomebodyElseIsStalledAsWell()
    {
        if (::geteuid() != 0)
            QSKIP("only root can have what somebody else may not open");
        FileDescriptor opened(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
        QVERIFY(::grantpt(opened.get()) == 0 && ::unlockpt(opened.get()) == 0);
        const FileDescriptor terminal(
            ::open(::ptsname(opened.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
        QVERIFY(terminal.isOpen());
        constexpr uid_t Nobody = 65534;
        QCOMPARE(::seteuid(Nobody), 0);
        Console console(terminal.get());
        QCOMPARE(::seteuid(0), 0);
        QVERIFY(console.isTerminal());
        // Goes first, so that no write() waits for it at the end.
        const FileDescriptor reader(std::move(opened));
        console.write(std::string(2 * Console::HighWater, 'x'));
        QTRY_VERIFY(console.isStalled());
        QVERIFY(!console.isBehind());
        QVERIFY(!console.waitUntilWritten(Console::Patience::UntilStalled));
    }

    void saysWhatItLeavesOut()
    {
        auto pipe = makePipe();
        QVERIFY(pipe.has_value());
        Console console(pipe->writeEnd.get());
        console.write(std::string(Console::Limit, 'x'));
        console.write(std::string(1U << 20U, 'y'));
        console.write(std::string(1024, 'y')); // there may be room for it, but not in its place
        const std::string text = readUntil(pipe->readEnd.get(), [&](const std::string& got) {
            return got.find("left out") != std::string::npos && got.back() == '\n';
        });
        QVERIFY(text.find("yy") == std::string::npos);
        QVERIFY(text.find("ringmaster: 1025 KiB were left out here") != std::string::npos);
        console.write("goes on\n");
        QVERIFY(readUntil(pipe->readEnd.get(),
                          [](const std::string& got) { return !got.empty(); }) == "goes on\n");
    }

    void outlivesItsReader()
    {
        auto pipe = makePipe();
        QVERIFY(pipe.has_value());
        pipe->readEnd.close();
        Console console(pipe->writeEnd.get());
        console.write(std::string(1U << 20U, 'x'));
        QVERIFY(console.waitUntilWritten(Console::Patience::Endless));
        console.write("more");
        QVERIFY(console.isEmpty());
    }

    void endsWhileItsReaderPauses()
    {
        auto pipe = makePipe();
        QVERIFY(pipe.has_value());
        {
            Console console(pipe->writeEnd.get());
            console.write(std::string(1U << 20U, 'x'));
        }
        // The description that it was given is as it was: a shell may share it.
        QVERIFY((::fcntl(pipe->writeEnd.get(), F_GETFL) & O_NONBLOCK) == 0);
    }

    void endsALineThatAnotherLeftUnfinished()
    {
        auto pipe = makePipe();
        QVERIFY(pipe.has_value());
        Console console(pipe->writeEnd.get());
        const int one = 0;
        const int other = 0;
        console.writeLine(&one, "1:", "start", false);
        console.writeLine(&one, "1:", " end", true);
        console.writeLine(&one, "1:", "open", false);
        console.writeLine(&other, "2:", "line", true);
        const std::string expected = "1:start end\n1:open\n2:line\n";
        QCOMPARE(readUntil(pipe->readEnd.get(),
                           [&](const std::string& text) { return text.size() >= expected.size(); }),
                 expected);
    }
};

QTEST_GUILESS_MAIN(tst_console)
#include "tst_console.moc"

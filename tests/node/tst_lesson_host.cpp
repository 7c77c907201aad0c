#include "engine/base/ChildProcess.h"
#include "engine/control/LocalSocket.h"
#include "engine/lesson/TracerMessage.h"
#include "engine/node/LessonHost.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>

#include <sys/socket.h>
#include <unistd.h>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

/// As a tracer sends it.
std::string tracerFrame(const std::string& json)
{
    const auto length = static_cast<std::uint32_t>(json.size());
    std::string frame(sizeof length, '\0');
    std::memcpy(frame.data(), &length, sizeof length);
    return frame + json;
}

/// What the gate has said until now.
std::string saidTo(const FileDescriptor& tracer)
{
    std::array<char, 1024> buffer{};
    const ssize_t got = ::recv(tracer.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    return {buffer.data(), static_cast<size_t>(std::max<ssize_t>(got, 0))};
}

} // namespace

/// The agent's side of a lesson.
class tst_lesson_host : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aMoveWaitsUntilTheKilledRankIsGone()
    {
        const QTemporaryDir folder;
        const std::filesystem::path socket = folder.filePath(QStringLiteral("gate")).toStdString();
        EventLoop loop;
        std::vector<Command> commands;
        const auto opened = LessonHost::open(
            loop, {.options = {.isHeld = true},
                   .socket = socket,
                   .emit = [](const EventBody&) {},
                   .command = [&](const Command& command) { commands.push_back(command); }});
        QVERIFY(opened.has_value());
        LessonHost& host = **opened;
        const auto killed = ChildProcess::start({.command = {"/bin/sleep", "1000"}});
        QVERIFY(killed.has_value());

        // Rank 0 is this process, and stands before its first line.
        host.seen(AttemptStarted{.worldSize = 2});
        const auto tracer = connectLocally(socket);
        QVERIFY(tracer.has_value());
        const std::string held =
            tracerFrame(R"({"kind":"line","line":1})") + tracerFrame(R"({"kind":"held"})");
        QVERIFY(writeAll(tracer->get(), held));
        host.seen(
            WorkerStateChanged{.globalRank = 0, .pid = ::getpid(), .state = WorkerState::Healthy});
        host.seen(WorkerStateChanged{
            .globalRank = 1, .pid = killed->pid(), .state = WorkerState::Healthy});

        const std::vector<Command> asked{
            InjectFault{.kind = InjectFault::Kind::Kill, .globalRank = 1},
            MoveLesson{.move = MoveLesson::Move::Step, .ranks = {0}},
            InjectFault{.kind = InjectFault::Kind::Delay, .globalRank = 0}};
        for (const Command& command : asked) {
            const auto done = host.execute(command);
            QVERIFY(done && done->has_value());
        }
        QCOMPARE(commands.size(), 1U);
        QVERIFY(std::get<SignalWorker>(commands.front()) == (SignalWorker{1, SIGKILL}));
        // What came after the move has been said.
        QCOMPARE(saidTo(*tracer), lesson::freeFrame(false) + lesson::faultFrame("delay", 0));

        QVERIFY(killed->signal(SIGKILL));
        const auto said = loop.watchReadable(tracer->get(), [&loop] { loop.stop(); });
        const auto tooLate = loop.callAfter(60s, [&loop] { loop.stop(); });
        loop.run();
        QCOMPARE(saidTo(*tracer), lesson::goFrame(1));
    }
};

QTEST_GUILESS_MAIN(tst_lesson_host)
#include "tst_lesson_host.moc"

#include "engine/control/LocalSocket.h"
#include "engine/lesson/TracerServer.h"

#include <QTemporaryDir>
#include <QtTest>

#include <array>
#include <cstring>

#include <sys/socket.h>
#include <unistd.h>

using namespace ringmaster;

namespace {

/// A server whose loop doesn't run: it hears what it looks for itself. This process is the worker.
class Gate
{
public:
    Gate()
        : m_socket(m_folder.filePath(QStringLiteral("gate")).toStdString())
        , m_server(m_loop, listener(m_socket),
                   {.happened = [this](const LessonStep& step) { m_steps.push_back(step); }})
    {
    }

    lesson::TracerServer& server() { return m_server; }
    const std::vector<LessonStep>& steps() const { return m_steps; }

    FileDescriptor connectTracer() const
    {
        auto tracer = connectLocally(m_socket);
        if (!tracer)
            qFatal("%s", describe(tracer.error()).c_str());
        return *std::move(tracer);
    }

    /// Of a program that can't even begin.
    void tracerComesAndGoes() const
    {
        say(connectTracer(), R"({"kind":"error","text":"SyntaxError","file":"a.py","line":2})");
    }

    static void say(const FileDescriptor& tracer, const std::string& json)
    {
        const auto length = static_cast<std::uint32_t>(json.size());
        std::string frame(sizeof length, '\0');
        std::memcpy(frame.data(), &length, sizeof length);
        if (!writeAll(tracer.get(), frame + json))
            qFatal("the server takes nothing");
    }

private:
    static FileDescriptor listener(const std::filesystem::path& socket)
    {
        auto listening = listenLocally(socket);
        if (!listening || !setNonBlocking(listening->get()))
            qFatal("nobody can listen");
        return *std::move(listening);
    }

    QTemporaryDir m_folder;
    std::filesystem::path m_socket;
    EventLoop m_loop;
    std::vector<LessonStep> m_steps;
    lesson::TracerServer m_server;
};

/// What the server has said; 0: it has sent the tracer away; negative: nothing yet.
ssize_t heardBy(const FileDescriptor& tracer)
{
    std::array<char, 256> buffer{};
    return ::recv(tracer.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
}

} // namespace

/// Whom a lesson's server lets in, and when it hears them.
class tst_tracer_server : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whoComesAndGoesBeforeTheLoopHasLookedIsHeard()
    {
        Gate gate;
        gate.server().attemptStarted(0, 1);
        gate.tracerComesAndGoes();
        gate.server().workerStarted(0, ::getpid());
        gate.server().workerExited(0);
        QCOMPARE(gate.steps().size(), 1U);
        QVERIFY(gate.steps().front().kind == LessonStep::Kind::Error);
        QCOMPARE(gate.steps().front().globalRank, 0);
    }

    void whoHasntBeenLetInWhenTheNextAttemptStartsIsOfTheOneBefore()
    {
        Gate gate;
        gate.server().attemptStarted(0, 1);
        gate.server().workerStarted(0, ::getpid());
        gate.tracerComesAndGoes();
        gate.server().attemptStarted(1, 1);
        QCOMPARE(gate.steps().size(), 1U);
        QCOMPARE(gate.steps().front().attempt, 0);

        gate.tracerComesAndGoes();
        gate.server().workerStarted(0, ::getpid());
        gate.server().flush();
        QCOMPARE(gate.steps().size(), 2U);
        QCOMPARE(gate.steps().back().attempt, 1);
    }

    void whoComesBeforeItIsKnownToBeARankIsKept()
    {
        Gate gate;
        gate.server().attemptStarted(0, 1);
        const FileDescriptor tracer = gate.connectTracer();
        gate.server().flush();
        QVERIFY(heardBy(tracer) < 0);
        gate.server().workerStarted(0, ::getpid());
        QVERIFY(heardBy(tracer) > 0);
    }

    void whoIsNoRankIsSentAway()
    {
        Gate gate;
        gate.server().attemptStarted(0, 1);
        gate.server().workerStarted(0, ::getppid());
        const FileDescriptor tracer = gate.connectTracer();
        gate.server().flush();
        QCOMPARE(heardBy(tracer), ssize_t(0));
    }
};

QTEST_GUILESS_MAIN(tst_tracer_server)
#include "tst_tracer_server.moc"

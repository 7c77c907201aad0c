#include "engine/base/LoopThread.h"
#include "engine/control/Codes.h"
#include "engine/control/PortForward.h"
#include "engine/hosts/Codes.h"
#include "tests/TestMain.h"
#include "tests/support/DeadFileSystem.h"

#include <QtTest>

#include <array>
#include <mutex>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace ringmaster;

namespace {

/// Blocking.
FileDescriptor connectTo(int port)
{
    FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
        socket.close();
    return socket;
}

std::string received(const FileDescriptor& socket, size_t bytes)
{
    std::string text;
    for (std::array<char, 256> buffer{}; text.size() < bytes;) {
        const ssize_t count = ::recv(socket.get(), buffer.data(), buffer.size(), 0);
        if (count <= 0)
            break;
        text.append(buffer.data(), static_cast<size_t>(count));
    }
    return text;
}

/// What runs on the loop's thread.
class Forwarded : private PortForward::Listener
{
public:
    explicit Forwarded(PortForward::Options options)
    {
        options.host.name = "gpu1";
        m_thread.post([this, options] {
            auto opened = PortForward::open(m_thread.loop(), *this, options);
            const std::lock_guard lock(m_mutex);
            if (opened)
                m_forward = *std::move(opened);
            else
                m_errors.push_back(opened.error());
            m_port = m_forward ? m_forward->localPort() : -1;
        });
    }

    ~Forwarded() override
    {
        m_thread.stop();
        m_forward.reset();
    }

    int port() const
    {
        const std::lock_guard lock(m_mutex);
        return m_port;
    }

    std::vector<Error> errors() const
    {
        const std::lock_guard lock(m_mutex);
        return m_errors;
    }

private:
    void connectionFailed(const Error& why) override
    {
        const std::lock_guard lock(m_mutex);
        m_errors.push_back(why);
    }

    mutable std::mutex m_mutex;
    std::vector<Error> m_errors;
    int m_port = 0;
    std::unique_ptr<PortForward> m_forward;
    LoopThread m_thread{"forward"};
};

constexpr int ForProcesses = 60'000;

} // namespace

/// A stand-in for ssh; with a real sshd in tests/hosts.
class tst_port_forward : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("PATH",
                QByteArray(RINGMASTER_SOURCE_DIR "/tests/control/programs:") + qgetenv("PATH"));
    }

    void init()
    {
        qunsetenv("RINGMASTER_FAKE_FORWARD");
        qunsetenv("RINGMASTER_FAKE_KEY");
    }

    void whatIsSentHereArrivesThereAndBack()
    {
        auto [there, port] = listenForForward(0).value();
        QVERIFY(setNonBlocking(there.get(), false));
        Forwarded forwarded({.port = port});
        QTRY_VERIFY_WITH_TIMEOUT(forwarded.port() > 0, ForProcesses);
        for (int connection = 0; connection < 3; ++connection) {
            const FileDescriptor here = connectTo(forwarded.port());
            QVERIFY(here.isOpen());
            const FileDescriptor served(::accept(there.get(), nullptr, nullptr));
            QCOMPARE(::send(here.get(), "ping", 4, 0), ssize_t{4});
            QCOMPARE(received(served, 4), std::string("ping"));
            QCOMPARE(::send(served.get(), "pong!", 5, 0), ssize_t{5});
            QCOMPARE(received(here, 5), std::string("pong!"));
        }
        QVERIFY(forwarded.errors().empty());
    }

    void whyNothingAnswersIsSaid_data()
    {
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("nobody") << QByteArray("channel 0: open failed: connect failed: Connection "
                                              "refused\\nstdio forwarding failed")
                                << QByteArray("ForwardNobodyThere");
        QTest::newRow("forbidden") << QByteArray("channel 0: open failed: administratively "
                                                 "prohibited: open failed\\n"
                                                 "stdio forwarding failed")
                                   << QByteArray("ForwardProhibited");
        QTest::newRow("no way") << QByteArray("ssh: connect to host gpu1 port 22: No route to host")
                                << QByteArray("HostUnreachable");
    }

    void whyNothingAnswersIsSaid()
    {
        QFETCH(QByteArray, said);
        QFETCH(QByteArray, code);
        qputenv("RINGMASTER_FAKE_FORWARD", said);
        Forwarded forwarded({.port = 6006});
        QTRY_VERIFY_WITH_TIMEOUT(forwarded.port() > 0, ForProcesses);
        const FileDescriptor here = connectTo(forwarded.port());
        QVERIFY(here.isOpen());
        QTRY_COMPARE_WITH_TIMEOUT(forwarded.errors().size(), size_t{1}, ForProcesses);
        const Error why = forwarded.errors().front();
        QCOMPARE(QByteArray::fromStdString(std::string(codeName(why.code))), code);
        QVERIFY(describe(why).find("gpu1") != std::string::npos);
        // The other end has gone: nobody waits for it.
        QCOMPARE(received(here, 1), std::string());
    }

    void aPortThatIsTakenIsSaid()
    {
        const auto [taken, port] = listenForForward(0).value();
        Forwarded forwarded({.port = 6006, .localPort = port});
        QTRY_COMPARE_WITH_TIMEOUT(forwarded.port(), -1, ForProcesses);
        QVERIFY(forwarded.errors().front().code == code::ForwardPortTaken);
    }

    void moreConnectionsThanItTakesAreSentAway()
    {
        const auto [there, port] = listenForForward(0).value();
        Forwarded forwarded({.port = port, .connections = 1});
        QTRY_VERIFY_WITH_TIMEOUT(forwarded.port() > 0, ForProcesses);
        const FileDescriptor first = connectTo(forwarded.port());
        const FileDescriptor second = connectTo(forwarded.port());
        QCOMPARE(received(second, 1), std::string());
        QVERIFY(forwarded.errors().empty());
    }

    void isGoneThoughNoneOfItsConnectionsCanBeKilled()
    {
        test::DeadFileSystem disk;
        if (!disk.isUsable())
            QSKIP("no file system can be mounted here");
        qputenv("RINGMASTER_FAKE_KEY", disk.path() + "/id_ed25519");
        auto forwarded = std::make_unique<Forwarded>(PortForward::Options{.port = 6006});
        QTRY_VERIFY_WITH_TIMEOUT(forwarded->port() > 0, ForProcesses);
        std::vector<FileDescriptor> connections;
        constexpr size_t Some = 16;
        for (size_t number = 0; number < Some; ++number)
            connections.push_back(connectTo(forwarded->port()));
        QTRY_COMPARE_WITH_TIMEOUT(ChildProcess::all().size(), Some, ForProcesses);
        for (const pid_t child : ChildProcess::all())
            QTRY_VERIFY_WITH_TIMEOUT(test::DeadFileSystem::holdsUp(child), ForProcesses);
        QElapsedTimer took;
        took.start();
        forwarded.reset();
        // Without waiting for each.
        QVERIFY2(took.elapsed() < 10'000, qPrintable(QString::number(took.elapsed())));
        disk.die();
        QTRY_VERIFY_WITH_TIMEOUT(ChildProcess::all().empty(), ForProcesses);
    }
};

QTEST_GUILESS_MAIN(tst_port_forward)
#include "tst_port_forward.moc"

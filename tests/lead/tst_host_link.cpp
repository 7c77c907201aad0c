#include "engine/base/EventLoop.h"
#include "engine/hosts/Codes.h"
#include "engine/hosts/HostLink.h"
#include "tests/support/DeadFileSystem.h"

#include <QtTest>

#include <array>
#include <optional>

#include <sys/socket.h>
#include <unistd.h>

using namespace ringmaster;
using namespace std::chrono_literals;
using ringmaster::test::DeadFileSystem;

namespace {

constexpr const char* Sentinel = "RINGMASTER-TEST/1\n";

/// A link to a shell's script, until it is open or over.
class Opening : private HostLink::Listener
{
public:
    explicit Opening(const std::string& script, std::chrono::milliseconds wait = 50s)
        : Opening(HostLink::Options{.command = {"/bin/sh", "-c", script}, .patience = wait})
    {
    }

    /// `toldFile` is there as soon as something is told.
    explicit Opening(HostLink::Options options, QString toldFile = {})
        : m_toldFile(std::move(toldFile))
    {
        options.host.name = "there";
        options.sentinel = Sentinel;
        const auto patience = m_loop.callAfter(60s, [this] { m_loop.stop(); });
        auto link = HostLink::open(m_loop, *this, std::move(options));
        if (link) {
            m_link = *std::move(link);
            m_loop.run();
        }
    }

    bool isOpen() const { return m_channel.has_value(); }
    const std::optional<Error>& why() const { return m_why; }
    const std::vector<Code>& told() const { return m_told; }

    /// All that the other side says behind its greeting.
    QByteArray rest() const
    {
        QByteArray text;
        std::array<char, 256> buffer{};
        ssize_t count = 0;
        while ((count = ::recv(m_channel->get(), buffer.data(), buffer.size(), 0)) != 0) {
            if (count > 0)
                text.append(buffer.data(), count);
            else if (errno != EAGAIN && errno != EINTR)
                break;
        }
        return text;
    }

private:
    void linkTold(const Message& progress) override
    {
        m_told.push_back(progress.code);
        QVERIFY(QFile(m_toldFile).open(QIODevice::WriteOnly));
    }
    void linkOpened(FileDescriptor channel) override
    {
        m_channel = std::move(channel);
        m_loop.stop();
    }
    void linkEnded(const Error& why, int /*exitCode*/) override
    {
        m_why = why;
        m_loop.stop();
    }

    EventLoop m_loop;
    QString m_toldFile;
    std::vector<Code> m_told;
    std::optional<Error> m_why;
    std::optional<FileDescriptor> m_channel;
    std::unique_ptr<HostLink> m_link;
};

} // namespace

/// How a connection to a host begins.
class tst_host_link : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// gRPC's first bytes come without being asked for, and on a busy machine with the greeting.
    void whatComesBehindTheSentinelStaysInTheChannel_data()
    {
        QTest::addColumn<std::string>("script");
        const std::string sentinel = Sentinel;
        QTest::newRow("at once") << "printf 'Welcome!\\n" +
                                        sentinel.substr(0, sentinel.size() - 1) + "\\nfirst bytes'";
        QTest::newRow("cut in the middle") << std::string(
            "printf 'Welcome! RINGMASTER-T'; sleep 0.2; printf 'EST/1\\nfirst bytes'");
        QTest::newRow("begun twice")
            << std::string("printf 'RINGMASTER-TESTRINGMASTER-TEST/1\\nfirst bytes'");
    }

    void whatComesBehindTheSentinelStaysInTheChannel()
    {
        QFETCH(const std::string, script);
        const Opening opening(script);
        QVERIFY(opening.isOpen());
        QCOMPARE(opening.rest(), QByteArray("first bytes"));
    }

    /// Another one would run there beside it.
    void aSlowLoginIsToldOfAndWaitedFor()
    {
        const QTemporaryDir folder;
        const QString told = folder.filePath("told");
        const Opening opening(login("until [ -e " + told.toStdString() +
                                        " ]; do sleep 0.05; done; echo RINGMASTER-TEST/1",
                                    50s),
                              told);
        QVERIFY(opening.isOpen());
        QVERIFY(opening.told() == std::vector<Code>{code::HostLoginSilent});
    }

    void oneThatNothingComesOfIsGivenUp_data()
    {
        QTest::addColumn<int>("longest"); ///< Milliseconds; 0: it isn't waited for.
        QTest::addColumn<int>("told");
        QTest::newRow("after it was waited for") << 400 << 1;
        QTest::newRow("at once") << 0 << 0;
    }

    void oneThatNothingComesOfIsGivenUp()
    {
        QFETCH(int, longest);
        QFETCH(int, told);
        const QTemporaryDir folder;
        const Opening opening(login("exec sleep 600", std::chrono::milliseconds(longest)),
                              folder.filePath("told"));
        QVERIFY(!opening.isOpen());
        QCOMPARE(static_cast<int>(opening.told().size()), told);
        QVERIFY(opening.why() && opening.why()->code == code::HostLoginSilent);
    }

    /// ssh reads its keys from a home on a file server.
    void oneThatCantBeKilledEndsAllTheSame()
    {
        DeadFileSystem disk;
        if (!disk.isUsable())
            QSKIP("no file system can be mounted here");
        const std::string file = disk.path().toStdString() + "/id_ed25519";
        {
            const Opening opening("exec cat " + file, 3s);
            QVERIFY(opening.why().has_value());
            QCOMPARE(codeName(opening.why()->code), codeName(code::HostSilent));
            const std::string& detail = opening.why()->detail;
            QVERIFY2(detail.find("can't be killed") != std::string::npos, detail.c_str());
        }
        QCOMPARE(ChildProcess::all().size(), size_t{1});
        disk.die();
        QTRY_VERIFY_WITH_TIMEOUT(ChildProcess::all().empty(), 20'000);
    }

private:
    static HostLink::Options login(const std::string& script, std::chrono::milliseconds longest)
    {
        return {.command = {"/bin/sh", "-c", script},
                .bundleRequest = "RINGMASTER-WANTS/1 ",
                .patience = 200ms,
                .longestLogin = longest};
    }
};

QTEST_GUILESS_MAIN(tst_host_link)
#include "tst_host_link.moc"

#include "engine/base/EventLoop.h"
#include "engine/hosts/HostLink.h"

#include <QtTest>

#include <array>
#include <optional>

#include <sys/socket.h>
#include <unistd.h>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

constexpr const char* Sentinel = "RINGMASTER-TEST/1\n";

/// A link to a shell's script, until it is open or over.
class Opening : private HostLink::Listener
{
public:
    explicit Opening(const std::string& script)
    {
        const auto patience = m_loop.callAfter(60s, [this] { m_loop.stop(); });
        auto link = HostLink::open(m_loop, *this,
                                   {.host = {.name = "there"},
                                    .command = {"/bin/sh", "-c", script},
                                    .sentinel = Sentinel,
                                    .patience = 50s});
        if (link) {
            m_link = *std::move(link);
            m_loop.run();
        }
    }

    bool isOpen() const { return m_channel.has_value(); }

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
    void linkTold(const Message& /*progress*/) override {}
    void linkOpened(FileDescriptor channel) override
    {
        m_channel = std::move(channel);
        m_loop.stop();
    }
    void linkEnded(const Error& /*why*/, int /*exitCode*/) override { m_loop.stop(); }

    EventLoop m_loop;
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
};

QTEST_GUILESS_MAIN(tst_host_link)
#include "tst_host_link.moc"

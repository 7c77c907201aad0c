#include "engine/control/ByteChannel.h"
#include "engine/control/Codes.h"

#include <QtTest>

#include <csignal>
#include <thread>

#include <poll.h>
#include <unistd.h>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

/// The two pipes between two ends, as ssh would hold them.
struct Wire
{
    Pipe there = makePipe().value();
    Pipe back = makePipe().value();
};

std::string readExactly(int fd, size_t count)
{
    std::string got;
    while (got.size() < count) {
        pollfd wait{fd, POLLIN, 0};
        if (::poll(&wait, 1, 10'000) != 1)
            break;
        std::string buffer(std::min<size_t>(count - got.size(), 64U << 10U), '\0');
        const ssize_t n = ::read(fd, buffer.data(), buffer.size());
        if (n <= 0)
            break;
        got.append(buffer, 0, static_cast<size_t>(n));
    }
    return got;
}

} // namespace

class tst_byte_channel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { std::signal(SIGPIPE, SIG_IGN); }

    void carriesBytesBothWaysPastANoisyLogin()
    {
        Wire wire;
        QVERIFY(writeAll(wire.back.writeEnd.get(), "Welcome to node 7!\nno mail.\n").has_value());
        auto agent =
            ByteChannel::serve(std::move(wire.there.readEnd), std::move(wire.back.writeEnd));
        auto lead =
            ByteChannel::connect(std::move(wire.back.readEnd), std::move(wire.there.writeEnd), 5s);
        QVERIFY(agent.has_value() && lead.has_value());
        const FileDescriptor agentSocket = agent->takeSocket();
        const FileDescriptor leadSocket = lead->takeSocket();

        const std::string question = "are you there?";
        QVERIFY(writeAll(leadSocket.get(), question).has_value());
        QCOMPARE(readExactly(agentSocket.get(), question.size()), question);
        QVERIFY(writeAll(agentSocket.get(), "yes").has_value());
        QCOMPARE(readExactly(leadSocket.get(), 3), std::string("yes"));
    }

    void carriesMoreThanThePipesHold()
    {
        Wire wire;
        auto agent =
            ByteChannel::serve(std::move(wire.there.readEnd), std::move(wire.back.writeEnd));
        auto lead =
            ByteChannel::connect(std::move(wire.back.readEnd), std::move(wire.there.writeEnd), 5s);
        const FileDescriptor agentSocket = agent->takeSocket();
        const FileDescriptor leadSocket = lead->takeSocket();
        QVERIFY(setNonBlocking(leadSocket.get(), false).has_value());

        std::string sent;
        for (int i = 0; sent.size() < (8U << 20U); ++i)
            sent += std::to_string(i) + ',';
        std::thread writer([&] { QVERIFY(writeAll(leadSocket.get(), sent).has_value()); });
        const std::string got = readExactly(agentSocket.get(), sent.size());
        writer.join();
        QVERIFY(got == sent);
    }

    void endsBothSocketsWhenOneEndGoes()
    {
        Wire wire;
        auto agent =
            ByteChannel::serve(std::move(wire.there.readEnd), std::move(wire.back.writeEnd));
        auto lead =
            ByteChannel::connect(std::move(wire.back.readEnd), std::move(wire.there.writeEnd), 5s);
        const FileDescriptor agentSocket = agent->takeSocket();
        {
            const FileDescriptor leadSocket = lead->takeSocket();
        }
        QCOMPARE(readExactly(agentSocket.get(), 1), std::string());
    }

    void destroyingOneThatIsIdleReturns()
    {
        Wire wire;
        auto agent =
            ByteChannel::serve(std::move(wire.there.readEnd), std::move(wire.back.writeEnd));
        FileDescriptor socket = agent->takeSocket();
        {
            const ByteChannel gone = *std::move(agent);
        }
        QCOMPARE(readExactly(socket.get(), 1), std::string());
    }

    void saysSoWhenNoAgentAnswers()
    {
        Wire silent;
        const auto timedOut = ByteChannel::connect(std::move(silent.back.readEnd),
                                                   std::move(silent.there.writeEnd), 20ms);
        QVERIFY(timedOut.error().code == code::ChannelWithoutAgent);

        Wire wrong;
        QVERIFY(writeAll(wrong.back.writeEnd.get(), "ringmaster: command not found\n").has_value());
        wrong.back.writeEnd.close();
        const auto refused = ByteChannel::connect(std::move(wrong.back.readEnd),
                                                  std::move(wrong.there.writeEnd), 5s);
        QVERIFY(refused.error().code == code::ChannelWithoutAgent);
        QCOMPARE(refused.error().detail, std::string("ringmaster: command not found\n"));
    }

    void givesUpOnEndlessNoise()
    {
        Wire wire;
        std::thread noise([&] {
            while (writeAll(wire.back.writeEnd.get(), std::string(1000, 'x'))) {
            }
        });
        const auto refused =
            ByteChannel::connect(std::move(wire.back.readEnd), std::move(wire.there.writeEnd), 10s);
        QVERIFY(refused.error().code == code::ChannelWithoutAgent);
        wire.back.readEnd.close();
        noise.join();
    }
};

QTEST_GUILESS_MAIN(tst_byte_channel)
#include "tst_byte_channel.moc"

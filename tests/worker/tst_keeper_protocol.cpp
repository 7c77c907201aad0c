#include "WorkerFixture.h"
#include "engine/base/DescriptorPassing.h"
#include "engine/worker/KeeperConnection.h"

#include <QtTest>

#include <random>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace ringmaster;
using namespace ringmaster::keeper;

class tst_keeper_protocol : public QObject
{
    Q_OBJECT

private:
    struct Wire
    {
        FileDescriptor writer;
        FileDescriptor reader;
        FrameReader frames;

        Wire()
        {
            auto pair = makeSocketPair(SOCK_STREAM);
            writer = std::move(pair->first);
            reader = std::move(pair->second);
        }

        void put(std::string_view bytes, const std::vector<int>& descriptors = {})
        {
            QCOMPARE(sendWithDescriptors(writer.get(), bytes, descriptors),
                     static_cast<ssize_t>(bytes.size()));
        }

        std::optional<ReceivedFrame> take()
        {
            frames.receive(reader.get());
            return frames.next();
        }
    };

    static Launch someLaunch()
    {
        return {.localRank = 3,
                .ignoreHangup = 1,
                .arguments = {"python", "", "a b"},
                .environment = {"A=1", std::string("B=\0x", 4)},
                .workingFolder = "/tmp"};
    }

private Q_SLOTS:
    void carriesEveryField()
    {
        Wire wire;
        wire.put(encode(someLaunch()));
        const auto received = wire.take();
        QVERIFY(received.has_value());
        const auto& launch = std::get<Launch>(received->frame);
        QCOMPARE(launch.localRank, 3);
        QCOMPARE(launch.arguments, someLaunch().arguments);
        QCOMPARE(launch.environment, someLaunch().environment);
        QCOMPARE(launch.workingFolder, std::string("/tmp"));
        const WorkerExit exit{.code = 3,
                              .signal = 9,
                              .coreDumped = true,
                              .at = {8, 9},
                              .userNs = 5,
                              .systemNs = 6,
                              .maxResidentBytes = 7,
                              .descendantsLeft = 4,
                              .wasTold = true};
        wire.put(encode(Exited{1, 22, exit}));
        const auto second = wire.take();
        const auto& exited = std::get<Exited>(second->frame);
        QCOMPARE(exited.pid, 22);
        QVERIFY(exited.exit == exit);
        wire.put(encode(Stop{.localRank = 5, .number = 15}) + encode(SessionEnded{6}));
        QCOMPARE(std::get<Stop>(wire.take()->frame).number, 15);
        QCOMPARE(std::get<SessionEnded>(wire.take()->frame).localRank, 6);
    }

    /// With six MiB for them and for a pointer to each, Linux takes no more.
    void carriesAsManyArgumentsAsAProgramMayHave()
    {
        Wire wire;
        Launch launch = someLaunch();
        launch.arguments.assign(600'000, "x");
        const std::string bytes = encode(launch);
        constexpr std::size_t Piece = 32U << 10U;
        for (std::size_t at = 0; at < bytes.size(); at += Piece) {
            wire.put(std::string_view(bytes).substr(at, Piece));
            QCOMPARE(wire.frames.receive(wire.reader.get()), FrameReader::State::Open);
        }
        const auto received = wire.frames.next();
        QVERIFY(received.has_value());
        QVERIFY(std::get<Launch>(received->frame).arguments == launch.arguments);
    }

    void putsFramesTogetherByteByByte()
    {
        Wire wire;
        const std::string bytes = encode(someLaunch()) + encode(KillAll{7});
        std::vector<ReceivedFrame> frames;
        for (const char byte : bytes) {
            wire.put({&byte, 1});
            if (auto frame = wire.take())
                frames.push_back(std::move(*frame));
        }
        QCOMPARE(frames.size(), size_t{2});
        QCOMPARE(std::get<KillAll>(frames[1].frame).request, std::uint32_t{7});
    }

    void givesEachFrameItsOwnDescriptors()
    {
        Wire wire;
        auto pipe = makePipe();
        wire.put(encode(Started{1, 2, {}}, 1), {pipe->readEnd.get()});
        wire.put(encode(Hello{4}));
        wire.put(encode(Started{3, 4, {}}, 1), {pipe->writeEnd.get()});
        const auto first = wire.take();
        const auto second = wire.take();
        const auto third = wire.take();
        QCOMPARE(first->descriptors.size(), size_t{1});
        QCOMPARE(second->descriptors.size(), size_t{0});
        QVERIFY(writeAll(third->descriptors.at(0).get(), "x").has_value());
        char byte = 0;
        QCOMPARE(::read(first->descriptors.at(0).get(), &byte, 1), ssize_t{1});
        QVERIFY((::fcntl(third->descriptors.at(0).get(), F_GETFD) & FD_CLOEXEC) != 0);
    }

    void refusesWhatIsNotTheProtocol_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        const auto changed = [](std::size_t at, char value) {
            std::string bytes = encode(Hello{1});
            bytes[at] = value;
            return QByteArray::fromStdString(bytes);
        };
        QTest::newRow("another version") << changed(4, 99);
        QTest::newRow("unknown frame") << changed(5, 77);
        QTest::newRow("too long") << changed(3, 127);
        QTest::newRow("too many descriptors") << changed(6, 9);
        QTest::newRow("a descriptor that didn't come") << changed(6, 1);
        QTest::newRow("longer than its fields") << changed(0, 8) + QByteArray(8, '\0');
        std::string launch = encode(someLaunch());
        launch[13] = 127; // Millions of arguments.
        launch[16] = 127;
        QTest::newRow("a list without end") << QByteArray::fromStdString(launch);
        std::string exited = encode(Exited{});
        exited[24] = 2; // coreDumped
        QTest::newRow("neither true nor false") << QByteArray::fromStdString(exited);
    }

    void refusesWhatIsNotTheProtocol()
    {
        QFETCH(QByteArray, bytes);
        Wire wire;
        wire.put(bytes.toStdString());
        QVERIFY(!wire.take().has_value());
        QVERIFY(wire.frames.isBroken());
    }

    void survivesRandomBytes()
    {
        std::mt19937 random(7);
        for (int round = 0; round < 2000; ++round) {
            Wire wire;
            std::string bytes = encode(someLaunch());
            for (int i = 0; i < 3; ++i)
                bytes[random() % bytes.size()] = static_cast<char>(random());
            wire.put(bytes);
            while (wire.take())
                continue;
        }
    }

    void saysThatTheOtherSideClosedAfterTheLastFrame()
    {
        Wire wire;
        wire.put(encode(Hello{1}));
        wire.writer.close();
        QCOMPARE(wire.frames.receive(wire.reader.get()), FrameReader::State::Closed);
        QVERIFY(wire.frames.next().has_value());
        QVERIFY(!wire.frames.isBroken());
    }

    void queuesWhatTheOtherSideDoesNotReadYet()
    {
        EventLoop loop;
        auto pair = makeSocketPair(SOCK_STREAM);
        int closed = 0;
        KeeperChannel channel(
            loop, std::move(pair->first), [](ReceivedFrame) {}, [&] { ++closed; });
        Launch large = someLaunch();
        large.environment.assign(40, std::string(100'000, 'e'));
        for (int i = 0; i < 5; ++i) {
            std::vector<FileDescriptor> descriptors;
            descriptors.emplace_back(::open("/dev/null", O_RDONLY | O_CLOEXEC));
            channel.send(large, std::move(descriptors));
        }
        FrameReader reader;
        int frames = 0;
        QVERIFY(test::runUntil(loop, [&] {
            reader.receive(pair->second.get());
            while (auto frame = reader.next())
                frames += frame->descriptors.size() == 1 ? 1 : 0;
            return frames == 5;
        }));
        pair->second.close();
        QVERIFY(test::runUntil(loop, [&] { return closed == 1; }));
    }

    /// Nobody would ever answer it.
    void aFrameThatCantBeSentEndsTheConnection()
    {
        EventLoop loop;
        auto pair = makeSocketPair(SOCK_STREAM);
        int closed = 0;
        KeeperChannel channel(
            loop, std::move(pair->first), [](ReceivedFrame) {}, [&] { ++closed; });
        QVERIFY(channel.receive());
        std::vector<FileDescriptor> tooMany(MostPassedDescriptors + 1);
        channel.send(someLaunch(), std::move(tooMany));
        QCOMPARE(closed, 0); // never from within a command
        QVERIFY(test::runUntil(loop, [&] { return closed == 1; }));
        FrameReader reader;
        QCOMPARE(reader.receive(pair->second.get()), FrameReader::State::Closed);
    }
};

QTEST_GUILESS_MAIN(tst_keeper_protocol)
#include "tst_keeper_protocol.moc"

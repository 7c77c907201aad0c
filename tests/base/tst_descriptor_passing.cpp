#include "engine/base/DescriptorPassing.h"

#include <QtTest>

#include <array>
#include <cerrno>

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace ringmaster;

namespace {

struct Wire
{
    Wire()
    {
        std::array<int, 2> ends{-1, -1};
        QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
        here = FileDescriptor(ends[0]);
        there = FileDescriptor(ends[1]);
    }

    FileDescriptor here;
    FileDescriptor there;
};

/// Which file an open descriptor is of.
std::pair<dev_t, ino_t> fileOf(int descriptor)
{
    struct stat status = {};
    QTest::qVerify(::fstat(descriptor, &status) == 0, "fstat", "", __FILE__, __LINE__);
    return {status.st_dev, status.st_ino};
}

} // namespace

class tst_descriptor_passing : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theFileArrives()
    {
        const Wire wire;
        const Wire other;
        QCOMPARE(sendWithDescriptors(wire.here.get(), "d", std::array{other.here.get()}), 1);
        const FileDescriptor received = receiveDescriptor(wire.there.get());
        QVERIFY(received.isOpen());
        QVERIFY(received.get() != other.here.get());
        QVERIFY(fileOf(received.get()) == fileOf(other.here.get()));
    }

    void withoutOneTheBytesArrive()
    {
        const Wire wire;
        QCOMPARE(sendWithDescriptors(wire.here.get(), "hello", {}), 5);
        std::array<char, 8> bytes{};
        QCOMPARE(::read(wire.there.get(), bytes.data(), bytes.size()), 5);
        QCOMPARE(std::string_view(bytes.data()), std::string_view("hello"));
    }

    void whatIsNoDescriptorIsNone()
    {
        Wire wire;
        QCOMPARE(sendWithDescriptors(wire.here.get(), "d", {}), 1);
        QVERIFY(!receiveDescriptor(wire.there.get()).isOpen());
        wire.here = FileDescriptor();
        QVERIFY(!receiveDescriptor(wire.there.get()).isOpen());
    }

    /// What doesn't fit is closed by the kernel: nothing of it may stay open unseen.
    void twoWhereOneIsMeantLeaveNothingOpen()
    {
        const Wire wire;
        const Wire other;
        QCOMPARE(sendWithDescriptors(wire.here.get(), "d",
                                     std::array{other.here.get(), other.there.get()}),
                 1);
        const int next = ::dup(wire.here.get());
        ::close(next);
        QVERIFY(!receiveDescriptor(wire.there.get()).isOpen());
        const int after = ::dup(wire.here.get());
        ::close(after);
        QCOMPARE(after, next);
    }

    void moreThanAMessageHoldsAreRefused()
    {
        const Wire wire;
        const std::vector<int> many(MostPassedDescriptors + 1, wire.here.get());
        QCOMPARE(sendWithDescriptors(wire.here.get(), "d", many), -1);
        QCOMPARE(errno, EINVAL);
    }

    void whoHasGoneIsAnError()
    {
        Wire wire;
        wire.there = FileDescriptor();
        QCOMPARE(sendWithDescriptors(wire.here.get(), "d", {}), -1);
        QCOMPARE(errno, EPIPE);
    }
};

QTEST_GUILESS_MAIN(tst_descriptor_passing)
#include "tst_descriptor_passing.moc"

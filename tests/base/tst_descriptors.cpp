#include "engine/base/Codes.h"
#include "engine/base/DescriptorLimit.h"
#include "engine/base/EventLoop.h"
#include "engine/base/Files.h"
#include "engine/base/SpareDescriptor.h"
#include "engine/base/Spawn.h"
#include "engine/base/Thread.h"

#include <QtTest>

#include <cerrno>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

/// This process has no descriptor left while it lives.
class NoDescriptors
{
public:
    NoDescriptors()
    {
        getrlimit(RLIMIT_NOFILE, &m_before);
        rlimit few = m_before;
        few.rlim_cur = 256;
        setrlimit(RLIMIT_NOFILE, &few);
        for (;;) {
            FileDescriptor one(::open("/dev/null", O_RDONLY | O_CLOEXEC));
            if (!one.isOpen())
                break;
            m_taken.push_back(std::move(one));
        }
    }
    ~NoDescriptors() { setrlimit(RLIMIT_NOFILE, &m_before); }
    NoDescriptors(const NoDescriptors&) = delete;
    NoDescriptors& operator=(const NoDescriptors&) = delete;

private:
    rlimit m_before{};
    std::vector<FileDescriptor> m_taken;
};

FileDescriptor unixSocket()
{
    return FileDescriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

} // namespace

class tst_descriptors : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLoopWatchesWithoutASpareDescriptor()
    {
        EventLoop loop;
        auto pair = makeSocketPair(SOCK_STREAM);
        QVERIFY(pair.has_value());
        const NoDescriptors none;
        int writable = 0;
        EventLoop::Registration look;
        EventLoop::Registration watch = loop.watchWritable(pair->first.get(), [&] {
            if (++writable != 3)
                return;
            watch.cancel();
            look = loop.callAfter(500ms, [&] { loop.stop(); });
        });
        const auto end = loop.callAfter(30s, [&] { loop.stop(); });
        loop.run();
        QCOMPARE(writable, 3);
    }

    void aLoopSurvivesADescriptorThatIsNone()
    {
        EventLoop loop;
        QVERIFY(!loop.watchReadable(-1, [] {}).isActive());
        QVERIFY(!loop.watchWritable(-1, [] {}).isActive());
    }

    void aSpareSendsAwayWhoCannotBeLetIn()
    {
        const FileDescriptor listener = unixSocket();
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const std::string name = "rm-test-" + std::to_string(::getpid());
        std::copy(name.begin(), name.end(), address.sun_path + 1); // an abstract name
        const auto* generic = reinterpret_cast<const sockaddr*>(&address);
        const socklen_t length =
            static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
        QCOMPARE(::bind(listener.get(), generic, length), 0);
        QCOMPARE(::listen(listener.get(), 8), 0);
        const FileDescriptor first = unixSocket();
        const FileDescriptor second = unixSocket();
        SpareDescriptor spare("test");
        QVERIFY(!spare.accept(listener.get()).isOpen()); // nobody is there
        {
            const NoDescriptors none;
            QCOMPARE(::connect(first.get(), generic, length), 0);
            QVERIFY(!spare.accept(listener.get()).isOpen());
            char byte = 0;
            QCOMPARE(::recv(first.get(), &byte, 1, 0), ssize_t{0}); // sent away
        }
        QCOMPARE(::connect(second.get(), generic, length), 0);
        QVERIFY(spare.accept(listener.get()).isOpen());
    }

    void tooManyFilesIsSaidWithItsRemedy()
    {
        const NoDescriptors none;
        const auto read = readFile("/proc/self/stat");
        QVERIFY(!read);
        QVERIFY(describe(read.error()).find("ulimit -n") != std::string::npos);
    }

    /// Its end would never be noticed.
    void aChildThatCannotBeWatchedIsEnded()
    {
        const NoDescriptors none;
        const auto child = spawnWatched({.command = {"/bin/sleep", "1000"}});
        QVERIFY(!child);
        QCOMPARE(child.error().parameters.at("call"), std::string("pidfd_open"));
        QCOMPARE(::waitpid(-1, nullptr, WNOHANG), -1); // no child is left
        QCOMPARE(errno, ECHILD);
    }

    void theLimitIsRaisedForUsAlone()
    {
        rlimit before{};
        getrlimit(RLIMIT_NOFILE, &before);
        rlimit low = before;
        low.rlim_cur = 300;
        QCOMPARE(setrlimit(RLIMIT_NOFILE, &low), 0);
        raiseDescriptorLimit();
        raiseDescriptorLimit(); // another time, which forgets nothing
        rlimit raised{};
        getrlimit(RLIMIT_NOFILE, &raised);
        QVERIFY(raised.rlim_cur > 300 || raised.rlim_max <= 300);
        QCOMPARE(usersDescriptorLimit(), rlim_t{300});
        auto go = makePipe();
        auto pipe = makePipe();
        QVERIFY(go.has_value() && pipe.has_value());
        const auto child = spawn({.command = {"/bin/sh", "-c", "read line; ulimit -n"},
                                  .environment = std::vector<std::string>{"PATH=/bin:/usr/bin"},
                                  .descriptors = {go->readEnd.get(), pipe->writeEnd.get(), -1}});
        QVERIFY(child.has_value());
        pipe->writeEnd.close();
        QVERIFY(writeAll(go->writeEnd.get(), "its limit is set\n"));
        char text[16] = {};
        QVERIFY(::read(pipe->readEnd.get(), text, sizeof text - 1) > 0);
        QCOMPARE(QByteArray(text).trimmed(), QByteArray("300"));
        ::waitpid(*child, nullptr, 0);
        setrlimit(RLIMIT_NOFILE, &before);
    }

    void aThreadThatCannotStartIsAnError()
    {
        pthread_attr_t usual;
        pthread_attr_t huge;
        QCOMPARE(pthread_getattr_default_np(&usual), 0);
        QCOMPARE(pthread_getattr_default_np(&huge), 0);
        // More than there are addresses: no thread gets it.
        QCOMPARE(pthread_attr_setstacksize(&huge, size_t{1} << 47U), 0);
        QCOMPARE(pthread_setattr_default_np(&huge), 0);
        const auto thread = startThread("rm-test", [] {});
        QCOMPARE(pthread_setattr_default_np(&usual), 0);
        QVERIFY(!thread);
        QCOMPARE(thread.error().code, code::ThreadNotStarted);
    }

    void nothingButARegularFileIsRead()
    {
        const QTemporaryDir folder;
        const auto path = [&](const char* name) { return folder.filePath(name).toStdString(); };
        QFile file(folder.filePath("file"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("text");
        file.close();
        QCOMPARE(::mkfifo(path("pipe").c_str(), 0600), 0);
        QCOMPARE(::symlink(path("file").c_str(), path("link").c_str()), 0);
        QCOMPARE(::mkdir(path("folder").c_str(), 0700), 0);
        QCOMPARE(readUntrustedFile(path("file")).value_or("?"), std::string("text"));
        for (const char* name : {"pipe", "link", "folder"}) {
            const auto read = readUntrustedFile(path(name));
            QVERIFY2(!read, name);
            QCOMPARE(read.error().code, code::FileNotRegular);
        }
        QCOMPARE(readUntrustedFile("/dev/zero").error().code, code::FileNotRegular);
        QCOMPARE(readUntrustedFile(path("nothing")).error().code, code::FileNotFound);
        QCOMPARE(readUntrustedFile(path("file"), 3).error().code, code::FileTooLarge);
    }
};

QTEST_GUILESS_MAIN(tst_descriptors)
#include "tst_descriptors.moc"

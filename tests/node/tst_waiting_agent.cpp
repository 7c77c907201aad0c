#include "engine/base/Codes.h"
#include "engine/base/Paths.h"
#include "engine/node/WaitingAgent.h"

#include <QTemporaryDir>
#include <QtTest>

#include <future>

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

/// This process can open nothing more.
class NoDescriptorLeft
{
public:
    NoDescriptorLeft()
    {
        ::getrlimit(RLIMIT_NOFILE, &m_before);
        rlimit none = m_before;
        none.rlim_cur = 3;
        ::setrlimit(RLIMIT_NOFILE, &none);
    }
    ~NoDescriptorLeft() { ::setrlimit(RLIMIT_NOFILE, &m_before); }
    NoDescriptorLeft(const NoDescriptorLeft&) = delete;
    NoDescriptorLeft& operator=(const NoDescriptorLeft&) = delete;

private:
    rlimit m_before{};
};

} // namespace

class tst_waiting_agent : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QFile::setPermissions(m_folder.path(),
                              QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("XDG_RUNTIME_DIR", m_folder.path().toUtf8());
        qunsetenv("SLURMD_NODENAME");
    }

    void takesTheLeadThatReachesIt()
    {
        auto waiting = std::async(std::launch::async, [] { return waitForLead("one"); });
        const auto lead = reachWaiting("one");
        QVERIFY2(lead.has_value(), lead ? "" : describe(lead.error()).c_str());
        const auto agent = waiting.get();
        QVERIFY2(agent.has_value(), agent ? "" : describe(agent.error()).c_str());
        QCOMPARE(::write(lead->get(), "x", 1), ssize_t{1});
        char byte = 0;
        QCOMPARE(::read(agent->get(), &byte, 1), ssize_t{1});
        QVERIFY(!QFile::exists(socketOf("one")));
    }

    /// There was a lead, and it isn't its fault.
    void saysThatItCannotTakeOneForTooManyOpenFiles()
    {
        const FileDescriptor lead(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const QByteArray path = socketOf("two").toUtf8();
        QVERIFY(path.size() < qsizetype{sizeof address.sun_path});
        std::copy(path.begin(), path.end(), address.sun_path);
        auto waiting = std::async(std::launch::async, [] { return waitForLead("two"); });
        QTRY_VERIFY(::access(path.constData(), F_OK) == 0);
        {
            const NoDescriptorLeft none;
            // The file is there before anybody listens.
            const auto* generic = reinterpret_cast<const sockaddr*>(&address);
            QVERIFY(QTest::qWaitFor(
                [&] { return ::connect(lead.get(), generic, sizeof address) == 0; }));
            waiting.wait();
        }
        const auto agent = waiting.get();
        QVERIFY(!agent);
        QCOMPARE(agent.error().code, code::SystemCallFailed);
        const std::string said = describe(agent.error());
        QVERIFY2(said.find("ulimit -n") != std::string::npos, said.c_str());
        QVERIFY(!QFile::exists(QString::fromUtf8(path)));
    }

private:
    static QString socketOf(const char* token)
    {
        return QString::fromStdString(runtimeFolder()->string()) + "/wait-" + token;
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(tst_waiting_agent)
#include "tst_waiting_agent.moc"

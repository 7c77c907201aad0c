#include "engine/attach/StackComparison.h"
#include "engine/base/FileDescriptor.h"
#include "engine/base/ProcessInfo.h"
#include "engine/diagnose/Codes.h"
#include "tests/TestMain.h"
#include "tests/support/NcclRasAnswer.h"

#include <QProcess>
#include <QtTest>

#include <array>
#include <atomic>
#include <cerrno>
#include <future>
#include <map>
#include <optional>
#include <string>
#include <thread>

#include <netinet/in.h>
#include <sys/socket.h>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

/// Answers as NCCL's RAS does. It is given 4 s for that: its thread has nothing else to do.
class RasServer
{
public:
    RasServer()
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* generic = reinterpret_cast<sockaddr*>(&address);
        const int socket = m_listener.get();
        if (::bind(socket, generic, size) != 0 || ::listen(socket, 8) != 0 ||
            ::getsockname(socket, generic, &size) != 0)
            qFatal("the test can't listen");
        m_port = ntohs(address.sin_port);
    }
    RasServer(const RasServer&) = delete;
    RasServer& operator=(const RasServer&) = delete;
    ~RasServer()
    {
        ::shutdown(m_listener.get(), SHUT_RDWR); // accept() returns
        if (m_thread.joinable())
            m_thread.join();
    }

    void serve(const std::string& answer)
    {
        m_thread = std::thread([this, answer] {
            while (const auto client = accepted()) {
                ++m_asked;
                if (isQuestion(*client))
                    (void)::send(client->get(), answer.data(), answer.size(), MSG_NOSIGNAL);
            }
        });
    }

    int port() const { return m_port; }
    int asked() const { return m_asked; }

private:
    /// Nothing: it is over.
    std::optional<FileDescriptor> accepted() const
    {
        for (;;) {
            FileDescriptor client(::accept4(m_listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
            if (client.isOpen())
                return client;
            if (errno != EINTR)
                return std::nullopt;
        }
    }

    static bool isQuestion(const FileDescriptor& client)
    {
        std::string text;
        std::array<char, 256> buffer{};
        while (!text.ends_with("VERBOSE STATUS\n")) {
            const ssize_t count = ::recv(client.get(), buffer.data(), buffer.size(), 0);
            if (count <= 0)
                return false;
            text.append(buffer.data(), static_cast<size_t>(count));
        }
        return true;
    }

    const FileDescriptor m_listener{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    int m_port = 0;
    std::atomic<int> m_asked = 0;
    std::thread m_thread;
};

} // namespace

/// What a look asks besides stacks, of real processes and over a real socket.
class tst_job_look : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ncclsRasIsAskedWhereTheRanksHaveIt_data()
    {
        QTest::addColumn<bool>("isOn");
        QTest::newRow("on") << true;
        QTest::newRow("off") << false;
    }

    void ncclsRasIsAskedWhereTheRanksHaveIt()
    {
        QFETCH(const bool, isOn);
        RasServer server;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("NCCL_RAS_ADDR"),
                           QStringLiteral("localhost:%1").arg(server.port()));
        environment.insert(QStringLiteral("NCCL_RAS_ENABLE"), QString::number(isOn ? 1 : 0));
        std::array<QProcess, 2> ranks;
        ForeignJob job;
        for (QProcess& rank : ranks) {
            rank.setProcessEnvironment(environment);
            rank.start(QStringLiteral("sleep"), {QStringLiteral("1000")});
            QVERIFY(rank.waitForStarted());
            const auto pid = static_cast<pid_t>(rank.processId());
            job.ranks.push_back(
                {.rank = static_cast<int>(job.ranks.size()), .process = identityOf(pid).value()});
        }
        const std::map<int, std::uint64_t> launched{{job.ranks[0].process.pid, 31},
                                                    {job.ranks[1].process.pid, 30}};
        server.serve("SERVER PROTOCOL 2\nOK\nOK\n" + test::rasAnswer({.answering = launched}));
        JobLook look(job, 300ms);
        auto seen = std::async(std::launch::async, [&] { return look.take(); });
        QTRY_VERIFY_WITH_TIMEOUT(seen.wait_for(0s) == std::future_status::ready, 60'000);
        const StackComparison comparison = compareStacks(seen.get());
        QCOMPARE(server.asked(), isOn ? 2 : 0);
        QCOMPARE(comparison.statement.code == code::RasBehind, isOn);
        if (isOn)
            QCOMPARE(comparison.odd, std::vector{1});
        for (QProcess& rank : ranks) {
            rank.kill();
            QVERIFY(rank.waitForFinished());
        }
    }

    /// As on a busy machine.
    void theSecondLookWaitsForTheReadersOfTheFirst()
    {
        const QTemporaryDir folder;
        const QString program = folder.filePath(QStringLiteral("rank"));
        QVERIFY(QFile::copy(QStringLiteral("/bin/sleep"), program));
        QFile reader(folder.filePath(QStringLiteral("py-spy")));
        QVERIFY(reader.open(QIODevice::WriteOnly));
        reader.write("#!/bin/sh\necho '[]'\n");
        reader.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        reader.close();
        QProcess rank;
        rank.start(program, {QStringLiteral("1000")});
        QVERIFY(rank.waitForStarted());
        ForeignJob job;
        job.ranks.push_back({.process = identityOf(static_cast<pid_t>(rank.processId())).value()});
        JobLook look(job, 0ms);
        auto seen = std::async(std::launch::async, [&] { return look.take(); });
        QTRY_VERIFY_WITH_TIMEOUT(seen.wait_for(0s) == std::future_status::ready, 60'000);
        QCOMPARE(seen.get().ranks.size(), size_t{1});
        rank.kill();
        QVERIFY(rank.waitForFinished());
    }
};

QTEST_GUILESS_MAIN(tst_job_look)
#include "tst_job_look.moc"

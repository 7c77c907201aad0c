#include "engine/attach/StackComparison.h"
#include "engine/base/ProcessInfo.h"
#include "engine/diagnose/Codes.h"
#include "tests/TestMain.h"
#include "tests/support/NcclRasAnswer.h"

#include <QProcess>
#include <QTcpServer>
#include <QTcpSocket>
#include <QtTest>

#include <future>

using namespace ringmaster;
using namespace std::chrono_literals;

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
        QTcpServer server;
        QVERIFY(server.listen(QHostAddress::LocalHost));
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("NCCL_RAS_ADDR"),
                           QStringLiteral("localhost:%1").arg(server.serverPort()));
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
        int asked = 0;
        connect(&server, &QTcpServer::newConnection, this, [&] {
            QTcpSocket* socket = server.nextPendingConnection();
            ++asked;
            connect(socket, &QTcpSocket::readyRead, socket, [&, socket] {
                if (!socket->readAll().endsWith("VERBOSE STATUS\n"))
                    return;
                const std::map<int, std::uint64_t> launched{
                    {static_cast<int>(ranks[0].processId()), 31},
                    {static_cast<int>(ranks[1].processId()), 30}};
                socket->write("SERVER PROTOCOL 2\nOK\nOK\n" +
                              QByteArray::fromStdString(test::rasAnswer({.answering = launched})));
                socket->disconnectFromHost();
            });
        });
        JobLook look(job, 300ms);
        auto seen = std::async(std::launch::async, [&] { return look.take(); });
        QTRY_VERIFY_WITH_TIMEOUT(seen.wait_for(0s) == std::future_status::ready, 60'000);
        const StackComparison comparison = compareStacks(seen.get());
        QCOMPARE(asked, isOn ? 2 : 0);
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

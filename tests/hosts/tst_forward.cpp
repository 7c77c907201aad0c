#include "engine/control/PortForwards.h"
#include "tests/TestMain.h"
#include "tests/hosts/LabRuns.h"

#include <QJsonArray>

#include <array>
#include <atomic>
#include <csignal>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace {

/// Waits for a file that says that it shall end, and answers everybody at a port until then.
QString serverScript(const QString& end)
{
    return QStringLiteral("cd /proc/sys/kernel && python3 -m http.server 6006 --bind 127.0.0.1 & "
                          "until test -e %1; do sleep 0.05; done; kill $!")
        .arg(end);
}

/// What the server at a port of this machine says of the host's name; empty: nobody answers in
/// time.
QByteArray hostnameAt(int port)
{
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const timeval patience{.tv_sec = 30};
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    QByteArray answer;
    if (::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) {
        const QByteArray question = "GET /hostname HTTP/1.0\r\n\r\n";
        (void)!::write(socket, question.constData(), static_cast<size_t>(question.size()));
        std::array<char, 4096> buffer{};
        for (ssize_t got = 0; (got = ::read(socket, buffer.data(), buffer.size())) > 0;)
            answer.append(buffer.data(), static_cast<int>(got));
    }
    ::close(socket);
    const auto body = answer.indexOf("\r\n\r\n");
    return body < 0 ? QByteArray() : answer.mid(body + 4).trimmed();
}

/// By what it says.
int portOf(const QByteArray& said)
{
    const auto at = said.indexOf("127.0.0.1:");
    return at < 0 ? -1 : said.mid(at + 10).split(' ').first().toInt();
}

} // namespace

/// `ringmaster forward`, over a real sshd.
class tst_forward : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { needLabWithAgent("lab1"); }

    void aPortOfAnotherMachinesRunIsHereUntilTheRunEnds()
    {
        Lab lab;
        const auto launch =
            lab.start({"run", "--on", "lab1", "--standalone", "--detach", "--name", "board",
                       "--no-python", "/bin/sh", "-c", serverScript("/tmp/board-over")});
        const auto started = Ringmaster::finish(*launch);
        QVERIFY2(started.exitCode == 0, started.error);
        const auto forward =
            lab.start({"forward", "--on", "lab1", "board", "6006", "--local", "0"});
        QByteArray said;
        QTRY_VERIFY_WITH_TIMEOUT(portOf(outputOf(*forward, said)) > 0 ||
                                     forward->state() == QProcess::NotRunning,
                                 ForProcesses);
        QVERIFY2(portOf(said) > 0, said + forward->readAllStandardError());
        QVERIFY2(said.startsWith("Port 6006 of lab1 is at 127.0.0.1:"), said);
        QVERIFY2(said.contains("lab1:" + started.output.trimmed()), said);
        const int port = portOf(said);
        QTRY_COMPARE_WITH_TIMEOUT(hostnameAt(port), "lab1", ForProcesses);
        QCOMPARE(hostnameAt(port), "lab1");

        const auto again = Ringmaster::finish(
            *lab.start({"forward", "lab1:board", "6006", "--local", QString::number(port)}));
        QCOMPARE(again.exitCode, 2);
        QVERIFY2(again.error.contains("is taken"), again.error);
        const auto nothing = lab.start({"forward", "lab1:board", "6007", "--local", "0"});
        QByteArray where;
        QTRY_VERIFY_WITH_TIMEOUT(portOf(outputOf(*nothing, where)) > 0 ||
                                     nothing->state() == QProcess::NotRunning,
                                 ForProcesses);
        QVERIFY2(portOf(where) > 0, where + nothing->readAllStandardError());
        QCOMPARE(hostnameAt(portOf(where)), QByteArray());
        QVERIFY(
            waitForText(*nothing, "Nothing answers at port 6007 of lab1", QProcess::StandardError));
        ::kill(static_cast<pid_t>(nothing->processId()), SIGINT);
        QCOMPARE(Ringmaster::finish(*nothing).exitCode, 0);

        Lab::on("lab1", {"touch", "/tmp/board-over"});
        const auto ended = Ringmaster::finish(*forward);
        QVERIFY2(ended.exitCode == 0, ended.error);
        QVERIFY2(ended.error.contains("has ended, and with it the forwarding"), ended.error);
        QCOMPARE(hostnameAt(port), QByteArray());
        const auto over = Ringmaster::finish(*lab.start({"forward", "lab1:board", "6006"}));
        QCOMPARE(over.exitCode, 2);
        QVERIFY2(over.error.contains("isn't running"), over.error);
        QTRY_VERIFY2_WITH_TIMEOUT(Lab::left("lab1").isEmpty(), Lab::left("lab1"), ForProcesses);
    }

    /// As the dashboard does it.
    void severalPortsAreForwardedAtOnce()
    {
        Lab lab;
        lab.setEnvironmentHere();
        const auto launch =
            lab.start({"run", "--on", "lab1", "--standalone", "--detach", "--name", "both",
                       "--no-python", "/bin/sh", "-c", serverScript("/tmp/both-over")});
        const auto started = Ringmaster::finish(*launch);
        QVERIFY2(started.exitCode == 0, started.error);
        std::atomic<int> good = 0;
        std::atomic<int> next = 0;
        std::atomic<bool> isRefused = false;
        const auto into = [&isRefused](std::atomic<int>& port) {
            return ringmaster::PortForwards::Told{
                .opened = [&port](const ringmaster::Result<int>& at) { port = at.value_or(-1); },
                .failed = [&isRefused](const ringmaster::Error&) { isRefused = true; }};
        };
        ringmaster::PortForwards forwards;
        auto first = forwards.open("lab1", 6006, into(good));
        const auto second = forwards.open("lab1", 6006, into(next));
        QTRY_VERIFY_WITH_TIMEOUT(good != 0 && next != 0, ForProcesses);
        QVERIFY(good > 0 && next > 0 && good != next);
        QTRY_COMPARE_WITH_TIMEOUT(hostnameAt(good), "lab1", ForProcesses);
        QTRY_COMPARE_WITH_TIMEOUT(hostnameAt(next), "lab1", ForProcesses);
        first = {};
        QTRY_COMPARE_WITH_TIMEOUT(hostnameAt(good), QByteArray(), ForProcesses);
        Lab::on("lab1", {"touch", "/tmp/both-over"});
        const auto isOver = [&] { return hostnameAt(next).isEmpty() && isRefused; };
        QTRY_VERIFY_WITH_TIMEOUT(isOver(), ForProcesses);
        QTRY_VERIFY2_WITH_TIMEOUT(Lab::left("lab1").isEmpty(), Lab::left("lab1"), ForProcesses);
    }

    void ofARunOnHostsItIsTheHostOfTheRank()
    {
        Lab lab;
        const auto job =
            lab.start({"run", "--hosts", "lab1,lab2", "--nproc-per-node", "1", "--name", "two",
                       "--no-python", "/bin/sh", "-c", serverScript("/tmp/two-over")});
        const auto forward = [&lab](const QStringList& options) {
            return lab.start(QStringList{"forward", "two", "6006", "--local", "0"} + options);
        };
        QTRY_VERIFY_WITH_TIMEOUT(lab.show()["workers"].toArray().size() == 2, ForProcesses);
        for (const int rank : {0, 1}) {
            const auto forwarded = forward({"--rank", QString::number(rank)});
            QByteArray said;
            QTRY_VERIFY_WITH_TIMEOUT(portOf(outputOf(*forwarded, said)) > 0 ||
                                         forwarded->state() == QProcess::NotRunning,
                                     ForProcesses);
            QVERIFY2(portOf(said) > 0, said + forwarded->readAllStandardError());
            const QByteArray host = said.mid(13, 4);
            QVERIFY2(host == "lab1" || host == "lab2", said);
            QTRY_COMPARE_WITH_TIMEOUT(hostnameAt(portOf(said)), host, ForProcesses);
            ::kill(static_cast<pid_t>(forwarded->processId()), SIGTERM);
            QCOMPARE(Ringmaster::finish(*forwarded).exitCode, 0);
        }
        const auto none = Ringmaster::finish(*forward({"--rank", "7"}));
        QCOMPARE(none.exitCode, 2);
        QVERIFY2(none.error.contains("has no rank 7"), none.error);
        for (const char* host : {"lab1", "lab2"})
            Lab::on(host, {"touch", "/tmp/two-over"});
        QVERIFY(Ringmaster::finish(*job).exitCode == 0);
    }
};

int main_tst_forward(int argc, char** argv)
{
    return runInLab(argc, argv, "2", [](int count, char** words) {
        QCoreApplication application(count, words);
        tst_forward test;
        return QTest::qExec(&test, count, words);
    });
}

#include "tst_forward.moc"

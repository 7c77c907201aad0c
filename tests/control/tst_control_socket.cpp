#include "engine/base/Paths.h"
#include "engine/control/ControlSocket.h"
#include "engine/control/LocalSocket.h"

#include <QProcess>
#include <QtTest>

#include <fstream>
#include <thread>

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace ringmaster;
namespace fs = std::filesystem;

class tst_control_socket : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyItsOwnerCanOpenTheSocket()
    {
        const mode_t before = ::umask(0);
        EventLoop loop;
        const auto socket = ControlSocket::open(loop, folder(), "run", [](FileDescriptor) {});
        ::umask(before);
        QVERIFY(socket.has_value());
        struct stat info
        {
        };
        QCOMPARE(::stat(socket->path().c_str(), &info), 0);
        QVERIFY(S_ISSOCK(info.st_mode));
        QCOMPARE(info.st_mode & 0777U, 0600U);
        QCOMPARE(info.st_uid, ::geteuid());
    }

    void refusesAPeerOfAnotherUser()
    {
        QVERIFY(checkPeer({.pid = 1, .uid = 1000, .gid = 0}, 1000).has_value());
        const auto refused = checkPeer({.pid = 7, .uid = 1001, .gid = 0}, 1000);
        QVERIFY(refused.error().code == Code::PeerRefused);
        QCOMPARE(refused.error().parameters.at("user"), std::string("1001"));
        QVERIFY(!checkPeer({.pid = 1, .uid = 0, .gid = 0}, 1000).has_value());
    }

    void readsTheCredentialsOfTheOtherEnd()
    {
        const auto pair = makeSocketPair(SOCK_STREAM);
        const auto peer = peerOf(pair->first.get());
        QCOMPARE(peer->pid, ::getpid());
        QCOMPARE(peer->uid, ::geteuid());
        QVERIFY(!peerOf(STDIN_FILENO).has_value());
    }

    void acceptsConnectionsAndIsGoneAfterwards()
    {
        EventLoop loop;
        std::vector<FileDescriptor> accepted;
        fs::path path;
        {
            const auto socket = ControlSocket::open(loop, folder(), "run", [&](FileDescriptor c) {
                accepted.push_back(std::move(c));
                if (accepted.size() == 2)
                    loop.stop();
            });
            path = socket->path();
            std::vector<FileDescriptor> clients;
            for (int i = 0; i < 2; ++i)
                clients.push_back(connectLocally(path).value());
            loop.run();
            QCOMPARE(accepted.size(), size_t{2});
        }
        QVERIFY(!fs::exists(path));
        QVERIFY(connectLocally(path).error().code == Code::SocketNotAnswering);
    }

    void refusesToTakeOverASocketThatIsThere()
    {
        EventLoop loop;
        const auto first = ControlSocket::open(loop, folder(), "run", [](FileDescriptor) {});
        const auto second = ControlSocket::open(loop, folder(), "run", [](FileDescriptor) {});
        QVERIFY(first.has_value());
        QVERIFY(second.error().code == Code::SocketInUse);
        QVERIFY(fs::exists(first->path()));
    }

    void reachesASocketWhoseNameIsTooLong()
    {
        const fs::path deep = folder() / std::string(90, 'a') / std::string(90, 'b');
        fs::create_directories(deep);
        EventLoop loop;
        int accepted = 0;
        const auto socket = ControlSocket::open(loop, deep, "run", [&](FileDescriptor) {
            ++accepted;
            loop.stop();
        });
        QVERIFY2(socket.has_value(), socket ? "" : describe(socket.error()).c_str());
        QVERIFY(fs::is_socket(socket->path()));
        const auto client = connectLocally(socket->path());
        QVERIFY(client.has_value());
        loop.run();
        QCOMPARE(accepted, 1);
    }

    void saysSoWhenEvenTheFileNameIsTooLong()
    {
        const auto refused = listenLocally(folder() / std::string(120, 'x'));
        QVERIFY(refused.error().code == Code::SocketNameTooLong);
    }

    void namesSayWhoseTheyAre()
    {
        const ControlSocketName name{"20261121-080000-abcd", {1234, 567890}};
        QCOMPARE(name.fileName(), std::string("20261121-080000-abcd.1234-567890"));
        QVERIFY(ControlSocketName::parse(name.fileName()) == name);
        for (const char* bad : {"", ".", "run", ".1-2", "run.", "run.1", "run.-2", "run.1-",
                                "run.a-2", "run.1-2x", "a-b.1", "run.99999999999999999999-1"})
            QVERIFY2(!ControlSocketName::parse(bad), bad);
    }

    void removesTheSocketsOfDeadAgentsAndNoOthers()
    {
        QProcess child;
        child.start("sleep", {"100"});
        QVERIFY(child.waitForStarted());
        const ProcessIdentity owner = identityOf(static_cast<pid_t>(child.processId())).value();
        const auto live = listenAs({"live", owner});
        const auto reused = listenAs({"reused", {owner.pid, owner.startTime - 1}});
        std::ofstream(folder() / "file.1-1") << "not a socket";

        QCOMPARE(liveControlSockets(folder()), std::vector{(ControlSocketName{"live", owner})});
        QCOMPARE(removeStaleControlSockets(folder()), 1);
        QVERIFY(fs::exists(folder() / "file.1-1"));
        QVERIFY(fs::exists(folder() / ControlSocketName{"live", owner}.fileName()));

        child.kill();
        QVERIFY(child.waitForFinished());
        QCOMPARE(removeStaleControlSockets(folder()), 1);
        QVERIFY(liveControlSockets(folder()).empty());
    }

private:
    FileDescriptor listenAs(const ControlSocketName& name)
    {
        return listenLocally(folder() / name.fileName()).value();
    }

    fs::path folder() const { return m_folder.path().toStdString(); }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(tst_control_socket)
#include "tst_control_socket.moc"

#include "engine/base/FileLock.h"
#include "engine/base/Paths.h"
#include "engine/control/AgentClient.h"
#include "engine/control/Codes.h"
#include "engine/control/ControlSocket.h"
#include "engine/control/LocalSocket.h"

#include <QProcess>
#include <QtTest>

#include <fstream>
#include <thread>

#include <fcntl.h>
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
        const auto socket = ControlSocket::open(loop, folder(), [](FileDescriptor) {});
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
        QVERIFY(refused.error().code == code::PeerRefused);
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
            const auto socket = ControlSocket::open(loop, folder(), [&](FileDescriptor c) {
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
        QVERIFY(connectLocally(path).error().code == code::SocketNotAnswering);
    }

    /// Its process is stopped, and who came before has filled its queue.
    void aListenerThatTakesNobodyIsToldApartFromNone()
    {
        const fs::path path = folder() / "stopped";
        const FileDescriptor listener = listenLocally(path).value();
        QCOMPARE(::listen(listener.get(), 0), 0); // room for one
        const auto first = connectLocally(path);
        QVERIFY(first.has_value());
        QCOMPARE(::fcntl(first->get(), F_GETFL) & O_NONBLOCK, 0);
        const auto second = connectLocally(path);
        QVERIFY(!second && second.error().code == code::SocketQueueFull);
        QVERIFY(!isAbandonedSocket(path));
        fs::remove(path);
        QVERIFY(connectLocally(path).error().code == code::SocketNotAnswering);
    }

    void anAgentThatTakesNobodyIsNamedWithItsProcess()
    {
        const ProcessIdentity agent{4711, 1};
        auto listener = listenAs(agent);
        const fs::path path = folder() / controlSocketName(agent);
        QCOMPARE(::listen(listener.get(), 0), 0); // room for one
        const auto first = connectLocally(path);
        QVERIFY(first.has_value());
        RpcQueue queue;
        const auto second = AgentClient::connect(path, "train", queue);
        QVERIFY(!second && second.error().code == code::AgentQueueFull);
        QCOMPARE(second.error().parameters.at("run"), std::string("train"));
        QCOMPARE(second.error().parameters.at("pid"), std::string("4711"));
        // It has ended since.
        listener.close();
        QVERIFY(AgentClient::connect(path, "train", queue).error().code ==
                code::SocketNotAnswering);
        fs::remove(path);
    }

    void refusesToTakeOverASocketThatIsThere()
    {
        EventLoop loop;
        const auto first = ControlSocket::open(loop, folder(), [](FileDescriptor) {});
        const auto second = ControlSocket::open(loop, folder(), [](FileDescriptor) {});
        QVERIFY(first.has_value());
        QVERIFY(second.error().code == code::SocketInUse);
        QVERIFY(fs::exists(first->path()));
    }

    void reachesASocketWhoseNameIsTooLong()
    {
        const fs::path deep = folder() / std::string(90, 'a') / std::string(90, 'b');
        fs::create_directories(deep);
        EventLoop loop;
        int accepted = 0;
        const auto socket = ControlSocket::open(loop, deep, [&](FileDescriptor) {
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
        QVERIFY(refused.error().code == code::SocketNameTooLong);
    }

    void namesSayWhoseTheyAre()
    {
        const ProcessIdentity agent{1234, 567890};
        QCOMPARE(controlSocketName(agent), std::string("1234-567890.sock"));
        QVERIFY(controlSocketOwner(controlSocketName(agent)) == agent);
        for (const char* bad :
             {"", "-", ".sock", "-.sock", "1-.sock", "-2.sock", "1-2", "1-2.sock2", "a-2.sock",
              "1-2x.sock", "12.sock", "1-2-3.sock", "99999999999999999999-1.sock"})
            QVERIFY2(!controlSocketOwner(bad), bad);
    }

    void removesTheSocketsOfDeadAgentsAndNoOthers()
    {
        QProcess child;
        child.start("sleep", {"100"});
        QVERIFY(child.waitForStarted());
        const ProcessIdentity owner = identityOf(static_cast<pid_t>(child.processId())).value();
        auto live = listenAs(owner);
        abandon({owner.pid, owner.startTime - 1});
        std::ofstream(folder() / "1-1.sock") << "not a socket";

        QCOMPARE(removeStaleControlSockets(folder()), 1);
        QVERIFY(fs::exists(folder() / "1-1.sock"));
        QVERIFY(fs::exists(folder() / controlSocketName(owner)));

        child.kill();
        QVERIFY(child.waitForFinished());
        live.close();
        QCOMPARE(removeStaleControlSockets(folder()), 1);
    }

    /// Its agent is in a container that shares this folder: there the number is alive.
    void aSocketThatSomebodyListensAtStays()
    {
        auto self = identityOf(::getpid()).value();
        self.startTime += 1;
        auto listener = listenAs(self);
        QCOMPARE(removeStaleControlSockets(folder()), 0);
        QVERIFY(connectLocally(folder() / controlSocketName(self)).has_value());
        // That connection waits to be accepted: with no room for another, connecting would block.
        QCOMPARE(::listen(listener.get(), 0), 0);
        QCOMPARE(removeStaleControlSockets(folder()), 0);
        listener.close();
        QCOMPARE(removeStaleControlSockets(folder()), 1);
        QVERIFY(!fs::exists(folder() / controlSocketName(self)));
    }

    void removesTheSocketOfAKilledDashboard()
    {
        const auto dead = listenLocally(folder() / "window-0000");
        const auto alive = listenLocally(folder() / "window-1111");
        std::ofstream(folder() / "window-0000.lock") << "";
        std::ofstream(folder() / "window-1111.lock") << "";
        const auto lock = waitForLock(folder() / "window-1111.lock");
        QVERIFY(dead && alive && lock);
        QCOMPARE(removeStaleControlSockets(folder()), 1);
        QVERIFY(!fs::exists(folder() / "window-0000"));
        QVERIFY(fs::exists(folder() / "window-1111"));
        fs::remove(folder() / "window-1111");
    }

private:
    FileDescriptor listenAs(const ProcessIdentity& agent)
    {
        return listenLocally(folder() / controlSocketName(agent)).value();
    }

    /// As a process that was killed leaves it.
    void abandon(const ProcessIdentity& agent) { listenAs(agent).close(); }

    fs::path folder() const { return m_folder.path().toStdString(); }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(tst_control_socket)
#include "tst_control_socket.moc"

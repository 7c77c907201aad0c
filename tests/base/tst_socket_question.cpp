#include "engine/base/SocketQuestion.h"

#include <QtTest>

#include <array>
#include <thread>

#include <sys/socket.h>
#include <unistd.h>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

struct Server
{
    Server()
    {
        auto pair = makeSocketPair(SOCK_STREAM).value();
        client = std::move(pair.first);
        socket = std::move(pair.second);
        (void)setNonBlocking(client.get());
    }

    /// Waits for the question.
    std::string heard() const
    {
        std::array<char, 64> bytes{};
        const ssize_t count = ::read(socket.get(), bytes.data(), bytes.size());
        return {bytes.data(), static_cast<size_t>(std::max<ssize_t>(count, 0))};
    }

    FileDescriptor client;
    FileDescriptor socket;
};

} // namespace

class tst_socket_question : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hasTheWholeAnswerOnceTheServerCloses()
    {
        EventLoop loop;
        Server server;
        std::string answer;
        SocketQuestion question(loop, "who?", {.bytes = 1 << 20, .patience = 60s},
                                [&](const std::string& got) {
                                    answer = got;
                                    loop.stop();
                                });
        question.ask(std::move(server.client));
        QVERIFY(question.isOpen());
        const std::string half(100'000, 'x');
        std::string asked;
        std::thread other([&] {
            asked = server.heard();
            (void)writeAll(server.socket.get(), half);
            (void)writeAll(server.socket.get(), half);
            server.socket.close();
        });
        loop.run();
        other.join();
        QCOMPARE(asked, std::string("who?"));
        QCOMPARE(answer.size(), 2 * half.size());
        QVERIFY(!question.isOpen());
    }

    void takesNoMoreThanItsLimit()
    {
        EventLoop loop;
        Server server;
        std::string answer;
        SocketQuestion question(loop, "who?", {.bytes = 4, .patience = 60s},
                                [&](const std::string& got) {
                                    answer = got;
                                    loop.stop();
                                });
        (void)writeAll(server.socket.get(), "endless");
        question.ask(std::move(server.client));
        loop.run();
        QCOMPARE(answer, std::string("endless"));
    }

    void waitsNoLongerThanItsPatience()
    {
        EventLoop loop;
        Server server;
        std::string answer = "none";
        SocketQuestion question(loop, "who?", {.bytes = 64, .patience = 10ms},
                                [&](const std::string& got) {
                                    answer = got;
                                    loop.stop();
                                });
        question.ask(std::move(server.client));
        loop.run();
        QCOMPARE(answer, std::string());
    }

    void asksAgainFromItsAnswer()
    {
        EventLoop loop;
        Server gone;
        Server there;
        std::vector<std::string> answers;
        SocketQuestion* again = nullptr;
        SocketQuestion question(loop, "who?", {.bytes = 64, .patience = 60s},
                                [&](const std::string& got) {
                                    answers.push_back(got);
                                    if (answers.size() == 2)
                                        return loop.stop();
                                    again->ask(std::move(there.client));
                                });
        again = &question;
        gone.socket.close();
        (void)writeAll(there.socket.get(), "me");
        QVERIFY(::shutdown(there.socket.get(), SHUT_WR) == 0);
        question.ask(std::move(gone.client));
        loop.run();
        QCOMPARE(answers, (std::vector<std::string>{"", "me"}));
    }
};

QTEST_GUILESS_MAIN(tst_socket_question)
#include "tst_socket_question.moc"

#include "engine/rendezvous/Codes.h"
#include "engine/rendezvous/RendezvousOptions.h"
#include "engine/store/Codes.h"
#include "tests/support/FreePort.h"

#include <QtTest>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace ringmaster;

namespace {

bool answers(int port)
{
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool connected =
        ::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    ::close(fd);
    return connected;
}

/// An agent's loop, and what the rendezvous said.
struct LoopNode : Rendezvous::Host
{
    EventLoop loop;
    std::vector<Round> rounds;
    std::vector<Error> errors;

    void rendezvousJoined(const Round& round) override
    {
        rounds.push_back(round);
        loop.stop();
    }
    void rendezvousFailed(const Error& error) override
    {
        errors.push_back(error);
        loop.stop();
    }
    void rendezvousMembershipChanged(const Message&) override {}
    void rendezvousRecalled(const Message& /*why*/) override {}
    void rendezvousClosed(const Message&) override {}
};

const NodeOffer LoopOffer{{{"master", 1}, {"worker", 3}}};

} // namespace

class tst_local_rendezvous : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void givesAFreshStoreEachRound()
    {
        LoopNode node;
        auto rendezvous =
            makeRendezvous({.standalone = true, .settings = {.id = "job"}}, node.loop, node)
                .value();
        rendezvous->join(LoopOffer);
        node.loop.run();
        rendezvous->join(LoopOffer);
        node.loop.run();
        QCOMPARE(node.rounds.size(), size_t{2});
        const Round& first = node.rounds.at(0);
        const Round& second = node.rounds.at(1);
        QCOMPARE(first.runId, std::string("job"));
        QCOMPARE(first.runId, second.runId);
        QCOMPARE(second.number, std::uint64_t{1});
        QCOMPARE(first.masterAddress, std::string("localhost"));
        QVERIFY(answers(second.masterPort));
        QCOMPARE(first.worldSize, 4);
        QCOMPARE(first.places.at(1).globalRankBase, 1);
        QCOMPARE(first.places.at(1).roleWorldSize, 3);
    }

    void keepsAFixedPortOverTheRounds()
    {
        LoopNode node;
        const int port = test::freePort();
        auto rendezvous =
            makeRendezvous(
                {.settings = {.id = "none"}, .masterAddress = "127.0.0.1", .masterPort = port},
                node.loop, node)
                .value();
        for (int round = 0; round < 3; ++round) {
            rendezvous->join(LoopOffer);
            node.loop.run();
            QCOMPARE(node.errors.size(), size_t{0});
            QCOMPARE(node.rounds.back().masterPort, port);
            QVERIFY(answers(port));
        }
    }

    void saysWhoHoldsABusyPort()
    {
        LoopNode node;
        auto holder = makeRendezvous({.standalone = true}, node.loop, node).value();
        holder->join(LoopOffer);
        node.loop.run();
        auto second = makeRendezvous({.masterAddress = "127.0.0.1",
                                      .masterPort = node.rounds.back().masterPort},
                                     node.loop, node)
                          .value();
        second->join(LoopOffer);
        node.loop.run();
        QCOMPARE(node.errors.size(), size_t{1});
        QVERIFY(node.errors.front().code == code::StorePortBusy);
        QVERIFY(node.errors.front().parameters["holder"].find(std::to_string(::getpid())) !=
                std::string::npos);
    }

    void leavesThePortToTheFirstWorkerWhenTheStoreIsNotShared()
    {
        LoopNode node;
        auto rendezvous =
            makeRendezvous({.standalone = true, .shareStore = false}, node.loop, node).value();
        rendezvous->join(LoopOffer);
        node.loop.run();
        QVERIFY(!node.rounds.front().useAgentStore);
        QTRY_VERIFY(!answers(node.rounds.front().masterPort));
    }

    void makesAnIdThatNoOtherJobHas()
    {
        QCOMPARE(randomRunId().size(), size_t{36});
        QVERIFY(randomRunId() != randomRunId());
    }

    void refusesABadEndpoint()
    {
        LoopNode node;
        QVERIFY(makeRendezvous({.endpoint = "a b"}, node.loop, node).error().code ==
                code::RendezvousEndpointInvalid);
    }
};

QTEST_GUILESS_MAIN(tst_local_rendezvous)
#include "tst_local_rendezvous.moc"

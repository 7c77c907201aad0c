#include "engine/rendezvous/Codes.h"
#include "engine/rendezvous/CoordinatedRendezvous.h"

#include <QtTest>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

const NodeOffer Offer{{{"default", 2}}};

/// An agent's loop, what its rendezvous said, and what the lead heard.
struct Node : Rendezvous::Host, CoordinatedRendezvous::Lead
{
    EventLoop loop;
    std::vector<Round> rounds;
    std::vector<Error> errors;
    std::vector<Message> changes;
    std::vector<Message> recalls;
    std::vector<Message> closed;
    std::vector<int> ports;
    std::vector<std::uint64_t> offers;
    std::vector<std::uint64_t> finishes;
    CoordinatedRendezvous rendezvous{{.address = "127.0.0.1"}, loop, *this, *this};

    void rendezvousJoined(const Round& round) override { rounds.push_back(round); }
    void rendezvousFailed(const Error& error) override { errors.push_back(error); }
    void rendezvousMembershipChanged(const Message& why) override { changes.push_back(why); }
    void rendezvousRecalled(const Message& why) override { recalls.push_back(why); }
    void rendezvousClosed(const Message& why) override { closed.push_back(why); }
    void offered(std::uint64_t round, const NodeOffer& /*offer*/, const std::string& /*address*/,
                 int port) override
    {
        offers.push_back(round);
        ports.push_back(port);
    }
    void finished(std::uint64_t round) override { finishes.push_back(round); }

    /// All that is due now.
    void settle()
    {
        const auto end = loop.callAfter(50ms, [this] { loop.stop(); });
        loop.run();
    }
};

} // namespace

class tst_coordinated_rendezvous : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void offersAnOpenStoreAndBegins()
    {
        Node node;
        node.rendezvous.join(Offer);
        node.settle();
        QCOMPARE(node.ports.size(), size_t{1});
        QVERIFY(node.ports.front() > 0);
        node.rendezvous.begin({.number = 0, .groupRank = 0});
        QCOMPARE(node.rounds.size(), size_t{1});
        QVERIFY(node.rounds.front().useAgentStore);
    }

    /// The lead's word of a round was lost with the connection.
    void whoIsAskedToLeaveWhatItHasNotBegunOffersAgain()
    {
        Node node;
        node.rendezvous.join(Offer);
        node.settle();
        node.rendezvous.leave(0, false, {code::RendezvousNodesWaiting, {}, {}});
        node.settle();
        QCOMPARE(node.offers, (std::vector<std::uint64_t>{0, 1}));
        QCOMPARE(node.ports.front(), node.ports.back());
        QVERIFY(node.changes.empty());
    }

    /// As another lead asks: it doesn't know what the one before it has told whom.
    void whoIsAskedToLeaveMoreThanItHasBegunOffersForWhatComesAfter()
    {
        Node node;
        node.rendezvous.leave(3, true, {code::RendezvousNodesWaiting, {}, {}});
        node.rendezvous.join(Offer);
        node.settle();
        QCOMPARE(node.offers.back(), std::uint64_t{4});
        node.rendezvous.begin({.number = 4, .groupRank = 0});
        node.rendezvous.leave(7, true, {code::RendezvousNodesWaiting, {}, {}});
        QCOMPARE(node.changes.size(), size_t{1});
        node.rendezvous.join(Offer);
        node.settle();
        QCOMPARE(node.offers.back(), std::uint64_t{8});
        node.rendezvous.begin({.number = 8, .groupRank = 0});
        node.rendezvous.leave(11, true, {code::RendezvousNodesWaiting, {}, {}});
        node.rendezvous.enterExitBarrier([](const Result<void>&) {});
        QCOMPARE(node.finishes, (std::vector<std::uint64_t>{8}));
        // Its workers had ended by themselves, and they are needed again.
        node.settle();
        QCOMPARE(node.recalls.size(), size_t{1});
        node.rendezvous.join(Offer);
        node.settle();
        QCOMPARE(node.offers.back(), std::uint64_t{12});
    }

    void leavesARoundWhenItIsAskedTo()
    {
        Node node;
        node.rendezvous.join(Offer);
        node.settle();
        node.rendezvous.begin({.number = 0});
        node.rendezvous.leave(0, false, {code::RendezvousNodesWaiting, {}, {}});
        QCOMPARE(node.changes.size(), size_t{1});
    }

    /// The lead says again what may not have arrived; the connection that it said it on first may
    /// be slower.
    void whatIsOfARoundThatItHasLeftIsIgnored()
    {
        Node node;
        node.rendezvous.join(Offer);
        node.settle();
        node.rendezvous.begin({.number = 0});
        node.rendezvous.join(Offer);
        node.settle();
        QCOMPARE(node.offers, (std::vector<std::uint64_t>{0, 1}));
        node.rendezvous.leave(0, false, {code::RendezvousNodesWaiting, {}, {}});
        node.rendezvous.begin({.number = 0});
        node.settle();
        QCOMPARE(node.offers, (std::vector<std::uint64_t>{0, 1}));
        QCOMPARE(node.rounds.size(), size_t{1});
        node.rendezvous.begin({.number = 1});
        node.rendezvous.begin({.number = 1});
        node.rendezvous.leave(0, false, {code::RendezvousNodesWaiting, {}, {}});
        QCOMPARE(node.rounds.size(), size_t{2});
        QVERIFY(node.changes.empty());
    }

    /// The lead that began it was replaced: the new one may not have heard of that round, and its
    /// number is no higher than those that the new one thinks of.
    void whatAFormerLeadHasBegunIsLeftForTheNewOne()
    {
        Node node;
        node.rendezvous.leave(30, true, {code::RendezvousNodesWaiting, {}, {}});
        node.rendezvous.join(Offer);
        node.settle();
        node.rendezvous.begin({.number = 31, .groupRank = 0});
        node.rendezvous.leave(20, true, {code::RendezvousNodesWaiting, {}, {}});
        QVERIFY(node.changes.empty());
        node.rendezvous.leadChanged();
        node.rendezvous.leave(30, true, {code::RendezvousNodesWaiting, {}, {}});
        QCOMPARE(node.changes.size(), size_t{1});
        node.rendezvous.join(Offer);
        node.settle();
        QCOMPARE(node.offers, (std::vector<std::uint64_t>{31, 32}));
        // The new one's own round holds.
        node.rendezvous.begin({.number = 32, .groupRank = 0});
        node.rendezvous.leave(30, true, {code::RendezvousNodesWaiting, {}, {}});
        QCOMPARE(node.changes.size(), size_t{1});
    }

    void whoHasFinishedARoundOfAFormerLeadIsRecalled()
    {
        Node node;
        node.rendezvous.join(Offer);
        node.settle();
        node.rendezvous.begin({.number = 31, .groupRank = 0});
        node.rendezvous.enterExitBarrier([](const Result<void>&) {});
        node.rendezvous.leadChanged();
        node.rendezvous.leave(30, true, {code::RendezvousNodesWaiting, {}, {}});
        QCOMPARE(node.recalls.size(), size_t{1});
        node.rendezvous.join(Offer);
        node.settle();
        QCOMPARE(node.offers.back(), std::uint64_t{32});
    }

    void whoHasFinishedStaysSoUnlessItIsNeededAgain()
    {
        Node node;
        node.rendezvous.join(Offer);
        node.settle();
        node.rendezvous.begin({.number = 4});
        int ends = 0;
        node.rendezvous.enterExitBarrier([&](const Result<void>&) { ++ends; });
        QCOMPARE(node.finishes, std::vector<std::uint64_t>{4});
        node.rendezvous.leave(4, false, {code::RendezvousNodesWaiting, {}, {}});
        QVERIFY(node.changes.empty());
        node.rendezvous.leave(4, true, {code::RendezvousNodesWaiting, {}, {}});
        QCOMPARE(node.recalls.size(), size_t{1});
        QVERIFY(node.changes.empty());
        node.rendezvous.join(Offer);
        node.settle();
        QCOMPARE(node.offers.back(), std::uint64_t{5});
        QCOMPARE(ends, 0);
    }

    void whoseRoundIsOverHearsThatTheJobSucceededWithoutIt()
    {
        Node node;
        node.rendezvous.join(Offer);
        node.settle();
        node.rendezvous.begin({.number = 0});
        node.rendezvous.closed(true, {});
        QCOMPARE(node.closed.size(), size_t{1});
        QVERIFY(node.closed.front().code == code::RendezvousNotNeeded);
    }

    void theExitBarrierEndsWithTheJobsSuccess()
    {
        Node node;
        node.rendezvous.join(Offer);
        node.settle();
        node.rendezvous.begin({.number = 0});
        int ends = 0;
        node.rendezvous.enterExitBarrier([&](const Result<void>& end) { ends += end ? 1 : 0; });
        QCOMPARE(node.finishes, std::vector<std::uint64_t>{0});
        node.rendezvous.closed(true, {});
        QCOMPARE(ends, 1);
        QVERIFY(node.closed.empty());
    }

    void whoWaitsHearsWhyNoRoundComes()
    {
        Node node;
        node.rendezvous.join(Offer);
        node.settle();
        node.rendezvous.closed(false, {code::RendezvousClosed, {}, {}});
        QCOMPARE(node.errors.size(), size_t{1});
        QVERIFY(node.errors.front().code == code::RendezvousClosed);
    }

    void whoHasClosedItOffersNothing()
    {
        Node node;
        node.rendezvous.join(Offer);
        bool isClosed = false;
        node.rendezvous.close([&] { isClosed = true; });
        node.settle();
        QVERIFY(isClosed);
        QVERIFY(node.ports.empty());
        node.rendezvous.join(Offer);
        node.settle();
        QVERIFY(node.ports.empty());
    }
};

QTEST_GUILESS_MAIN(tst_coordinated_rendezvous)
#include "tst_coordinated_rendezvous.moc"

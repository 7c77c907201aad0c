#include "engine/rendezvous/C10dRendezvous.h"
#include "engine/rendezvous/Codes.h"
#include "engine/rendezvous/RankExchange.h"
#include "engine/rendezvous/StateCodec.h"
#include "engine/store/Codes.h"
#include "tests/TestMain.h"
#include "tests/simulation/VirtualTime.h"

#include <QtTest>

#include <list>

using namespace ringmaster;
using namespace std::chrono_literals;
using simulation::Process;
using simulation::VirtualTime;

namespace {

/// What all agents see; each has a connection of its own to it.
struct Shared
{
    VirtualTime time;
    std::map<std::string, std::string> values;
    std::list<std::function<bool()>> waiters; ///< True: what it waits for is there.

    void written()
    {
        waiters.remove_if([](const auto& isThere) { return isThere(); });
    }
    void pass(std::chrono::nanoseconds duration)
    {
        bool isOver = false;
        time.after(duration.count(), [&] { isOver = true; });
        while (!isOver)
            time.step();
    }
    RendezvousState state() const { return decodeState(values.at("torch.rendezvous.job")).value(); }
    void put(const RendezvousState& state)
    {
        values["torch.rendezvous.job"] = encodeState(state);
        written();
    }
};

/// A connection on which the answers can be made late, or errors.
class SlowStore final : public Store
{
public:
    SlowStore(Shared& shared, const std::chrono::nanoseconds& delay, const bool& isCut)
        : m_shared(shared), m_delay(delay), m_isCut(isCut)
    {
    }

    void set(std::string key, std::string value, Callback<void> done) override
    {
        multiSet({{key, value}}, std::move(done));
    }
    void append(std::string /*key*/, std::string /*value*/, Callback<void> /*done*/) override {}
    void multiSet(Entries entries, Callback<void> done) override
    {
        for (const auto& [key, value] : entries)
            m_shared.values[key] = value;
        m_shared.written();
        answer<void>(done, {});
    }
    void get(std::string key, Duration timeout, Callback<std::string> done) override
    {
        multiGet({key}, timeout, [done](const Result<std::vector<std::string>>& values) {
            done(values ? Result<std::string>(values->front()) : tl::unexpected(values.error()));
        });
    }
    void multiGet(std::vector<std::string> keys, Duration timeout,
                  Callback<std::vector<std::string>> done) override
    {
        const std::int64_t until = m_shared.time.now() + std::chrono::nanoseconds(timeout).count();
        const auto tried = [this, keys, until, done, alive = std::weak_ptr<bool>(m_alive)] {
            std::vector<std::string> found;
            for (const std::string& key : keys)
                if (m_shared.values.contains(key))
                    found.push_back(m_shared.values[key]);
            const bool isThere = found.size() == keys.size();
            if (alive.expired())
                return true;
            if (isThere)
                answer<std::vector<std::string>>(done, found);
            else if (m_shared.time.now() >= until)
                answer<std::vector<std::string>>(done, fail(code::StoreKeyMissing));
            return isThere || m_shared.time.now() >= until;
        };
        if (tried())
            return;
        m_shared.waiters.push_back(tried);
        m_shared.time.at(until, [&shared = m_shared] { shared.written(); });
    }
    void wait(std::vector<std::string> keys, Duration timeout, Callback<void> done) override
    {
        multiGet(std::move(keys), timeout, [done](const Result<std::vector<std::string>>& values) {
            done(values ? Result<void>() : tl::unexpected(values.error()));
        });
    }
    void check(std::vector<std::string> /*keys*/, Callback<bool> /*done*/) override {}
    void add(std::string key, std::int64_t delta, Callback<std::int64_t> done) override
    {
        std::string& value = m_shared.values[key];
        value = std::to_string(std::strtoll(value.c_str(), nullptr, 10) + delta);
        answer<std::int64_t>(done, std::strtoll(value.c_str(), nullptr, 10));
    }
    void compareSet(std::string key, std::string expected, std::string desired,
                    Callback<std::string> done) override
    {
        std::string& value = m_shared.values[key];
        if (value == expected)
            value = desired;
        m_shared.written();
        answer<std::string>(done, value);
    }
    void deleteKey(std::string /*key*/, Callback<bool> /*done*/) override {}
    void keyCount(Callback<std::int64_t> /*done*/) override {}
    void listKeys(Callback<std::vector<std::string>> /*done*/) override {}

private:
    template <class T>
    void answer(const Callback<T>& done, Result<T> result)
    {
        m_shared.time.after(
            m_delay.count(), [this, alive = std::weak_ptr<bool>(m_alive), done, result] {
                if (!alive.expired())
                    done(m_isCut ? Result<T>(fail(code::StoreUnreachable)) : result);
            });
    }

    Shared& m_shared;
    const std::chrono::nanoseconds& m_delay;
    const bool& m_isCut;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
};

struct WorkersPort : OpenStore
{
    std::uint16_t port() const override { return 30'000; }
};

RendezvousSettings between(int min, int max)
{
    return {.id = "job", .minNodes = min, .maxNodes = max, .lastCallTimeout = 1s};
}

struct C10dNode : Rendezvous::Host
{
    C10dNode(Shared& shared, int pid, const RendezvousSettings& settings)
        : process(shared.time)
        , loop(process)
        , rendezvous(
              {.method = RendezvousOptions::Method::C10d,
               .settings = settings,
               .configuration = {{"is_host", "0"}},
               .localAddress = "127.0.0.1"},
              {"127.0.0.1", 29'400}, loop, *this,
              {.pid = pid,
               .now =
                   [&shared] {
                       return StateTime(std::chrono::microseconds(shared.time.now() / 1000));
                   },
               .openStore = [](const StoreServer::Options&) -> Result<std::unique_ptr<OpenStore>> {
                   return std::make_unique<WorkersPort>();
               },
               .connect = [this, &shared](EventLoop&, const TcpStoreClient::Options&)
                   -> std::unique_ptr<Store> {
                   return std::make_unique<SlowStore>(shared, delay, isCut);
               }})
    {
        rendezvous.join(offer);
    }

    void rendezvousJoined(const Round& round) override { rounds.push_back(round); }
    void rendezvousFailed(const Error& error) override { errors.push_back(error); }
    void rendezvousMembershipChanged(const Message& what) override { changes.push_back(what); }
    void rendezvousRecalled(const Message& /*why*/) override {}
    void rendezvousClosed(const Message& why) override { closures.push_back(why); }

    Process process;
    EventLoop loop;
    std::chrono::nanoseconds delay = 1ms;
    bool isCut = false;
    NodeOffer offer{{{"default", 1}}};
    std::vector<Round> rounds;
    std::vector<Error> errors;
    std::vector<Message> changes;
    std::vector<Message> closures;
    C10dRendezvous rendezvous;
};

/// One that the others know from the state alone.
const NodeDescription Other{"127.0.0.1", 9, FirstOwnLocalId};
const std::string RoundPrefix = prefixOfRound("job", 0);

/// The node that has joined gets that rank in the first round, and `first` the rank 0; workers
/// meet.
NodeDescription beginRoundUnder(const NodeDescription& first, Shared& shared, std::int64_t rank)
{
    shared.pass(100ms);
    RendezvousState state = shared.state();
    const NodeDescription joined = state.participants.begin()->first;
    state.complete = true;
    state.participants = {{first, 0}, {joined, rank}};
    state.lastHeartbeats[first] = state.lastHeartbeats[joined];
    shared.put(state);
    shared.values[RoundPrefix + "/MASTER_ADDR"] = "127.0.0.1";
    shared.values[RoundPrefix + "/MASTER_PORT"] = "30000";
    return joined;
}

} // namespace

class tst_c10d_rendezvous : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// It was asked for the round that has been left: its answer finds nothing of that.
    void anAnswerThatComesAfterTheEndIsDropped()
    {
        Shared shared;
        C10dNode node(shared, 1, between(1, 1));
        shared.pass(5s);
        QCOMPARE(node.rounds.size(), 1);
        node.delay = 10s;
        shared.pass(2s); // it has looked, and the answer is on its way
        node.delay = 1ms;
        RendezvousState state = shared.state();
        state.closed = true;
        shared.put(state);
        node.rendezvous.join(node.offer);
        shared.pass(1s);
        QCOMPARE(node.errors.size(), 1);
        bool isClosed = false;
        node.rendezvous.close([&] { isClosed = true; });
        shared.pass(20s);
        QVERIFY(isClosed);
        QCOMPARE(node.errors.size(), 1);
        QVERIFY(node.closures.empty());
    }

    void whoComesTooLateEndsNobody()
    {
        Shared shared;
        RendezvousSettings settings = between(1, 2);
        C10dNode first(shared, 1, settings);
        shared.pass(5s);
        QCOMPARE(first.rounds.size(), 1);
        settings.joinTimeout = 3s;
        C10dNode late(shared, 2, settings);
        shared.pass(5s); // while the first stops its workers
        QCOMPARE(first.changes.size(), 1);
        QCOMPARE(late.errors.size(), 1);
        bool isClosed = false;
        late.rendezvous.close([&] { isClosed = true; });
        shared.pass(1s);
        QVERIFY(isClosed);
        QVERIFY(!shared.state().closed);
        first.rendezvous.join(first.offer);
        shared.pass(5s);
        QCOMPARE(first.rounds.size(), 2);
    }

    void whoRestartsIsOnAListAllTheTime()
    {
        Shared shared;
        C10dNode first(shared, 1, between(1, 2));
        C10dNode second(shared, 2, between(1, 2));
        shared.pass(5s);
        QCOMPARE(first.rounds.size(), 1);
        const NodeDescription self = shared.state().participants.begin()->first;
        first.delay = 3s;
        shared.pass(3s); // what it has asked is answered
        first.rendezvous.join(first.offer);
        bool isLost = false;
        for (int step = 0; step < 100; ++step) {
            shared.pass(100ms);
            const RendezvousState state = shared.state();
            isLost =
                isLost || !(state.participants.contains(self) || state.waitList.contains(self));
        }
        QVERIFY(!isLost);
        QVERIFY(shared.state().waitList.contains(self));
    }

    void thoseWhoRestartCanGoOnToo()
    {
        Shared shared;
        const StateTime now{std::chrono::microseconds(shared.time.now() / 1000)};
        const NodeDescription another{"127.0.0.1", 8, FirstOwnLocalId};
        shared.put({.complete = true,
                    .participants = {{Other, 0}},
                    .waitList = {another},
                    .lastHeartbeats = {{Other, now}, {another, now}}});
        RendezvousSettings settings = between(2, 4);
        settings.joinTimeout = 3s;
        C10dNode late(shared, 1, settings);
        shared.pass(2s);
        RendezvousState state = shared.state();
        state.participants.erase(Other); // which is about to join again
        ++state.round;
        shared.put(state);
        shared.pass(3s);
        QCOMPARE(late.errors.size(), 1);
        late.rendezvous.close([] {});
        shared.pass(1s);
        QVERIFY(!shared.state().closed);
    }

    void whoIsMissingEndsTheJob()
    {
        Shared shared;
        RendezvousSettings settings = between(2, 2);
        settings.joinTimeout = 3s;
        C10dNode node(shared, 1, settings);
        shared.pass(5s);
        QCOMPARE(node.errors.size(), 1);
        node.rendezvous.close([] {});
        shared.pass(1s);
        QVERIFY(shared.state().closed);
    }

    /// Its offer may never come.
    void aNodeThatGoesBeforeAllHaveOfferedIsNotWaitedFor()
    {
        Shared shared;
        C10dNode node(shared, 1, between(1, 2));
        shared.pass(100ms);
        RendezvousState state = shared.state();
        state.participants[Other] = 1;
        state.lastHeartbeats[Other] = state.lastHeartbeats.begin()->second;
        state.complete = true;
        state.deadline.reset();
        shared.put(state);
        shared.pass(10s);
        QVERIFY(node.rounds.empty());
        shared.pass(10s);
        QCOMPARE(node.rounds.size(), 1);
        QCOMPARE(node.rounds[0].number, 1);
        QCOMPARE(node.rounds[0].groupWorldSize, 1);
        QVERIFY(node.errors.empty());
    }

    void aRoundWithAGapInItsRanksIsNotBegun()
    {
        Shared shared;
        C10dNode node(shared, 10, between(2, 3));
        const NodeDescription self = beginRoundUnder(Other, shared, 2);
        for (const char* rank : {"0", "1"})
            shared.values[RoundPrefix + "/torchelastic/role_info/" + rank] =
                roleInfoText(node.offer, 0);
        shared.pass(2s);
        QVERIFY(node.rounds.empty());
        QVERIFY(shared.state().waitList.contains(self));
    }

    /// Group rank 0 has begun with a third node, which was dropped before this one saw the round.
    void aRoundThatIsLargerForOthersIsNotBegun()
    {
        Shared shared;
        C10dNode node(shared, 10, between(2, 3));
        const NodeDescription self = beginRoundUnder(Other, shared, 1);
        shared.values[RoundPrefix + "/torchelastic/role_info/0"] = roleInfoText(node.offer, 0);
        shared.values[RoundPrefix + "/torchelastic/assigned_ranks/1"] = "[1, 3, 1, 3]";
        shared.pass(2s);
        QVERIFY(node.rounds.empty());
        QVERIFY(shared.state().waitList.contains(self));
        QVERIFY(node.errors.empty());
    }

    /// The state is as old as its answer, not as the questions that came after it.
    void slowAnswersMakeNobodySilent()
    {
        Shared shared;
        C10dNode first(shared, 1, between(2, 2));
        C10dNode second(shared, 2, between(2, 2));
        shared.pass(5s);
        QCOMPARE(first.rounds.size(), 1);
        first.delay = second.delay = 4s;
        shared.pass(200s);
        QVERIFY(first.changes.empty());
        QVERIFY(second.changes.empty());
    }

    void whoHasFinishedIsNotMissed()
    {
        Shared shared;
        auto first = std::make_unique<C10dNode>(shared, 1, between(2, 2));
        C10dNode second(shared, 2, between(2, 2));
        shared.pass(5s);
        QCOMPARE(second.rounds.size(), 1);
        first->rendezvous.enterExitBarrier([](const Result<void>&) {});
        shared.pass(2s);
        first->process.kill();
        shared.pass(30s);
        QVERIFY(second.changes.empty());
        bool hasPassed = false;
        second.rendezvous.enterExitBarrier(
            [&](const Result<void>& passed) { hasPassed = passed.has_value(); });
        shared.pass(1s);
        QVERIFY(hasPassed);
    }

    /// One of the round has given up; this one is no spare that wasn't needed.
    void whoseRoundIsClosedBeforeItBeginsHasFailed()
    {
        Shared shared;
        C10dNode node(shared, 10, between(2, 2));
        beginRoundUnder(Other, shared, 1);
        shared.pass(500ms); // without the other's offer
        RendezvousState state = shared.state();
        state.closed = true;
        shared.put(state);
        shared.pass(3s);
        QVERIFY(node.rounds.empty());
        QVERIFY(node.closures.empty());
        QCOMPARE(node.errors.size(), 1);
        QCOMPARE(node.errors[0].code, code::RendezvousClosed);
    }

    /// One has finished; that may have been whoever serves the store, but wasn't.
    void aWayToTheStoreThatWasCutIsTakenAgain()
    {
        Shared shared;
        C10dNode first(shared, 1, between(3, 3));
        C10dNode second(shared, 2, between(3, 3));
        C10dNode third(shared, 3, between(3, 3));
        shared.pass(5s);
        QCOMPARE(third.rounds.size(), 1);
        first.rendezvous.enterExitBarrier([](const Result<void>&) {});
        shared.pass(3s);
        second.isCut = true;
        shared.pass(5s);
        second.isCut = false;
        shared.pass(60s);
        QVERIFY(second.errors.empty());
        QVERIFY(third.changes.empty());
    }

    void aRoundThatOthersHaveBegunWithoutItIsNoticed()
    {
        Shared shared;
        C10dNode first(shared, 1, between(1, 2));
        C10dNode second(shared, 2, between(1, 2));
        shared.pass(5s);
        QCOMPARE(first.rounds.size(), 1);
        RendezvousState state = shared.state();
        ++state.round;
        state.participants.erase(state.participants.begin());
        shared.put(state);
        shared.pass(5s);
        QCOMPARE(first.changes.size(), 1);
        QCOMPARE(first.changes[0].code, code::RendezvousNodeRestarts);
    }
};

QTEST_GUILESS_MAIN(tst_c10d_rendezvous)
#include "tst_c10d_rendezvous.moc"

#include "engine/collective/ring/Group.h"
#include "tests/collective/Stores.h"
#include "tests/collective/ThreadTeams.h"
#include "tests/collective/Values.h"

#include <QtTest>

#include <latch>
#include <map>
#include <set>

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

using namespace ringmaster;
using namespace ringmaster::ring;
using namespace ringmaster::ring::testing;
using namespace std::chrono_literals;

namespace {

constexpr Arithmetic FloatSum{DataType::Float32, Reduction::Sum};
constexpr std::uint64_t HeaderBytes = sizeof(SlotHeader);

struct Told
{
    std::uint64_t chunks = 0;
    std::uint64_t bytes = 0;
};

/// What a rank is told of its chunks. With a segment, each is held against the slot in which it
/// lies, as it is there in the memory.
class Watcher : public Observer
{
public:
    void arrived(const ChunkStep& step) override
    {
        if (segment != nullptr) {
            const Channel channel(segment->collectiveChannel(step.from, step.to),
                                  Segment::CollectiveShape);
            differing += channel.header().bytes != step.bytes;
        }
        ++told.chunks;
        told.bytes += step.bytes;
        blocks[step.chunk] = step.bytes;
    }

    const Segment* segment = nullptr;
    int differing = 0;
    Told told{};
    std::map<std::uint64_t, std::uint64_t> blocks{};
};

/// Of each TCP socket of this process, by its number: what the kernel says it has sent.
std::map<int, std::uint64_t> sentBySockets()
{
    std::map<int, std::uint64_t> sent;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        const int fd = std::stoi(entry.path().filename());
        tcp_info info{};
        socklen_t size = sizeof(info);
        if (::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) == 0)
            sent[fd] = info.tcpi_bytes_sent - info.tcpi_bytes_retrans;
    }
    return sent;
}

/// Each rank is on a host of its own, so all goes over TCP; what was counted while `work` ran in
/// each: from when all have joined until all have done it.
std::vector<std::uint64_t> sentWhile(int ranks, std::vector<Watcher>& watchers,
                                     const std::function<Result<void>(Group&)>& work)
{
    MemoryStore store;
    std::latch joined(ranks + 1);
    std::latch counted(1);
    std::latch done(ranks + 1);
    std::latch compared(1);
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks; ++rank) {
        threads.emplace_back([&, rank] {
            Group::Options options;
            options.rank = rank;
            options.size = ranks;
            options.host = std::string(1, static_cast<char>('a' + rank));
            options.interface = "127.0.0.1";
            options.joinTime = 60s;
            options.observer = &watchers[static_cast<size_t>(rank)];
            auto group = Group::join(store, options);
            joined.arrive_and_wait();
            counted.wait();
            const bool isDone = group && work(**group);
            done.arrive_and_wait();
            compared.wait();
            if (!isDone)
                qWarning("rank %d failed", rank);
        });
    }
    joined.arrive_and_wait();
    const auto before = sentBySockets();
    counted.count_down();
    done.arrive_and_wait();
    const auto after = sentBySockets();
    compared.count_down();
    std::vector<std::uint64_t> sent;
    for (const auto& [fd, bytes] : after) {
        if (before.contains(fd) && bytes != before.at(fd))
            sent.push_back(bytes - before.at(fd));
    }
    return sent;
}

void addSizes()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<int>("elements");
    for (int ranks = 2; ranks <= 8; ++ranks) {
        // Neither is a multiple of any of these ranks.
        for (const int elements : {37, 100'003})
            QTest::addRow("%d ranks, %d elements", ranks, elements) << ranks << elements;
    }
}

} // namespace

/// What the ring tells of its bytes, held against what carried them.
class tst_ring_bytes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theSharedMemoryCarriesWhatIsTold_data() { addSizes(); }
    void theSharedMemoryCarriesWhatIsTold()
    {
        QFETCH(const int, ranks);
        QFETCH(const int, elements);
        ThreadTeams teams(ranks);
        std::vector<Watcher> watchers(static_cast<size_t>(ranks));
        for (int rank = 0; rank < ranks; ++rank) {
            watchers[static_cast<size_t>(rank)].segment = &teams.segment();
            teams.team(rank).setObserver(&watchers[static_cast<size_t>(rank)]);
        }
        const auto results = teams.run([&](int rank) {
            auto values = samples(DataType::Float32, rank, static_cast<size_t>(elements));
            return teams[rank].allReduce(values, FloatSum, within(60s, Algorithm::Ring));
        });
        for (const Result<void>& result : results)
            QVERIFY(result.has_value());
        for (int rank = 0; rank < ranks; ++rank) {
            QCOMPARE(watchers[static_cast<size_t>(rank)].differing, 0);
            for (int from = 0; from < ranks; ++from) {
                const auto* channel = static_cast<const ChannelMemory*>(
                    teams.segment().collectiveChannel(from, rank));
                const bool isLeft = (from + 1) % ranks == rank;
                const auto told = watchers[static_cast<size_t>(rank)].told.chunks;
                QCOMPARE(std::uint64_t{channel->written.load()}, isLeft ? told : 0U);
            }
        }
        compareWithTheFormula(watchers, elements);
    }

    void theSocketsCarryWhatIsTold_data() { addSizes(); }
    void theSocketsCarryWhatIsTold()
    {
        QFETCH(const int, ranks);
        QFETCH(const int, elements);
        std::vector<Watcher> watchers(static_cast<size_t>(ranks));
        auto sent = sentWhile(ranks, watchers, [&](Group& group) {
            auto values = samples(DataType::Float32, group.rank(), static_cast<size_t>(elements));
            return group.collect([&](Collectives& all) {
                return all.allReduce(values, FloatSum, within(60s, Algorithm::Ring));
            });
        });
        // What rank r is told of came through the socket of its left neighbour, a header each.
        std::vector<std::uint64_t> told;
        for (const Watcher& watcher : watchers)
            told.push_back(watcher.told.bytes + HeaderBytes * watcher.told.chunks);
        std::ranges::sort(sent);
        std::ranges::sort(told);
        QCOMPARE(sent, told);
        compareWithTheFormula(watchers, elements);
    }

private:
    static void compareWithTheFormula(const std::vector<Watcher>& watchers, int elements)
    {
        const std::uint64_t tensor = sizeof(float) * static_cast<std::uint64_t>(elements);
        const std::uint64_t ranks = watchers.size();
        std::uint64_t all = 0;
        for (const Watcher& watcher : watchers)
            all += watcher.told.bytes;
        QCOMPARE(all, 2 * (ranks - 1) * tensor);
        // A rank sends what its right neighbour is told of; one chunk a block here.
        if (tensor > (64U << 10U))
            return;
        for (const Watcher& watcher : watchers) {
            // Twice the tensor, less the two chunks that weren't sent: one in each half.
            const std::uint64_t left = 2 * tensor - watcher.told.bytes;
            std::set<std::uint64_t> sizes;
            for (const auto& [block, bytes] : watcher.blocks)
                sizes.insert(bytes);
            const bool isTwoChunks = std::ranges::any_of(sizes, [&](std::uint64_t one) {
                return std::ranges::any_of(
                    sizes, [&](std::uint64_t other) { return one + other == left; });
            });
            QVERIFY2(isTwoChunks, std::to_string(left).c_str());
        }
    }
};

QTEST_GUILESS_MAIN(tst_ring_bytes)
#include "tst_ring_bytes.moc"

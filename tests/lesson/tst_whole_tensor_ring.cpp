#include "Steps.h"
#include "engine/lesson/Recording.h"

#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::test;
using Kind = LessonStep::Kind;

namespace {

using Numbers = std::vector<double>;

std::vector<std::string> textsOf(const Numbers& numbers)
{
    std::vector<std::string> texts;
    for (const double number : numbers)
        texts.push_back(std::to_string(number));
    return texts;
}

Numbers added(Numbers left, const Numbers& right)
{
    for (size_t i = 0; i < left.size(); ++i)
        left[i] += right[i];
    return left;
}

/// Ranks in a ring, each with its own program's values.
class Ring
{
public:
    explicit Ring(int ranks) : m_ranks(ranks)
    {
        m_recording.add(eventOf(AttemptStarted{.worldSize = ranks}));
    }

    /// All send to their neighbour, and receive from the other one.
    std::vector<Numbers> pass(const std::vector<Numbers>& what, int line = 7)
    {
        std::vector<Numbers> arrived(what.size());
        for (int rank = 0; rank < m_ranks; ++rank)
            add(callStep(rank, ++m_id,
                         {.operation = "isend",
                          .peer = (rank + 1) % m_ranks,
                          .isAsync = true,
                          .inputs = {tensorOf("buffer", textsOf(what[size_t(rank)]))}},
                         Kind::Call, line));
        for (int rank = 0; rank < m_ranks; ++rank) {
            const int left = (rank + m_ranks - 1) % m_ranks;
            arrived[size_t(rank)] = what[size_t(left)];
            add(callStep(rank, ++m_id,
                         {.operation = "recv",
                          .peer = left,
                          .outputs = {tensorOf("received", textsOf(arrived[size_t(rank)]))}},
                         Kind::Return, line + 1));
        }
        return arrived;
    }

    void show(const std::vector<Numbers>& results)
    {
        for (int rank = 0; rank < m_ranks; ++rank)
            add(lineStep(rank, 9, {tensorOf("result", textsOf(results[size_t(rank)]))}));
    }

    void end()
    {
        for (int rank = 0; rank < m_ranks; ++rank)
            add(callStep(rank, ++m_id, {.operation = "barrier"}));
    }

    void add(const LessonStep& step) { m_recording.add(eventOf(step)); }
    const auto& found() const { return m_recording.latest().wholeTensorRing(); }

private:
    int m_ranks;
    std::uint64_t m_id = 0;
    lesson::Recording m_recording;
};

std::vector<Numbers> inputsOf(int ranks)
{
    const double primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
    std::vector<Numbers> inputs;
    for (int rank = 0; rank < ranks; ++rank)
        inputs.push_back({primes[rank], primes[rank] * 10, 0});
    return inputs;
}

} // namespace

/// A ring of whole tensors is told from what only looks like it.
class tst_whole_tensor_ring : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wholeTensorsThatArePassedOnAreRightAndExpensive_data() { worlds(); }
    void wholeTensorsThatArePassedOnAreRightAndExpensive()
    {
        QFETCH(const int, ranks);
        Ring ring(ranks);
        std::vector<Numbers> buffer = inputsOf(ranks);
        std::vector<Numbers> result = buffer;
        for (int round = 0; round + 1 < ranks; ++round) {
            buffer = ring.pass(buffer);
            for (size_t rank = 0; rank < result.size(); ++rank)
                result[rank] = added(result[rank], buffer[rank]);
            ring.show(result);
        }
        QVERIFY(!ring.found());
        ring.end();
        QVERIFY(ring.found().has_value());
        QVERIFY(!ring.found()->isWrong);
        QCOMPARE(ring.found()->ranks, ranks);
        QCOMPARE(ring.found()->sentAt.line, 7);
        QCOMPARE(ring.found()->bytes, std::uint64_t(12 * (ranks - 1)));
        QCOMPARE(ring.found()->chunkedBytes, std::uint64_t(12 * 2 * (ranks - 1) / ranks));
    }

    void sumsThatArePassedOnAreWrong_data() { worlds(); }
    void sumsThatArePassedOnAreWrong()
    {
        QFETCH(const int, ranks);
        Ring ring(ranks);
        std::vector<Numbers> result = inputsOf(ranks);
        for (int round = 0; round + 1 < ranks; ++round) {
            const std::vector<Numbers> arrived = ring.pass(result);
            for (size_t rank = 0; rank < result.size(); ++rank)
                result[rank] = added(result[rank], arrived[rank]);
            ring.show(result);
        }
        ring.end();
        QVERIFY(ring.found().has_value());
        QVERIFY(ring.found()->isWrong);
    }

    void aRingOfChunksIsSilent_data() { worlds(); }
    void aRingOfChunksIsSilent()
    {
        QFETCH(const int, ranks);
        // Of all ones nothing else than the count tells it.
        for (const bool areOnes : {true, false}) {
            Ring ring(ranks);
            std::vector<std::vector<Numbers>> chunks;
            for (int rank = 0; rank < ranks; ++rank) {
                std::vector<Numbers> own;
                for (int chunk = 0; chunk < ranks; ++chunk)
                    own.push_back({areOnes ? 1.0 : rank * 10.0 + chunk});
                chunks.push_back(own);
            }
            const auto at = [ranks](int place) { return size_t((place + 2 * ranks) % ranks); };
            for (int phase = 0; phase < 2; ++phase) {
                for (int round = 0; round + 1 < ranks; ++round) {
                    std::vector<Numbers> sent;
                    for (int rank = 0; rank < ranks; ++rank)
                        sent.push_back(chunks[size_t(rank)][at(rank - round + phase)]);
                    const auto arrived = ring.pass(sent);
                    for (int rank = 0; rank < ranks; ++rank) {
                        Numbers& chunk = chunks[size_t(rank)][at(rank - round - 1 + phase)];
                        chunk = phase == 0 ? added(chunk, arrived[size_t(rank)])
                                           : arrived[size_t(rank)];
                    }
                }
            }
            ring.end();
            QVERIFY(!ring.found());
        }
    }

    void blocksThatGoRoundWithoutBeingAddedAreSilent()
    {
        // As ring attention does.
        Ring ring(4);
        std::vector<Numbers> block = inputsOf(4);
        for (int round = 0; round < 3; ++round) {
            block = ring.pass(block);
            ring.show(std::vector<Numbers>(4, Numbers{0.5, 0.25, 1.0 * round}));
        }
        ring.end();
        QVERIFY(!ring.found());
    }

    void aPipelineIsSilent()
    {
        Ring ring(4);
        for (int rank = 0; rank < 3; ++rank)
            for (std::uint64_t batch = 0; batch < 3; ++batch)
                ring.add(callStep(rank, batch + 1,
                                  {.operation = "send",
                                   .peer = rank + 1,
                                   .inputs = {tensorOf("activation", {"1.0", "2.0"})}}));
        ring.end();
        QVERIFY(!ring.found());
    }

private:
    static void worlds()
    {
        QTest::addColumn<int>("ranks");
        for (const int ranks : {3, 4, 5, 8})
            QTest::addRow("%d ranks", ranks) << ranks;
    }
};

QTEST_GUILESS_MAIN(tst_whole_tensor_ring)
#include "tst_whole_tensor_ring.moc"

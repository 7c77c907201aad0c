#include "EveryCollective.h"
#include "HappenedBefore.h"
#include "LessonTest.h"

#include <functional>

using namespace ringmaster;
using namespace ringmaster::test;

namespace {

constexpr int Block = 8; ///< Elements of a chunk: 64 bytes, the least that the ring cuts.

using Numbers = std::vector<double>;

Numbers numbersOf(const std::vector<std::string>& elements)
{
    Numbers numbers;
    for (const std::string& element : elements)
        numbers.push_back(std::stod(element));
    return numbers;
}

double combined(const std::string& reduction, double one, double other)
{
    return reduction == "SUM"       ? one + other
           : reduction == "PRODUCT" ? one * other
           : reduction == "MAX"     ? std::max(one, other)
                                    : std::min(one, other);
}

/// One operation of the ring, done again on paper: what everybody holds begins with the program's
/// own formula, and goes on with nothing but the chunks in the order of the list.
class OnPaper
{
public:
    OnPaper(std::string operation, std::string reduction, int ranks)
        : m_operation(std::move(operation)), m_reduction(std::move(reduction)), m_ranks(ranks)
    {
    }

    /// What is wrong with the chunk; empty: nothing.
    std::string take(const LessonChunk& chunk)
    {
        const Numbers before = held(chunk.to, chunk);
        const Numbers sent = held(chunk.from, chunk);
        Numbers after = sent;
        if (!isCopied(chunk))
            for (size_t i = 0; i < after.size(); ++i)
                after[i] = combined(m_reduction, before[i], sent[i]);
        // The board gives all at once.
        if (chunk.algorithm == "direct" && !isCopied(chunk))
            after = total(chunk);
        if (numbersOf(chunk.before) != before)
            return "before isn't what the rank held";
        if (numbersOf(chunk.arrived) != sent)
            return "what arrived isn't what the sender held";
        if (numbersOf(chunk.after) != after)
            return "after isn't what they make";
        if (chunk.algorithm != "direct")
            m_held[{chunk.to, chunk.chunk}] = after;
        return {};
    }

    /// Of an all_reduce: every rank has all.
    bool isComplete() const
    {
        for (int rank = 0; rank < m_ranks; ++rank)
            for (int block = 0; block < m_ranks; ++block) {
                const LessonChunk chunk{.chunk = static_cast<std::uint64_t>(block)};
                if (m_held.at({rank, chunk.chunk}) != total(chunk))
                    return false;
            }
        return true;
    }

private:
    Numbers own(int rank, const LessonChunk& chunk) const
    {
        const bool isWhole = chunk.bytes > Block * sizeof(double) || chunk.operation == "broadcast";
        Numbers numbers(isWhole ? static_cast<size_t>(Block * m_ranks) : Block);
        const bool isGathered = m_operation == "all_gather";
        for (size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = static_cast<double>(i) + primeOf(rank) +
                         (isGathered ? 0 : static_cast<double>(chunk.chunk) * Block);
        if (isGathered && static_cast<int>(chunk.chunk) != rank)
            std::ranges::fill(numbers, 0);
        return numbers;
    }

    Numbers held(int rank, const LessonChunk& chunk) const
    {
        const auto known = m_held.find({rank, chunk.chunk});
        return known != m_held.end() ? known->second : own(rank, chunk);
    }

    Numbers total(const LessonChunk& chunk) const
    {
        Numbers numbers = own(0, chunk);
        for (int rank = 1; rank < m_ranks; ++rank) {
            const Numbers others = own(rank, chunk);
            for (size_t i = 0; i < numbers.size(); ++i)
                numbers[i] = combined(m_reduction, numbers[i], others[i]);
        }
        return numbers;
    }

    bool isCopied(const LessonChunk& chunk) const
    {
        if (m_operation == "broadcast" || m_operation == "all_gather")
            return true;
        if (m_operation != "all_reduce")
            return false;
        const bool isDown = chunk.algorithm == "tree" && chunk.from == (chunk.to & (chunk.to - 1));
        return isDown || (chunk.algorithm == "ring" && chunk.step >= m_ranks - 1);
    }

    std::string m_operation;
    std::string m_reduction;
    int m_ranks;
    std::map<std::pair<int, std::uint64_t>, Numbers> m_held;
};

} // namespace

/// In the list of a recording nothing stands before what it needs, whoever was held when; and the
/// ring's values are those that one computes oneself.
class tst_lesson_order : public LessonTest
{
    Q_OBJECT

private Q_SLOTS:
    void nothingStandsBeforeItsCause_data()
    {
        QTest::addColumn<QByteArray>("backend");
        QTest::addColumn<std::string>("algorithm");
        QTest::addColumn<int>("ranks");
        for (int ranks = 2; ranks <= 8; ++ranks)
            QTest::addRow("ring, %d", ranks) << QByteArray("ring") << std::string("ring") << ranks;
        QTest::newRow("tree, 5") << QByteArray("ring") << std::string("tree") << 5;
        QTest::newRow("board, 4") << QByteArray("ring") << std::string("direct") << 4;
        QTest::newRow("gloo, 4") << QByteArray("gloo") << std::string() << 4;
    }

    /// Held at first, then let go: both ways of recording in one run.
    void nothingStandsBeforeItsCause()
    {
        QFETCH(const QByteArray, backend);
        QFETCH(const std::string, algorithm);
        QFETCH(const int, ranks);
        if (backend == "ring" && !hasRing())
            QSKIP("the ring isn't built here");
        LessonRun run({.program = headOf(backend.constData()) + Everything,
                       .ranks = ranks,
                       .backend = QString::fromLatin1(backend),
                       .ringAlgorithm = algorithm});
        QVERIFY(run.send(MoveLesson{.move = MoveLesson::Move::Play, .stepsASecond = 1000}));
        QVERIFY2(run.waitFor([](const lesson::Recording& seen) { return isPast(seen, "PRODUCT"); }),
                 run.standing().c_str());
        QVERIFY(run.send(MoveLesson{.move = MoveLesson::Move::ToEnd}));
        QVERIFY2(run.finish() && run.state() == RunState::Succeeded, run.standing().c_str());

        const auto recording = run.recording();
        const HappenedBefore order(recording);
        QVERIFY2(order.violations().empty(), order.violations().c_str());
        QCOMPARE(order.messages(), static_cast<size_t>(2 * ranks - 1));
        QVERIFY(order.collectives() >= static_cast<size_t>(18 * ranks));
        if (algorithm == "ring") {
            // Twice round for each all_reduce, in the default group and in both others.
            QVERIFY(order.chunks() >= static_cast<size_t>(7 * 2 * (ranks - 1) * ranks));
            checkPicture(recording);
        }
        if (!algorithm.empty())
            checkValues(recording, ranks, algorithm == "ring");
    }

private:
    static bool isPast(const lesson::Recording& recording, const std::string& reduction)
    {
        for (size_t index = recording.size(); index-- > 0;)
            if (recording.step(index).kind == LessonStep::Kind::Return &&
                recording.step(index).call.reduction == reduction)
                return true;
        return false;
    }

    /// The picture draws arrivals in the list's order, and groups are apart.
    static void checkPicture(const lesson::Recording& recording)
    {
        for (const lesson::RingOperation& operation : recording.latest().ringOperations())
            for (size_t i = 0; i < operation.arrivals.size(); ++i) {
                QCOMPARE(operation.arrivals[i].chunk.group, operation.group);
                QVERIFY(i == 0 || operation.arrivals[i - 1].step < operation.arrivals[i].step);
            }
    }

    /// A board counts its chunks another way where they aren't whole tensors.
    static bool isOnPaper(const LessonChunk& chunk)
    {
        const bool isInParts =
            chunk.operation == "all_gather" || chunk.operation == "reduce_scatter";
        const bool isWhole = chunk.operation == "all_reduce" || chunk.operation == "broadcast" ||
                             chunk.operation == "reduce";
        return chunk.group == "default" && (isWhole || (isInParts && chunk.algorithm == "ring"));
    }

    static void checkValues(const lesson::Recording& recording, int ranks, bool isRing)
    {
        const std::vector<std::string> reductions{"SUM", "PRODUCT", "MAX", "MIN"};
        std::map<std::pair<std::string, std::uint64_t>, OnPaper> papers;
        size_t checked = 0;
        std::map<std::string, size_t> count;
        for (size_t index = 0; index < recording.size(); ++index) {
            const LessonChunk& chunk = recording.step(index).chunk;
            if (recording.step(index).kind != LessonStep::Kind::Chunk || !isOnPaper(chunk))
                continue;
            const std::pair key(chunk.operation, chunk.sequence);
            if (!papers.contains(key)) {
                const size_t nth = count[chunk.operation]++;
                const bool isReduced = chunk.operation == "all_reduce" && nth < reductions.size();
                papers.emplace(
                    key, OnPaper(chunk.operation, isReduced ? reductions[nth] : "SUM", ranks));
            }
            const std::string wrong = papers.at(key).take(chunk);
            const std::string place = "step " + std::to_string(index) + ", " + chunk.operation +
                                      " #" + std::to_string(chunk.sequence) + ", hop " +
                                      std::to_string(chunk.step) + ", chunk " +
                                      std::to_string(chunk.chunk) + ": " + wrong;
            QVERIFY2(wrong.empty(), place.c_str());
            ++checked;
        }
        QVERIFY(checked > 0);
        for (const auto& [key, paper] : papers)
            QVERIFY(key.first != "all_reduce" || !isRing || paper.isComplete());
    }
};

QTEST_GUILESS_MAIN(tst_lesson_order)
#include "tst_lesson_order.moc"

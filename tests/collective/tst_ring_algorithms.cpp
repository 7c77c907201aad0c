#include "engine/base/Codes.h"
#include "engine/collective/Codes.h"
#include "engine/collective/ring/StepFile.h"
#include "tests/collective/ThreadTeams.h"
#include "tests/collective/Values.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include <functional>
#include <latch>
#include <mutex>
#include <random>

using namespace ringmaster;
using namespace ringmaster::ring;
using namespace ringmaster::ring::testing;
using namespace std::chrono_literals;

namespace {

constexpr std::array AllAlgorithms{Algorithm::Auto, Algorithm::Ring, Algorithm::Tree,
                                   Algorithm::Direct};

using Buffer = std::vector<std::byte>;

/// What is wrong with a buffer that should hold reduced samples; nothing if it is right.
QString wrongAt(const Buffer& buffer, DataType type, Reduction reduction, int size,
                size_t offset = 0)
{
    for (size_t i = 0; i < buffer.size() / sizeOf(type); ++i) {
        const double wanted = reducedSample(type, reduction, size, i + offset);
        const double found = valueAt(type, buffer.data(), i);
        if (std::abs(found - wanted) > 2 * size * tolerance(type, wanted))
            return QString("%1 instead of %2 at %3").arg(found).arg(wanted).arg(i);
    }
    return {};
}

QString firstError(const std::vector<Result<void>>& results)
{
    for (const auto& result : results) {
        if (!result)
            return QString::fromStdString(ringmaster::describe(result.error()));
    }
    return {};
}

std::vector<Bytes> spansOf(std::vector<Buffer>& buffers)
{
    return {buffers.begin(), buffers.end()};
}

std::vector<ConstBytes> constSpansOf(const std::vector<Buffer>& buffers)
{
    return {buffers.begin(), buffers.end()};
}

class StepCounter : public Observer
{
public:
    void arrived(const ChunkStep& step) override
    {
        ++steps;
        bytes += step.bytes;
        last = step;
        shownBefore.assign(step.before.begin(), step.before.end());
        shownAfter.assign(step.after.begin(), step.after.end());
    }

    int steps = 0;
    size_t bytes = 0;
    ChunkStep last{};
    Buffer shownBefore{};
    Buffer shownAfter{};
};

/// What each rank of an operation on int64 holds, by nothing but what the observers are told.
class HeldValues : public Observer
{
public:
    explicit HeldValues(std::vector<Buffer> buffers) : m_held(std::move(buffers)) {}

    void arrived(const ChunkStep& step) override
    {
        const std::lock_guard lock(m_mutex);
        const Buffer before = heldBy(step.to, step);
        const Buffer sent = heldBy(step.from, step);
        Buffer sum(step.bytes);
        for (size_t i = 0; i < step.bytes / 8; ++i)
            setValue(DataType::Int64, sum.data(), i,
                     valueAt(DataType::Int64, before.data(), i) +
                         valueAt(DataType::Int64, sent.data(), i));
        if (!std::ranges::equal(step.before, before))
            complain("before", step);
        if (!std::ranges::equal(step.arrived, sent))
            complain("arrived", step);
        if (!std::ranges::equal(step.after, sum) && !std::ranges::equal(step.after, sent))
            complain("after", step);
        std::ranges::copy(step.after,
                          m_held[static_cast<size_t>(step.to)].begin() + offsetOf(step));
        ++m_checked;
    }

    const std::string& wrong() const { return m_wrong; }
    int checked() const { return m_checked; }
    const std::vector<Buffer>& held() const { return m_held; }

private:
    /// Here every chunk has the same size.
    static std::ptrdiff_t offsetOf(const ChunkStep& step)
    {
        return static_cast<std::ptrdiff_t>(step.chunk * step.bytes);
    }
    Buffer heldBy(int rank, const ChunkStep& step) const
    {
        const auto start = m_held[static_cast<size_t>(rank)].begin() + offsetOf(step);
        return {start, start + static_cast<std::ptrdiff_t>(step.bytes)};
    }
    void complain(const std::string& what, const ChunkStep& step)
    {
        m_wrong += what + " in step " + std::to_string(step.step) + ", chunk " +
                   std::to_string(step.chunk) + ", " + std::to_string(step.from) + " to " +
                   std::to_string(step.to) + "\n";
    }

    std::mutex m_mutex;
    std::vector<Buffer> m_held;
    std::string m_wrong;
    int m_checked = 0;
};

} // namespace

class tst_ring_algorithms : public QObject
{
    Q_OBJECT

    static void checkAllReduce(ThreadTeams& teams, Algorithm algorithm, DataType type,
                               Reduction reduction, size_t count)
    {
        std::vector<Buffer> buffers;
        for (int rank = 0; rank < teams.size(); ++rank)
            buffers.push_back(samples(type, rank, count));
        const auto results = teams.run([&](int rank) {
            return teams[rank].allReduce(buffers[static_cast<size_t>(rank)], {type, reduction},
                                         within(20s, algorithm));
        });
        const QString what = QString("%1 ranks, %2, %3 of %4 x %5: ")
                                 .arg(teams.size())
                                 .arg(nameOf(algorithm).data())
                                 .arg(nameOf(reduction).data())
                                 .arg(count)
                                 .arg(nameOf(type).data());
        QVERIFY2(firstError(results).isEmpty(), qPrintable(what + firstError(results)));
        for (const Buffer& buffer : buffers) {
            const QString wrong = wrongAt(buffer, type, reduction, teams.size());
            QVERIFY2(wrong.isEmpty(), qPrintable(what + wrong));
            QVERIFY2(buffer == buffers.front(), qPrintable(what + "ranks differ"));
        }
    }

private Q_SLOTS:
    void allReduceIsRightForEveryTypeAndReduction()
    {
        ThreadTeams teams(3);
        for (const Algorithm algorithm : AllAlgorithms) {
            for (const DataType type :
                 {DataType::Bool, DataType::Int8, DataType::UInt8, DataType::Int32, DataType::Int64,
                  DataType::Float16, DataType::BFloat16, DataType::Float32, DataType::Float64}) {
                for (const Reduction reduction :
                     {Reduction::Sum, Reduction::Product, Reduction::Min, Reduction::Max,
                      Reduction::Average}) {
                    if (type != DataType::Bool || reduction != Reduction::Average)
                        checkAllReduce(teams, algorithm, type, reduction, 1001);
                }
            }
        }
    }

    void allReduceIsRightForAnySizeAndNumberOfRanks()
    {
        std::mt19937 random(20260726);
        for (int size = 1; size <= 8; ++size) {
            ThreadTeams teams(size);
            for (const Algorithm algorithm : AllAlgorithms) {
                for (const size_t count : {size_t{0}, size_t{1}, size_t{size_t(size) - 1},
                                           size_t{31}, size_t{4099}, size_t{random() % 120'000}})
                    checkAllReduce(teams, algorithm, DataType::Float32, Reduction::Sum, count);
            }
        }
    }

    void aTensorLargerThanTheBoardGoesOverItInStretches()
    {
        for (const int size : {2, 3, 4, 7}) {
            ThreadTeams teams(size);
            // One after the other: the board's sides are taken in turn.
            for (const size_t count : {size_t{262'144}, size_t{1'000'003}, size_t{524'289}}) {
                checkAllReduce(teams, Algorithm::Direct, DataType::Int32, Reduction::Sum, count);
                checkAllReduce(teams, Algorithm::Direct, DataType::Float32, Reduction::Average,
                               count);
            }
        }
    }

    void reduceReachesTheRootOnly()
    {
        std::mt19937 random(1);
        for (int size = 2; size <= 8; size += 3) {
            ThreadTeams teams(size);
            for (const Algorithm algorithm : AllAlgorithms) {
                const size_t count = 1 + random() % 100'000;
                const int root = static_cast<int>(random() % static_cast<unsigned>(size));
                std::vector<Buffer> inputs;
                for (int rank = 0; rank < size; ++rank)
                    inputs.push_back(samples(DataType::Int64, rank, count));
                const auto untouched = inputs;
                Buffer output(count * 8);
                const auto results = teams.run([&](int rank) {
                    return teams[rank].reduce(
                        inputs[static_cast<size_t>(rank)], rank == root ? Bytes(output) : Bytes{},
                        root, {DataType::Int64, Reduction::Sum}, within(20s, algorithm));
                });
                QCOMPARE(firstError(results), QString());
                QCOMPARE(wrongAt(output, DataType::Int64, Reduction::Sum, size), QString());
                QVERIFY(inputs == untouched);
            }
        }
    }

    void broadcastGivesAllTheRootsValues()
    {
        for (int size = 2; size <= 8; ++size) {
            ThreadTeams teams(size);
            for (const Algorithm algorithm : AllAlgorithms) {
                for (const size_t count : {size_t{1}, size_t{300'007}}) {
                    const int root = size / 2;
                    std::vector<Buffer> buffers(static_cast<size_t>(size), Buffer(count));
                    buffers[static_cast<size_t>(root)] = samples(DataType::UInt8, root, count);
                    const auto results = teams.run([&](int rank) {
                        return teams[rank].broadcast(buffers[static_cast<size_t>(rank)], root,
                                                     within(20s, algorithm));
                    });
                    QCOMPARE(firstError(results), QString());
                    for (const Buffer& buffer : buffers)
                        QVERIFY(buffer == samples(DataType::UInt8, root, count));
                }
            }
        }
    }

    void allGatherTakesPartsOfAnySize()
    {
        std::mt19937 random(7);
        for (int size = 2; size <= 8; size += 2) {
            ThreadTeams teams(size);
            for (const Algorithm algorithm : AllAlgorithms) {
                std::vector<Buffer> inputs;
                for (int rank = 0; rank < size; ++rank)
                    inputs.push_back(samples(DataType::UInt8, rank, random() % 200'000));
                std::vector<std::vector<Buffer>> outputs(static_cast<size_t>(size));
                for (auto& parts : outputs) {
                    for (const Buffer& input : inputs)
                        parts.emplace_back(input.size());
                }
                const auto results = teams.run([&](int rank) {
                    const auto own = static_cast<size_t>(rank);
                    return teams[rank].allGather(inputs[own], spansOf(outputs[own]),
                                                 within(20s, algorithm));
                });
                QCOMPARE(firstError(results), QString());
                for (const auto& parts : outputs)
                    QVERIFY(parts == inputs);
            }
        }
    }

    void reduceScatterGivesEachItsPart()
    {
        for (int size = 2; size <= 8; size += 2) {
            ThreadTeams teams(size);
            for (const Algorithm algorithm : AllAlgorithms) {
                for (const size_t count : {size_t{5}, size_t{70'001}}) {
                    std::vector<std::vector<Buffer>> inputs(static_cast<size_t>(size));
                    for (int rank = 0; rank < size; ++rank) {
                        for (size_t part = 0; part < static_cast<size_t>(size); ++part)
                            inputs[static_cast<size_t>(rank)].push_back(
                                samples(DataType::Float64, rank, count, part * count));
                    }
                    std::vector<Buffer> outputs(static_cast<size_t>(size), Buffer(count * 8));
                    const auto results = teams.run([&](int rank) {
                        const auto own = static_cast<size_t>(rank);
                        return teams[rank].reduceScatter(constSpansOf(inputs[own]), outputs[own],
                                                         {DataType::Float64, Reduction::Average},
                                                         within(20s, algorithm));
                    });
                    QCOMPARE(firstError(results), QString());
                    for (size_t rank = 0; rank < outputs.size(); ++rank)
                        QCOMPARE(wrongAt(outputs[rank], DataType::Float64, Reduction::Average, size,
                                         rank * count),
                                 QString());
                }
            }
        }
    }

    void scatterAndGatherAreEachOthersReverse()
    {
        for (int size = 1; size <= 8; size += 3) {
            ThreadTeams teams(size);
            const int root = size - 1;
            std::vector<Buffer> parts;
            for (int rank = 0; rank < size; ++rank)
                parts.push_back(samples(DataType::UInt8, rank, 100'003));
            std::vector<Buffer> gathered(parts.size(), Buffer(100'003));
            const auto results = teams.run([&](int rank) -> Result<void> {
                Buffer own(100'003);
                RM_TRY(teams[rank].scatter(rank == root ? constSpansOf(parts)
                                                        : std::vector<ConstBytes>{},
                                           own, root, within(20s)));
                return teams[rank].gather(own,
                                          rank == root ? spansOf(gathered) : std::vector<Bytes>{},
                                          root, within(20s));
            });
            QCOMPARE(firstError(results), QString());
            QVERIFY(gathered == parts);
        }
    }

    void allToAllTakesPartsOfAnySize()
    {
        std::mt19937 random(3);
        for (const int size : {1, 2, 5, 8}) {
            ThreadTeams teams(size);
            const auto ranks = static_cast<size_t>(size);
            std::vector<std::vector<Buffer>> inputs(ranks);
            std::vector<std::vector<Buffer>> outputs(ranks, std::vector<Buffer>(ranks));
            for (size_t from = 0; from < ranks; ++from) {
                for (size_t to = 0; to < ranks; ++to) {
                    const size_t bytes = to == 0 ? 0 : random() % 150'000;
                    inputs[from].push_back(
                        samples(DataType::UInt8, static_cast<int>(from + to), bytes));
                    outputs[to][from].resize(bytes);
                }
            }
            const auto results = teams.run([&](int rank) {
                const auto own = static_cast<size_t>(rank);
                return teams[rank].allToAll(constSpansOf(inputs[own]), spansOf(outputs[own]),
                                            within(20s));
            });
            QCOMPARE(firstError(results), QString());
            for (size_t from = 0; from < ranks; ++from) {
                for (size_t to = 0; to < ranks; ++to)
                    QVERIFY(outputs[to][from] == inputs[from][to]);
            }
        }
    }

    void nobodyLeavesABarrierBeforeTheLastHasCome()
    {
        ThreadTeams teams(5);
        std::atomic<int> entered = 0;
        std::atomic<bool> early = false;
        const auto results = teams.run([&](int rank) -> Result<void> {
            for (int round = 1; round <= 200; ++round) {
                ++entered;
                RM_TRY(teams[rank].barrier(within(20s)));
                early = early || entered < round * 5;
            }
            return {};
        });
        QCOMPARE(firstError(results), QString());
        QVERIFY(!early);
    }

    void mixedOperationsFollowEachOther()
    {
        // Ranks run ahead of each other between the operations: nothing of one may reach the next.
        ThreadTeams teams(4);
        const auto results = teams.run([&](int rank) -> Result<void> {
            std::mt19937 random(99); // the same choices on every rank
            for (int round = 0; round < 150; ++round) {
                const Algorithm algorithm = AllAlgorithms[random() % AllAlgorithms.size()];
                const size_t count = 1 + random() % 20'000;
                auto values = samples(DataType::Float32, rank, count);
                RM_TRY(teams[rank].allReduce(values, {DataType::Float32, Reduction::Sum},
                                             within(20s, algorithm)));
                if (!wrongAt(values, DataType::Float32, Reduction::Sum, 4).isEmpty())
                    return fail(code::InternalError);
                const int root = static_cast<int>(random() % 4);
                auto shared = samples(DataType::UInt8, rank, count);
                RM_TRY(teams[rank].broadcast(shared, root, within(20s, algorithm)));
                if (shared != samples(DataType::UInt8, root, count))
                    return fail(code::InternalError);
            }
            return {};
        });
        QCOMPARE(firstError(results), QString());
    }

    void floatsAreSummedInTheSameOrderEachTime()
    {
        ThreadTeams teams(4);
        std::mt19937 random(5);
        std::vector<std::vector<float>> values(4, std::vector<float>(50'000));
        for (auto& rank : values) {
            for (float& value : rank)
                value =
                    std::ldexp(static_cast<float>(random()), static_cast<int>(random() % 40) - 50);
        }
        for (const Algorithm algorithm : AllAlgorithms) {
            std::vector<std::vector<float>> first;
            for (int repeat = 0; repeat < 3; ++repeat) {
                auto sums = values;
                const auto results = teams.run([&](int rank) {
                    return teams[rank].allReduce(
                        std::as_writable_bytes(std::span(sums[static_cast<size_t>(rank)])),
                        {DataType::Float32, Reduction::Sum}, within(20s, algorithm));
                });
                QCOMPARE(firstError(results), QString());
                if (repeat == 0)
                    first = sums;
                QVERIFY(sums == first && sums[0] == sums[3]);
            }
        }
    }

    void differentCallsAreNamedOnBothSides()
    {
        for (const Algorithm algorithm : {Algorithm::Ring, Algorithm::Direct}) {
            ThreadTeams teams(3);
            const auto results = teams.run([&](int rank) {
                Buffer buffer(rank == 1 ? 8000 : 4000);
                auto result = teams[rank].allReduce(buffer, {DataType::Float32, Reduction::Sum},
                                                    within(20s, algorithm));
                if (!result)
                    Alarm(teams.segment()).raise(makeAlarm(rank, rank, result.error(), 0));
                return result;
            });
            for (const auto& result : results) {
                QVERIFY(!result);
                QCOMPARE(result.error().code, code::CollectiveMismatch);
                const auto text = QString::fromStdString(ringmaster::describe(result.error()));
                QVERIFY2(text.contains("4000 bytes") && text.contains("8000 bytes"),
                         qPrintable(text));
            }
        }
    }

    void whoComesToTheBoardInAnotherCallIsNamed()
    {
        ThreadTeams teams(2);
        std::latch sent(1);
        const auto results = teams.run([&](int rank) -> Result<void> {
            // Its root goes on as soon as it has sent.
            Buffer buffer(1000);
            if (rank == 1)
                RM_TRY(teams[rank].broadcast(buffer, 1, within(20s, Algorithm::Tree)));
            if (rank == 1)
                sent.count_down();
            else
                sent.wait();
            return teams[rank].barrier(within(20s));
        });
        for (const auto& result : results) {
            QVERIFY(!result);
            QCOMPARE(result.error().code, code::CollectiveMismatch);
        }
        const auto text = QString::fromStdString(ringmaster::describe(results[1].error()));
        QVERIFY2(text.contains("barrier #1") && text.contains("barrier #2"), qPrintable(text));
    }

    void anAbsentRankIsNamedAtTheDeadline()
    {
        for (const Algorithm algorithm : {Algorithm::Ring, Algorithm::Tree, Algorithm::Direct}) {
            ThreadTeams teams(4);
            std::latch begun(3);
            const auto results = teams.run([&](int rank) -> Result<void> {
                Buffer buffer(4000);
                if (rank == 2)
                    return {};
                begun.arrive_and_wait(); // or a late one of the three is named
                return teams[rank].allReduce(buffer, {DataType::Float32, Reduction::Sum},
                                             within(1s, algorithm));
            });
            for (const int rank : {0, 1, 3}) {
                const auto& result = results[static_cast<size_t>(rank)];
                QVERIFY(!result);
                QCOMPARE(result.error().code, code::CollectiveTimedOut);
                QCOMPARE(result.error().parameters.at("rank"), std::string("2"));
            }
        }
    }

    void wrongArgumentsAreRefusedBeforeAnythingIsSent()
    {
        ThreadTeams teams(2);
        Buffer buffer(10);
        QCOMPARE(teams[0].broadcast(buffer, 2, within(1s)).error().code,
                 code::CollectiveRankInvalid);
        QCOMPARE(teams[0]
                     .allReduce(buffer, {DataType::Float32, Reduction::Sum}, within(1s))
                     .error()
                     .code,
                 code::CollectiveSizeInvalid);
        QCOMPARE(teams[0]
                     .allReduce(buffer, {DataType::Bool, Reduction::Average}, within(1s))
                     .error()
                     .code,
                 code::CollectiveUnsupported);
        std::vector<Bytes> one{buffer};
        QCOMPARE(teams[0].allGather(buffer, one, within(1s)).error().code,
                 code::CollectiveSizeInvalid);
        QCOMPARE(teams[0].sequence(), std::uint64_t{0});
    }

    void anObserverSeesEveryChunkWithItsValues()
    {
        ThreadTeams teams(4);
        std::vector<StepCounter> counters(4);
        for (int rank = 0; rank < 4; ++rank)
            teams.team(rank).setObserver(&counters[static_cast<size_t>(rank)]);
        std::vector<Buffer> buffers;
        for (int rank = 0; rank < 4; ++rank)
            buffers.push_back(samples(DataType::Float32, rank, 256));
        const auto results = teams.run([&](int rank) {
            return teams[rank].allReduce(buffers[static_cast<size_t>(rank)],
                                         {DataType::Float32, Reduction::Sum},
                                         within(20s, Algorithm::Ring));
        });
        QCOMPARE(firstError(results), QString());
        for (int rank = 0; rank < 4; ++rank) {
            const StepCounter& counter = counters[static_cast<size_t>(rank)];
            QCOMPARE(counter.steps, 6);
            QCOMPARE(counter.bytes, size_t{6 * 256});
            QCOMPARE(counter.last.from, (rank + 3) % 4);
            QCOMPARE(counter.last.to, rank);
            QCOMPARE(counter.last.step, 5);
            QCOMPARE(counter.last.algorithm, Algorithm::Ring);
            QCOMPARE(counter.shownBefore.size(), size_t{256});
            QCOMPARE(counter.shownAfter.size(), size_t{256});
        }
    }

    /// What a rank held before is what it held after the last that came, whichever way the chunks
    /// go; and nothing arrives before its sender has it.
    void anObserverHearsOfCausesFirstAndOfWhatIsReallyHeld_data()
    {
        QTest::addColumn<Algorithm>("algorithm");
        QTest::addColumn<int>("ranks");
        for (const int ranks : {2, 3, 5, 8}) {
            QTest::addRow("ring, %d", ranks) << Algorithm::Ring << ranks;
            QTest::addRow("tree, %d", ranks) << Algorithm::Tree << ranks;
        }
    }

    void anObserverHearsOfCausesFirstAndOfWhatIsReallyHeld()
    {
        QFETCH(const Algorithm, algorithm);
        QFETCH(const int, ranks);
        using Run = std::function<Result<void>(Collectives&, Buffer&)>;
        const Run reduces = [&](Collectives& team, Buffer& own) {
            return team.allReduce(own, {DataType::Int64, Reduction::Sum}, within(20s, algorithm));
        };
        const Run copies = [&](Collectives& team, Buffer& own) {
            return team.broadcast(own, ranks - 1, within(20s, algorithm));
        };
        for (const Run& operation : {reduces, copies}) {
            ThreadTeams teams(ranks);
            std::vector<Buffer> buffers;
            for (int rank = 0; rank < ranks; ++rank)
                buffers.push_back(samples(DataType::Int64, rank, 8 * static_cast<size_t>(ranks)));
            HeldValues held(buffers);
            for (int rank = 0; rank < ranks; ++rank)
                teams.team(rank).setObserver(&held);
            const auto results = teams.run([&](int rank) {
                return operation(teams[rank], buffers[static_cast<size_t>(rank)]);
            });
            QCOMPARE(firstError(results), QString());
            QCOMPARE(held.wrong(), std::string());
            QVERIFY(held.checked() >= ranks - 1);
            QCOMPARE(held.held(), buffers);
        }
    }

    void aChunkArrivesWithABitFlippedWhereTheFileWantsIt()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath("steps").toStdString();
        const std::string faults = folder.filePath("faults").toStdString();
        QFile wanted(folder.filePath("faults"));
        QVERIFY(wanted.open(QIODevice::ReadWrite));
        const std::uint32_t one = 1;
        QCOMPARE(wanted.write(reinterpret_cast<const char*>(&one), sizeof(one)), qint64(4));
        QVERIFY(wanted.flush());
        ThreadTeams teams(3);
        const auto file = StepFile::open(path, 1, faults);
        teams.team(1).setObserver(file.get());
        std::array<std::array<float, 48>, 3> values{};
        const auto results = teams.run([&](int rank) {
            auto& own = values[static_cast<size_t>(rank)];
            own.fill(static_cast<float>(rank + 2));
            return teams[rank].allReduce(std::as_writable_bytes(std::span(own)),
                                         {DataType::Float32, Reduction::Sum},
                                         within(20s, Algorithm::Ring));
        });
        QCOMPARE(firstError(results), QString());
        QFile written(folder.filePath("steps"));
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QByteArrayList lines = written.readAll().trimmed().split('\n');
        QCOMPARE(lines.size(), 4);
        const QJsonObject first = QJsonDocument::fromJson(lines.first()).object();
        QVERIFY(first["corrupted"].toBool());
        // Rank 0 sends its own block first: 2.0 came as 8.0, and went on to all.
        QCOMPARE(first["chunk"].toInt(), 0);
        QCOMPARE(first["after"].toArray().first().toString(), QString("11.0"));
        for (const auto& own : values) {
            QCOMPARE(own[0], 8.0F + 3 + 4);
            QCOMPARE(own[1], 2.0F + 3 + 4);
            QCOMPARE(own[16], 2.0F + 3 + 4);
        }
        QVERIFY(!lines.last().contains("corrupted"));
        QVERIFY(wanted.seek(0));
        QCOMPARE(wanted.readAll(), QByteArray(4, '\0'));
    }

    void aStepFileHasALineForEachChunk()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath("steps").toStdString();
        QVERIFY(StepFile::open("", 1) == nullptr);
        QVERIFY(StepFile::open(path + "/below/a/file", 1) == nullptr);
        ThreadTeams teams(2);
        const auto file = StepFile::open(path, 3);
        QVERIFY(file != nullptr);
        teams.team(1).setObserver(file.get());
        const auto results = teams.run([&](int rank) {
            std::array<float, 64> values{};
            values.fill(static_cast<float>(rank + 1));
            const auto bytes = std::as_writable_bytes(std::span(values));
            return teams[rank].allReduce(bytes, {DataType::Float32, Reduction::Sum},
                                         within(20s, Algorithm::Ring));
        });
        QCOMPARE(firstError(results), QString());
        QFile written(folder.filePath("steps"));
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QByteArrayList lines = written.readAll().trimmed().split('\n');
        QCOMPARE(lines.size(), 2);
        const QJsonObject first = QJsonDocument::fromJson(lines.first()).object();
        QCOMPARE(first["operation"].toString(), QString("all_reduce"));
        QCOMPARE(first["algorithm"].toString(), QString("ring"));
        QCOMPARE(first["type"].toString(), QString("float32"));
        QCOMPARE(first["group"].toInt(), 3);
        QCOMPARE(first["from"].toInt(), 0);
        QCOMPARE(first["to"].toInt(), 1);
        QCOMPARE(first["bytes"].toInt(), 128);
        QCOMPARE(first["before"].toArray().size(), 32);
        const QJsonObject last = QJsonDocument::fromJson(lines.last()).object();
        QCOMPARE(last["step"].toInt(), 1);
        QCOMPARE(last["after"].toArray().last().toString(), QString("3.0"));
    }

    void elementsAreAsPythonWritesThem()
    {
        const auto text = [](auto value, DataType type) {
            return elementsText(std::as_bytes(std::span(&value, 1)), type);
        };
        QCOMPARE(text(1.0F, DataType::Float32), std::string("\"1.0\""));
        QCOMPARE(text(0.1F, DataType::Float32), std::string("\"0.1\""));
        QCOMPARE(text(1e30, DataType::Float64), std::string("\"1e+30\""));
        QCOMPARE(text(-std::numeric_limits<float>::infinity(), DataType::Float32),
                 std::string("\"-inf\""));
        QCOMPARE(text(std::numeric_limits<double>::quiet_NaN(), DataType::Float64),
                 std::string("\"nan\""));
        QCOMPARE(text(std::uint16_t{0x3c00}, DataType::Float16), std::string("\"1.0\""));
        QCOMPARE(text(std::uint16_t{0xbf80}, DataType::BFloat16), std::string("\"-1.0\""));
        QCOMPARE(text(std::int64_t{-7}, DataType::Int64), std::string("\"-7\""));
        QCOMPARE(text(std::uint8_t{1}, DataType::Bool), std::string("\"True\""));
        QCOMPARE(text(std::array<std::uint8_t, 2>{1, 255}, DataType::Bytes),
                 std::string("\"1\",\"255\""));
    }

    void anObserverSeesNoValuesOfLargeTensors()
    {
        ThreadTeams teams(2);
        StepCounter counter;
        teams.team(0).setObserver(&counter);
        const auto results = teams.run([&](int rank) {
            Buffer buffer(ChunkStep::LargestShown + 4);
            return teams[rank].allReduce(buffer, {DataType::Float32, Reduction::Sum},
                                         within(20s, Algorithm::Ring));
        });
        QCOMPARE(firstError(results), QString());
        QVERIFY(counter.steps > 0);
        QVERIFY(counter.shownBefore.empty() && counter.shownAfter.empty());
    }
};

QTEST_GUILESS_MAIN(tst_ring_algorithms)
#include "tst_ring_algorithms.moc"

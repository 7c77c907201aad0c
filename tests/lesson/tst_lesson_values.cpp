#include "HappenedBefore.h"
#include "LessonTest.h"
#include "engine/collective/ring/Segment.h"
#include "engine/lesson/Questions.h"
#include "tests/support/TorchInterpreter.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>

#include <numeric>

using namespace ringmaster;
using namespace ringmaster::test;

namespace {

/// All four reductions, on sizes that the ranks don't divide.
const QByteArray Reductions = R"(
for count in (1, 7, 37):
    for op in ("SUM", "PRODUCT", "MAX", "MIN"):
        v = torch.tensor([t.item() + i for i in range(count)], dtype=torch.float64)
        dist.all_reduce(v, op=getattr(dist.ReduceOp, op))
)";

/// Looks into the memory that the ranks share: how many slots rank's channel to its right neighbour
/// has had, and how many bytes the headers of the last eight say. OFFSETS, HEADER and SLOT are the
/// layout's.
const QByteArray LooksIntoTheMemory = R"(
import ctypes
v = torch.arange(37.0) + t
dist.all_reduce(v)
start = next(int(line.split("-")[0], 16) for line in open("/proc/self/maps") if "memfd:ringmaster-ring" in line)
channel = start + OFFSETS[rank]
written = ctypes.c_uint32.from_address(channel).value
places = [channel + HEADER + n % 8 * SLOT for n in range(max(0, written - 8), written)]
carried = torch.tensor([ctypes.c_uint32.from_address(place).value for place in places])
dist.barrier()
)";

double expected(const std::string& reduction, int ranks, int element)
{
    double value = primeOf(0) + element;
    for (int rank = 1; rank < ranks; ++rank) {
        const double other = primeOf(rank) + element;
        value = reduction == "SUM"       ? value + other
                : reduction == "PRODUCT" ? value * other
                : reduction == "MAX"     ? std::max(value, other)
                                         : std::min(value, other);
    }
    return value;
}

LessonRun::Setting settingOn(const char* backend, int ranks, const QByteArray& body)
{
    // Without it gloo's own thread may abort a rank, once another one's interpreter has ended.
    const QByteArray end = "\ndist.destroy_process_group()\n";
    LessonRun::Setting setting{.program = headOf(backend) + body + end,
                               .ranks = ranks,
                               .isHeld = false,
                               .backend = QString::fromLatin1(backend)};
    if (setting.backend == QLatin1String("ring"))
        setting.ringAlgorithm = "ring";
    return setting;
}

/// By rank, in the order of the calls: what its all_reduce gave.
std::map<int, std::vector<std::vector<std::string>>> results(const lesson::Recording& recording)
{
    std::map<int, std::vector<std::vector<std::string>>> found;
    for (size_t index = 0; index < recording.size(); ++index) {
        const LessonStep& step = recording.step(index);
        if (step.kind == LessonStep::Kind::Return && step.call.operation == "all_reduce")
            found[step.globalRank].push_back(step.call.outputs.front().elements);
    }
    return found;
}

/// Bytes of the chunks that each rank sent, in the order in which it did.
std::map<int, std::vector<std::uint64_t>> chunksSent(const lesson::Recording& recording)
{
    std::map<int, std::vector<std::uint64_t>> sent;
    for (const auto& arrival : recording.latest().ringOperations().front().arrivals)
        sent[arrival.chunk.from].push_back(arrival.chunk.bytes);
    return sent;
}

/// Of the two chunks that the rank doesn't send: one in each half of the ring's way.
std::uint64_t bytesNotSent(const lesson::Recording& recording, int rank)
{
    const int ranks = recording.latest().rankCount();
    const auto& arrivals = recording.latest().ringOperations().front().arrivals;
    std::map<std::uint64_t, std::uint64_t> notSent[2];
    for (const auto& arrival : arrivals)
        for (auto& half : notSent)
            half[arrival.chunk.chunk] = arrival.chunk.bytes;
    for (const auto& arrival : arrivals)
        if (arrival.chunk.from == rank)
            notSent[arrival.chunk.step < ranks - 1 ? 0 : 1].erase(arrival.chunk.chunk);
    return notSent[0].size() == 1 && notSent[1].size() == 1
               ? notSent[0].begin()->second + notSent[1].begin()->second
               : 0;
}

QByteArray layoutOf(int ranks)
{
    using ring::Segment;
    const auto segment = *Segment::create(ranks);
    const auto* start = reinterpret_cast<const std::byte*>(&segment.header());
    QByteArray offsets;
    for (int rank = 0; rank < ranks; ++rank) {
        const void* channel = segment.collectiveChannel(rank, (rank + 1) % ranks);
        offsets += QByteArray::number(static_cast<const std::byte*>(channel) - start) + ", ";
    }
    const size_t slot = sizeof(ring::SlotHeader) + Segment::CollectiveShape.slotBytes;
    return "OFFSETS = [" + offsets +
           "]\nHEADER = " + QByteArray::number(sizeof(ring::ChannelMemory)) +
           "\nSLOT = " + QByteArray::number(slot) + "\n";
}

std::vector<std::uint64_t> numbersIn(const lesson::Cell& cell)
{
    std::vector<std::uint64_t> numbers;
    for (const std::string& element : cell.value.elements)
        numbers.push_back(std::stoull(element));
    return numbers;
}

} // namespace

/// What a recording says of values and bytes, held against what is computed and counted otherwise.
class tst_lesson_values : public LessonTest
{
    Q_OBJECT

private Q_SLOTS:
    void everyValueIsWhatOneComputesOneself_data()
    {
        QTest::addColumn<QByteArray>("backend");
        QTest::addColumn<int>("ranks");
        for (const int ranks : {2, 3, 8})
            QTest::addRow("gloo, %d", ranks) << QByteArray("gloo") << ranks;
        for (const int ranks : {4, 5, 6, 7})
            QTest::addRow("ring, %d", ranks) << QByteArray("ring") << ranks;
    }

    void everyValueIsWhatOneComputesOneself()
    {
        QFETCH(const QByteArray, backend);
        QFETCH(const int, ranks);
        if (backend == "ring" && !hasRing())
            QSKIP("the ring isn't built here");
        const LessonRun run(settingOn(backend.constData(), ranks, Reductions));
        QVERIFY(run.finish());
        const auto recording = run.recording();
        int checked = 0;
        for (size_t index = 0; index < recording.size(); ++index) {
            const LessonStep& step = recording.step(index);
            if (step.kind != LessonStep::Kind::Return || step.call.operation != "all_reduce")
                continue;
            const auto& elements = step.call.outputs.front().elements;
            for (size_t element = 0; element < elements.size(); ++element, ++checked)
                QCOMPARE(std::stod(elements[element]),
                         expected(step.call.reduction, ranks, static_cast<int>(element)));
            const auto* cell = recording.stateAt(index).rank(step.globalRank).find("v");
            QVERIFY(cell != nullptr && cell->value.elements == elements);
        }
        QCOMPARE(checked, ranks * 4 * (1 + 7 + 37));
        const HappenedBefore order(recording);
        QVERIFY2(order.violations().empty(), order.violations().c_str());
    }

    void theRingsBytesAreThoseInTheSharedMemory_data()
    {
        QTest::addColumn<int>("ranks");
        for (const int ranks : {2, 3, 5, 8})
            QTest::newRow(std::to_string(ranks).c_str()) << ranks;
    }

    void theRingsBytesAreThoseInTheSharedMemory()
    {
        if (!hasRing())
            QSKIP("the ring isn't built here");
        QFETCH(const int, ranks);
        const LessonRun run(settingOn("ring", ranks, layoutOf(ranks) + LooksIntoTheMemory));
        QVERIFY(run.finish());
        QVERIFY(run.state() == RunState::Succeeded);
        const auto recording = run.recording();
        auto sent = chunksSent(recording);
        QCOMPARE(sent.size(), static_cast<size_t>(ranks));
        const std::uint64_t tensor = 37 * sizeof(float);
        std::uint64_t all = 0;
        for (int rank = 0; rank < ranks; ++rank) {
            const auto& chunks = sent[rank];
            const auto bytes = std::accumulate(chunks.begin(), chunks.end(), std::uint64_t{0});
            all += bytes;
            const lesson::RankState& end = recording.latest().rank(rank);
            // The channel keeps the headers of eight slots.
            const std::vector<std::uint64_t> last(chunks.end() - std::min<long>(8, chunks.size()),
                                                  chunks.end());
            QCOMPARE(numbersIn(*end.find("written")), std::vector<std::uint64_t>{chunks.size()});
            QCOMPARE(numbersIn(*end.find("carried")), last);
            const auto asked =
                lesson::ask({.kind = lesson::Question::Kind::BytesSent, .rank = rank}, recording);
            QVERIFY(asked.has_value());
            QCOMPARE(asked->choices[asked->right].number, std::to_string(bytes));
            QCOMPARE(bytes, 2 * tensor - bytesNotSent(recording, rank));
        }
        QCOMPARE(all, 2 * static_cast<std::uint64_t>(ranks - 1) * tensor);
    }

    void aHeldAFreeAndAnUntracedRunGiveTheSameTensors()
    {
        const QByteArray program =
            headOf() +
            QByteArray(Reductions)
                .replace("for count", "import json, os\nresults = []\nfor count") +
            "        results.append(v.tolist())\n"
            "with open(f\"{os.environ.get('RESULTS', 'results')}-{rank}\", 'w') as file:\n"
            "    json.dump(results, file)\n"
            "dist.destroy_process_group()\n"; // else torch may abort at its end, and all are
                                              // stopped
        constexpr int Ranks = 3;
        LessonRun::Setting setting{.program = program, .ranks = Ranks, .isHeld = false};
        const LessonRun free(setting);
        setting.isHeld = true;
        LessonRun held(setting);
        QVERIFY(held.waitFor([](const lesson::Recording& seen) {
            for (int rank = 0; rank < seen.latest().rankCount(); ++rank)
                if (seen.latest().rank(rank).lines < 1)
                    return false;
            return seen.latest().rankCount() == Ranks;
        }));
        QVERIFY(held.send(MoveLesson{.move = MoveLesson::Move::Play, .stepsASecond = 1000}));
        QVERIFY(held.finish());
        QVERIFY(free.finish());
        for (const auto& recording : {held.recording(), free.recording()}) {
            const HappenedBefore order(recording);
            QVERIFY2(order.violations().empty(), order.violations().c_str());
        }
        const auto shown = results(held.recording());
        QCOMPARE(shown.size(), static_cast<size_t>(Ranks));
        QVERIFY(results(free.recording()) == shown);
        const auto plain = untraced(program, Ranks);
        for (int rank = 0; rank < Ranks; ++rank) {
            const auto& of = shown.at(rank);
            QCOMPARE(plain[static_cast<size_t>(rank)].size(), of.size());
            for (size_t call = 0; call < of.size(); ++call)
                for (size_t element = 0; element < of[call].size(); ++element)
                    QCOMPARE(std::stod(of[call][element]),
                             plain[static_cast<size_t>(rank)][call][element]);
        }
    }

private:
    using Numbers = std::vector<std::vector<double>>;

    /// As the ranks themselves write it, without a tracer.
    static std::vector<Numbers> untraced(const QByteArray& program, int ranks)
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("program.py")));
        (void)file.open(QIODevice::WriteOnly);
        file.write(program);
        file.close();
        QProcess run;
        run.setWorkingDirectory(folder.path());
        run.start(QStringLiteral(RINGMASTER_BUILD_DIR "/bin/ringmaster"),
                  {"run", "--standalone", "--nproc-per-node", QString::number(ranks), "--python",
                   torchInterpreter(), file.fileName()});
        (void)run.waitForFinished(180'000);
        if (run.exitCode() != 0)
            qWarning("%s", run.readAllStandardError().constData());
        std::vector<Numbers> all;
        for (int rank = 0; rank < ranks; ++rank) {
            QFile written(folder.filePath(QStringLiteral("results-%1").arg(rank)));
            (void)written.open(QIODevice::ReadOnly);
            Numbers numbers;
            for (const QJsonValue& call : QJsonDocument::fromJson(written.readAll()).array()) {
                numbers.emplace_back();
                for (const QJsonValue& value : call.toArray())
                    numbers.back().push_back(value.toDouble());
            }
            all.push_back(numbers);
        }
        return all;
    }
};

QTEST_GUILESS_MAIN(tst_lesson_values)
#include "tst_lesson_values.moc"

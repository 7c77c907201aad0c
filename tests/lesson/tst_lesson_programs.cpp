#include "HappenedBefore.h"
#include "LessonTest.h"
#include "QuestionCheck.h"
#include "engine/lesson/Codes.h"
#include "engine/lesson/Questions.h"
#include "tests/support/TorchInterpreter.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>

using namespace ringmaster;
using namespace ringmaster::test;
using lesson::Outcome;

namespace {

struct Classic
{
    const char* name;
    const char* body;
    int ranks;
    Outcome outcome;
    std::vector<std::pair<int, int>> places; ///< Rank and line of whoever is in it.
};

const std::vector<Classic> Classics{
    {"both send first",
     "other = 1 - rank\n"
     "dist.send(t, other)\n"
     "dist.recv(t, other)\n",
     2,
     Outcome::Deadlocks,
     {{0, 7}, {1, 7}}},
    {"both receive first",
     "other = 1 - rank\n"
     "dist.recv(t, other)\n"
     "dist.send(t, other)\n",
     2,
     Outcome::Deadlocks,
     {{0, 7}, {1, 7}}},
    {"a ring of sends",
     "dist.send(t, (rank + 1) % size)\n"
     "dist.recv(t, (rank - 1) % size)\n",
     3,
     Outcome::Deadlocks,
     {{0, 6}, {1, 6}, {2, 6}}},
    {"one receives, one reduces",
     "if rank == 0:\n"
     "    dist.recv(t, 1)\n"
     "dist.all_reduce(t)\n"
     "if rank == 1:\n"
     "    dist.send(t, 0)\n",
     2,
     Outcome::Deadlocks,
     {{0, 7}, {1, 8}}},
    {"a request that nobody takes",
     "if rank == 0:\n"
     "    work = dist.isend(t, 1)\n"
     "    work.wait()\n"
     "dist.barrier()\n",
     2,
     Outcome::Deadlocks,
     {{0, 8}, {1, 9}}},
    {"tags that don't meet",
     "if rank == 0:\n"
     "    dist.send(t, 1, tag=1)\n"
     "if rank == 1:\n"
     "    dist.recv(t, 0, tag=2)\n",
     2,
     Outcome::Deadlocks,
     {{0, 7}, {1, 9}}},
    {"two groups in another order",
     "a = dist.new_group([0, 1])\n"
     "b = dist.new_group([0, 1])\n"
     "first, second = (a, b) if rank == 0 else (b, a)\n"
     "dist.all_reduce(t, group=first)\n"
     "dist.all_reduce(t, group=second)\n",
     2,
     Outcome::Deadlocks,
     {{0, 9}, {1, 9}}},
    {"written before wait",
     "if rank == 0:\n"
     "    work = dist.isend(t, 1)\n"
     "    t += 1\n"
     "    work.wait()\n"
     "if rank == 1:\n"
     "    dist.recv(t, 0)\n",
     2,
     Outcome::Hazard,
     {{0, 8}}},
    {"read before wait",
     "if rank == 0:\n"
     "    dist.send(t, 1)\n"
     "if rank == 1:\n"
     "    work = dist.irecv(t, 0)\n"
     "    early = t * 2\n"
     "    work.wait()\n",
     2,
     Outcome::Hazard,
     {{1, 10}}},
    {"sent on before wait",
     "if rank == 0:\n"
     "    dist.send(t, 1)\n"
     "    dist.recv(t, 1)\n"
     "if rank == 1:\n"
     "    work = dist.irecv(t, 0)\n"
     "    dist.send(t, 0)\n"
     "    work.wait()\n",
     2,
     Outcome::Hazard,
     {{1, 11}}},
    {"another collective on one rank",
     "if rank == 1:\n"
     "    dist.barrier()\n"
     "dist.all_reduce(t)\n",
     2,
     Outcome::Disagrees,
     {{0, 8}, {1, 7}}},
};

struct Explained
{
    const char* name;
    const char* body;
    int ranks;
    bool (*isExplained)(const lesson::State& end);
};

/// The rank's wait in that line, for rank 1, which won't come.
bool waitedForRank1(const lesson::State& end, int line)
{
    const auto& broken = end.brokenWaits();
    return broken.size() == 1 && broken[0].wait.rank == 0 && broken[0].wait.at.line == line &&
           broken[0].gone == std::vector<int>{1};
}

const std::vector<Explained> Mistakes{
    {"a receive is missing",
     "if rank == 0:\n"
     "    dist.send(t, 1)\n"
     "    dist.send(t, 1)\n"
     "if rank == 1:\n"
     "    dist.recv(t, 0)\n"
     "dist.destroy_process_group()\n",
     2, [](const lesson::State& end) { return waitedForRank1(end, 8); }},
    {"one batch less",
     "for _ in range(3 - rank):\n"
     "    dist.all_reduce(t)\n"
     "dist.destroy_process_group()\n",
     2, [](const lesson::State& end) { return waitedForRank1(end, 7); }},
    {"sums go round a ring",
     "result, received = t.clone(), torch.zeros(1)\n"
     "for i in range(size - 1):\n"
     "    buffer = result.clone()\n"
     "    work = dist.isend(buffer, (rank + 1) % size)\n"
     "    dist.recv(received, (rank - 1) % size)\n"
     "    result += received\n"
     "    work.wait()\n"
     "dist.barrier()\n"
     "dist.destroy_process_group()\n",
     4,
     [](const lesson::State& end) {
         return end.wholeTensorRing() && end.wholeTensorRing()->isWrong;
     }},
    {"whole tensors go round a ring",
     "result, received, buffer = t.clone(), torch.zeros(1), t.clone()\n"
     "for i in range(size - 1):\n"
     "    work = dist.isend(buffer, (rank + 1) % size)\n"
     "    dist.recv(received, (rank - 1) % size)\n"
     "    result += received\n"
     "    work.wait()\n"
     "    buffer = received.clone()\n"
     "dist.barrier()\n"
     "dist.destroy_process_group()\n",
     4,
     [](const lesson::State& end) {
         return end.wholeTensorRing() && !end.wholeTensorRing()->isWrong &&
                end.wholeTensorRing()->bytes == 12 && end.wholeTensorRing()->chunkedBytes == 6;
     }},
    {"it isn't a member",
     "group = dist.new_group([0, 1])\n"
     "dist.all_reduce(t, group=group)\n",
     3,
     [](const lesson::State& end) {
         const auto& outsiders = end.calls().outsiders();
         const auto& last = end.calls().collectives().back();
         return outsiders.size() == 1 && outsiders[0].rank == 2 && outsiders[0].at.line == 7 &&
                last.members == std::vector<int>{0, 1};
     }},
    {"only the members make the group",
     "if rank < 2:\n"
     "    group = dist.new_group([0, 1])\n",
     3,
     [](const lesson::State& end) {
         const auto skipped = end.calls().skippedGroups();
         return skipped.size() == 1 && skipped[0].missing() == std::vector<int>{2};
     }},
    {"the groups in another order",
     "pairs = [[0, 1], [0, 1, 2]]\n"
     "for ranks in pairs if rank else pairs[::-1]:\n"
     "    dist.new_group(ranks)\n",
     3,
     [](const lesson::State& end) {
         return !end.calls().disagreements().empty() &&
                end.calls().disagreements()[0].disagreement() == "members" &&
                end.deadlock().has_value();
     }},
    {"another size",
     "if rank == 0:\n"
     "    dist.send(torch.ones(4), 1)\n"
     "if rank == 1:\n"
     "    dist.recv(t, 0)\n",
     2,
     [](const lesson::State& end) {
         const auto& sizes = end.calls().otherSizes();
         return sizes.size() == 1 && sizes[0].data.bytes == 16 && sizes[0].room.bytes == 4;
     }},
};

const QByteArray TwentyGoodOnes = R"(even = dist.new_group(rank for rank in range(0, size, 2))
left, right = (rank - 1) % size, (rank + 1) % size
buffer = torch.zeros(1)

def even_odd():
    for sends in (0, 1):
        if rank % 2 == sends and rank + 1 < size:
            dist.send(t, right)
        if rank % 2 != sends and rank > 0:
            dist.recv(buffer, left)

def isend_recv_wait():
    work = dist.isend(t, right)
    dist.recv(buffer, left)
    work.wait()

def irecv_send_wait():
    work = dist.irecv(buffer, left)
    dist.send(t, right)
    work.wait()

def compute_meanwhile():
    work = dist.isend(t, right)
    other = t * 2 + torch.ones(1)
    dist.recv(buffer, left)
    work.wait()
    t.add_(0)

def chunks_of_one_tensor():
    whole = torch.arange(float(2 * size))
    chunks = list(whole.chunk(size))
    work = dist.isend(chunks[rank], right)
    dist.recv(buffer.repeat(2), left)
    chunks[left].add_(1)
    work.wait()

def broadcast():
    dist.broadcast(buffer, 0)

def scatter():
    dist.scatter(buffer, [t + i for i in range(size)] if rank == 0 else None, 0)

def gather():
    dist.gather(t, [torch.zeros(1) for _ in range(size)] if rank == 0 else None, 0)

def all_gather():
    dist.all_gather([torch.zeros(1) for _ in range(size)], t)

def all_gather_into_tensor():
    dist.all_gather_into_tensor(torch.zeros(size), t)

def reduce():
    dist.reduce(t.clone(), 0)

def all_reduce():
    for op in (dist.ReduceOp.SUM, dist.ReduceOp.PRODUCT, dist.ReduceOp.MAX, dist.ReduceOp.MIN):
        dist.all_reduce(t.clone(), op=op)

def reduce_scatter():
    dist.reduce_scatter(buffer, [t + i for i in range(size)])

def all_to_all():
    dist.all_to_all_single(torch.zeros(size), t.repeat(size))

def uneven_all_to_all():
    own, others = [rank + 1] * size, [r + 1 for r in range(size)]
    dist.all_to_all_single(torch.zeros(sum(others)), torch.ones(sum(own)), others, own)

def groups():
    if rank % 2 == 0:
        dist.all_reduce(t.clone(), group=even)

def receive_from_any():
    if rank == 0:
        for _ in range(size - 1):
            dist.recv(buffer)
    else:
        dist.send(t, 0)

def asynchronous():
    copy = t.clone()
    work = dist.all_reduce(copy, async_op=True)
    other = t + 1
    work.wait()
    copy += 1

def tags_crossed():
    if rank == 0:
        one, two = dist.isend(t, 1, tag=1), dist.isend(t, 1, tag=2)
        one.wait(), two.wait()
    elif rank == 1:
        dist.recv(buffer, 0, tag=2)
        dist.recv(buffer, 0, tag=1)

def objects():
    dist.all_gather_object([None] * size, {"rank": rank})

def a_module_of_its_own():
    class Layer(torch.nn.Module):
        def __init__(self):
            self_is_bare = True
            super().__init__()
            self.weight = torch.nn.Parameter(t.clone())
    dist.all_reduce(Layer().weight.detach())

def a_straggler():
    import time
    if rank == 1:
        time.sleep(0.3)
    dist.barrier()

for program in (even_odd, isend_recv_wait, irecv_send_wait, compute_meanwhile, chunks_of_one_tensor, broadcast,
                scatter, gather, all_gather, all_gather_into_tensor, reduce, all_reduce, reduce_scatter, all_to_all, uneven_all_to_all,
                groups, receive_from_any, asynchronous, tags_crossed, objects, a_module_of_its_own, a_straggler):
    program()
    dist.barrier()
)";

std::vector<std::pair<int, int>> placesOf(const lesson::State& end, Outcome outcome)
{
    std::vector<std::pair<int, int>> places;
    if (outcome == Outcome::Hazard)
        for (const lesson::Hazard& hazard : end.hazards())
            places.emplace_back(hazard.rank, hazard.touchedAt.line);
    if (outcome == Outcome::Disagrees)
        for (const auto& [rank, part] : end.calls().disagreements().front().parts)
            places.emplace_back(rank, part.at.line);
    const auto& deadlock = end.deadlock();
    if (outcome == Outcome::Deadlocks && deadlock)
        for (const lesson::Wait& wait : deadlock->waits)
            places.emplace_back(wait.rank, wait.at.line);
    return places;
}

} // namespace

/// Whole programs, run to their end: what is found in them, and what isn't.
class tst_lesson_programs : public LessonTest
{
    Q_OBJECT

private Q_SLOTS:
    void classicsAreFlaggedWithTheirRanksAndLines_data()
    {
        QTest::addColumn<int>("index");
        for (size_t index = 0; index < Classics.size(); ++index)
            QTest::newRow(Classics[index].name) << static_cast<int>(index);
    }

    void classicsAreFlaggedWithTheirRanksAndLines()
    {
        QFETCH(const int, index);
        const Classic& classic = Classics[static_cast<size_t>(index)];
        const LessonRun run(
            {.program = headOf() + classic.body, .ranks = classic.ranks, .isHeld = false});
        QVERIFY(run.waitFor([&](const lesson::Recording& seen) {
            return lesson::outcomeOf(seen) == classic.outcome &&
                   placesOf(seen.latest(), classic.outcome).size() >= classic.places.size();
        }));
        QVERIFY(placesOf(run.recording().latest(), classic.outcome) == classic.places);
        const auto recording = run.recording();
        const HappenedBefore order(recording);
        QVERIFY2(order.violations().empty(), order.violations().c_str());
    }

    void mistakesAreExplained_data()
    {
        QTest::addColumn<int>("index");
        for (size_t index = 0; index < Mistakes.size(); ++index)
            QTest::newRow(Mistakes[index].name) << static_cast<int>(index);
    }

    void mistakesAreExplained()
    {
        QFETCH(const int, index);
        const Explained& mistake = Mistakes[static_cast<size_t>(index)];
        const LessonRun run(
            {.program = headOf() + mistake.body, .ranks = mistake.ranks, .isHeld = false});
        QVERIFY2(run.finishOr([&](const lesson::Recording& seen) {
            return !seen.isEmpty() && mistake.isExplained(seen.latest());
        }),
                 run.standing().c_str());
        QVERIFY2(mistake.isExplained(run.recording().latest()), run.standing().c_str());
    }

    void mistakesAreSaidInTheTerminal_data()
    {
        QTest::addColumn<QByteArray>("mistake");
        QTest::addColumn<QByteArrayList>("said");
        QTest::newRow("receive") << QByteArray("a receive is missing")
                                 << QByteArrayList{
                                        "Rank 0 waited in send at program.py:8 for rank 1"};
        QTest::newRow("size") << QByteArray("another size")
                              << QByteArrayList{"Rank 0 sends 16 bytes to rank 1 at program.py:7, "
                                                "which receives 4 at program.py:9."};
        QTest::newRow("ring") << QByteArray("whole tensors go round a ring")
                              << QByteArrayList{"passes whole tensors round: the sum is right, but "
                                                "each rank sends 12 bytes; in 4 chunks it would "
                                                "send 6."};
        QTest::newRow("groups") << QByteArray("the groups in another order")
                                << QByteArrayList{
                                       "The ranks don't make the same groups in the same order:\n",
                                       "rank 0 calls new_group of 0-2 at program.py:8",
                                       "rank 1 calls new_group of 0, 1 at program.py:8"};
    }

    void mistakesAreSaidInTheTerminal()
    {
        QFETCH(const QByteArray, mistake);
        QFETCH(const QByteArrayList, said);
        const auto found = std::ranges::find_if(
            Mistakes, [&](const Explained& known) { return mistake == known.name; });
        const QTemporaryDir folder;
        QFile program(folder.filePath(QStringLiteral("program.py")));
        QVERIFY(program.open(QIODevice::WriteOnly));
        program.write(headOf() + found->body);
        program.close();
        QProcess run;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("RINGMASTER_PYTHON"), torchInterpreter());
        run.setProcessEnvironment(environment);
        run.start(QStringLiteral(RINGMASTER_BUILD_DIR "/bin/ringmaster"),
                  {"lesson", "run", "send-recv", "--no-questions", "--ranks",
                   QString::number(found->ranks), "--program", program.fileName()});
        QVERIFY(run.waitForFinished(180'000));
        const QByteArray output = run.readAllStandardOutput();
        for (const QByteArray& text : said)
            QVERIFY2(output.contains(text), output);
    }

    void theRecordingIsPrintedAsJsonInItsOrder()
    {
        QProcess run;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("RINGMASTER_PYTHON"), torchInterpreter());
        run.setProcessEnvironment(environment);
        run.start(QStringLiteral(RINGMASTER_BUILD_DIR "/bin/ringmaster"),
                  {"lesson", "run", "send-recv", "--json"});
        QVERIFY(run.waitForFinished(180'000));
        QCOMPARE(run.exitCode(), 0);
        QList<QByteArray> lines = run.readAllStandardOutput().trimmed().split('\n');
        const QJsonObject end = QJsonDocument::fromJson(lines.takeLast()).object();
        QCOMPARE(end.value(QStringLiteral("lesson")).toString(), QStringLiteral("send-recv"));
        QCOMPARE(end.value(QStringLiteral("outcome")).toString(), QStringLiteral("succeeds"));
        QCOMPARE(end.value(QStringLiteral("steps")).toInt(), static_cast<int>(lines.size()));
        // What is received comes after what was sent.
        int sends = 0;
        int receives = 0;
        double sequence = 0;
        for (const QByteArray& line : lines) {
            const QJsonObject step = QJsonDocument::fromJson(line).object();
            QVERIFY2(step.value(QStringLiteral("sequence")).toDouble() > sequence, line);
            sequence = step.value(QStringLiteral("sequence")).toDouble();
            const QString kind = step.value(QStringLiteral("step")).toString();
            const QString operation = step.value(QStringLiteral("call"))
                                          .toObject()
                                          .value(QStringLiteral("operation"))
                                          .toString();
            sends += kind == QStringLiteral("call") && operation == QStringLiteral("send");
            receives += kind == QStringLiteral("return") && operation == QStringLiteral("recv");
            QVERIFY2(receives <= sends, line);
        }
        QVERIFY(receives > 0);
    }

    void twentyGoodProgramsAreNot()
    {
        const LessonRun run({.program = headOf() + TwentyGoodOnes, .ranks = 3, .isHeld = false});
        QVERIFY(run.finish());
        const auto recording = run.recording();
        const HappenedBefore order(recording);
        QVERIFY2(order.violations().empty(), order.violations().c_str());
        QVERIFY(recording.latest().hazards().empty());
        QVERIFY(recording.latest().calls().disagreements().empty());
        QVERIFY(recording.latest().calls().outsiders().empty());
        QVERIFY(recording.latest().calls().otherSizes().empty());
        QVERIFY(recording.latest().calls().skippedGroups().empty());
        QVERIFY(recording.latest().brokenWaits().empty());
        QVERIFY(!recording.latest().wholeTensorRing());
        QVERIFY(!recording.firstStep(
            [](const lesson::State& state) { return state.deadlock().has_value(); }));
        QVERIFY(run.state() == RunState::Succeeded);
        QVERIFY(lesson::outcomeOf(recording) == Outcome::Succeeds);
    }

    void everyLessonsQuestionHasTheRightAnswer_data()
    {
        // On four ranks, whose primes are 2, 3, 5 and 7.
        QTest::addColumn<QStringList>("answers");
        QTest::newRow("process-rank-world-size") << QStringList{"0", "3"};
        QTest::newRow("send-recv") << QStringList{"28.0", "8", ""};
        QTest::newRow("isend-irecv") << QStringList{"3.0", "no"};
        QTest::newRow("deadlock") << QStringList{"yes", "ranks 0, 1, 2, 3"};
        QTest::newRow("broadcast-scatter-gather") << QStringList{"2.0", "10.0", "1.0", "17.0"};
        QTest::newRow("all-reduce") << QStringList{"17.0", "210.0", "2.0"};
        QTest::newRow("ring-all-reduce") << QStringList{"24", "170.0"};
        QTest::newRow("wrong-ring") << QStringList{"17.0", "?"};
        QTest::newRow("new-group") << QStringList{"7.0", "34.0"};
        QTest::newRow("desync") << QStringList{"?"};
        QTest::newRow("stragglers") << QStringList{"17.0", "1", "no"};
        QTest::newRow("worker-dies") << QStringList{"?"};
        QTest::newRow("distributed-data-parallel") << QStringList{"2.0", "3", "17.0"};
        QTest::newRow("backends") << QStringList{"17.0", "?"};
        // Rank 0: 4 * 101 - 17; 4 parts of 8 bytes and two wholes of 32; 102 - (102 - 4.25) / 2.
        QTest::newRow("fully-sharded-data-parallel") << QStringList{"387.0", "96", "53.125"};
        QTest::newRow("overlap-no-sync") << QStringList{"9", "3", "24.0", "51.0"};
        QTest::newRow("latency-bandwidth") << QStringList{"6", "24", "4", "?"};
        QTest::newRow("tensor-parallel") << QStringList{"-14.0", "-3.0", "0.0"};
        QTest::newRow("pipeline") << QStringList{"6.0", "6.0", "4.0", "6.0"};
        QTest::newRow("mixture-of-experts") << QStringList{"10", "1", "165.0"};
        QTest::newRow("hierarchical-all-reduce") << QStringList{"205.0", "417.0", "16"};
        QTest::newRow("checkpoint-restart") << QStringList{"3", "3", "-543.46875"};
    }

    /// "": asked of a held run only; "?": whatever it is, there is one.
    void everyLessonsQuestionHasTheRightAnswer()
    {
        QFETCH(const QStringList, answers);
        const auto pack = lesson::loadPack(*lesson::findPack(QTest::currentDataTag()));
        QVERIFY(pack.has_value());
        QCOMPARE(static_cast<qsizetype>(pack->questions.size()), answers.size());
        if (pack->backends.front() == "ring" && !hasRing())
            QSKIP("the ring isn't built here");
        LessonRun::Setting setting = settingOf(*pack, 4);
        // In "stragglers" rank 1 is last in the first step, also where another isn't scheduled for
        // seconds.
        setting.program.replace("time.sleep(0.5)", "time.sleep(0.5) if step else time.sleep(5)");
        const LessonRun run(setting);
        const auto isAnswered = [&](const lesson::Recording& seen) {
            return (lesson::outcomeOf(seen) == pack->expect &&
                    std::ranges::all_of(pack->questions, [&](const lesson::Question& question) {
                        return lesson::ask(question, seen).has_value();
                    }));
        };
        QVERIFY(run.finishOr(isAnswered));
        const auto recording = run.recording();
        QVERIFY2(lesson::outcomeOf(recording) == pack->expect, run.standing().c_str());
        const HappenedBefore order(recording);
        QVERIFY2(order.violations().empty(), order.violations().c_str());
        // Where all ran to its end, everybody is back from everything, and says so.
        for (const lesson::Collective& collective : recording.latest().calls().collectives())
            QVERIFY2(pack->expect != Outcome::Succeeds || collective.isOver(),
                     collective.parts.begin()->second.call.operation.c_str());
        for (qsizetype i = 0; i < answers.size(); ++i) {
            const lesson::Question& question = pack->questions[static_cast<size_t>(i)];
            const auto asked = lesson::ask(question, recording);
            if (answers[i].isEmpty()) {
                QVERIFY(asked.error().code == code::QuestionNeedsGate);
                continue;
            }
            QVERIFY2(asked.has_value(), asked ? "" : describe(asked.error()).c_str());
            const std::string problem = problemOf(question, *asked, recording);
            QVERIFY2(problem.empty(), problem.c_str());
            if (answers[i] != QLatin1String("?"))
                QCOMPARE(QString::fromStdString(lesson::describe(asked->choices[asked->right])),
                         answers[i]);
        }
    }
};

QTEST_GUILESS_MAIN(tst_lesson_programs)
#include "tst_lesson_programs.moc"

#include "EveryCollective.h"
#include "LessonTest.h"
#include "Steps.h"
#include "engine/event/States.h"
#include "engine/lesson/Questions.h"
#include "tests/support/TorchInterpreter.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

using namespace ringmaster;
using namespace ringmaster::test;

namespace {

/// No operation of theirs gives a value: one has no tensors, two never come back from the first.
const QStringList WithoutValues{"deadlock", "desync", "process-rank-world-size"};

QJsonArray textsOf(const std::vector<std::string>& texts)
{
    QJsonArray array;
    for (const std::string& text : texts)
        array.append(QString::fromStdString(text));
    return array;
}

template <class Number>
QJsonArray numbersOf(const std::vector<Number>& numbers)
{
    QJsonArray array;
    for (const Number number : numbers)
        array.append(static_cast<qint64>(number));
    return array;
}

QJsonArray valuesOf(const std::vector<LessonValue>& values)
{
    QJsonArray array;
    for (const LessonValue& value : values)
        array.append(
            QJsonObject{{"name", QString::fromStdString(value.name)},
                        {"kind", value.kind == LessonValue::Kind::Tensor ? "tensor" : "other"},
                        {"type", QString::fromStdString(value.type)},
                        {"shape", numbersOf(value.shape)},
                        {"elements", textsOf(value.elements)}});
    return array;
}

QJsonObject jsonOf(const LessonCall& call)
{
    return {{"id", static_cast<qint64>(call.id)},
            {"operation", QString::fromStdString(call.operation)},
            {"waitsFor", static_cast<qint64>(call.waitsFor)},
            {"group", QString::fromStdString(call.group)},
            {"members", numbersOf(call.members)},
            {"peer", call.peer},
            {"tag", call.tag},
            {"reduction", QString::fromStdString(call.reduction)},
            {"async", call.isAsync},
            {"inputs", valuesOf(call.inputs)},
            {"outputs", valuesOf(call.outputs)}};
}

QJsonObject jsonOf(const LessonChunk& chunk)
{
    return {{"operation", QString::fromStdString(chunk.operation)},
            {"algorithm", QString::fromStdString(chunk.algorithm)},
            {"group", QString::fromStdString(chunk.group)},
            {"sequence", static_cast<qint64>(chunk.sequence)},
            {"step", chunk.step},
            {"chunk", static_cast<qint64>(chunk.chunk)},
            {"from", chunk.from},
            {"to", chunk.to},
            {"bytes", static_cast<qint64>(chunk.bytes)},
            {"before", textsOf(chunk.before)},
            {"arrived", textsOf(chunk.arrived)},
            {"after", textsOf(chunk.after)}};
}

/// In the order of the recording.
QByteArray stepsOf(const lesson::Recording& recording)
{
    QJsonArray steps;
    for (size_t index = 0; index < recording.size(); ++index) {
        const LessonStep& step = recording.step(index);
        steps.append(QJsonObject{{"attempt", step.attempt},
                                 {"rank", step.globalRank},
                                 {"kind", QString::fromUtf8(nameOf(step.kind).data())},
                                 {"line", step.line},
                                 {"failed", !step.text.empty()},
                                 {"values", valuesOf(step.values)},
                                 {"call", jsonOf(step.call)},
                                 {"chunk", jsonOf(step.chunk)}});
    }
    return QJsonDocument(steps).toJson(QJsonDocument::Compact);
}

/// What the independent program makes of it; empty, with the reason printed: nothing.
QJsonObject recomputed(const lesson::Recording& recording)
{
    QProcess program;
    program.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    program.start(torchInterpreter(),
                  {"-I", RINGMASTER_SOURCE_DIR "/tests/lesson/programs/recompute.py"});
    const QByteArray steps = stepsOf(recording);
    if (qEnvironmentVariableIsSet("RINGMASTER_KEEP_STEPS")) {
        QFile file(qEnvironmentVariable("RINGMASTER_KEEP_STEPS"));
        if (file.open(QIODevice::WriteOnly))
            file.write(steps);
    }
    program.write(steps);
    program.closeWriteChannel();
    (void)program.waitForFinished(180'000);
    return QJsonDocument::fromJson(program.readAllStandardOutput()).object();
}

/// All rank counts of all lessons, as by hand; or one for each backend, each another one.
std::vector<int> rankCounts(const lesson::Pack& pack, size_t backend)
{
    std::vector<int> counts;
    for (int ranks = pack.minRanks; ranks <= pack.maxRanks; ++ranks)
        counts.push_back(ranks);
    if (qEnvironmentVariable("RINGMASTER_LESSON_VALUES") == QLatin1String("all"))
        return counts;
    const size_t number = std::hash<std::string>()(pack.name) + backend;
    return {counts[number % std::min<size_t>(counts.size(), 4)]};
}

} // namespace

/// What a lesson's recording says that every operation gave, held against numpy.
class tst_lesson_recomputed : public LessonTest
{
    Q_OBJECT

private Q_SLOTS:
    void everyOperationGivesWhatNumpyComputes_data()
    {
        QTest::addColumn<QString>("lesson");
        QTest::addColumn<QString>("backend");
        QTest::addColumn<int>("ranks");
        for (const auto& path : lesson::ownPacks()) {
            const auto pack = lesson::loadPack(path);
            QVERIFY(pack.has_value());
            for (size_t index = 0; index < pack->backends.size(); ++index) {
                const std::string& backend = pack->backends[index];
                if (backend == "nccl" || (backend == "ring" && !hasRing()))
                    continue;
                for (const int ranks : rankCounts(*pack, index))
                    QTest::addRow("%s, %s, %d", pack->name.c_str(), backend.c_str(), ranks)
                        << QString::fromStdString(path.string()) << QString::fromStdString(backend)
                        << ranks;
            }
        }
    }

    void everyOperationGivesWhatNumpyComputes()
    {
        QFETCH(const QString, lesson);
        QFETCH(const QString, backend);
        QFETCH(const int, ranks);
        auto pack = lesson::loadPack(lesson.toStdString());
        QVERIFY(pack.has_value());
        pack->backends = {backend.toStdString()};
        const LessonRun run(settingOf(*pack, ranks));
        // These don't end by themselves.
        const bool isStuck = pack->expect == lesson::Outcome::Deadlocks ||
                             pack->expect == lesson::Outcome::Disagrees;
        const bool isSeen = run.finishOr([&](const lesson::Recording& seen) {
            return isStuck && lesson::outcomeOf(seen) == pack->expect;
        });
        QVERIFY2(isSeen, run.standing().c_str());
        const QString name = QString::fromStdString(pack->name);
        const int values = compare(run.recording());
        QVERIFY(values >= 0);
        QCOMPARE(values == 0, WithoutValues.contains(name));
        m_values[name] += values;
    }

    /// Also those that no lesson has.
    void everyCollectiveGivesWhatNumpyComputes_data()
    {
        QTest::addColumn<QString>("algorithm");
        QTest::addColumn<int>("ranks");
        QTest::newRow("gloo") << QString() << 3;
        if (!hasRing())
            return;
        QTest::newRow("ring") << QStringLiteral("ring") << 3;
        QTest::newRow("tree") << QStringLiteral("tree") << 4;
        QTest::newRow("direct") << QStringLiteral("direct") << 2;
    }

    void everyCollectiveGivesWhatNumpyComputes()
    {
        QFETCH(const QString, algorithm);
        QFETCH(const int, ranks);
        const char* backend = algorithm.isEmpty() ? "gloo" : "ring";
        const LessonRun run({.program = headOf(backend) + Everything,
                             .ranks = ranks,
                             .isHeld = false,
                             .backend = QString::fromLatin1(backend),
                             .ringAlgorithm = algorithm.toStdString()});
        QVERIFY(run.finish());
        QVERIFY2(run.state() == RunState::Succeeded, run.standing().c_str());
        QVERIFY(compare(run.recording()) > 0);
    }

    void aSumThatIsAnotherIsFound_data()
    {
        QTest::addColumn<QString>("sum");
        QTest::addColumn<int>("wrong");
        QTest::newRow("right") << QStringLiteral("5.0") << 0;
        QTest::newRow("wrong") << QStringLiteral("6.0") << 1;
    }

    void aSumThatIsAnotherIsFound()
    {
        QFETCH(const QString, sum);
        QFETCH(const int, wrong);
        lesson::Recording recording;
        recording.add(eventOf(AttemptStarted{.worldSize = 2}));
        const auto call = [](int rank) {
            return CallSetting{.operation = "all_reduce",
                               .inputs = {tensorOf("t", {rank == 0 ? "2.0" : "3.0"})},
                               .reduction = "SUM"};
        };
        for (const int rank : {0, 1})
            recording.add(eventOf(callStep(rank, 1, call(rank))));
        for (const int rank : {0, 1}) {
            CallSetting back = call(rank);
            back.outputs = {tensorOf("t", {rank == 0 ? "5.0" : sum.toStdString()})};
            recording.add(eventOf(callStep(rank, 1, back, LessonStep::Kind::Return)));
        }
        const QJsonObject told = recomputed(recording);
        QCOMPARE(told["values"].toInt(), 2);
        QCOMPARE(told["wrong"].toArray().size(), wrong);
    }

    void cleanupTestCase()
    {
        int all = 0;
        for (const auto& [operation, values] : m_operations) {
            qInfo("%s: %d values", qPrintable(operation), values);
            all += values;
        }
        qInfo("%d values of %zu lessons compared", all, m_values.size());
    }

private:
    /// How many values; negative, with what is wrong told: they aren't all right.
    int compare(const lesson::Recording& recording)
    {
        const QJsonObject told = recomputed(recording);
        const QJsonArray wrong = told["wrong"].toArray();
        if (told.isEmpty() || !wrong.isEmpty()) {
            qWarning("%s", QJsonDocument(wrong).toJson().constData());
            return -1;
        }
        for (const QString& operation : told["compared"].toObject().keys())
            m_operations[operation] += told["compared"][operation].toInt();
        return told["values"].toInt();
    }

    std::map<QString, int> m_values;
    std::map<QString, int> m_operations;
};

QTEST_GUILESS_MAIN(tst_lesson_recomputed)
#include "tst_lesson_recomputed.moc"

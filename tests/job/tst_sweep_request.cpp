#include "engine/base/Codes.h"
#include "engine/job/Codes.h"
#include "engine/job/JobFile.h"
#include "engine/job/Sweep.h"

#include <QtTest>

#include <functional>

using namespace ringmaster;

namespace {

const SweepFacts Machine{
    .program = "/bin/ringmaster-sweep", .hasNccl = true, .gpus = 8, .freeBytes = 8LL << 30U};

} // namespace

class tst_sweep_request : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theUsualOneIsInOrder()
    {
        QVERIFY(validate(SweepRequest{}, Machine).empty());
        const auto sizes = SweepRequest{}.sizes();
        QCOMPARE(sizes.size(), size_t{26});
        QCOMPARE(sizes.front(), std::int64_t{8});
        QCOMPARE(sizes.back(), std::int64_t{256} << 20U);
    }

    void comesBackFromItsJobAndFromTheJobsFile()
    {
        const SweepRequest request{.collectives = {"reduce", "sendrecv"},
                                   .backends = {"ring", "nccl"},
                                   .smallest = 100,
                                   .largest = 1000,
                                   .factor = 3,
                                   .ranks = 7,
                                   .type = "int8",
                                   .reduction = "max",
                                   .algorithm = "tree",
                                   .iterations = 11,
                                   .warmup = 0,
                                   .isChecked = false,
                                   .isCalibration = true};
        const JobSpec spec = sweepJob(request, Machine);
        QVERIFY(sweepOf(spec) == request);
        const auto text = jobFileText(spec);
        QVERIFY(text.has_value());
        const auto read = parseJobFile(*text);
        QVERIFY(read.has_value());
        QVERIFY(sweepOf(read->spec) == request);
    }

    void anotherJobIsNone()
    {
        QVERIFY(!sweepOf(JobSpec{}));
        JobSpec spec = sweepJob({}, Machine);
        spec.roles.front().arguments.pop_back();
        QVERIFY(!sweepOf(spec));
        spec = sweepJob({}, Machine);
        spec.roles.front().arguments[5] = "8k";
        QVERIFY(!sweepOf(spec));
    }

    void namesWhatIsWrong_data()
    {
        QTest::addColumn<std::function<void(SweepRequest&, SweepFacts&)>>("change");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("field");
        const auto row = [](const char* name, const char* codeName, const char* field,
                            std::function<void(SweepRequest&, SweepFacts&)> change) {
            QTest::newRow(name) << std::move(change) << QString(codeName) << QString(field);
        };
        row("no program", "SweepNotBuilt", "program", [](auto&, auto& f) { f.program.clear(); });
        row("no backend", "SweepOfNothing", "backends", [](auto& r, auto&) { r.backends = {}; });
        row("collective", "SweepChoiceUnknown", "collectives",
            [](auto& r, auto&) { r.collectives = {"barrier"}; });
        row("twice", "SweepChoiceTwice", "backends", [](auto& r, auto&) {
            r.backends = {"ring", "ring"};
        });
        row("type", "SweepChoiceUnknown", "type", [](auto& r, auto&) { r.type = "float8"; });
        row("max below min", "SweepOutOfRange", "largest", [](auto& r, auto&) { r.largest = 4; });
        row("factor", "SweepOutOfRange", "factor", [](auto& r, auto&) { r.factor = 1; });
        row("one rank", "SweepOutOfRange", "ranks", [](auto& r, auto&) { r.ranks = 1; });
        row("iterations", "SweepOutOfRange", "iterations",
            [](auto& r, auto&) { r.iterations = -1; });
        row("nccl not built", "SweepWithoutNccl", "backends", [](auto& r, auto& f) {
            r.backends = {"nccl"};
            f.hasNccl = false;
        });
        row("no gpu", "SweepWithoutGpu", "backends", [](auto& r, auto& f) {
            r.backends = {"nccl"};
            f.gpus = 0;
        });
        row("too few gpus", "NcclNeedsGpuEach", "backends", [](auto& r, auto& f) {
            r.backends = {"nccl"};
            f.gpus = 3;
        });
        row("gpus to share that aren't there", "SweepWithoutGpu", "backends", [](auto& r, auto& f) {
            r.backends = {"nccl"};
            r.sharesGpus = true;
            f.gpus = 0;
        });
        row("memory", "SweepTooLarge", "largest",
            [](auto& r, auto&) { r.largest = std::int64_t{1} << 30U; });
        row("rows", "SweepTooLong", "collectives", [](auto& r, auto&) {
            r.collectives = sweepCollectives();
            r.backends = sweepBackends();
            r.smallest = 1;
            r.largest = std::int64_t{1} << 40U;
        });
    }

    void namesWhatIsWrong()
    {
        QFETCH(const std::function<void(SweepRequest&, SweepFacts&)>, change);
        QFETCH(const QString, code);
        QFETCH(const QString, field);
        SweepRequest request;
        SweepFacts facts = Machine;
        change(request, facts);
        const auto findings = validate(request, facts);
        QVERIFY(hasErrors(findings));
        QCOMPARE(QString::fromStdString(std::string(codeName(findings.front().message.code))),
                 code);
        QCOMPARE(QString::fromStdString(findings.front().place.field), field);
    }

    void tellsAllErrorsAtOnce()
    {
        SweepRequest request;
        request.type = "x";
        request.ranks = 0;
        request.factor = 0;
        QCOMPARE(validate(request, Machine).size(), size_t{3});
    }

    void leavesOutNcclBesideOthers()
    {
        SweepRequest request;
        request.backends = {"gloo", "nccl"};
        SweepFacts facts = Machine;
        facts.gpus = 0;
        const auto findings = validate(request, facts);
        QCOMPARE(findings.size(), size_t{1});
        QVERIFY(findings.front().severity == Finding::Severity::Warning);
    }

    void tellsTheMemoryThatItTakes()
    {
        SweepRequest request;
        request.largest = std::int64_t{1} << 30U;
        const auto findings = validate(request, Machine);
        QVERIFY(describe(findings.front()).find("8192 MiB are free") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(tst_sweep_request)
#include "tst_sweep_request.moc"

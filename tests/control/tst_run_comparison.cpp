#include "engine/base/Codes.h"
#include "engine/control/ReadingProto.h"
#include "engine/control/RunComparison.h"
#include "engine/control/RunFigures.h"
#include "engine/ledger/OperationBlock.h"
#include "engine/record/RunFolder.h"
#include "tests/record/WrittenLog.h"
#include "tests/support/Nanoseconds.h"

#include <QtTest>

#include <machine.pb.h>

using namespace ringmaster;
using Kind = ComparedQuantity::Kind;

namespace {

constexpr int ComparedRanks = 2;

OperationBatch batchOf(int rank, int steps, std::int64_t stepNs, std::int64_t transferNs)
{
    OperationBatch batch{.attempt = 0, .rank = rank};
    batch.groups.push_back({.group = 0, .name = "0", .members = {0, 1}});
    for (int step = 1; step <= steps; ++step)
        batch.operations.push_back({.id = static_cast<std::uint64_t>(step),
                                    .kind = ledger::OperationKind::AllReduce,
                                    .type = ledger::DataType::Float32,
                                    .outcome = Operation::Outcome::Done,
                                    .number = static_cast<std::uint64_t>(step),
                                    .bytes = 1'000'000,
                                    .enqueuedNs = step * stepNs - transferNs,
                                    .endedNs = step * stepNs});
    return batch;
}

Moment at(std::int64_t ns)
{
    return {ns, ns};
}

} // namespace

/// Runs beside each other, from their files; and what an overview asks of one.
class tst_run_comparison : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_temporary = std::make_unique<QTemporaryDir>(); }

    void aRunIsReadAsItWentFromBeginningToEnd()
    {
        write("a", 4, 20 * Second, 10 * Millisecond, "0.5");
        const ComparedRun run = read("a", {"loss"});
        QCOMPARE(run.name, std::string("job a"));
        QVERIFY(run.health == Health::Finished);
        QCOMPARE(run.durationNs, 20 * Second);
        QCOMPARE(run.restartsUsed, 1);
        QCOMPARE(run.restarts.size(), size_t{1});
        QCOMPARE(run.verdicts.size(), size_t{1});
        QVERIFY(run.verdicts.front().code == code::TimedOut);
        QCOMPARE(run.numbers.lines.size(), size_t{1});
        QCOMPARE(run.numbers.lines.front().points.size(), size_t{2});
        QCOMPARE(run.operations.rows.size(), size_t{1});
    }

    void quantitiesStandBesideEachOther()
    {
        write("a", 4, 20 * Second, 10 * Millisecond, "0.5");
        write("b", 8, 10 * Second, 5 * Millisecond, "0.25");
        const std::vector runs{read("a", {}), read("b", {})};
        const RunComparison comparison = RunComparison::of(runs);
        QCOMPARE(comparison.settings.size(), size_t{1});
        QCOMPARE(comparison.settings.front().setting, std::string("workers"));
        QCOMPARE(comparison.settingCount, size_t{2});
        const auto value = [&](Kind kind, size_t run) {
            const auto found =
                std::ranges::find(comparison.quantities, kind, &ComparedQuantity::kind);
            return found == comparison.quantities.end() ? -1 : found->values[run].value_or(-1);
        };
        QCOMPARE(value(Kind::Duration, 0), 20.0);
        QCOMPARE(value(Kind::Duration, 1), 10.0);
        QCOMPARE(value(Kind::LastNumber, 0), 0.5);
        QCOMPARE(value(Kind::LastNumber, 1), 0.25);
        QCOMPARE(value(Kind::Restarts, 1), 1.0);
        // 1 MB in 10 and in 5 ms; two ranks have the factor 1.
        QVERIFY(qAbs(value(Kind::BusBandwidth, 0) - 1e8) < 1e6);
        QVERIFY(qAbs(value(Kind::BusBandwidth, 1) - 2e8) < 2e6);
    }

    /// That they differ is told, and what they are isn't.
    void secretsAreComparedAndNotTold()
    {
        const auto job = [](const std::string& secret, const std::string& rate) {
            return "script = \"train.py\"\narguments = [ \"--lr\", \"" + rate +
                   "\", \"--api-key\", \"" + secret + "\" ]\n\n[environment]\nHF_TOKEN = \"hf_" +
                   secret + "\"\nDATABASE = \"postgres://ann:" + secret + "@db/runs\"\n";
        };
        const ComparedRun first{.id = "a", .jobFile = job("opensesame", "0.1")};
        const ComparedRun second{.id = "b", .jobFile = job("swordfish", "0.2")};
        const RunComparison comparison = RunComparison::of({first, second});
        std::string told;
        QStringList settings;
        for (const SettingDifference& difference : comparison.settings) {
            settings << QString::fromStdString(difference.setting);
            for (const std::string& value : difference.values)
                told += value + "\n";
        }
        QCOMPARE(settings,
                 QStringList({"arguments", "environment.HF_TOKEN", "environment.DATABASE"}));
        QVERIFY2(told.find("opensesame") == told.npos && told.find("swordfish") == told.npos,
                 told.c_str());
        QVERIFY2(told.find("0.1") != told.npos && told.find("0.2") != told.npos, told.c_str());
        QVERIFY2(told.find("postgres://ann:***@db/runs") != told.npos, told.c_str());
    }

    /// As one of another machine comes.
    void overTheWireItIsTheSame()
    {
        write("a", 4, 20 * Second, 10 * Millisecond, "0.5");
        write("b", 40, 10 * Second, 5 * Millisecond, "0.25", Second / 2);
        std::vector<ComparedRun> runs{read("a", {}), read("b", {})};
        runs.front().firstCollective = 3.5;
        std::vector<ComparedRun> arrived;
        for (const ComparedRun& run : runs) {
            v1::ComparedRun sent;
            toProto(run, sent);
            v1::ComparedRun told;
            QVERIFY(told.ParseFromString(sent.SerializeAsString()));
            const auto one = fromProto(told);
            QVERIFY(one.has_value());
            arrived.push_back(*one);
        }
        const RunComparison here = RunComparison::of(runs);
        const RunComparison there = RunComparison::of(arrived);
        QVERIFY(here.quantities == there.quantities);
        QCOMPARE(there.settings.size(), here.settings.size());
        QVERIFY(arrived[0].restarts == runs[0].restarts && arrived[0].verdicts == runs[0].verdicts);
        QVERIFY(arrived[0].health == runs[0].health && arrived[0].startedAt == runs[0].startedAt);
        QVERIFY(arrived[1].numbers.lines == runs[1].numbers.lines); // one rank printed
        QCOMPARE(arrived[1].operations.series.size(), runs[1].operations.series.size());
        QCOMPARE(arrived[1].operations.series.front().points.back().busBandwidth(),
                 runs[1].operations.series.front().points.back().busBandwidth());
    }

    void whatIsNoRunIsRefused()
    {
        QVERIFY(!fromProto(v1::ComparedRun()));
        v1::ComparedRun proto;
        toProto(ComparedRun{}, proto);
        QVERIFY(fromProto(proto).has_value());
        proto.set_operations("no block");
        QVERIFY(!fromProto(proto));
        toProto(ComparedRun{}, proto);
        proto.add_series()->add_bytes(1);
        QVERIFY(!fromProto(proto));
    }

    void whatOneRunDoesNotHaveIsLeftOpen()
    {
        ComparedRun first{.id = "a", .firstCollective = 4};
        const ComparedRun second{.id = "b"};
        first.numbers.latest = {{.name = "loss", .value = 2}, {.name = "lr", .value = 0}};
        const RunComparison comparison = RunComparison::of({first, second});
        for (const ComparedQuantity& quantity : comparison.quantities) {
            const bool isOfBoth =
                quantity.kind == Kind::Duration || quantity.kind == Kind::Restarts;
            QVERIFY(quantity.values[0].has_value());
            QCOMPARE(quantity.values[1].has_value(), isOfBoth);
            QVERIFY(isOfBoth || !quantity.ratio(1));
        }
        QVERIFY(!(ComparedQuantity{.values = {0.0, 3.0}}.ratio(1)));
        QCOMPARE(*(ComparedQuantity{.values = {2.0, 3.0}}.ratio(1)), 1.5);
    }

    void figuresAreThoseOfNow()
    {
        write("a", 30, 30 * Second, 10 * Millisecond, "0.5", Second / 2);
        RunFiguresReader figures(folder("a").openReader().value());
        const auto soon = figures.look(15 * Second + Millisecond);
        QVERIFY(soon.has_value());
        QCOMPARE(soon->lastLine, std::string("loss 0.5"));
        QCOMPARE(soon->lastLineRank, 0);
        QVERIFY(qAbs(soon->busBandwidth - 1e8) < 1e6);
        QVERIFY(soon->stepsASecond && qAbs(*soon->stepsASecond - 2) < 0.1);
        QVERIFY(soon->lastSequence > 3 && !soon->isMore);
        // A job that hangs has no speed, however fast it was.
        const auto later = figures.look(60 * Second);
        QVERIFY(!later->stepsASecond);
        QCOMPARE(later->busBandwidth, 0.0);
        QCOMPARE(later->lastLine, std::string("loss 0.5"));
    }

private:
    RunFolder folder(const std::string& run) const
    {
        return RunFolder::find(m_temporary->path().toStdString(), run).value();
    }

    ComparedRun read(const std::string& run, const std::vector<std::string>& names) const
    {
        const auto reader = folder(run).openReader();
        const auto compared = ComparedRun::read(*reader, names);
        return compared ? *compared : ComparedRun{};
    }

    void write(const std::string& run, int steps, std::int64_t lastedNs, std::int64_t transferNs,
               const std::string& loss, std::int64_t stepNs = Second)
    {
        const auto made = RunFolder::createNamed(m_temporary->path().toStdString(), run,
                                                 AgentRecord::current("/run/x"));
        QVERIFY(made.has_value());
        WrittenLog log(made->path());
        std::uint64_t sequence = 0;
        const auto append = [&](std::int64_t ns, EventBody body) {
            ++sequence;
            log.writer().append(Event{
                {"run-1", "agent", sequence}, sequence, at(ns), "node", "boot", std::move(body)});
        };
        append(Second,
               RunStarted{.jobFile = "name = \"job\"\nworkers = " + std::to_string(steps) + "\n",
                          .name = "job " + run});
        append(Second, AttemptStarted{.attempt = 0, .worldSize = ComparedRanks});
        append(2 * Second, Verdict{.id = 1,
                                   .kind = Verdict::Kind::Hang,
                                   .statement = {code::TimedOut, {{"what", "x"}}, {}}});
        append(3 * Second, Verdict{.id = 1, .kind = Verdict::Kind::Hang, .isStanding = false});
        append(3 * Second, GroupRestarting{.cause = {code::InternalError, {}, {}},
                                           .budgetBefore = 3,
                                           .budgetAfter = 2});
        append(Second + lastedNs, RunStateChanged{RunState::Succeeded, {code::None, {}, {}}, 0});
        for (int rank = 0; rank < ComparedRanks; ++rank) {
            const OperationBatch batch = batchOf(rank, steps, stepNs, transferNs);
            log.writer().appendOperations({.attempt = 0,
                                           .globalRank = rank,
                                           .count = batch.operations.size(),
                                           .block = packOperations(batch)});
        }
        const int file = log.addFile(0);
        log.write(file, "loss 1.0\n");
        log.write(file, "loss " + loss + "\n");
        QVERIFY(log.writer().finish().has_value());
    }

    std::unique_ptr<QTemporaryDir> m_temporary;
};

QTEST_GUILESS_MAIN(tst_run_comparison)
#include "tst_run_comparison.moc"

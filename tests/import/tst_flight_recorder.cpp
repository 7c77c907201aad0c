#include "engine/base/Files.h"
#include "engine/diagnose/Codes.h"
#include "engine/import/Codes.h"
#include "engine/import/FlightRecorderRun.h"
#include "tests/import/ImportSamples.h"
#include "tests/support/Nanoseconds.h"

#include <QtTest>

#include <nlohmann/json.hpp>

using namespace ringmaster;
using Json = nlohmann::json;

namespace {

FlightRecorderDump dumpOf(const std::string& content, int rank)
{
    auto dump = readFlightRecorder(content).value();
    dump.rank = rank;
    dump.file = "/dumps/trace_" + std::to_string(rank);
    return dump;
}

constexpr std::int64_t Start = 1'795'360'719'000'000'000;

/// A dump as torch writes it of NCCL.
struct NcclDump
{
    Json json{{"version", "2.10"},
              {"entries", Json::array()},
              {"pg_config",
               {{"0", {{"name", "0"}, {"desc", "default_pg"}, {"ranks", "[0, 1, 2, 3]"}}},
                {"5", {{"name", "5"}, {"desc", "mesh_tp"}, {"ranks", "[2, 3]"}}}}},
              {"pg_status", Json::object()}};

    NcclDump& add(const std::string& name, int number, const std::string& state,
                  const std::string& group = "0", int elements = 8)
    {
        const std::int64_t at = Start + number * Second;
        const bool isOver = state == "completed";
        json["entries"].push_back(
            {{"record_id", json["entries"].size()},
             {"process_group", {group, group == "0" ? "default_pg" : "mesh_tp"}},
             {"collective_seq_id", number},
             {"profiling_name", "nccl:" + name},
             {"time_created_ns", at},
             {"time_discovered_started_ns", state == "scheduled" ? Json() : Json(at + 1000)},
             {"time_discovered_completed_ns", isOver ? Json(at + 5000) : Json()},
             {"input_sizes", {{elements}}},
             {"input_dtypes", {"BFloat16"}},
             {"output_sizes", {{elements}}},
             {"output_dtypes", {"BFloat16"}},
             {"state", state},
             {"retired", isOver},
             {"frames",
              {{{"name", "all_reduce"},
                {"filename", "/opt/lib/python3.11/site-packages/torch/distributed/c10d.py"},
                {"line", 1}},
               {{"name", "step"}, {"filename", "/home/me/train.py"}, {"line", 40 + number}}}}});
        return *this;
    }

    FlightRecorderDump of(int rank) const { return dumpOf(json.dump(), rank); }
};

std::vector<Verdict> verdictsOf(const ImportedRun& run)
{
    std::vector<Verdict> verdicts;
    for (const ImportedRun::Fact& fact : run.facts) {
        if (const auto* verdict = std::get_if<Verdict>(&fact.body))
            verdicts.push_back(*verdict);
    }
    return verdicts;
}

std::string said(const ImportedRun& run)
{
    std::string text;
    for (const ImportedRun::Fact& fact : run.facts) {
        if (const auto* notice = std::get_if<Notice>(&fact.body))
            text += describe(notice->message) + "\n";
        if (const auto* verdict = std::get_if<Verdict>(&fact.body)) {
            text += describe(verdict->statement) + "\n";
            for (const Message& message : verdict->evidence)
                text += "  " + describe(message) + "\n";
        }
        if (const auto* last = std::get_if<LastOperation>(&fact.body))
            text += describe(last->place) + "\n";
    }
    return text;
}

bool says(const ImportedRun& run, const char* text)
{
    const bool isSaid = said(run).find(text) != std::string::npos;
    if (!isSaid)
        qWarning("%s", said(run).c_str());
    return isSaid;
}

} // namespace

class tst_flight_recorder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// As torch 2.11 wrote them on a GPU: rank 1 hasn't called the last all_reduce.
    void whoIsAbsentFromNcclsOperationIsNamed()
    {
        const auto run = runOf({dumpOf(samples::sample("fr-hang-nccl-211-rank0.pkl"), 0),
                                dumpOf(samples::sample("fr-hang-nccl-211-rank1.pkl"), 1)});
        QVERIFY(run);
        const std::vector<Verdict> verdicts = verdictsOf(*run);
        QCOMPARE(verdicts.size(), size_t{1});
        QCOMPARE(verdicts[0].guilty, std::vector{1});
        QCOMPARE(verdicts[0].waiting, std::vector{0});
        QCOMPARE(verdicts[0].statement.code, code::ImportedWait);
        QCOMPARE(verdicts[0].statement.parameters.at("number"), std::string("11"));
    }

    void glooNamesWhoHasNotCalled()
    {
        const auto run = runOf({dumpOf(samples::sample("fr-hang-gloo-215-rank0.json"), 0),
                                dumpOf(samples::sample("fr-hang-gloo-215-rank1.json"), 1)});
        QVERIFY(run);
        const std::vector<Verdict> verdicts = verdictsOf(*run);
        QCOMPARE(verdicts.size(), size_t{1});
        QVERIFY(verdicts[0].kind == Verdict::Kind::Waiting);
        QVERIFY(verdicts[0].guilty == std::vector{1});
        QVERIFY(verdicts[0].waiting == std::vector{0});
        QVERIFY(says(*run, "Rank 0 is in all_reduce #2 (float32, 8 elements, group default), "
                           "which rank 1 has not called."));
        QVERIFY(says(*run, "Rank 1 is in no operation; its last was all_reduce #1"));
        QVERIFY(says(*run, "for how long the ranks had waited isn't known"));
        QVERIFY(says(*run, "don't say when an operation ended"));
        QVERIFY(run->end.state == RunState::Lost);
    }

    void whatIsOverAccusesNobody()
    {
        const auto run = runOf({dumpOf(samples::sample("fr-gloo-215-rank0.pkl"), 0),
                                dumpOf(samples::sample("fr-gloo-215-rank1.pkl"), 1)});
        QVERIFY(run);
        QVERIFY(verdictsOf(*run).empty());
        QVERIFY(says(*run, "who the members of group 1 are"));
        QVERIFY(says(*run, "/home/usr/train/sample.py line"));
        QCOMPARE(run->operations.size(), size_t{2});
        QCOMPARE(run->operations[0].operations.size(), size_t{15});
        const Operation& gathered = run->operations[0].operations[2];
        QVERIFY(gathered.kind == ledger::OperationKind::AllGather);
        QCOMPARE(gathered.bytes, std::uint64_t{2 * 65536 * 4});
        QCOMPARE(gathered.elements, std::uint64_t{65536});
    }

    void ncclNamesTheAbsentAndTheLineOfTheOthers()
    {
        NcclDump inside;
        inside.add("all_reduce", 1, "completed").add("_all_gather_base", 2, "started");
        NcclDump absent;
        absent.add("all_reduce", 1, "completed");
        const auto run = runOf({inside.of(0), inside.of(1), absent.of(2), inside.of(3)});
        QVERIFY(run);
        const std::vector<Verdict> verdicts = verdictsOf(*run);
        QCOMPARE(verdicts.size(), size_t{1});
        QVERIFY(verdicts[0].guilty == std::vector{2});
        QVERIFY(says(*run, "Ranks 0, 1 and 3 are in all_gather_into_tensor #2"));
        QVERIFY(says(*run, "called all_gather_into_tensor #2 in step, /home/me/train.py line 42"));
        QVERIFY(says(*run, "Rank 2's last known place is step, /home/me/train.py line 41"));
        const Operation& done = run->operations[0].operations[0];
        QCOMPARE(done.endedNs - done.startedNs, 4000);
    }

    void ncclOfASubgroupIsOnlyForItsMembers()
    {
        NcclDump inside;
        inside.add("all_reduce", 1, "completed").add("all_reduce", 1, "started", "5");
        NcclDump outside;
        outside.add("all_reduce", 1, "completed");
        const auto run = runOf({outside.of(0), outside.of(1), inside.of(2), outside.of(3)});
        QVERIFY(run);
        const std::vector<Verdict> verdicts = verdictsOf(*run);
        QCOMPARE(verdicts.size(), size_t{1});
        QVERIFY(verdicts[0].guilty == std::vector{3});
    }

    void callsThatDoNotFitAreNamed()
    {
        NcclDump right;
        right.add("all_reduce", 1, "started");
        NcclDump wrong;
        wrong.add("all_reduce", 1, "started", "0", 9);
        const auto run = runOf({right.of(0), wrong.of(1), right.of(2), right.of(3)});
        QVERIFY(run);
        const std::vector<Verdict> verdicts = verdictsOf(*run);
        QCOMPARE(verdicts.size(), size_t{1});
        QVERIFY(verdicts[0].kind == Verdict::Kind::Mismatch);
        QVERIFY(verdicts[0].guilty == std::vector{1});
    }

    void aRankWithoutADumpIsNotAccused()
    {
        NcclDump inside;
        inside.add("all_reduce", 1, "started");
        const auto run = runOf({inside.of(0), inside.of(1), inside.of(3)});
        QVERIFY(run);
        QVERIFY(verdictsOf(*run).empty());
        QVERIFY(says(*run, "There is nothing here of rank 2"));
    }

    void whoWasDumpedBeforeTheOthersWaitedIsNotAccused()
    {
        NcclDump inside;
        inside.add("all_reduce", 1, "completed").add("all_reduce", 2, "started");
        NcclDump early;
        early.add("all_reduce", 1, "completed");
        FlightRecorderDump before = early.of(2);
        before.writtenNs = Start + Second + Second / 2;
        const auto run = runOf({inside.of(0), inside.of(1), before, inside.of(3)});
        QVERIFY(run);
        QVERIFY(verdictsOf(*run).empty());
    }

    void bothFormsOfADumpAreOneRank()
    {
        FlightRecorderDump whole = dumpOf(samples::sample("fr-gloo-215-rank0.pkl"), 0);
        FlightRecorderDump plain = whole;
        plain.file = "/dumps/trace_0.json";
        plain.sites.clear();
        const auto run = runOf({plain, whole});
        QVERIFY(run);
        QVERIFY(says(*run, "trace_0.json is left out: trace_0 tells more of rank 0."));
        QVERIFY(!run->operations[0].sites.empty());
    }

    void dumpsOfDifferentJobsAreRefused()
    {
        const auto twice = runOf({dumpOf(samples::sample("fr-gloo-215-rank0.pkl"), 0),
                                  dumpOf(samples::sample("fr-hang-gloo-215-rank0.json"), 0)});
        QVERIFY(twice.error().code == code::ImportRankTwice);
        NcclDump one;
        one.add("all_reduce", 1, "started");
        NcclDump other;
        other.add("all_reduce", 1, "started");
        other.json["entries"][0]["time_created_ns"] = Start + 7500 * Second;
        const auto apart = runOf({one.of(0), other.of(1)});
        QVERIFY(apart.error().code == code::ImportApart);
        QCOMPARE(apart.error().parameters.at("hours"), std::string("2"));
    }

    void whatIsNoDumpIsRefused_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<quint32>("code");
        const auto row = [](const char* name, const QByteArray& content, Code code) {
            QTest::newRow(name) << content << static_cast<quint32>(code);
        };
        row("nothing", "", code::ImportDamaged);
        row("no object", "[1, 2]", code::ImportDamaged);
        row("another object", R"({"a": 1})", code::ImportDamaged);
        row("old", R"({"version": "1.5", "pg_config": {}, "entries": []})", code::ImportVersion);
        row("new", R"({"version": "3.0", "pg_config": {}, "entries": []})", code::ImportVersion);
        row("strange entries", R"({"version": "2.10", "pg_config": {}, "entries": [3]})",
            code::ImportDamaged);
        row("deep", "{\"version\": \"2.10\", \"pg_config\": " + QByteArray(100'000, '['),
            code::ImportDamaged);
        row("cut off",
            QByteArray::fromStdString(samples::sample("fr-hang-gloo-215-rank0.json")).chopped(9),
            code::ImportDamaged);
    }

    void whatIsNoDumpIsRefused()
    {
        QFETCH(QByteArray, content);
        QFETCH(quint32, code);
        const auto read = readFlightRecorder(content.toStdString());
        QVERIFY(!read);
        QCOMPARE(static_cast<quint32>(read.error().code), code);
    }

    void strangeValuesAreTakenForNothing()
    {
        const auto dump = readFlightRecorder(R"({"version": "2.10", "pg_config": {"7": {"ranks":
            "[0, 99999999, 1]"}, "8": 3}, "entries": [{"record_id": 5, "collective_seq_id": -4,
            "process_group": 7, "profiling_name": "nccl:send 0->99999999999", "time_created_ns":
            18446744073709551615, "input_sizes": [[9223372036854775807, 9223372036854775807], 3],
            "input_dtypes": [1], "frames": [{"filename": 3}, 4], "state": 1, "retired": 2}]})");
        QVERIFY(dump);
        QVERIFY(dump->members.empty());
        QVERIFY(!dump->isWhole);
        const auto& entry = dump->entries.at(0);
        QCOMPARE(entry.operation.number, std::uint64_t{0});
        QCOMPARE(entry.operation.enqueuedNs, 0);
        QCOMPARE(entry.operation.peer, -1);
        QVERIFY(entry.operation.outcome == Operation::Outcome::Running);
    }
};

QTEST_GUILESS_MAIN(tst_flight_recorder)
#include "tst_flight_recorder.moc"

#include "engine/base/Files.h"
#include "engine/event/Codes.h"
#include "engine/import/Codes.h"
#include "engine/import/NcclTests.h"
#include "engine/import/RunImport.h"
#include "engine/record/RunLabels.h"
#include "tests/TestMain.h"
#include "tests/cli/Ringmaster.h"
#include "tests/import/ImportSamples.h"

#include <QtTest>

using namespace ringmaster;
namespace fs = std::filesystem;

namespace {

template <class Body>
std::vector<Body> bodiesOf(const std::vector<ImportedRun::Fact>& facts)
{
    std::vector<Body> bodies;
    for (const ImportedRun::Fact& fact : facts) {
        if (const auto* body = std::get_if<Body>(&fact.body))
            bodies.push_back(*body);
    }
    return bodies;
}

} // namespace

class tst_nccl_tests : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void itsOutputIsASweepWithItsHosts()
    {
        auto tables = readNcclTests(samples::sample("all_reduce_perf.txt"));
        QVERIFY2(tables, tables ? "" : describe(tables.error()).c_str());
        QCOMPARE(tables->size(), size_t{1});
        NcclTestsTable& table = tables->front();
        QCOMPARE(table.program, std::string("all_reduce_perf"));
        QCOMPARE(table.ranks(), 4);
        QCOMPARE(table.iterations, 20);
        QCOMPARE(table.warmup, 5);
        QVERIFY(table.isWhole && table.wrong == 0);
        QCOMPARE(table.outOfPlace.size(), size_t{4});
        const auto run = runOf(table);
        QVERIFY(run);
        QCOMPARE(run->name, std::string("sweep all_reduce (nccl-tests)"));
        QVERIFY(run->end.state == RunState::Succeeded);
        const auto rows = bodiesOf<SweepRow>(run->facts);
        QCOMPARE(rows.size(), size_t{8});
        QCOMPARE(rows[3].bytes, std::int64_t{268435456});
        QCOMPARE(rows[3].timeNs, std::int64_t{1'133'000});
        QCOMPARE(rows[3].busBandwidth, 355.39e9);
        QCOMPARE(rows[3].type, std::string("float32"));
        QCOMPARE(rows[3].wrong, std::int64_t{0});
        QCOMPARE(rows[3].backend, std::string("nccl"));
        QCOMPARE(rows[7].backend, std::string("nccl in place"));
        QCOMPARE(rows[7].wrong, std::int64_t{-1});
        // Two decimals say 0.00 of it.
        QCOMPARE(rows[0].algorithmBandwidth, 8.0 * 1e9 / 31'250);
        QCOMPARE(rows[0].busBandwidth, rows[0].algorithmBandwidth * 1.5);
        const auto plan = bodiesOf<SweepPlan>(run->facts).at(0);
        QVERIFY(plan.sizes == (std::vector<std::int64_t>{8, 16384, 33554432, 268435456}));
        QCOMPARE(plan.hosts, 2);
        QVERIFY(!plan.isChecked);
        const auto hosts = bodiesOf<HostChanged>(run->facts);
        QCOMPARE(hosts.size(), size_t{2});
        QCOMPARE(hosts[1].host, std::string("gpu2"));
    }

    void itsTableAsCsvIsReadByTheNamesOfItsColumns()
    {
        auto tables = readNcclTests(samples::sample("all_gather.csv"));
        QVERIFY2(tables, tables ? "" : describe(tables.error()).c_str());
        NcclTestsTable& table = tables->front();
        QCOMPARE(table.outOfPlace.size(), size_t{2});
        QCOMPARE(table.inPlace.size(), size_t{2});
        QCOMPARE(table.inPlace[1].busBandwidth, 63.04e9);
        QCOMPARE(table.outOfPlace[0].type, std::string("bfloat16"));
        QVERIFY(runOf(table).error().code == code::ImportNoCollective);
        table.file = "/results/all_gather.csv";
        const auto run = runOf(table);
        QVERIFY(run);
        QVERIFY(samples::isSaid(*run, code::ImportedNcclTestsNoRanks));
        QVERIFY(samples::isSaid(*run, code::ImportedNcclTestsNoEnd));
        QVERIFY(run->end.state == RunState::Lost);
    }

    void itsJsonHasThePercentiles()
    {
        const auto tables = readNcclTests(R"({"version": 3, "start_time": "2025-01-01 10:00:00",
            "args": ["/opt/build/alltoall_perf", "-g", "2"], "env": [], "nccl_version": 22703,
            "config": {"iterations": 20, "warmup_iters": 1,
                       "devices": [{"rank": 0, "hostname": "gpu1", "device_info": "NVIDIA H100"},
                                   {"rank": 1, "hostname": "gpu1", "device_info": "NVIDIA H100"}]},
            "results": [{"size": 1024, "count": 128, "type": "float", "redop": "none",
                         "root": "    -1",
                         "out_of_place": {"time": 10.5, "alg_bw": 0.1, "bus_bw": 0.05, "nwrong": 0},
                         "out_of_place_per_iter": {"min_us": 9, "p50_us": 10, "p99_us": 12},
                         "in_place": null, "actual_iterations": 20}],
            "out_of_bounds": {"count": 2, "okay": "false"}})");
        QVERIFY2(tables, tables ? "" : describe(tables.error()).c_str());
        const auto run = runOf(tables->front());
        QVERIFY(run);
        const auto rows = bodiesOf<SweepRow>(run->facts);
        QCOMPARE(rows.size(), size_t{1});
        QCOMPARE(rows[0].collective, std::string("all_to_all"));
        QCOMPARE(rows[0].p99Ns, std::int64_t{12'000});
        QCOMPARE(rows[0].root, -1);
        QCOMPARE(rows[0].ranks, 2);
        QVERIFY(run->end.state == RunState::Failed);
    }

    void severalProgramsInOneFileAreSeveralSweeps()
    {
        const std::string first = samples::sample("all_reduce_perf.txt");
        std::string second = first;
        for (size_t at = 0; (at = second.find("all_reduce_perf", at)) != std::string::npos;)
            second.replace(at, 15, "reduce_scatter_perf");
        m_folder.emplace();
        const fs::path folder = m_folder->path().toStdString();
        QVERIFY(writeFileAtomically(folder / "log.txt", first + second));
        const RunCatalog catalog(folder / "runs");
        const auto ids = importRuns(catalog, folder / "log.txt");
        QVERIFY2(ids, ids ? "" : describe(ids.error()).c_str());
        QCOMPARE(ids->size(), size_t{2});
        QVERIFY(importRuns(catalog, folder / "log.txt") == *ids);
        const auto runs = catalog.list();
        QCOMPARE(runs.size(), size_t{2});
        for (const RunSummary& run : runs) {
            QVERIFY(purposeOf(run.name, {}) == RunPurpose::Sweep);
            QVERIFY(run.state == RunState::Succeeded);
            QCOMPARE(run.worldSize, 4);
        }
        const auto snapshot = catalog.find(ids->front())->openReader()->snapshot();
        QCOMPARE(snapshot->workers.size(), size_t{4});
        QCOMPARE(snapshot->hosts.size(), size_t{2});
        QCOMPARE(snapshot->workers[3].node, std::string("gpu2"));
    }

    void whatIsCutOffKeepsTheLinesThatAreWhole()
    {
        const std::string whole = samples::sample("all_reduce_perf.txt");
        const size_t cut = whole.find("236.92");
        const auto tables = readNcclTests(whole.substr(0, cut));
        QVERIFY(tables);
        QCOMPARE(tables->front().outOfPlace.size(), size_t{3});
        QVERIFY(!tables->front().isWhole);
        for (size_t length = 0; length < whole.size(); ++length)
            (void)readNcclTests(whole.substr(0, length));
        QVERIFY(readNcclTests("").error().code == code::ImportDamaged);
        QVERIFY(readNcclTests("# size time algbw busbw\n").error().code == code::ImportDamaged);
        QVERIFY(readNcclTests("{\"results\": 3}").error().code == code::ImportDamaged);
        QVERIFY(!looksLikeNcclTests("size, price\n1, 2\n"));
    }

    void columnsThatAreBlankAreNotMistaken()
    {
        const std::string names = "# size count type redop root time algbw busbw #wrong time algbw "
                                  "busbw #wrong timestamp\n";
        const auto tables =
            readNcclTests(names + "8 2 half sum -1 5.0 1.0 1.5 0 6.0 2.0 3.0 0 2025-01-01 10:00\n" +
                          "16 4 half sum -1 7.0 3.0 4.5 0 2025-01-01 10:00:00\n");
        QVERIFY(tables);
        QCOMPARE(tables->front().outOfPlace.size(), size_t{1});
        QCOMPARE(tables->front().inPlace.size(), size_t{2});
        QCOMPARE(tables->front().inPlace[0].busBandwidth, 3e9);
        QCOMPARE(tables->front().outOfPlace[0].type, std::string("float16"));
    }

    void itIsListedAndPrintedAsASweep()
    {
        Ringmaster ringmaster;
        const QString file =
            QString::fromStdString((samples::folder() / "all_reduce_perf.txt").string());
        const auto imported = ringmaster.run({"import", file});
        QVERIFY2(imported.exitCode == 0, imported.error);
        const auto shown = ringmaster.run({"show"});
        QVERIFY2(shown.exitCode == 0, shown.error);
        QVERIFY2(shown.output.contains("# all_reduce on nccl in place: 4 ranks on 2 hosts"),
                 shown.output);
        QVERIFY2(shown.output.contains("1133.00  236.92  355.39      N/A      N/A      0"),
                 shown.output);
        const auto events = ringmaster.run({"show", "--events"});
        QVERIFY2(events.output.contains("It ran with 4 ranks on gpu1, gpu2 (NVIDIA H100"),
                 events.output);
        const auto listed = ringmaster.run({"ps", "--all", "--json"});
        QVERIFY2(listed.output.contains("sweep all_reduce (nccl-tests)"), listed.output);
    }

private:
    std::optional<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(tst_nccl_tests)
#include "tst_nccl_tests.moc"

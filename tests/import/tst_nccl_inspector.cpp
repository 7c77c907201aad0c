#include "engine/base/Files.h"
#include "engine/import/Codes.h"
#include "engine/import/NcclInspectorRun.h"
#include "engine/import/RunImport.h"
#include "tests/TestMain.h"
#include "tests/import/ImportSamples.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <sstream>

using namespace ringmaster;
using ledger::OperationKind;
namespace fs = std::filesystem;

namespace {

struct Line
{
    QString communicator = "0x7f8c";
    int rank = 0;
    int ranks = 2;
    QString operation = "AllReduce";
    int number = 0;
    qint64 bytes = 1'000'000;
    qint64 microseconds = 500;
    bool isVerbose = false;
};

/// As the plugin writes it.
std::string text(const Line& line, int process)
{
    const qint64 now = 1748030377748202 + line.number * 1000;
    QJsonObject performance{{"coll", line.operation},
                            {"coll_sn", line.number},
                            {"coll_msg_size_bytes", line.bytes},
                            {"coll_exec_time_us", line.microseconds},
                            {"coll_timing_source", "kernel_gpu"},
                            {"coll_algobw_gbs", 2.0},
                            {"coll_busbw_gbs", 2.0}};
    if (line.isVerbose)
        performance["event_trace_ts"] = QJsonObject{
            {"coll_start_ts", now - 700},
            {"kernel_events",
             QJsonArray{QJsonObject{{"channel_id", 0}, {"kernel_stop_ts", now - 100}}}}};
    const QJsonObject whole{{"header", QJsonObject{{"id", line.communicator},
                                                   {"comm_name", "unknown"},
                                                   {"rank", line.rank},
                                                   {"n_ranks", line.ranks},
                                                   {"nnodes", 1}}},
                            {"metadata", QJsonObject{{"inspector_output_format_version", "v4.2"},
                                                     {"dump_timestamp_us", now},
                                                     {"hostname", "gpu1"},
                                                     {"pid", 100 + process}}},
                            {"coll_perf", performance}};
    return QJsonDocument(whole).toJson(QJsonDocument::Compact).toStdString() + "\n";
}

Result<NcclInspectorLog> inspectorLog(const std::string& content)
{
    std::istringstream lines(content);
    return readNcclInspector(lines);
}

} // namespace

class tst_nccl_inspector : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anOperationHasItsMeasuredDuration()
    {
        const auto log = inspectorLog(text({.operation = "AllGather", .number = 3}, 0));
        QVERIFY2(log, log ? "" : describe(log.error()).c_str());
        QCOMPARE(log->host, std::string("gpu1"));
        QCOMPARE(log->pid, std::int64_t{100});
        const Operation& operation = log->entries.at(0).operation;
        QVERIFY(operation.kind == OperationKind::AllGather);
        QVERIFY(operation.backend == ledger::Backend::Nccl);
        // NCCL names one rank's part.
        QCOMPARE(operation.bytes, std::uint64_t{2'000'000});
        QCOMPARE(operation.endedNs - operation.startedNs, std::int64_t{500'000});
        QVERIFY(!log->entries[0].isTimed);
        const auto timed = inspectorLog(text({.isVerbose = true}, 0));
        QVERIFY(timed->entries.at(0).isTimed);
        QCOMPARE(timed->entries[0].operation.endedNs, 1748030377748102'000);
        QCOMPARE(timed->entries[0].operation.enqueuedNs, 1748030377747502'000);
    }

    void theFilesOfTheProcessesAreOneRun()
    {
        m_folder.emplace();
        const fs::path folder = m_folder->path().toStdString();
        for (int process = 0; process < 3; ++process) {
            std::string content;
            for (int number = 0; number < 4; ++number) {
                content += text({.rank = process, .ranks = 3, .number = number}, process);
                // Counted by itself.
                content +=
                    text({.rank = process, .ranks = 3, .operation = "Broadcast", .number = number},
                         process);
            }
            if (process != 1)
                content +=
                    text({.communicator = "0xab", .rank = process / 2, .number = 0}, process);
            QVERIFY(writeFileAtomically(
                folder / ("gpu1-pid" + std::to_string(900 - process) + ".log"), content));
        }
        const RunCatalog catalog(folder / "runs");
        const auto ids = importRuns(catalog, folder);
        QVERIFY2(ids, ids ? "" : describe(ids.error()).c_str());
        const auto reader = catalog.find(ids->front())->openReader();
        QCOMPARE(reader->snapshot()->worldSize, 3);
        QCOMPARE(reader->snapshot()->workers[2].node, std::string("gpu1"));
        const auto page = reader->operations();
        QCOMPARE(page->rows.size(), size_t{3});
        QCOMPARE(page->rows[0].count, std::uint64_t{9});
    }

    void operationsOfOneGroupHaveOneNumberEach()
    {
        std::vector<NcclInspectorLog> logs;
        for (int process = 0; process < 2; ++process) {
            std::string content;
            for (const char* operation : {"AllReduce", "ReduceScatter"})
                content += text({.rank = process, .operation = operation, .number = 7}, process);
            logs.push_back(*inspectorLog(content));
        }
        const auto run = runOf(logs);
        QVERIFY(run);
        QCOMPARE(run->operations[0].operations[0].number, std::uint64_t{1});
        QCOMPARE(run->operations[1].operations[1].number, std::uint64_t{2});
        QVERIFY(run->operations[1].groups[0].members == (std::vector{0, 1}));
        QVERIFY(samples::isSaid(*run, code::ImportedInspectorTimes));
        QVERIFY(samples::isSaid(*run, code::ImportedInspectorEnded));
        QVERIFY(!samples::isSaid(*run, code::ImportedInspectorRanks));
    }

    void aProcessWithSeveralGpusHasSeveralRanks()
    {
        std::string content;
        for (int rank = 0; rank < 2; ++rank)
            content += text({.rank = rank}, 0);
        auto log = inspectorLog(content);
        log->file = "/logs/gpu1-pid100.log";
        const auto run = runOf({*log});
        QVERIFY(run);
        QCOMPARE(run->operations.size(), size_t{2});
        QCOMPARE(run->operations[1].rank, 1);
        QCOMPARE(run->operations[1].operations.size(), size_t{1});
    }

    void withoutACommunicatorOfAllTheProcessesAreCounted()
    {
        std::vector<NcclInspectorLog> logs;
        for (int process = 0; process < 4; ++process)
            logs.push_back(*inspectorLog(
                text({.communicator = process < 2 ? "0x1" : "0x2", .rank = process % 2}, process)));
        const auto run = runOf(logs);
        QVERIFY(run);
        QVERIFY(samples::isSaid(*run, code::ImportedInspectorRanks));
        QCOMPARE(run->operations.back().rank, 3);
        QVERIFY(run->operations.back().groups[0].members == (std::vector{2, 3}));
        logs.push_back(logs.front());
        logs.erase(logs.begin() + 1, logs.begin() + 4);
        QVERIFY(runOf(logs).error().code == code::ImportRankTwice);
    }

    void whatIsNoneOrCutOffIsSaid()
    {
        const std::string whole = text({}, 0) + text({.number = 1}, 0);
        const auto cut = inspectorLog(whole.substr(0, whole.size() - 30));
        QVERIFY(cut);
        QVERIFY(cut->isCutOff);
        QCOMPARE(cut->entries.size(), size_t{1});
        QVERIFY(inspectorLog("").error().code == code::ImportDamaged);
        QVERIFY(inspectorLog("[1]\n" + whole).error().code == code::ImportDamaged);
        QVERIFY(inspectorLog(std::string(3'000'000, '{')).error().code == code::ImportDamaged);
        QVERIFY(inspectorLog(std::string(1000, '[') + "\n" + whole).error().code ==
                code::ImportDamaged);
        const auto none = inspectorLog(text({.microseconds = 0}, 0));
        QVERIFY(none && none->entries.empty());
        QVERIFY(runOf({*none}).error().code == code::ImportInspectorEmpty);
    }

private:
    std::optional<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(tst_nccl_inspector)
#include "tst_nccl_inspector.moc"

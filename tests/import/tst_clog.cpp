#include "engine/base/Files.h"
#include "engine/import/ClogLog.h"
#include "engine/import/Codes.h"
#include "engine/import/FlightRecorderRun.h"
#include "engine/import/RunImport.h"
#include "tests/TestMain.h"
#include "tests/import/ImportSamples.h"

#include <QtTest>

#include <sstream>

using namespace ringmaster;
using ledger::OperationKind;
namespace fs = std::filesystem;

namespace {

std::string headOf(int rank, int ranks = 3)
{
    return "V|1|base_timestamp=1714234567.890\nnew_comm|comm=world|rank=" + std::to_string(rank) +
           "|world_size=" + std::to_string(ranks) + "\n";
}

const std::string AllReduce = "C1|sig|all_reduce|in_count=1024|out_count=1024|dtype=f32|red_op=sum|"
                              "async_op=f|comm=world\n";

std::string call(int number, bool isEnded = true)
{
    const std::string at = "+" + std::to_string(number) + ".00";
    std::string text = "C1|Q|work_id=" + std::to_string(number) + "|" + at + "1\n";
    if (isEnded)
        text += "C1|S|" + at + "2\nC1|E|" + at + "5\n";
    return text;
}

Result<FlightRecorderDump> logOf(const std::string& content)
{
    std::istringstream lines(content);
    return readClog(lines);
}

template <class Body>
std::vector<Body> bodiesOf(const ImportedRun& run)
{
    std::vector<Body> bodies;
    for (const ImportedRun::Fact& fact : run.facts) {
        if (const auto* body = std::get_if<Body>(&fact.body))
            bodies.push_back(*body);
    }
    return bodies;
}

} // namespace

class tst_clog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aCallHasItsTimesAndItsPlaceInTheGroup()
    {
        const auto log = logOf(headOf(2) + AllReduce + call(1) +
                               "C2|sig|all_gather_single|in_count=8|out_count=24|dtype=bf16|"
                               "async_op=t|comm=world\nC2|Q|work_id=2|+2.000\n"
                               "split|parent=world|child=pair|ranks=0,2\n");
        QVERIFY2(log, log ? "" : describe(log.error()).c_str());
        QCOMPARE(log->rank, 2);
        QCOMPARE(log->entries.size(), size_t{2});
        const Operation& first = log->entries[0].operation;
        QVERIFY(first.kind == OperationKind::AllReduce);
        QVERIFY(first.type == ledger::DataType::Float32);
        QCOMPARE(first.enqueuedNs, 1'714'234'568'891'000'000);
        QCOMPARE(first.endedNs - first.startedNs, std::int64_t{3'000'000});
        QVERIFY(first.outcome == Operation::Outcome::Done);
        const Operation& second = log->entries[1].operation;
        QVERIFY(second.kind == OperationKind::AllGatherIntoTensor);
        QVERIFY(second.outcome == Operation::Outcome::Running);
        QCOMPARE(second.number, std::uint64_t{2});
        QVERIFY(log->members.at("world") == (std::vector{0, 1, 2}));
        QVERIFY(log->members.at("pair") == (std::vector{0, 2}));
    }

    void theRankThatHasNotCalledIsNamed()
    {
        m_folder.emplace();
        const fs::path folder = m_folder->path().toStdString();
        for (int rank = 0; rank < 3; ++rank) {
            std::string content = headOf(rank) + AllReduce + call(1) + call(2);
            if (rank != 1)
                content += call(3, false);
            QVERIFY(writeFileAtomically(folder / ("clog_" + std::to_string(rank)), content));
        }
        const RunCatalog catalog(folder / "runs");
        const auto ids = importRuns(catalog, folder);
        QVERIFY2(ids, ids ? "" : describe(ids.error()).c_str());
        const auto runs = catalog.list();
        QVERIFY(runs.at(0).cause.code == code::ImportedWait);
        const std::string cause = describe(runs[0].cause);
        QVERIFY2(cause.find("Ranks 0 and 2 are in all_reduce #3") != std::string::npos,
                 cause.c_str());
        QVERIFY2(cause.find("rank 1 has not called") != std::string::npos, cause.c_str());
    }

    void withoutEndsWhatAllHaveCalledIsOver()
    {
        std::vector<FlightRecorderDump> logs;
        for (int rank = 0; rank < 3; ++rank) {
            std::string content = headOf(rank) + AllReduce + call(1, false) + call(2, false);
            if (rank == 0)
                content += call(3, false);
            logs.push_back(*logOf(content));
        }
        auto run = runOf(logs);
        QVERIFY(run);
        QVERIFY(samples::isSaid(*run, code::ImportedClogNoEnds));
        QVERIFY(bodiesOf<Verdict>(*run).at(0).guilty == (std::vector{1, 2}));
        logs.front().entries.pop_back();
        run = runOf(logs);
        QVERIFY(bodiesOf<Verdict>(*run).empty());
    }

    void whatAGraphCapturesIsACallAndItsReplaysAreSaid()
    {
        const auto log = logOf(headOf(0, 1) + AllReduce + "G42|C1|Q|work_id=1|+1.000\n" + call(2) +
                               "G42|C1|S|+3.000\nG42|C1|E|+3.004\n"
                               "G42|R1|C1|S|+4.000\nG42|R1|C1|E|+4.001\nWARN|what\n");
        QVERIFY(log);
        QCOMPARE(log->entries.size(), size_t{2});
        QCOMPARE(log->entries[0].operation.endedNs - log->entries[0].operation.startedNs,
                 std::int64_t{4'000'000});
        QVERIFY(samples::isSaid(*runOf({*log}), code::ImportedClogReplays));
    }

    void whatIsNoneOrCutOffIsSaid()
    {
        const std::string whole = headOf(0) + AllReduce + call(1);
        for (size_t length = 0; length < whole.size(); ++length)
            (void)logOf(whole.substr(0, length));
        QVERIFY(logOf("").error().code == code::ImportDamaged);
        QVERIFY(logOf("C1|Q|work_id=1|+1\n").error().code == code::ImportDamaged);
        QVERIFY(logOf("V|2|base_timestamp=1.0\n").error().code == code::ImportClogVersion);
        QVERIFY(logOf("V|1|base_timestamp=nan\n").error().code == code::ImportDamaged);
        QVERIFY(logOf(std::string(3'000'000, 'V')).error().code == code::ImportDamaged);
        QVERIFY(runOf({*logOf(whole), *logOf(headOf(0) + AllReduce + call(9))}).error().code ==
                code::ImportRankTwice);
        const auto noRank = logOf("V|1|base_timestamp=1714234567.890\n");
        QVERIFY(noRank && noRank->rank < 0);
    }

private:
    std::optional<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(tst_clog)
#include "tst_clog.moc"

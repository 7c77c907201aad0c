#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/event/Codes.h"
#include "engine/import/Codes.h"
#include "engine/import/RunImport.h"
#include "engine/ledger/OperationBlock.h"
#include "engine/record/Codes.h"
#include "tests/import/ImportSamples.h"

#include <QtTest>

using namespace ringmaster;
namespace fs = std::filesystem;

namespace {

} // namespace

class tst_run_import : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder.emplace(); }

    void dumpsBecomeARunLikeAnyOther()
    {
        copy({"fr-hang-gloo-215-rank0.json", "fr-hang-gloo-215-rank1.json"});
        put("notes.txt", "what I saw");
        const RunCatalog catalog(runs());
        const auto ids = importRuns(catalog, files());
        QVERIFY2(ids, ids ? "" : describe(ids.error()).c_str());
        QCOMPARE(ids->size(), size_t{1});

        const std::vector<RunSummary> list = catalog.list();
        QCOMPARE(list.size(), size_t{1});
        QCOMPARE(list[0].id, ids->front());
        QCOMPARE(list[0].name, std::string("hang"));
        QVERIFY(list[0].state == RunState::Lost);
        QVERIFY(list[0].health.health == Health::Recorded);
        QVERIFY(list[0].cause.code == code::ImportedWait);
        QVERIFY(list[0].reason.code == code::ImportedEndUnknown);
        QCOMPARE(list[0].worldSize, 2);
        QVERIFY(!list[0].isLive);

        const auto reader = catalog.find(ids->front())->openReader();
        QVERIFY(reader);
        const auto page = reader->operations();
        QCOMPARE(page->rows.size(), size_t{2});
        const auto batch = unpackOperations(page->rows[0].block);
        QVERIFY(batch);
        QVERIFY(batch->operations.back().outcome == Operation::Outcome::Running);
    }

    void theSameFilesAreTheSameRun()
    {
        copy({"fr-hang-gloo-215-rank0.json", "fr-hang-gloo-215-rank1.json"});
        const RunCatalog catalog(runs());
        const auto first = importRuns(catalog, files());
        const auto again = importRuns(catalog, files().string() + "/");
        QVERIFY(first && again);
        QVERIFY(*first == *again);
        QCOMPARE(catalog.list().size(), size_t{1});
        // What is exported of it comes back as the same, too.
        const auto file = catalog.find(first->front())->runFile();
        QVERIFY(importRuns(catalog, file) == *first);
    }

    void oneFileIsEnough()
    {
        copy({"fr-gloo-215-rank1.pkl"});
        const auto ids = importRuns(RunCatalog(runs()), files() / "fr-gloo-215-rank1.pkl");
        QVERIFY2(ids, ids ? "" : describe(ids.error()).c_str());
    }

    void whatCannotBeOpenedIsSaidAndLeavesNothing()
    {
        const RunCatalog catalog(runs());
        const auto problemOf = [&](const fs::path& path) {
            const auto ids = importRuns(catalog, path);
            return ids ? Error{} : ids.error();
        };
        QVERIFY(problemOf(files() / "nowhere").code == code::FileNotFound);
        put("a.txt", "hello");
        QVERIFY(problemOf(files()).code == code::ImportUnknown);
        put("trace_0", "\x80\x02"
                       "cos\nsystem\n.");
        const Error unsafe = problemOf(files());
        QVERIFY(unsafe.code == code::ImportUnsafe);
        QVERIFY(describe(unsafe).find("trace_0 isn't read") != std::string::npos);
        fs::remove(files() / "trace_0");
        put("trace", R"({"pg_config": {}, "version": "2.10"})");
        QVERIFY(problemOf(files()).code == code::ImportNoRank);
        fs::remove(files() / "trace");
        put("trace_3", "{\"pg_config\": {}, \"version\": \"2.");
        QVERIFY(problemOf(files()).code == code::ImportDamaged);
        put("trace_3", R"({"pg_config": {}, "version": "4.0"})");
        const Error version = problemOf(files());
        QVERIFY(version.code == code::ImportVersion);
        QVERIFY(describe(version).find("version 4.0") != std::string::npos);
        QVERIFY(catalog.list().empty());
        QVERIFY(!fs::exists(runs()) || fs::is_empty(runs()));
    }

private:
    fs::path runs() const { return m_folder->path().toStdString() + "/runs"; }
    fs::path files() const { return m_folder->path().toStdString() + "/hang"; }

    void copy(const std::vector<std::string>& names)
    {
        fs::create_directories(files());
        for (const std::string& name : names)
            fs::copy_file(samples::folder() / name, files() / name);
    }

    void put(const std::string& name, const std::string& content)
    {
        fs::create_directories(files());
        QVERIFY(writeFileAtomically(files() / name, content));
    }

    std::optional<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(tst_run_import)
#include "tst_run_import.moc"

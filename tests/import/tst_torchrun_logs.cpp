#include "engine/base/Files.h"
#include "engine/import/Codes.h"
#include "engine/import/RunImport.h"
#include "engine/import/TorchrunLogs.h"
#include "tests/import/ImportSamples.h"

#include <QtTest>

using namespace ringmaster;
namespace fs = std::filesystem;

namespace {

std::string errorFile()
{
    return samples::sample("error-215.json");
}

std::vector<FirstCause> causesOf(const ImportedRun& run)
{
    std::vector<FirstCause> causes;
    for (const ImportedRun::Fact& fact : run.facts) {
        if (const auto* cause = std::get_if<FirstCause>(&fact.body))
            causes.push_back(*cause);
    }
    return causes;
}

} // namespace

class tst_torchrun_logs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder.emplace(); }

    void theRankThatRaisedIsTheFirstCause()
    {
        put("none_x/attempt_0/0/stdout.log", "step 1\n");
        put("none_x/attempt_0/1/error.json", errorFile());
        const auto runs = readTorchrunLogs(logs());
        QVERIFY(runs);
        QCOMPARE(runs->size(), size_t{1});
        QCOMPARE(runs->front().name, std::string("none_x"));
        QVERIFY(runs->front().end.state == RunState::Failed);
        const auto causes = causesOf(runs->front());
        QCOMPARE(causes.size(), size_t{1});
        QVERIFY(causes[0].sure);
        QCOMPARE(causes[0].globalRank, 1);
        QVERIFY(describe(causes[0].cause).find("ValueError") != std::string::npos);
    }

    void withoutAnErrorFileTheLastWordsTellIt()
    {
        const std::string traceback = "Traceback (most recent call last):\n"
                                      "  File \"/home/me/train.py\", line 7, in <module>\n"
                                      "    main()\n"
                                      "KeyError: 'loss'\n";
        put("a/attempt_0/0/stderr.log", traceback + "it went on\n");
        put("a/attempt_0/1/stderr.log", "warning\n" + traceback);
        const auto runs = readTorchrunLogs(logs() / "a");
        const auto causes = causesOf(runs->front());
        QCOMPARE(causes.size(), size_t{1});
        QCOMPARE(causes[0].globalRank, 1);
    }

    void attemptsComeInTheirOrder()
    {
        for (const char* attempt : {"attempt_10", "attempt_2", "attempt_0"})
            put(std::string("a/") + attempt + "/0/stdout.log", attempt);
        put("a/attempt_2/0/error.json", errorFile());
        put("a/notes/0/stdout.log", "no attempt");
        const auto runs = readTorchrunLogs(logs() / "a");
        std::vector<int> restarts;
        for (const ImportedRun::Fact& fact : runs->front().facts) {
            if (const auto* started = std::get_if<AttemptStarted>(&fact.body))
                restarts.push_back(started->restartCount);
        }
        QVERIFY((restarts == std::vector{0, 2, 10}));
        // Of the last one nobody has said that it failed.
        QVERIFY(runs->front().end.state == RunState::Lost);
    }

    void eachFolderOfARunIsARun()
    {
        put("a_1/attempt_0/0/stdout.log", "one");
        put("b_2/attempt_0/0/stdout.log", "two");
        QCOMPARE(readTorchrunLogs(logs())->size(), size_t{2});
        QCOMPARE(readTorchrunLogs(logs() / "b_2" / "attempt_0")->size(), size_t{1});
        put("c/other.txt", "nothing");
        QVERIFY(readTorchrunLogs(logs() / "c")->empty());
    }

    void whatWasPrintedIsCopied()
    {
        const std::string large(200'000, 'x');
        put("a/attempt_0/0/stdout.log", "step 1\n" + large + "\nstep 2\nno end");
        put("a/attempt_0/0/stderr.log", "careful\n");
        fs::create_symlink("/etc/passwd", logs() / "a/attempt_0/0/error.json");
        const RunCatalog catalog(m_folder->path().toStdString() + "/runs");
        const auto ids = importRuns(catalog, logs());
        QVERIFY2(ids, ids ? "" : describe(ids.error()).c_str());
        QVERIFY(importRuns(catalog, logs()) == ids);
        fs::remove_all(logs());
        const auto reader = catalog.find(ids->front())->openReader();
        const auto page = reader->readLog({.direction = LogQuery::Direction::Forward});
        QVERIFY(page);
        QVERIFY(page->problems.empty());
        std::string printed;
        for (const LogChunk& chunk : page->chunks)
            printed += chunk.bytes;
        QCOMPARE(printed, "careful\nstep 1\n" + large + "\nstep 2\nno end");
    }

private:
    fs::path logs() const { return m_folder->path().toStdString() + "/logs"; }

    void put(const std::string& name, const std::string& content)
    {
        fs::create_directories((logs() / name).parent_path());
        QVERIFY(writeFileAtomically(logs() / name, content));
    }

    std::optional<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(tst_torchrun_logs)
#include "tst_torchrun_logs.moc"

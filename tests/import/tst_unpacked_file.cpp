#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/import/Codes.h"
#include "engine/import/ProfilerTrace.h"
#include "engine/import/RunImport.h"
#include "engine/import/UnpackedFile.h"
#include "tests/TestMain.h"
#include "tests/import/Gzip.h"
#include "tests/import/ImportSamples.h"

#include <QtTest>

using namespace ringmaster;
using test::gzipped;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t Most = 1ULL << 40U;

std::string trace(int rank)
{
    return samples::sample("profile-gloo-215-rank" + std::to_string(rank) + ".json");
}

} // namespace

class tst_unpacked_file : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder.emplace(); }

    void whatIsPackedIsReadAsWhatIsNot()
    {
        const std::string content = trace(0);
        put("plain.json", content);
        put("packed.json.gz", gzipped(content));
        // As `cat` puts two together.
        put("two.gz", gzipped(content.substr(0, 1000)) + gzipped(content.substr(1000)));
        put("empty", "");
        QCOMPARE(readUnpacked(file("plain.json"), Most).value(), content);
        QCOMPARE(readUnpacked(file("packed.json.gz"), Most).value(), content);
        QCOMPARE(readUnpacked(file("two.gz"), Most).value(), content);
        QCOMPARE(readUnpacked(file("empty"), Most).value(), std::string());
        QVERIFY(readUnpacked(file("nowhere"), Most).error().code == code::FileNotFound);
    }

    void packedTracesOfTheProfilerAreOneRun()
    {
        for (int rank = 0; rank < 2; ++rank)
            put("worker" + std::to_string(rank) + ".pt.trace.json.gz", gzipped(trace(rank)));
        const RunCatalog catalog(folder() / "runs");
        const auto ids = importRuns(catalog, folder());
        QVERIFY2(ids, ids ? "" : describe(ids.error()).c_str());
        const auto reader = catalog.find(ids->front())->openReader();
        QCOMPARE(reader->operations()->rows.size(), size_t{2});
    }

    void whatIsCutOffOrDamagedIsSaid()
    {
        const std::string whole = gzipped(trace(0));
        for (size_t length = 3; length < whole.size(); length += 499) {
            put("cut.json.gz", whole.substr(0, length));
            const auto read = readProfilerTrace(file("cut.json.gz"));
            QVERIFY(!read);
            QVERIFY(read.error().code == code::ImportDamaged);
            QCOMPARE(read.error().parameters.at("reason"),
                     std::string("its packed content ends too early"));
        }
        std::string changed = whole;
        changed[whole.size() / 2] = static_cast<char>(~changed[whole.size() / 2]);
        put("changed.json.gz", changed);
        QVERIFY(readProfilerTrace(file("changed.json.gz")).error().code == code::ImportDamaged);
        const auto ids = importRuns(RunCatalog(folder() / "runs"), file("cut.json.gz"));
        QVERIFY(!ids && ids.error().code == code::ImportDamaged);
        QVERIFY(describe(ids.error()).find("cut.json.gz") != std::string::npos);
        // Not even its beginning can be read.
        put("head.gz", std::string("\x1f\x8b\x08\x00", 4));
        QVERIFY(importRuns(RunCatalog(folder() / "runs"), file("head.gz")).error().code ==
                code::ImportDamaged);
    }

    void whatUnpacksToFarMoreIsRefused()
    {
        std::string bomb = R"({"schemaVersion": 1, "traceEvents": [)";
        bomb.resize(64U << 20U, ' ');
        put("bomb.json.gz", gzipped(bomb));
        QVERIFY(fs::file_size(file("bomb.json.gz")) < 128U << 10U);
        QVERIFY(readProfilerTrace(file("bomb.json.gz")).error().code == code::ImportTooLarge);
        const auto ids = importRuns(RunCatalog(folder() / "runs"), file("bomb.json.gz"));
        QVERIFY(!ids);
        QVERIFY(describe(ids.error()).find("bomb.json.gz has more than 1") != std::string::npos);
        put("plain", std::string(300'000, 'x'));
        QVERIFY(readUnpacked(file("plain"), 100'000).error().code == code::ImportTooLarge);
    }

private:
    fs::path folder() const { return m_folder->path().toStdString(); }
    fs::path file(const std::string& name) const { return folder() / name; }

    void put(const std::string& name, const std::string& content)
    {
        QVERIFY(writeFileAtomically(file(name), content));
    }

    std::optional<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(tst_unpacked_file)
#include "tst_unpacked_file.moc"

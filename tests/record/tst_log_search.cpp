#include "engine/record/Codes.h"
#include "engine/record/LogSearch.h"
#include "tests/record/WrittenLog.h"

#include <QtTest>

using namespace ringmaster;
namespace fs = std::filesystem;

namespace {

std::unique_ptr<LogSearch> searchFor(const std::string& filter, std::vector<int> ranks = {})
{
    return std::make_unique<LogSearch>(LogSearch::Query{
        .filter = LogFilter::parse(filter).value(), .ranks = std::move(ranks), .wantsTexts = true});
}

QStringList textsOf(const LogSearchPage& page)
{
    QStringList texts;
    for (const std::string& text : page.texts)
        texts << QString::fromStdString(text);
    return texts;
}

} // namespace

class tst_log_search : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_log = std::make_unique<WrittenLog>(m_folder->path().toStdString());
    }

    void cleanup() { m_log.reset(); }

    void findsAllOfAllRanks()
    {
        const int a = m_log->addFile(0);
        const int b = m_log->addFile(1);
        for (int i = 0; i < 200; ++i)
            m_log->write(i % 3 == 0 ? a : b, "step " + std::to_string(i) + "\n");
        const auto page = advance(*searchFor("\"step 1\""));
        QVERIFY(page.isAtEnd);
        QCOMPARE(page.part, 1.0);
        QCOMPARE(page.matches, std::uint64_t(111));
        QCOMPARE(page.texts.front(), std::string("step 1"));
        QCOMPARE(page.texts.back(), std::string("step 199"));
        QCOMPARE(advance(*searchFor("\"step 1\"", {0})).matches, std::uint64_t(36));
        QCOMPARE(advance(*searchFor("\"step 1\" rank:1", {0})).matches, std::uint64_t(0));
    }

    void goesOnPartByPart()
    {
        const int file = m_log->addFile(0);
        for (int i = 0; i < 12; ++i)
            m_log->write(file, std::string((1U << 20U) - 2, 'x') + "y\n");
        const auto search = searchFor("y");
        const auto first = advance(*search, 1);
        QVERIFY(!first.isAtEnd);
        QVERIFY(first.part > 0 && first.part < 1);
        QVERIFY(first.matches > 0 && first.matches < 12);
        const auto rest = advance(*search);
        QVERIFY(rest.isAtEnd);
        QCOMPARE(rest.matches, std::uint64_t(12));
        QCOMPARE(first.places.size() + rest.places.size(), size_t(12));
    }

    void stopsWhenItIsCancelled()
    {
        m_log->write(m_log->addFile(0), "x\n");
        const auto search = searchFor("x");
        search->cancel();
        QCOMPARE(advance(*search).matches, std::uint64_t(0));
    }

    void findsWhatComesWhileItSearches()
    {
        const int file = m_log->addFile(0);
        m_log->write(file, "one x\ntwo");
        const auto search = searchFor("x");
        QCOMPARE(textsOf(advance(*search, 1, false)), QStringList{"one x"});
        m_log->write(file, " x\nthree x");
        QCOMPARE(textsOf(advance(*search, 1, false)), QStringList({"two x", "three x"}));
        QVERIFY(textsOf(advance(*search, 1, false)).isEmpty());
        m_log->write(file, " and more\nfour x");
        QCOMPARE(textsOf(advance(*search, 1, true)), QStringList{"four x"});
        QCOMPARE(advance(*search, 1, true).matches, std::uint64_t(4));
    }

    void goesOnWhenAFileIsCutOff()
    {
        const int file = m_log->addFile(0);
        const int other = m_log->addFile(1);
        m_log->write(file, "one x\n");
        const auto search = searchFor("x");
        QCOMPARE(advance(*search, 1, false).matches, std::uint64_t(1));
        m_log->write(file, "two x\nthree x\n");
        m_log->write(other, "other x\n");
        fs::resize_file(m_log->pathOf(file), 9);
        const auto page = advance(*search);
        QCOMPARE(textsOf(page), QStringList{"other x"});
        QCOMPARE(page.problems.size(), size_t(1));
        QVERIFY(page.problems[0].code == code::LogFileShort);
    }

    void goesOnWhenAFileIsRotated()
    {
        const int file = m_log->addFile(0);
        const int other = m_log->addFile(1);
        m_log->write(file, "one x\n");
        const auto search = searchFor("x");
        QCOMPARE(advance(*search, 1, false).matches, std::uint64_t(1));
        fs::rename(m_log->pathOf(file), m_log->pathOf(file).string() + ".1");
        m_log->write(file, "two x\n"); // at the beginning of a new file
        m_log->write(other, "other x\n");
        const auto page = advance(*search);
        QCOMPARE(textsOf(page), QStringList{"other x"});
        QCOMPARE(page.problems.size(), size_t(1));
        fs::remove(m_log->pathOf(file));
        const auto again = advance(*searchFor("x"));
        QCOMPARE(textsOf(again), QStringList{"other x"});
        QVERIFY(again.problems.at(0).code == code::LogFileMissing);
    }

    void readsTheLinesOfPlaces()
    {
        const int file = m_log->addFile(3);
        m_log->write(file, "one\n\x1B[31mWARNING\x1B[0m: two\nthree\n");
        const auto found = advance(*searchFor("two"));
        const auto lines = m_log->reader()->readLines(found.places).value();
        QCOMPARE(lines.size(), size_t(1));
        QCOMPARE(lines[0].text, std::string("WARNING: two"));
        QCOMPARE(lines[0].globalRank, 3);
        QVERIFY(lines[0].level == LogLevel::Warning);
        QCOMPARE(lines[0].runs.size(), size_t(2));
        QCOMPARE(lines[0].at.monotonicNs, found.places[0].at.monotonicNs);
        // A place that no file has is an empty line: rows stay where they are.
        QVERIFY(m_log->reader()->readLines({{.length = 5, .globalRank = 9}})->at(0).text.empty());
    }

private:
    LogSearchPage advance(LogSearch& search, size_t bytes = 1U << 30U, bool isOver = true)
    {
        const auto reader = m_log->reader();
        return search
            .advance([&](const LogQuery& query) { return reader->readLog(query); }, bytes, isOver)
            .value();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<WrittenLog> m_log;
};

QTEST_GUILESS_MAIN(tst_log_search)
#include "tst_log_search.moc"

#include "engine/record/Codes.h"
#include "tests/record/WrittenLog.h"

#include <QtTest>

#include <thread>

#include <sys/stat.h>

using namespace ringmaster;
namespace fs = std::filesystem;
using Direction = LogQuery::Direction;

namespace {

std::string textOf(const LogPage& page)
{
    std::string text;
    for (const LogChunk& chunk : page.chunks)
        text += chunk.bytes;
    return text;
}

} // namespace

class tst_log_paging : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_log = std::make_unique<WrittenLog>(path());
    }

    void cleanup() { m_log.reset(); }

    void pagesForwardAndBackwardWithoutALoss()
    {
        const int a = m_log->addFile(0);
        const int b = m_log->addFile(1);
        std::string all;
        for (int i = 0; i < 100; ++i) {
            const std::string line = "line " + std::to_string(i) + "\n";
            m_log->write(i % 3 == 0 ? b : a, line);
            all += line;
        }
        std::string forward;
        LogQuery query{.maxBytes = 100};
        for (LogPage page = m_log->read(query); !page.chunks.empty(); page = m_log->read(query)) {
            QVERIFY(textOf(page).size() <= 100);
            QCOMPARE(page.firstCursor, std::uint64_t(1));
            QCOMPARE(page.lastCursor, std::uint64_t(100));
            forward += textOf(page);
            query.cursor = page.chunks.back().cursor;
        }
        QCOMPARE(forward, all);

        std::string backward;
        query = {.direction = Direction::Backward, .maxBytes = 100};
        for (LogPage page = m_log->read(query); !page.chunks.empty(); page = m_log->read(query)) {
            backward = textOf(page) + backward;
            query.cursor = page.chunks.front().cursor;
        }
        QCOMPARE(backward, all);
    }

    void beginsAtAMoment()
    {
        const int file = m_log->addFile(0);
        for (int i = 0; i < 10; ++i)
            m_log->write(file, std::to_string(i));
        const LogPage all = m_log->read({});
        const std::int64_t fifth = all.chunks.at(5).at.monotonicNs;
        QCOMPARE(textOf(m_log->read({.fromNs = fifth})), std::string("56789"));
        QCOMPARE(textOf(m_log->read({.cursor = 8, .fromNs = fifth - 1})), std::string("56789"));
        QCOMPARE(textOf(m_log->read({.fromNs = 1})), std::string("0123456789"));
        const std::int64_t last = all.chunks.back().at.monotonicNs;
        QVERIFY(m_log->read({.fromNs = last + 1}).chunks.empty());
    }

    void givesTheRowsOfTheRanksAndTheAttempt()
    {
        const int a = m_log->addFile(0);
        const int b = m_log->addFile(1);
        const int c = m_log->addFile(2);
        const int again = m_log->addFile(1, 1);
        for (const int file : {a, b, c, a, b, c, again, c})
            m_log->write(file, std::to_string(file));
        QCOMPARE(textOf(m_log->read({.ranks = {1}})), std::string("224"));
        QCOMPARE(textOf(m_log->read({.ranks = {0, 1}})), std::string("12124"));
        QCOMPARE(textOf(m_log->read({.ranks = {1}, .attempt = 1})), std::string("4"));
        QCOMPARE(textOf(m_log->read({.attempt = 0})), std::string("1231233"));
        const LogPage page = m_log->read(
            {.cursor = 5, .direction = Direction::Backward, .ranks = {0, 1}, .maxBytes = 2});
        QCOMPARE(textOf(page), std::string("21"));
        QCOMPARE(page.firstCursor, std::uint64_t(1));
        QCOMPARE(page.lastCursor, std::uint64_t(7));
        QVERIFY(m_log->read({.ranks = {9}}).chunks.empty());
    }

    void selectsAmongThousandsOfFiles()
    {
        std::vector<int> ranks;
        std::string expected;
        for (int rank = 0; rank < 300; ++rank) {
            m_log->write(m_log->addFile(rank), std::to_string(rank) + " ");
            if (rank % 2 == 0) {
                ranks.push_back(rank);
                expected += std::to_string(rank) + " ";
            }
        }
        QCOMPARE(textOf(m_log->read({.ranks = ranks})), expected);
    }

    void seesWhatIsAppended()
    {
        const int a = m_log->addFile(0);
        m_log->write(a, "one");
        const LogPage first = m_log->read({});
        m_log->write(a, "two");
        QCOMPARE(textOf(m_log->read({.cursor = first.lastCursor})), std::string("two"));
    }

    void losesNoRowOfAFileThatComesMeanwhile()
    {
        constexpr std::uint64_t Enough = 500;
        // To look where they are takes long enough for others to come.
        for (int rank = 0; rank < 300; ++rank)
            m_log->addFile(rank);
        const auto reader = m_log->reader(RunFileReader::Origin::Foreign);
        QVERIFY(reader.has_value());
        const std::jthread writing([this](const std::stop_token& stop) {
            growLog(m_log->writer(), 1, path() / "logs" / "new", stop);
        });
        for (std::uint64_t cursor = 0; cursor < Enough;) {
            const auto page = reader->readLog({.cursor = cursor});
            QVERIFY(page.has_value());
            for (const LogChunk& chunk : page->chunks)
                QCOMPARE(chunk.cursor, ++cursor);
        }
    }

    void saysThatALogFileIsGone()
    {
        const int gone = m_log->addFile(0);
        const int there = m_log->addFile(1);
        for (const int file : {gone, there, gone, there})
            m_log->write(file, "x");
        fs::remove(m_log->pathOf(gone));
        const LogPage page = m_log->read({});
        QCOMPARE(page.chunks.size(), size_t(4));
        QCOMPARE(textOf(page), std::string("xx"));
        QCOMPARE(page.problems.size(), size_t(1));
        QVERIFY(page.problems[0].code == code::LogFileMissing);
        QCOMPARE(page.problems[0].parameters.at("path"), m_log->pathOf(gone).string());
    }

    void saysThatALogFileIsShorter()
    {
        const int file = m_log->addFile(0);
        m_log->write(file, "abc");
        m_log->write(file, "def");
        fs::resize_file(m_log->pathOf(file), 4);
        const LogPage page = m_log->read({});
        QCOMPARE(textOf(page), std::string("abcd"));
        QVERIFY(page.problems.at(0).code == code::LogFileShort);
    }

    void doesNotHangOnAPipeUnderTheName()
    {
        const int file = m_log->addFile(0);
        m_log->write(file, "abc");
        fs::remove(m_log->pathOf(file));
        QCOMPARE(::mkfifo(m_log->pathOf(file).c_str(), 0600), 0);
        QVERIFY(m_log->read({}).problems.at(0).code == code::LogFileMissing);
    }

    void readsNoFileOutsideForAForeignRunFile()
    {
        QTemporaryDir elsewhere;
        const fs::path secret = fs::path(elsewhere.path().toStdString()) / "secret";
        const int outside = m_log->addFile(0, 0, secret);
        m_log->write(outside, "secret");
        const int linked = m_log->addFile(1, 0, path() / "logs" / "link");
        fs::create_symlink(secret, m_log->pathOf(linked));
        m_log->writer().appendLog({linked, {}, 0, 6});

        const LogPage foreign = m_log->read({}, RunFileReader::Origin::Foreign);
        QCOMPARE(textOf(foreign), std::string());
        QCOMPARE(foreign.problems.size(), size_t(2));
        QVERIFY(foreign.problems[0].code == code::LogFileOutside);
        QVERIFY(foreign.problems[1].code == code::LogFileOutside);
        QCOMPARE(textOf(m_log->read({})), std::string("secretsecret"));
    }

    void saysHowMuchOutputWasLost()
    {
        m_log->writer().addLostOutput({1, 1}, 1000);
        m_log->writer().addLostOutput({2, 2}, 24);
        QCOMPARE(m_log->read({}).lostBytes, std::uint64_t(1024));
    }

    void splitsWhatCameAtOnce()
    {
        const int file = m_log->addFile(0);
        const std::string large(1U << 20U, 'x');
        m_log->write(file, large);
        const LogPage page = m_log->read({.maxBytes = 100'000});
        QCOMPARE(page.chunks.size(), size_t(1));
        QCOMPARE(page.lastCursor, std::uint64_t(16));
        QCOMPARE(textOf(m_log->read({.maxBytes = 2U << 20U})), large);
    }

private:
    fs::path path() const { return m_folder->path().toStdString(); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<WrittenLog> m_log;
};

QTEST_GUILESS_MAIN(tst_log_paging)
#include "tst_log_paging.moc"

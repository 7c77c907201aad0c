#include "engine/base/Files.h"
#include "engine/lead/GatheredLogs.h"
#include "engine/record/RunFileReader.h"

#include <QtTest>

#include <fstream>
#include <future>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace ringmaster;
namespace fs = std::filesystem;

namespace {

LogChunk logChunk(int attempt, int rank, std::string bytes)
{
    return {.attempt = attempt, .globalRank = rank, .bytes = std::move(bytes)};
}

/// Waits for it.
void finish(GatheredLogs& logs)
{
    std::promise<void> written;
    logs.finish([&] { written.set_value(); });
    written.get_future().wait();
}

} // namespace

class tst_gathered_logs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_temporary = std::make_unique<QTemporaryDir>();
        m_folder = m_temporary->path().toStdString();
        auto writer = RunFileWriter::open(m_folder / "run.ringrun", {.run = "run"});
        QVERIFY(writer.has_value());
        m_writer = *std::move(writer);
    }

    void cleanup() { m_writer.reset(); }

    void keepsAndShowsLines()
    {
        auto pipe = makePipe();
        QVERIFY(pipe.has_value());
        {
            Console console(pipe->writeEnd.get());
            GatheredLogs logs(m_folder, *m_writer, {.output = &console});
            logs.logged(logChunk(0, 3, "one\ntw"));
            logs.logged(logChunk(0, 4, "other\n"));
            logs.logged(logChunk(0, 3, "o\nlast"));
            finish(logs);
            QVERIFY(console.waitUntilWritten(Console::Patience::UntilStalled));
        }
        pipe->writeEnd.close();
        std::string shown(1000, ' ');
        shown.resize(static_cast<size_t>(::read(pipe->readEnd.get(), shown.data(), shown.size())));
        QCOMPARE(shown, std::string("[rank3]: one\n[rank4]: other\n[rank3]: two\n[rank3]: last\n"));
        QCOMPARE(readFile(m_folder / "attempt_0/3/stdout.log").value_or("?"),
                 std::string("one\ntwo\nlast"));
    }

    void keepsNoFileOfAnOldAttemptOpen()
    {
        const auto descriptors = [] {
            return std::distance(fs::directory_iterator("/proc/self/fd"), {});
        };
        GatheredLogs logs(m_folder, *m_writer, {});
        const auto before = descriptors();
        for (int attempt = 0; attempt < 200; ++attempt)
            for (int rank = 0; rank < 8; ++rank)
                logs.logged(logChunk(attempt, rank, "text\n"));
        finish(logs);
        QVERIFY2(descriptors() - before <= 16, qPrintable(QString::number(descriptors())));
        // What comes late stands behind what was there.
        logs.logged(logChunk(7, 1, "late\n"));
        finish(logs);
        QCOMPARE(readFile(m_folder / "attempt_7/1/stdout.log").value_or("?"),
                 std::string("text\nlate\n"));
    }

    /// Another host, whose output comes sooner, may be two attempts further by then.
    void whatComesLateAfterATakeoverStandsBehindWhatWasThere()
    {
        // What is said twice was recorded, "cut" was not.
        writeLog(0, "said twice\ncut");
        writeLog(1, "cut");
        GatheredLogs logs(
            m_folder, *m_writer, {},
            GatheredLogs::Recorded{.sizes = {{{0, 0, Stream::Stdout}, sizeof "said twice\n" - 1}}});
        logs.logged(logChunk(0, 0, "said twice\nnew\n"));
        logs.logged(logChunk(0, 1, "new\n"));
        logs.logged(logChunk(2, 2, "far\n"));
        logs.logged(logChunk(0, 0, "late\n"));
        logs.logged(logChunk(0, 1, "late\n"));
        finish(logs);
        QCOMPARE(readFile(logOf(0)).value_or("?"), std::string("said twice\nnew\nlate\n"));
        QCOMPARE(readFile(logOf(1)).value_or("?"), std::string("new\nlate\n"));
    }

    void whatWasLostBeforeATakeoverIsCountedOnce()
    {
        m_writer->addLostOutput({}, 100);
        GatheredLogs logs(m_folder, *m_writer, {}, GatheredLogs::Recorded{.lostBytes = 100});
        // Of two agents, the second of which has lost more meanwhile.
        logs.logLost(60);
        logs.logLost(50);
        logs.logLost(5);
        QVERIFY(m_writer->flush().has_value());
        const auto reader = RunFileReader::open(m_folder / "run.ringrun");
        QCOMPARE(reader->readLog({})->lostBytes, std::uint64_t{115});
    }

    /// It comes again, and can't be written this time either.
    void whatCouldNotBeWrittenBeforeATakeoverIsCountedOnce()
    {
        std::ofstream(m_folder / "attempt_0") << "no folder";
        m_writer->addLostOutput({}, 100);
        GatheredLogs logs(m_folder, *m_writer, {}, GatheredLogs::Recorded{.lostBytes = 100});
        logs.logged(logChunk(0, 0, std::string(60, 'x')));
        logs.logged(logChunk(0, 1, std::string(50, 'x')));
        finish(logs);
        logs.logLost(5);
        QVERIFY(m_writer->flush().has_value());
        const auto reader = RunFileReader::open(m_folder / "run.ringrun");
        QCOMPARE(reader->readLog({})->lostBytes, std::uint64_t{115});
    }

    void aStalledDiskHoldsNobodyUp()
    {
        // A pipe without a reader: to open it waits, as a disk that doesn't answer.
        const fs::path file = m_folder / "attempt_0/0/stdout.log";
        QVERIFY(makeFolder(file.parent_path()).has_value());
        QCOMPARE(::mkfifo(file.c_str(), 0600), 0);
        GatheredLogs logs(m_folder, *m_writer, {});
        for (int i = 0; i < 32; ++i)
            logs.logged(logChunk(0, 0, std::string(1U << 20U, 'x')));
        QVERIFY(logs.isBehind());
        std::promise<void> written;
        auto isWritten = written.get_future();
        logs.finish([&] { written.set_value(); }); // it isn't waited for
        QCOMPARE(logs.written(), std::uint64_t{0});
        QVERIFY(isWritten.wait_for(std::chrono::seconds(0)) == std::future_status::timeout);
        const FileDescriptor reader(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
        std::vector<char> space(1U << 20U);
        for (size_t got = 0; got < (32U << 20U);) {
            const ssize_t count = ::read(reader.get(), space.data(), space.size());
            QVERIFY(count > 0);
            got += static_cast<size_t>(count);
        }
        isWritten.wait();
        QCOMPARE(logs.written(), std::uint64_t{32});
        QVERIFY(!logs.isBehind());
    }

private:
    /// Of the first attempt.
    fs::path logOf(int rank) const
    {
        return m_folder / "attempt_0" / std::to_string(rank) / "stdout.log";
    }

    void writeLog(int rank, const std::string& text) const
    {
        fs::create_directories(logOf(rank).parent_path());
        std::ofstream(logOf(rank)) << text;
    }

    std::unique_ptr<QTemporaryDir> m_temporary;
    fs::path m_folder;
    std::unique_ptr<RunFileWriter> m_writer;
};

QTEST_GUILESS_MAIN(tst_gathered_logs)
#include "tst_gathered_logs.moc"

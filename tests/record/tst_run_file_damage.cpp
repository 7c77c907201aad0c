#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/event/Codes.h"
#include "engine/record/Codes.h"
#include "engine/record/RunFileReader.h"
#include "engine/record/RunFileWriter.h"
#include "tests/event/EventSamples.h"

#include <QtTest>

#include <array>
#include <fstream>
#include <random>

#include <fcntl.h>
#include <linux/capability.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace ringmaster;
namespace fs = std::filesystem;

namespace {

constexpr const char* Helper = RINGMASTER_BUILD_DIR "/tests/record_writer";
constexpr int ForWriter = 120'000;

void write(const fs::path& file, const std::string& bytes)
{
    std::ofstream(file, std::ios::trunc) << bytes;
}

/// Everything that a reader can do; the first error, or None.
Code readAll(const fs::path& file)
{
    const auto reader = RunFileReader::open(file);
    if (!reader)
        return reader.error().code;
    if (const auto events = reader->events(); !events)
        return events.error().code;
    if (const auto snapshot = reader->snapshot(); !snapshot)
        return snapshot.error().code;
    if (const auto page = reader->readLog({}); !page)
        return page.error().code;
    if (const auto page =
            reader->readLog({.direction = LogQuery::Direction::Backward, .ranks = {0}});
        !page)
        return page.error().code;
    return reader->gaps() ? code::None : reader->gaps().error().code;
}

/// root may write anywhere; without these two of its rights, of this thread, it may not.
class WithoutRootsRights
{
public:
    WithoutRootsRights()
    {
        (void)::syscall(SYS_capget, &m_header, m_before.data());
        auto reduced = m_before;
        reduced[0].effective &= ~(1U << CAP_DAC_OVERRIDE | 1U << CAP_DAC_READ_SEARCH);
        (void)::syscall(SYS_capset, &m_header, reduced.data());
    }
    WithoutRootsRights(const WithoutRootsRights&) = delete;
    WithoutRootsRights& operator=(const WithoutRootsRights&) = delete;
    ~WithoutRootsRights() { (void)::syscall(SYS_capset, &m_header, m_before.data()); }

private:
    __user_cap_header_struct m_header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, 2> m_before{};
};

void execute(const fs::path& file, const char* statements)
{
    sqlite3* database = nullptr;
    QCOMPARE(sqlite3_open(file.c_str(), &database), SQLITE_OK);
    char* error = nullptr;
    QVERIFY2(sqlite3_exec(database, statements, nullptr, nullptr, &error) == SQLITE_OK, error);
    sqlite3_close(database);
}

} // namespace

class tst_run_file_damage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_file = folder() / "run.ringrun";
    }

    void opensAfterItsWriterWasKilledAtAnyMoment()
    {
        std::mt19937 random(7);
        std::uint64_t written = 0;
        for (int round = 0; round < 20; ++round) {
            QProcess writer;
            writer.start(Helper, {"flood", QString::fromStdString(m_file.string())});
            QVERIFY(writer.waitForReadyRead(ForWriter));
            // The moment, not a condition, is what this is about.
            (void)writer.waitForFinished(static_cast<int>(random() % 40));
            writer.kill();
            QVERIFY(writer.waitForFinished());

            const auto reader = RunFileReader::open(m_file);
            QVERIFY2(reader.has_value(), reader ? "" : describe(reader.error()).c_str());
            const std::uint64_t last = reader->lastSequence().value();
            QVERIFY2(last >= written + 1000, "what was flushed is there");
            std::uint64_t expected = written;
            for (auto events = reader->events(expected).value(); !events.empty();
                 events = reader->events(expected).value()) {
                for (const Event& event : events)
                    QCOMPARE(event.runSequence, ++expected);
            }
            QCOMPARE(expected, last);
            QVERIFY(reader->readLog({}).has_value());
            written = last;
        }
    }

    void keepsEventsWhileTheDiskIsFull_data()
    {
        QTest::addColumn<QString>("mode");
        QTest::newRow("file size limit") << "limited";
        QTest::newRow("full file system") << "full";
    }

    void keepsEventsWhileTheDiskIsFull()
    {
        QFETCH(QString, mode);
        const fs::path target = mode == "full" ? folder() : m_file;
        QProcess writer;
        writer.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        writer.start(Helper, {mode, QString::fromStdString(target.string())});
        QVERIFY(writer.waitForFinished(ForWriter));
        if (writer.exitCode() == 77)
            QSKIP("a file system can't be mounted here");
        QCOMPARE(QString(writer.readAllStandardOutput()),
                 QString("RecordStalled\nRecordResumed\nwhole\n"));
        QCOMPARE(writer.exitCode(), 0);
    }

    void saysThatATruncatedFileIsDamaged()
    {
        makeFinished();
        const std::string whole = readFile(m_file).value();
        const fs::path cut = folder() / "cut.ringrun";
        std::mt19937 random(7);
        std::vector<size_t> lengths{0, 1, 15, 16, 17, 99, 100, 101, 4095, 4096, whole.size() - 1};
        for (int i = 0; i < 200; ++i)
            lengths.push_back(random() % whole.size());
        for (const size_t length : lengths) {
            write(cut, whole.substr(0, length));
            const Code code = readAll(cut);
            QVERIFY2(code == code::RunFileDamaged,
                     (std::to_string(length) + std::string(codeName(code))).c_str());
        }
    }

    void survivesAnyWrongByte()
    {
        makeFinished();
        const std::string whole = readFile(m_file).value();
        const fs::path broken = folder() / "broken.ringrun";
        std::mt19937 random(7);
        for (int i = 0; i < 300; ++i) {
            std::string bytes = whole;
            for (unsigned changes = 0; changes < 1 + random() % 8; ++changes)
                bytes[random() % (i % 2 == 0 ? bytes.size() : 8192)] = static_cast<char>(random());
            write(broken, bytes);
            (void)readAll(broken);
        }
    }

    void tellsWhatIsNoRunFile()
    {
        QVERIFY(readAll(folder() / "none") == code::FileNotFound);
        write(m_file, "# text, and a good deal of it");
        QVERIFY(readAll(m_file) == code::RunFileNotOne);
        fs::remove(m_file);
        execute(m_file, "CREATE TABLE other(x)");
        QVERIFY(readAll(m_file) == code::RunFileNotOne);
        QVERIFY(RunFileReader::open(folder()).error().code != code::None);
    }

    void refusesAFileOfANewerVersionAndSaysWhich()
    {
        makeFinished();
        execute(m_file, "PRAGMA user_version = 1000; UPDATE meta SET value = '9.9' "
                        "WHERE name = 'ringmaster'");
        const auto reader = RunFileReader::open(m_file);
        QVERIFY(reader.error().code == code::RunFileNewer);
        QCOMPARE(reader.error().parameters.at("version"), std::string("9.9"));
        QVERIFY(RunFileWriter::open(m_file, {.run = "run-1"}).error().code == code::RunFileNewer);
    }

    void refusesAFileThatHoldsMoreThanTables()
    {
        for (const char* addition :
             {"CREATE VIEW v AS SELECT 1",
              "CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM events; END",
              "ALTER TABLE events RENAME TO kept; CREATE VIEW events AS SELECT * FROM kept"}) {
            fs::remove(m_file);
            makeFinished();
            execute(m_file, addition);
            QVERIFY2(readAll(m_file) == code::RunFileDamaged, addition);
        }
    }

    void refusesAFileWithOtherColumns()
    {
        makeFinished();
        execute(m_file, "ALTER TABLE events RENAME COLUMN body TO other");
        QVERIFY(readAll(m_file) == code::RunFileDamaged);
    }

    void showsAnEventThatItCantReadAsANotice()
    {
        makeFinished();
        execute(m_file, "UPDATE events SET body = x'FFFF' WHERE run_sequence = 2;"
                        "UPDATE events SET body = x'9A06020801' WHERE run_sequence = 3;"
                        "UPDATE events SET source = 77 WHERE run_sequence = 4");
        const auto events = RunFileReader::open(m_file)->events(1, {.events = 3}).value();
        QVERIFY(std::get<Notice>(events[0].body).message.code == code::MalformedMessage);
        QVERIFY(std::get<Notice>(events[1].body).message.code == code::NewerEvent);
        QCOMPARE(events[2].runSequence, std::uint64_t(4));
    }

    void opensAKilledWritersFileWhereItCantWrite()
    {
        const auto writer = RunFileWriter::open(m_file, {.run = "run-1"});
        (*writer)->append(samples::event(1, Notice{}));
        QVERIFY((*writer)->flush().has_value());
        // As a kill leaves it: the event is only in the journal.
        const fs::path left = folder() / "left";
        fs::create_directory(left);
        for (const char* suffix : {"", "-wal"})
            fs::copy_file(m_file.string() + suffix, left / ("run.ringrun" + std::string(suffix)));
        QCOMPARE(::chmod(left.c_str(), 0500), 0);
        const WithoutRootsRights plain;
        QVERIFY2(::open((left / "new").c_str(), O_CREAT | O_WRONLY, 0600) < 0, "can't be written");
        const QByteArray before = qgetenv("TMPDIR");
        qputenv("TMPDIR", "/nowhere");
        const auto refused = RunFileReader::open(left / "run.ringrun");
        before.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", before);
        QCOMPARE(refused ? code::None : refused.error().code, code::FolderNotWritable);
        const auto reader = RunFileReader::open(left / "run.ringrun");
        QCOMPARE(::chmod(left.c_str(), 0700), 0);
        QVERIFY2(reader.has_value(), reader ? "" : describe(reader.error()).c_str());
        QCOMPARE(reader->lastSequence().value(), std::uint64_t(1));
        QCOMPARE(std::distance(fs::directory_iterator(left), {}), 2);
    }

private:
    fs::path folder() const { return m_folder->path().toStdString(); }

    void makeFinished() const
    {
        const auto writer = RunFileWriter::open(m_file, {.run = "run-1"});
        QVERIFY(writer.has_value());
        const int log = (*writer)->addLogFile({0, 0, Stream::Stdout, folder() / "log"});
        const auto bodies = samples::everyBody();
        for (std::uint64_t i = 1; i <= 300; ++i) {
            (*writer)->append(samples::event(i, bodies[i % bodies.size()]));
            (*writer)->appendLog({log, {static_cast<std::int64_t>(i) << 30U, 0}, i * 3, 3});
        }
        QVERIFY((*writer)->finish().has_value());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_file;
};

QTEST_GUILESS_MAIN(tst_run_file_damage)
#include "tst_run_file_damage.moc"

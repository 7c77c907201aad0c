#include "engine/ledger/Codes.h"
#include "engine/ledger/LedgerReader.h"
#include "engine/ledger/LedgerWriter.h"
#include "engine/ledger/Moments.h"
#include "engine/ledger/PollPace.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <csignal>
#include <fstream>
#include <random>
#include <thread>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace ringmaster;
using namespace ringmaster::ledger;
using namespace std::chrono_literals;

namespace {

constexpr LedgerSegment::Size Small{1024, 4096, 4096};

LedgerSegment segmentOf(LedgerSegment::Size size = Small)
{
    return LedgerSegment::create({.run = "r", .rank = 3}, size).value();
}

std::unique_ptr<LedgerWriter> writerOf(const LedgerSegment& segment)
{
    return LedgerWriter::attach(segment.path().c_str(), Recorder::CallSites, "1.2").writer;
}

/// Every field follows from the number, so that a mixed record shows.
Call callNumber(std::uint64_t number)
{
    Call call;
    call.kind = static_cast<OperationKind>(number % OperationKinds);
    call.type = static_cast<DataType>(number % DataTypes);
    call.group = static_cast<std::uint32_t>(number * 7);
    call.peer = static_cast<std::int32_t>(number % 1000);
    call.tag = static_cast<std::int32_t>(number % 77);
    call.number = number;
    call.bytes = number * 3;
    call.elements = number * 5;
    call.backend = static_cast<Backend>(number % Backends);
    call.site = static_cast<std::uint16_t>(number);
    return call;
}

bool isWhole(const Record& record)
{
    const Call call = callNumber(record.number);
    return record.kind == call.kind && record.type == call.type && record.group == call.group &&
           record.peer == call.peer && record.tag == call.tag && record.bytes == call.bytes &&
           record.elements == call.elements && record.backend == call.backend &&
           record.site == call.site &&
           record.enqueuedNs == static_cast<std::int64_t>(record.number);
}

/// The shared memory as a worker out of its mind sees it.
class Scribbler
{
public:
    explicit Scribbler(const LedgerSegment& segment)
        : m_size(
              fileBytes(segment.size().slots, segment.size().groupBytes, segment.size().siteBytes))
    {
        const int fd = ::open(segment.path().c_str(), O_RDWR | O_CLOEXEC);
        m_bytes =
            static_cast<char*>(::mmap(nullptr, m_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
        ::close(fd);
    }
    ~Scribbler() { ::munmap(m_bytes, m_size); }
    Scribbler(const Scribbler&) = delete;
    Scribbler& operator=(const Scribbler&) = delete;

    Header& header() { return *reinterpret_cast<Header*>(m_bytes); }
    char* bytes() { return m_bytes; }
    size_t size() const { return m_size; }

private:
    size_t m_size;
    char* m_bytes;
};

} // namespace

class tst_ledger : public QObject
{
    Q_OBJECT

private:
    const LedgerReader::Clock::time_point m_now = LedgerReader::Clock::now();

    static QString helper() { return QStringLiteral(RINGMASTER_BUILD_DIR "/tests/ledger_writer"); }

    static void start(QProcess& process, const LedgerSegment& segment, const QString& doing)
    {
        process.start(helper(), {QString::fromStdString(segment.path()), doing});
        QVERIFY(process.waitForReadyRead(30'000));
        QCOMPARE(process.readLine(), QByteArray("ready\n"));
    }

private Q_SLOTS:
    void aRecordArrivesAsItWasWritten()
    {
        const LedgerSegment segment = segmentOf();
        LedgerReader reader(segment);
        QVERIFY(!reader.isWritten());
        const auto writer = writerOf(segment);
        QVERIFY(writer && reader.isWritten());
        Call call = callNumber(4);
        call.name = "a name that is longer than there is room";
        call.reduction = Reduction::Max;
        const std::uint64_t operation = writer->begin(call, 100);
        writer->end(operation, call, 100, 200, 300, false, {400, true});
        std::vector<Record> records;
        QCOMPARE(reader.read(records, m_now), size_t(3));
        QCOMPARE(records[0].record, RecordKind::Attached);
        QCOMPARE(records[0].recorder, Recorder::CallSites);
        QCOMPARE(records[0].operation, static_cast<std::uint64_t>(::getpid()));
        QCOMPARE(QByteArray(records[0].name), QByteArray("1.2"));
        const Record& open = records[1];
        QCOMPARE(open.record, RecordKind::Open);
        QCOMPARE(open.operation, operation);
        QCOMPARE(open.enqueuedNs, std::int64_t(100));
        QCOMPARE(open.bytes, std::uint64_t(12));
        QVERIFY(open.backend == call.backend && open.site == 4);
        QCOMPARE(open.reduction, Reduction::Max);
        QCOMPARE(QByteArray(open.name, sizeof open.name), QByteArray("a name that is longer th"));
        QCOMPARE(open.thread, static_cast<std::uint32_t>(::gettid()));
        const Record& done = records[2];
        QCOMPARE(done.record, RecordKind::Done);
        QCOMPARE(done.operation, operation);
        QVERIFY(done.startedNs == 200 && done.endedNs == 300 && done.number == 4);
        QVERIFY(done.returnedNs == 400 && done.isAwaited == 1);
        QCOMPARE(reader.lost(), std::uint64_t(0));
        QCOMPARE(reader.read(records, m_now), size_t(0));
    }

    void writersAndAReaderAtOnceMixNoRecords()
    {
        constexpr int Threads = 4;
        constexpr std::uint64_t Each = 20'000;
        const LedgerSegment segment = segmentOf();
        LedgerReader reader(segment);
        const auto writer = writerOf(segment);
        std::atomic<int> running = Threads;
        std::vector<std::thread> threads;
        for (std::uint64_t thread = 0; thread < Threads; ++thread) {
            threads.emplace_back([&, thread] {
                for (std::uint64_t i = 1; i <= Each; ++i) {
                    const std::uint64_t number = i * Threads + thread;
                    writer->begin(callNumber(number), static_cast<std::int64_t>(number));
                }
                --running;
            });
        }
        std::vector<Record> records;
        while (running > 0)
            reader.read(records, LedgerReader::Clock::now());
        for (std::thread& thread : threads)
            thread.join();
        // What is left incomplete or was dropped is given up.
        for (auto now = LedgerReader::Clock::now(); reader.fill() > 0;
             now += LedgerReader::Patience)
            reader.read(records, now);
        QCOMPARE(records.size() + reader.lost(), 1 + Threads * Each);
        QVERIFY(records.size() > 1);
        std::map<std::uint64_t, std::uint64_t> lastOfThread;
        for (size_t i = 1; i < records.size(); ++i) {
            QVERIFY(isWhole(records[i]));
            std::uint64_t& last = lastOfThread[records[i].number % Threads];
            QVERIFY(records[i].number > last);
            last = records[i].number;
        }
    }

    void saysHowManyRecordsWereOverwritten()
    {
        const LedgerSegment segment = segmentOf();
        LedgerReader reader(segment);
        const auto writer = writerOf(segment);
        for (std::uint64_t i = 1; i <= 3 * 1024; ++i)
            writer->begin(callNumber(i), static_cast<std::int64_t>(i));
        QCOMPARE(reader.fill(), 1.0);
        std::vector<Record> records;
        QCOMPARE(reader.read(records, m_now), size_t(1024));
        QCOMPARE(records.front().number, std::uint64_t(2 * 1024 + 1));
        QCOMPARE(reader.lost(), std::uint64_t(2 * 1024 + 1)); // and who attached itself
    }

    void readsNoMoreThanItIsAskedFor()
    {
        const LedgerSegment segment = segmentOf();
        LedgerReader reader(segment);
        const auto writer = writerOf(segment);
        for (std::uint64_t i = 1; i <= 20; ++i)
            writer->begin(callNumber(i), 0);
        std::vector<Record> records;
        QCOMPARE(reader.read(records, m_now, 8), size_t(8));
        QCOMPARE(reader.read(records, m_now, 8), size_t(8));
        QCOMPARE(reader.read(records, m_now, 8), size_t(5));
    }

    void whatAKilledWriterWasDoingIsStillThere()
    {
        const LedgerSegment segment = segmentOf();
        LedgerReader reader(segment);
        QProcess process;
        start(process, segment, "wait");
        process.kill();
        QVERIFY(process.waitForFinished());
        std::vector<Record> records;
        reader.read(records, m_now);
        QCOMPARE(records.size(), size_t(2));
        QCOMPARE(records[1].record, RecordKind::Open);
        QCOMPARE(records[1].kind, OperationKind::AllReduce);
    }

    void aWriterKilledAnywhereLeavesWholeRecords()
    {
        for (int round = 0; round < 5; ++round) {
            const LedgerSegment segment = segmentOf();
            LedgerReader reader(segment);
            QProcess process;
            start(process, segment, "flood");
            std::vector<Record> records;
            while (records.size() < 20'000)
                reader.read(records, LedgerReader::Clock::now());
            process.kill();
            QVERIFY(process.waitForFinished());
            for (auto now = LedgerReader::Clock::now(); reader.fill() > 0;
                 now += LedgerReader::Patience)
                reader.read(records, now);
            for (const Record& record : records) {
                if (record.record == RecordKind::Open && record.number > 1)
                    QCOMPARE(record.bytes, record.number * 3);
            }
            // The next process finds no slot locked.
            const auto writer = writerOf(segment);
            QVERIFY(writer != nullptr);
            const std::uint64_t lost = reader.lost();
            for (std::uint64_t i = 1; i < Small.slots; ++i)
                writer->begin(callNumber(i), 0);
            records.clear();
            QCOMPARE(reader.read(records, LedgerReader::Clock::now()), size_t(Small.slots));
            QCOMPARE(reader.lost(), lost);
        }
    }

    void aRecordThatIsNeverFinishedHoldsUpForAWhileOnly()
    {
        const LedgerSegment segment = segmentOf();
        LedgerReader reader(segment);
        const auto writer = writerOf(segment);
        Scribbler(segment).header().head += 1; // taken, and not written
        writer->begin(callNumber(1), 0);
        std::vector<Record> records;
        QCOMPARE(reader.read(records, m_now), size_t(1));
        QCOMPARE(reader.read(records, m_now + 50ms), size_t(0));
        QCOMPARE(reader.read(records, m_now + 100ms), size_t(1));
        QCOMPARE(reader.lost(), std::uint64_t(0));
        QVERIFY(reader.fill() > 0);
        QCOMPARE(reader.read(records, m_now + 100ms + LedgerReader::LongPatience), size_t(0));
        QCOMPARE(reader.lost(), std::uint64_t(1));
        QCOMPARE(reader.fill(), 0.0);
    }

    /// Its thread was paused after it had taken its place: others went past, and it comes late.
    void aRecordThatIsFinishedLaterIsNotLost()
    {
        const LedgerSegment segment = segmentOf();
        LedgerReader reader(segment);
        const auto writer = writerOf(segment);
        writer->begin(callNumber(1), 0);
        writer->begin(callNumber(2), 0);
        Scribbler scribbler(segment);
        auto* slot = reinterpret_cast<std::uint64_t*>(scribbler.bytes() + HeaderBytes +
                                                      Small.groupBytes + Small.siteBytes + 128);
        const std::uint64_t done = std::exchange(*slot, 0); // the first call's, behind Attached
        std::vector<Record> records;
        QCOMPARE(reader.read(records, m_now), size_t(1));
        QCOMPARE(reader.read(records, m_now + LedgerReader::Patience), size_t(1));
        QCOMPARE(records.back().number, std::uint64_t(2));
        writer->begin(callNumber(3), 0);
        *slot = done;
        QCOMPARE(reader.read(records, m_now + 200ms), size_t(2));
        QCOMPARE(records[2].number, std::uint64_t(1)); // before what came after it
        QCOMPARE(records[3].number, std::uint64_t(3));
        QCOMPARE(reader.lost(), std::uint64_t(0));
    }

    void refusesWhatIsNoLedgerOfItsOwn_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<int>("refusal");
        using Refusal = LedgerWriter::Refusal;
        QTest::newRow("missing") << "missing" << static_cast<int>(Refusal::NotReadable);
        QTest::newRow("folder") << "folder" << static_cast<int>(Refusal::NotReadable);
        QTest::newRow("device") << "device" << static_cast<int>(Refusal::NotOne);
        QTest::newRow("short") << "short" << static_cast<int>(Refusal::NotOne);
        QTest::newRow("foreign") << "foreign" << static_cast<int>(Refusal::NotOne);
        QTest::newRow("version") << "version" << static_cast<int>(Refusal::OtherVersion);
        QTest::newRow("slots") << "slots" << static_cast<int>(Refusal::NotOne);
        QTest::newRow("cut") << "cut" << static_cast<int>(Refusal::NotOne);
    }

    void refusesWhatIsNoLedgerOfItsOwn()
    {
        QFETCH(QString, what);
        QFETCH(int, refusal);
        const QTemporaryDir folder;
        const LedgerSegment segment = segmentOf();
        std::string bytes;
        {
            Scribbler scribbler(segment);
            bytes.assign(scribbler.bytes(), scribbler.size());
        }
        Header header{};
        std::memcpy(&header, bytes.data(), sizeof header);
        if (what == "foreign")
            header.magic = 1;
        if (what == "version")
            header.version = Version + 1;
        if (what == "slots")
            header.slots = 3;
        std::memcpy(bytes.data(), &header, sizeof header);
        if (what == "short")
            bytes.resize(100);
        if (what == "cut")
            bytes.resize(bytes.size() - 128);
        std::string path = folder.filePath("ledger").toStdString();
        if (what != "missing")
            std::ofstream(path) << bytes;
        if (what == "folder")
            path = folder.path().toStdString();
        if (what == "device")
            path = "/dev/null";
        const auto attached = LedgerWriter::attach(path.c_str(), Recorder::CallSites);
        QVERIFY(!attached.writer);
        QCOMPARE(static_cast<int>(attached.refusal), refusal);
        if (what == "version")
            QCOMPARE(attached.found, Version + 1);
    }

    void aLivingProcessKeepsItsLedger()
    {
        const LedgerSegment segment = segmentOf();
        QProcess process;
        start(process, segment, "wait");
        const auto refused = LedgerWriter::attach(segment.path().c_str(), Recorder::CallSites);
        QVERIFY(!refused.writer);
        QCOMPARE(refused.refusal, LedgerWriter::Refusal::Taken);
        QCOMPARE(refused.found, static_cast<std::uint32_t>(process.processId()));
        process.kill();
        QVERIFY(process.waitForFinished());
        QVERIFY(writerOf(segment) != nullptr);
    }

    void aProcessThatReplacesItselfGoesOnInItsLedger()
    {
        const LedgerSegment segment = segmentOf();
        LedgerReader reader(segment);
        QProcess process;
        start(process, segment, "exec");
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 0);
        std::vector<Record> records;
        reader.read(records, m_now);
        std::vector<RecordKind> kinds;
        for (const Record& record : records)
            kinds.push_back(record.record);
        const std::vector<RecordKind> expected{RecordKind::Attached, RecordKind::Open,
                                               RecordKind::Attached, RecordKind::Open,
                                               RecordKind::Done};
        QCOMPARE(kinds, expected);
        QCOMPARE(records[2].operation, records[0].operation);
    }

    void describesGroupsAndCountsThoseWithoutRoom()
    {
        const LedgerSegment segment = segmentOf();
        LedgerReader reader(segment);
        const auto writer = writerOf(segment);
        QCOMPARE(writer->addGroup("default", {0, 1, 2}), 0U);
        QCOMPARE(writer->addGroup(std::string(500, 'x'), {}), 1U);
        std::vector<LedgerGroup> groups = reader.readGroups();
        QCOMPARE(groups.size(), size_t(2));
        QCOMPARE(groups[0], (LedgerGroup{0, "default", {0, 1, 2}}));
        QCOMPARE(groups[1].name.size(), size_t(LongestGroupName));
        QVERIFY(reader.readGroups().empty());
        for (int i = 0; i < 5000; ++i)
            writer->addGroup("g", {i});
        groups = reader.readGroups();
        QVERIFY(!groups.empty());
        QCOMPARE(groups[0], (LedgerGroup{2, "g", {0}}));
        QCOMPARE(groups.size() + reader.groupsUnnamed(), size_t(5000));
        QCOMPARE(writer->addGroup("last", {}), 5002U);
    }

    void describesCallSitesAndCountsThoseWithoutRoom()
    {
        const LedgerSegment segment = segmentOf();
        LedgerReader reader(segment);
        const auto writer = writerOf(segment);
        QCOMPARE(writer->addSite("/home/me/train.py", "step", 88), std::uint16_t(1));
        std::string file(2000, 'a');
        file += "/end.py";
        QCOMPARE(writer->addSite(file, std::string(500, 'f'), 1), std::uint16_t(2));
        std::vector<CallSite> sites = reader.readSites();
        QCOMPARE(sites.size(), size_t(2));
        QCOMPARE(sites[0], (CallSite{1, "/home/me/train.py", "step", 88}));
        QVERIFY(sites[1].file.ends_with("/end.py") && sites[1].file.size() == LongestSiteFile);
        QCOMPARE(sites[1].function.size(), LongestSiteFunction);
        QVERIFY(reader.readSites().empty());
        int described = 0;
        for (std::uint32_t line = 0; line < 1000; ++line)
            described += writer->addSite("a.py", "f", line) != 0 ? 1 : 0;
        QVERIFY(described > 0 && described < 1000);
        QCOMPARE(reader.readSites().size(), static_cast<size_t>(described));
        QCOMPARE(Scribbler(segment).header().sitesUnnamed,
                 static_cast<std::uint32_t>(1000 - described));
    }

    void aSiteThatNoWriterNumbersIsNotBelieved()
    {
        const LedgerSegment segment = segmentOf();
        LedgerReader reader(segment);
        Scribbler scribbler(segment);
        const SiteEntry entry{.bytes = sizeof entry, .line = 1, .site = MostSites + 1};
        std::memcpy(scribbler.bytes() + HeaderBytes + Small.groupBytes, &entry, sizeof entry);
        scribbler.header().sitesUsed = sizeof entry;
        QVERIFY(reader.readSites().empty());
    }

    void ringsOnceWhenHalfFull()
    {
        const LedgerSegment segment = segmentOf();
        LedgerReader reader(segment);
        const auto writer = writerOf(segment);
        const Pipe bell = makePipe().value();
        QVERIFY(setNonBlocking(bell.readEnd.get()).has_value());
        writer->setBell(bell.writeEnd.get());
        std::array<char, 16> rung{};
        for (std::uint64_t i = 1; i < 512; ++i)
            writer->begin(callNumber(i), 0);
        QCOMPARE(::read(bell.readEnd.get(), rung.data(), rung.size()), ssize_t(-1));
        for (std::uint64_t i = 512; i < 600; ++i)
            writer->begin(callNumber(i), 0);
        QCOMPARE(::read(bell.readEnd.get(), rung.data(), rung.size()), ssize_t(1));
        std::vector<Record> records;
        reader.read(records, m_now);
        for (std::uint64_t i = 1; i < 600; ++i)
            writer->begin(callNumber(i), 0);
        QCOMPARE(::read(bell.readEnd.get(), rung.data(), rung.size()), ssize_t(1));
    }

    void nothingThatStandsInALedgerIsBelieved()
    {
        std::mt19937_64 random(7);
        for (int round = 0; round < 50; ++round) {
            const LedgerSegment segment = segmentOf();
            LedgerReader reader(segment);
            Scribbler scribbler(segment);
            for (size_t at = 0; at + 8 <= scribbler.size(); at += 8) {
                const std::uint64_t value = random() >> (random() % 64);
                std::memcpy(scribbler.bytes() + at, &value, sizeof value);
            }
            scribbler.header().head = round % 2 == 0 ? random() : 1000;
            for (std::uint64_t ticket = 0; ticket < 1024; ++ticket) {
                const std::uint64_t state = stateOf(ticket);
                std::memcpy(scribbler.bytes() + HeaderBytes + Small.groupBytes + Small.siteBytes +
                                ticket * 128,
                            &state, sizeof state);
            }
            std::vector<Record> records;
            auto now = m_now;
            for (int i = 0; i < 2000 && reader.fill() > 0; ++i)
                reader.read(records, now += LedgerReader::Patience);
            for (const Record& record : records) {
                QVERIFY(static_cast<int>(record.kind) < OperationKinds);
                QVERIFY(record.record != RecordKind::None);
                for (const std::int64_t ns : {record.enqueuedNs, record.startedNs, record.endedNs})
                    QVERIFY(ns >= 0 && isMoment(ns));
            }
            QVERIFY(records.size() <= 1024);
            for (const LedgerGroup& group : reader.readGroups())
                QVERIFY(group.name.size() <= LongestGroupName);
            for (const CallSite& site : reader.readSites())
                QVERIFY(site.site > 0 && site.site <= MostSites &&
                        site.file.size() <= LongestSiteFile);
            scribbler.header().head = 0; // backwards
            QCOMPARE(reader.read(records, now), size_t(0));
        }
    }

    void saysSoWhenThereIsNoRoom()
    {
        const auto usual = std::signal(SIGXFSZ, SIG_IGN);
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
        const rlimit tight{1U << 20U, before.rlim_max};
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &tight), 0);
        const auto refused = LedgerSegment::create({.run = "r", .rank = 5});
        ::setrlimit(RLIMIT_FSIZE, &before);
        (void)std::signal(SIGXFSZ, usual);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, code::LedgerNotMade);
        QCOMPARE(refused.error().parameters.at("rank"), std::string("5"));
    }

    void looksMoreOftenTheFullerItFindsTheLedgers()
    {
        PollPace pace;
        QCOMPARE(pace.after(0), PollPace::Longest);
        QVERIFY(pace.after(0.3) < PollPace::Longest);
        for (int i = 0; i < 10; ++i)
            pace.after(0.9);
        QCOMPARE(pace.after(0.9), PollPace::Shortest);
        QCOMPARE(pace.after(0.1), PollPace::Shortest);
        for (int i = 0; i < 10; ++i)
            pace.after(0.01);
        QCOMPARE(pace.after(0.01), PollPace::Longest);
    }
};

QTEST_GUILESS_MAIN(tst_ledger)
#include "tst_ledger.moc"

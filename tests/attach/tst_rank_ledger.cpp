#include "engine/attach/JobLedgers.h"
#include "engine/attach/RankLedger.h"
#include "engine/base/FileDescriptor.h"
#include "engine/ledger/LedgerMemory.h"
#include "engine/ledger/LedgerWriter.h"
#include "tests/TestMain.h"

#include <QTemporaryDir>
#include <QtTest>

#include <random>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace ringmaster;
using namespace ringmaster::ledger;

namespace {

ProcessIdentity self()
{
    return identityOf(::getpid()).value();
}

std::string pathOf(const FileDescriptor& file)
{
    return "/proc/self/fd/" + std::to_string(file.get());
}

FileDescriptor ledgerOf(int rank)
{
    return FileDescriptor(makeMemory({}, "", rank, 0));
}

std::unique_ptr<LedgerWriter> writerOf(const FileDescriptor& file)
{
    return LedgerWriter::attach(pathOf(file).c_str(), Recorder::Python, "2.11").writer;
}

Call allReduce(std::uint64_t number)
{
    Call call;
    call.kind = OperationKind::AllReduce;
    call.caller = Caller::Waits;
    call.number = number;
    return call;
}

void put(const FileDescriptor& file, std::size_t at, const std::string& bytes)
{
    QCOMPARE(::pwrite(file.get(), bytes.data(), bytes.size(), static_cast<off_t>(at)),
             static_cast<ssize_t>(bytes.size()));
}

/// Memory of the ledger's name and size that isn't made by makeMemory().
FileDescriptor memoryLike(std::size_t bytes, int seals)
{
    FileDescriptor file(::memfd_create("ringmaster-ledger", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    const FileDescriptor real = ledgerOf(0);
    std::string header(HeaderBytes, '\0');
    (void)!::pread(real.get(), header.data(), header.size(), 0);
    (void)!::pwrite(file.get(), header.data(), header.size(), 0);
    (void)!::ftruncate(file.get(), static_cast<off_t>(bytes));
    ::fcntl(file.get(), F_ADD_SEALS, seals);
    return file;
}

constexpr int Whole = F_SEAL_SHRINK | F_SEAL_GROW;

} // namespace

/// Ledgers that ranks make of themselves, and what pretends to be one.
class tst_rank_ledger : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatARankHasRecordedIsRead()
    {
        QVERIFY(!RankLedger::of(self()));
        const FileDescriptor file = ledgerOf(5);
        QVERIFY(!RankLedger::of(self())); // nobody has written there
        const auto writer = writerOf(file);
        Call call = allReduce(7);
        call.group = writer->addGroup("0", {0, 5});
        call.site = writer->addSite("/home/me/train.py", "step", 88);
        writer->begin(call, monotonicNs());

        const auto found = RankLedger::of(self());
        QVERIFY(found);
        QCOMPARE(found->rank(), 5);
        found->read();
        QCOMPARE(found->track().running().size(), size_t(1));
        const Operation& running = found->track().running().begin()->second;
        QCOMPARE(running.number, std::uint64_t(7));
        QCOMPARE(found->track().siteOf(running)->line, std::uint32_t(88));
    }

    void nothingIsWrittenThere()
    {
        const FileDescriptor file = ledgerOf(0);
        const auto writer = writerOf(file);
        writer->end(writer->begin(allReduce(1), 1), allReduce(1), 1, 2, 3);
        std::string before(MemorySize().bytes(), '\0');
        QCOMPARE(::pread(file.get(), before.data(), before.size(), 0),
                 static_cast<ssize_t>(before.size()));
        RankLedger::of(self())->read();
        std::string after(before.size(), '\0');
        QCOMPARE(::pread(file.get(), after.data(), after.size(), 0),
                 static_cast<ssize_t>(after.size()));
        QVERIFY(before == after);
    }

    void ofALongRunTheLatestIsThere()
    {
        const FileDescriptor file = ledgerOf(0);
        const auto writer = writerOf(file);
        const std::uint64_t many = 3U * MemorySize().slots;
        for (std::uint64_t number = 1; number <= many; ++number)
            writer->end(writer->begin(allReduce(number), 1), allReduce(number), 1, 2, 3);
        writer->begin(allReduce(many + 1), monotonicNs());
        const auto found = RankLedger::of(self());
        found->read();
        QCOMPARE(found->track().lastEnded()->number, many);
        QCOMPARE(found->track().running().begin()->second.number, many + 1);
    }

    /// A forked child has its parent's descriptors.
    void anotherProcesssLedgerIsntOnesOwn()
    {
        const FileDescriptor file = ledgerOf(0);
        const auto writer = writerOf(file);
        QVERIFY(RankLedger::of(self()));
        const std::uint32_t other = 1;
        put(file, offsetof(Header, writerPid),
            std::string(reinterpret_cast<const char*>(&other), sizeof other));
        QVERIFY(!RankLedger::of(self()));
    }

    void whoIsGoneHasNone()
    {
        ProcessIdentity gone = self();
        const FileDescriptor file = ledgerOf(0);
        const auto writer = writerOf(file);
        ++gone.startTime; // its number is another one's by now
        QVERIFY(!RankLedger::of(gone));
        QVERIFY(!RankLedger::of({.pid = 1 << 30, .startTime = 1}));
    }

    void whatIsNoneIsRefused()
    {
        const auto isRefused = [](const std::string& path) {
            return !LedgerSegment::open(path, ::getuid()).has_value();
        };
        const std::size_t bytes = MemorySize().bytes();
        QVERIFY(!isRefused(pathOf(memoryLike(bytes, Whole))));
        QVERIFY(isRefused(pathOf(memoryLike(bytes, 0))));
        QVERIFY(isRefused(pathOf(memoryLike(bytes, F_SEAL_GROW))));
        QVERIFY(isRefused(pathOf(memoryLike(bytes - 8, Whole))));
        QVERIFY(isRefused(pathOf(memoryLike(bytes * 1000, Whole))));
        QVERIFY(isRefused("/nowhere"));
        QVERIFY(isRefused("/dev/zero"));
        QVERIFY(isRefused("/proc/self/fd/999999"));
        const FileDescriptor good = ledgerOf(0);
        QVERIFY(!LedgerSegment::open(pathOf(good), ::getuid() + 1).has_value());

        QTemporaryDir folder;
        const std::string link = folder.filePath(QStringLiteral("ledger")).toStdString();
        const FileDescriptor plain(::open(link.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
        QCOMPARE(::ftruncate(plain.get(), static_cast<off_t>(bytes)), 0);
        QVERIFY(isRefused(link)); // anybody could cut it short under the reader
        QCOMPARE(::mkfifo((link + ".pipe").c_str(), 0600), 0);
        QVERIFY(isRefused(link + ".pipe"));
    }

    void anotherVersionIsToldApart()
    {
        const FileDescriptor file = ledgerOf(0);
        const std::uint32_t version = Version + 1;
        put(file, offsetof(Header, version),
            std::string(reinterpret_cast<const char*>(&version), sizeof version));
        const auto opened = LedgerSegment::open(pathOf(file), ::getuid());
        QVERIFY(!opened);
        QVERIFY(describe(opened.error()).find("has version") != std::string::npos);
    }

    void sizesThatStandThereArentBelieved()
    {
        for (const std::size_t field :
             {offsetof(Header, headerBytes), offsetof(Header, recordBytes), offsetof(Header, slots),
              offsetof(Header, groupBytes), offsetof(Header, siteBytes)}) {
            const FileDescriptor file = ledgerOf(0);
            put(file, field, std::string(4, '\x7f'));
            QVERIFY(!LedgerSegment::open(pathOf(file), ::getuid()));
        }
    }

    /// Whatever the process writes there, reading it ends, and so does what follows from it.
    void noiseIsSurvived()
    {
        std::mt19937 random(7);
        for (int round = 0; round < 12; ++round) {
            const FileDescriptor file = ledgerOf(0);
            const auto writer = writerOf(file);
            for (std::uint64_t number = 1; number <= 64; ++number)
                writer->begin(allReduce(number), monotonicNs());
            std::string noise(4096, '\0');
            for (char& byte : noise)
                byte = static_cast<char>(random());
            put(file, offsetof(Header, head), noise.substr(0, 8));
            put(file, offsetof(Header, groupsUsed), noise.substr(8, 24));
            put(file, offsetof(Header, sitesUsed), noise.substr(32, 16));
            put(file, HeaderBytes, noise);
            put(file, HeaderBytes + MemorySize().groupBytes, noise);
            put(file, MemorySize().bytes() - noise.size(), noise);

            ForeignJob job{.worldSize = 2, .ranks = {{.rank = 0, .process = self()}}};
            JobLedgers ledgers(job);
            QVERIFY(!ledgers.isEmpty());
            ledgers.read();
            ledgers.read();
            diagnose::RankView view{.rank = 0};
            view.process.state = diagnose::ProcessView::State::Alive;
            (void)ledgers.judge({view, {.rank = 1}}, monotonicNs());
        }
    }

    void ranksThatSayWhichTheyAreAreNumberedSo()
    {
        const FileDescriptor file = ledgerOf(3);
        const auto writer = writerOf(file);
        ForeignJob job{.areRanksKnown = false, .ranks = {{.rank = 0, .process = self()}}};
        numberByLedgers(job);
        QVERIFY(job.areRanksKnown);
        QCOMPARE(job.ranks.front().rank, 3);
        // Two that say the same are believed neither.
        job = {.areRanksKnown = false,
               .ranks = {{.rank = 0, .process = self()}, {.rank = 1, .process = self()}}};
        numberByLedgers(job);
        QVERIFY(!job.areRanksKnown);
        QCOMPARE(job.ranks.back().rank, 1);
    }
};

QTEST_GUILESS_MAIN(tst_rank_ledger)
#include "tst_rank_ledger.moc"

#include "RecordedProgram.h"
#include "engine/ledger/OperationNames.h"
#include "engine/text/RankList.h"
#include "tests/support/SharedTorch.h"
#include "tests/support/TorchTest.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <filesystem>

using namespace ringmaster;
using namespace ringmaster::ledger;

/// Unmodified programs in real interpreters, through the real hook.
namespace {

/// No object is there for its torch: the agent has one compiled.
bool saysOnlyThatNothingFits(const QByteArray& reports)
{
    const QList<QByteArray> lines = reports.trimmed().split('\n');
    return std::ranges::all_of(
        lines, [](const QByteArray& line) { return line.contains("\"kind\": \"not_compiled\""); });
}

} // namespace

class tst_recording : public test::TorchTest
{
    Q_OBJECT

private:
    /// The programs whose start isn't the point share an import of torch.
    void prepare() override
    {
        if (RINGMASTER_HAS_RECORDER == 0)
            QSKIP("No recorder is compiled: there was no torch when the build was configured.");
        m_torch = std::make_unique<test::SharedTorch>();
    }

    std::unique_ptr<test::SharedTorch> m_torch;

    /// The last record of each operation that ended, in the order of calls. Without the making of
    /// groups, which makingsOf() tells.
    static std::vector<Record> endedOf(RecordedProgram& program, int rank)
    {
        std::map<std::uint64_t, Record> ended;
        for (const Record& record : program.records(rank)) {
            if (record.record == RecordKind::Done && !makesGroup(record.kind))
                ended[record.operation] = record;
        }
        std::vector<Record> records;
        for (const auto& [operation, record] : ended)
            records.push_back(record);
        return records;
    }

    /// In which an operation ended, in the order of their first.
    static std::vector<LedgerGroup> groupsOf(RecordedProgram& program, int rank)
    {
        std::vector<LedgerGroup> groups;
        for (const Record& record : endedOf(program, rank)) {
            const auto& known = program.groups(rank);
            const auto group = std::ranges::find(known, record.group, &LedgerGroup::group);
            if (group != known.end() && std::ranges::find(groups, *group) == groups.end())
                groups.push_back(*group);
        }
        return groups;
    }

    /// "all_reduce#1 g0 float32 16B max -1": what each operation was. The groups are counted in the
    /// order of their first operations.
    static QStringList operationsOf(RecordedProgram& program, int rank)
    {
        std::vector<std::uint32_t> groups;
        QStringList texts;
        for (const Record& record : endedOf(program, rank)) {
            auto group = std::ranges::find(groups, record.group);
            if (group == groups.end())
                group = groups.insert(groups.end(), record.group);
            const auto view = [](std::string_view text) {
                return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
            };
            texts += QString("%1#%2 g%3 %4 %5B %6 %7")
                         .arg(view(nameOf(record.kind)))
                         .arg(record.number)
                         .arg(group - groups.begin())
                         .arg(view(nameOf(record.type)))
                         .arg(record.bytes)
                         .arg(view(nameOf(record.reduction)))
                         .arg(record.peer);
        }
        return texts;
    }

    /// "new_group 2 of 0,1 at every_operation.py:36": what each making of a group was.
    static QStringList makingsOf(RecordedProgram& program, int rank)
    {
        QStringList texts;
        for (const Record& record : program.records(rank)) {
            if (record.record != RecordKind::Done || !makesGroup(record.kind))
                continue;
            const auto& groups = program.groups(rank);
            const auto group = std::ranges::find(groups, record.group, &LedgerGroup::group);
            const auto& sites = program.sites(rank);
            const auto site = std::ranges::find(sites, record.site, &CallSite::site);
            if (group == groups.end() || site == sites.end())
                return {
                    QString("group %1 or place %2 is unknown").arg(record.group).arg(record.site)};
            texts += QString("%1 of %2 at %3:%4")
                         .arg(QString::fromStdString(group->name),
                              QString::fromStdString(rankList(group->members)),
                              QFileInfo(QString::fromStdString(site->file)).fileName())
                         .arg(site->line);
        }
        return texts;
    }

    /// "gloo all_reduce every_operation.py:12", in the order of calls.
    static QStringList placesOf(RecordedProgram& program, int rank)
    {
        QStringList texts;
        for (const Record& record : endedOf(program, rank)) {
            const auto& sites = program.sites(rank);
            const auto site = std::ranges::find(sites, record.site, &CallSite::site);
            if (site == sites.end())
                continue;
            const QString way = QString::fromStdString(wayText(record.backend, record.algorithm));
            const QString file = QFileInfo(QString::fromStdString(site->file)).fileName();
            texts += QString("%1 %2 %3:%4")
                         .arg(way, QString::fromUtf8(nameOf(record.kind).data()), file)
                         .arg(site->line);
        }
        return texts;
    }

    /// A letter an operation: (w)aits, (g)oes on, or ? for unknown.
    static QString callersOf(RecordedProgram& program, int rank)
    {
        QString text;
        for (const Record& record : endedOf(program, rank))
            text += QLatin1Char("?wg"[static_cast<size_t>(record.caller)]);
        return text;
    }

    /// A letter an operation: when its caller (r)eturned is known, or not (-).
    static QString returnsOf(RecordedProgram& program, int rank)
    {
        std::map<std::uint64_t, bool> returned;
        for (const Record& record : program.records(rank)) {
            const bool isOver =
                record.record == RecordKind::Done || record.record == RecordKind::Returned;
            if (isOver && !makesGroup(record.kind))
                returned[record.operation] |= record.returnedNs != 0;
        }
        QString text;
        for (const auto& [operation, is] : returned)
            text += is ? 'r' : '-';
        return text;
    }

    static QStringList everyOperation()
    {
        return {
            "all_reduce#1 g0 float32 16B max -1",
            "broadcast#2 g0 float32 16B  1",
            "reduce#3 g0 float32 16B sum 0",
            "all_gather#4 g0 float32 32B  -1",
            "all_gather_into_tensor#5 g0 float32 32B  -1",
            "reduce_scatter_tensor#6 g0 float32 32B sum -1",
            "all_to_all_single#7 g0 float32 8B  -1",
            "gather#8 g0 float32 32B  0",
            "scatter#9 g0 float32 32B  0",
            "barrier#10 g0  0B  -1",
            "monitored_barrier#11 g0  0B  -1",
            "send#1 g0 int64 24B  1",
            "recv (any)#1 g0 float32 12B  -1",
            "all_reduce#1 g1 bfloat16 4B sum -1",
            "all_reduce#12 g0 float32 16B sum -1",
            "all_reduce#13 g0 float32 20B sum -1",
            "all_reduce#1 g2 float32 4B sum -1",
        };
    }

    static void everythingHasItsTimes(RecordedProgram& program, int rank)
    {
        for (const Record& record : program.records(rank)) {
            if (record.record != RecordKind::Done)
                continue;
            // Who waits in the call may go on before the backend's thread says that it is done.
            QVERIFY(record.returnedNs == 0 || record.returnedNs > record.enqueuedNs);
            QVERIFY(record.enqueuedNs > 0 && record.endedNs >= record.enqueuedNs);
            QVERIFY(record.startedNs == 0 ||
                    (record.startedNs >= record.enqueuedNs && record.endedNs >= record.startedNs));
        }
    }

private Q_SLOTS:
    void recordsEveryOperationOnce()
    {
        RecordedProgram program({.program = "every_operation.py"});
        QVERIFY2(program.finish(), program.output(0) + program.output(1));
        QCOMPARE(program.reports(), QByteArray());
        const QStringList expected = everyOperation();
        QCOMPARE(operationsOf(program, 0), expected);
        QCOMPARE(callersOf(program, 0), QStringLiteral("wwwwwwwwwww??gwgw"));
        for (const int rank : {0, 1}) {
            everythingHasItsTimes(program, rank);
            QCOMPARE(returnsOf(program, rank), QStringLiteral("rrrrrrrrrr-rrrrrr"));
        }
        const QStringList places = placesOf(program, 0);
        QCOMPARE(places.size(), expected.size());
        QCOMPARE(places.first(), QString("gloo all_reduce every_operation.py:12"));
        QCOMPARE(places[1], QString("gloo broadcast every_operation.py:13"));
        QCOMPARE(places[9], QString("gloo barrier every_operation.py:21"));
        QCOMPARE(places[15], QString("gloo all_reduce every_operation.py:37"));
        QStringList other = expected;
        other[11] = "recv#1 g0 int64 24B  0";
        other[12] = "send#1 g0 float32 12B  0";
        QCOMPARE(operationsOf(program, 1), other);
        const std::vector<LedgerGroup> groups = groupsOf(program, 1);
        QCOMPARE(groups.size(), size_t(3));
        QCOMPARE(groups[0].members, (std::vector<int>{0, 1}));
        QCOMPARE(groups[1].members, (std::vector<int>{0, 1}));
        QCOMPARE(groups[2].members, (std::vector<int>{1}));
        QVERIFY(groups[0].name != groups[1].name);
    }

    /// A group of one waits for nobody.
    void recordsTheMakingOfEveryGroup()
    {
        const QTemporaryDir folder;
        RecordedProgram program({.program = "every_operation.py",
                                 .arguments = {folder.filePath("store")},
                                 .python = m_torch->python()});
        QVERIFY2(program.finish(), program.output(0) + program.output(1));
        for (const int rank : {0, 1})
            QCOMPARE(makingsOf(program, rank),
                     (QStringList{"init_process_group 1 of 0, 1 at every_operation.py:8",
                                  "new_group 2 of 0, 1 at every_operation.py:30",
                                  "init_process_group 3 of 0, 1 at every_operation.py:42"}));
    }

    void recordsAfterASecondInit()
    {
        const QTemporaryDir folder;
        RecordedProgram program({.program = "every_operation.py",
                                 .arguments = {folder.filePath("store")},
                                 .python = m_torch->python()});
        QVERIFY2(program.finish(), program.output(0) + program.output(1));
        for (const int rank : {0, 1})
            QCOMPARE(operationsOf(program, rank).last(),
                     QString("all_reduce#1 g3 float32 24B sum -1"));
    }

    void recordsFromPythonWhereThereIsNoCompiledInterposer()
    {
        const QTemporaryDir folder;
        const std::filesystem::path hook = folder.filePath("hook").toStdString();
        std::filesystem::copy(RINGMASTER_BUILD_DIR "/bin/ringmaster-hook", hook,
                              std::filesystem::copy_options::recursive);
        for (const auto& entry : std::filesystem::directory_iterator(hook / "parts")) {
            if (entry.path().filename().string().starts_with("torch-"))
                std::filesystem::remove(entry.path());
        }
        RecordedProgram program(
            {.program = "every_operation.py", .hookFolder = QString::fromStdString(hook.string())});
        QVERIFY2(program.finish(), program.output(0) + program.output(1));
        QVERIFY2(saysOnlyThatNothingFits(program.reports()), program.reports());
        QStringList expected = everyOperation();
        // Python can't look into a reduction.
        for (QString& text : expected)
            text.replace(" sum ", "  ").replace(" max ", "  ");
        QCOMPARE(operationsOf(program, 0), expected);
        QCOMPARE(callersOf(program, 0), QStringLiteral("wwwwwwwwww???gwgw"));
        QCOMPARE(program.records(0).front().recorder, Recorder::Python);
        for (const int rank : {0, 1}) {
            everythingHasItsTimes(program, rank);
            // DDP's way, through the future, and a wait in C++ are not to be seen from Python.
            QCOMPARE(returnsOf(program, rank), QStringLiteral("rrrrrrrrrr-rrrr-r"));
        }
        QCOMPARE(placesOf(program, 0).size(), expected.size());
        QCOMPARE(placesOf(program, 0).first(), QString("gloo all_reduce every_operation.py:12"));

        RecordedProgram ddp({.program = "ddp.py",
                             .hookFolder = QString::fromStdString(hook.string()),
                             .python = m_torch->python()});
        QVERIFY2(ddp.finish(), ddp.output(0) + ddp.output(1));
        QCOMPARE(operationsOf(ddp, 0).filter("all_reduce").filter("float32 1088B").size(), 3);
    }

    void aMismatchedObjectIsNeverLoaded()
    {
        const QTemporaryDir folder;
        const std::filesystem::path hook = folder.filePath("hook").toStdString();
        std::filesystem::copy(RINGMASTER_BUILD_DIR "/bin/ringmaster-hook", hook,
                              std::filesystem::copy_options::recursive);
        for (const auto& entry : std::filesystem::directory_iterator(hook / "parts")) {
            if (entry.path().filename().string().starts_with("torch-"))
                std::filesystem::copy_file(hook / "parts/ledger.so", entry.path(),
                                           std::filesystem::copy_options::overwrite_existing);
        }
        RecordedProgram program({.program = "ddp.py",
                                 .hookFolder = QString::fromStdString(hook.string()),
                                 .python = m_torch->python()});
        QVERIFY2(program.finish(), program.output(0) + program.output(1));
        QVERIFY2(saysOnlyThatNothingFits(program.reports()), program.reports());
        QCOMPARE(program.records(0).front().recorder, Recorder::Python);
    }

    void recordsWhatDdpAndFsdpCall()
    {
        RecordedProgram ddp({.program = "ddp.py", .python = m_torch->python()});
        QVERIFY2(ddp.finish(), ddp.output(0) + ddp.output(1));
        const QStringList operations = operationsOf(ddp, 0);
        // Verifies the parameters' shapes, broadcasts the model, then a bucket a step.
        QVERIFY2(operations.size() >= 5, qPrintable(operations.join('\n')));
        QCOMPARE(operations.filter("all_reduce").filter("float32 1088B sum").size(), 3);
        QCOMPARE(operationsOf(ddp, 1), operations);
        // The reducer calls them from within backward().
        QCOMPARE(placesOf(ddp, 1).filter("gloo all_reduce ddp.py:12").size(), 3);

        RecordedProgram fsdp({.program = "fsdp.py", .python = m_torch->python()});
        QVERIFY2(fsdp.finish(), fsdp.output(0) + fsdp.output(1));
        const QString all = operationsOf(fsdp, 0).join('\n');
        QVERIFY2(all.contains("all_gather_into_tensor#") && all.contains("reduce_scatter_tensor#"),
                 qPrintable(all));
        for (const int rank : {0, 1}) {
            everythingHasItsTimes(ddp, rank);
            everythingHasItsTimes(fsdp, rank);
        }
    }

    void disturbsNoChildren()
    {
        RecordedProgram program({.program = "children.py"});
        QVERIFY2(program.finish(), program.output(0) + program.output(1));
        QCOMPARE(program.output(0), QByteArray("done\n"));
        QCOMPARE(program.reports(), QByteArray());
        QCOMPARE(operationsOf(program, 0).size(), 2);
    }

    /// It isn't the rank: there is nothing to say about that.
    void aChildsOwnGroupIsLeftAloneWithoutAWord()
    {
        RecordedProgram program({.program = "group_in_child.py", .python = m_torch->python()});
        QVERIFY2(program.finish(), program.output(0) + program.output(1));
        QCOMPARE(program.output(0), QByteArray("done\n"));
        QCOMPARE(program.reports(), QByteArray());
        for (const int rank : {0, 1})
            QCOMPARE(operationsOf(program, rank),
                     (QStringList{"all_reduce#1 g0 float32 4B sum -1",
                                  "all_reduce#2 g0 float32 8B sum -1"}));
    }

    void aForkedChildWritesNothing()
    {
        RecordedProgram program({.program = "forks.py", .python = m_torch->python()});
        QVERIFY2(program.finish(), program.output(0) + program.output(1));
        for (const int rank : {0, 1}) {
            QCOMPARE(operationsOf(program, rank),
                     (QStringList{"all_reduce#1 g0 float32 4B sum -1",
                                  "all_reduce#2 g0 float32 8B sum -1"}));
            QVERIFY(std::ranges::none_of(
                program.records(rank), [](const Record& record) { return record.elements == 7; }));
        }
    }

    void aReplacedProcessGoesOnInItsLedger()
    {
        const QTemporaryDir folder;
        RecordedProgram program(
            {.program = "replaced.py", .arguments = {folder.filePath("store")}});
        QVERIFY2(program.finish(), program.output(0) + program.output(1));
        QCOMPARE(program.reports(), QByteArray());
        for (const int rank : {0, 1}) {
            const std::vector<Record>& records = program.records(rank);
            QCOMPARE(std::ranges::count(records, RecordKind::Attached, &Record::record), 2);
            QCOMPARE(operationsOf(program, rank).filter("all_reduce"),
                     (QStringList{"all_reduce#1 g0 float32 8B sum -1",
                                  "all_reduce#1 g1 float32 12B sum -1"}));
            // Each image describes its own call sites.
            QCOMPARE(placesOf(program, rank).filter("replaced.py:14").size(), 2);
        }
    }

    void aLedgerOfAnotherVersionIsRefusedAndTheProgramRuns()
    {
        RecordedProgram program(
            {.program = "ddp.py", .ledgerVersion = Version + 1, .python = m_torch->python()});
        QVERIFY2(program.finish(), program.output(0) + program.output(1));
        QCOMPARE(program.output(0), QByteArray("done\n"));
        const QByteArray reason = "the ledger has version " + QByteArray::number(Version + 1) +
                                  ", this recorder knows " + QByteArray::number(Version);
        QVERIFY2(program.reports().contains(reason), program.reports());
        QVERIFY(program.records(0).empty());
    }

    void theRingSaysWhichWayAnOperationWent()
    {
        const QString ring = QStringLiteral(RINGMASTER_BUILD_DIR "/bin/ringmaster-ring");
        if (!QFileInfo::exists(ring + "/ringmaster_ring"))
            QSKIP("The ring isn't built for Python.");
        RecordedProgram program({.program = "ring.py", .pythonPath = ring});
        QVERIFY2(program.finish(), program.output(0) + program.output(1));
        QCOMPARE(program.reports(), QByteArray());
        for (const int rank : {0, 1})
            QCOMPARE(placesOf(program, rank),
                     (QStringList{"ring, direct all_reduce ring.py:6",
                                  "ring, ring all_reduce ring.py:7", "ring barrier ring.py:8"}));
    }

    void whatADeadRankLeavesOpenIsThere()
    {
        RecordedProgram program({.program = "crash.py", .python = m_torch->python()});
        QVERIFY(!program.finish());
        const std::vector<Record>& waited = program.records(0);
        // gloo notices the death: the operation that rank 0 was in has failed.
        QVERIFY(std::ranges::any_of(waited, [](const Record& record) {
            return record.record == RecordKind::Failed && record.number == 2;
        }));
        QCOMPARE(operationsOf(program, 1).size(), 1);
    }
};

QTEST_GUILESS_MAIN(tst_recording)
#include "tst_recording.moc"

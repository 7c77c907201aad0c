#include "engine/ledger/OperationDecoder.h"
#include "tests/TestMain.h"
#include "tests/ledger/RecordedProgram.h"
#include "tests/support/TorchTest.h"

#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::ledger;

/// What the compiled recorder does with nccl's ways, without a GPU; tests/gpu has the real one.
class tst_like_nccl : public test::TorchTest
{
    Q_OBJECT

private:
    void prepare() override
    {
        if (qstrlen(RINGMASTER_LIKE_NCCL) == 0)
            QSKIP("Its backend isn't compiled: there was no torch when the build was configured.");
    }

private Q_SLOTS:
    void callsWithoutAWorkAreRecordedLikeOthers()
    {
        RecordedProgram program({.program = "like_nccl.py",
                                 .ranks = 1,
                                 .environment = {{"RINGMASTER_LIKE_NCCL", RINGMASTER_LIKE_NCCL}},
                                 .python = python()});
        QVERIFY2(program.finish(), program.output(0));
        QCOMPARE(program.reports(), QByteArray());
        // What torch prints when a callback of ours throws.
        QCOMPARE(program.output(0), QByteArray("done\n"));
        QVERIFY(program.records(0).front().recorder == Recorder::Compiled);
        OperationDecoder decoder;
        std::vector<Operation> ended;
        for (const Record& record : program.records(0)) {
            if (auto operation = decoder.take(record); operation && !makesGroup(operation->kind))
                ended.push_back(*std::move(operation));
        }
        QCOMPARE(ended.size(), size_t{5});
        for (const Operation& operation : ended) {
            QVERIFY(operation.backend == Backend::Nccl);
            QVERIFY(operation.outcome == Operation::Outcome::Done);
            // Launched, which tells nothing of its time.
            QCOMPARE(operation.startedNs, std::int64_t{0});
            QCOMPARE(operation.endedNs, std::int64_t{0});
        }
        QVERIFY(ended[4].kind == OperationKind::Barrier);
    }
};

QTEST_GUILESS_MAIN(tst_like_nccl)
#include "tst_like_nccl.moc"

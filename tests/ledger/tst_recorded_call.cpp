#include "engine/ledger/LedgerReader.h"
#include "engine/ledger/hook/RecordedCall.h"

#include <QtTest>

#include <thread>

using namespace ringmaster;
using namespace ringmaster::ledger;

/// What becomes of one call whose end the backend and the caller tell, in any order.
class tst_recorded_call : public QObject
{
    Q_OBJECT

private:
    /// "open", "done 300 400", "done 300 to come", "failed 300 0", "returned 400": what was written
    /// since the last time.
    QStringList written()
    {
        std::vector<Record> records;
        m_reader->read(records, LedgerReader::Clock::now());
        QStringList texts;
        for (const Record& record : records) {
            const QString returned = record.isAwaited != 0 ? QStringLiteral("to come")
                                                           : QString::number(record.returnedNs);
            switch (record.record) {
            case RecordKind::Open: texts += "open"; break;
            case RecordKind::Done:
                texts += QString("done %1 %2").arg(record.endedNs).arg(returned);
                break;
            case RecordKind::Failed:
                texts += QString("failed %1 %2").arg(record.endedNs).arg(returned);
                break;
            case RecordKind::Returned: texts += "returned " + returned; break;
            default: break;
            }
        }
        return texts;
    }

    std::unique_ptr<RecordedCall> call(Caller caller)
    {
        auto made = std::make_unique<RecordedCall>(
            *m_writer, Call{.kind = OperationKind::AllReduce, .caller = caller}, 100);
        made->setAwaited();
        (void)written();
        return made;
    }

    std::optional<LedgerSegment> m_segment;
    std::unique_ptr<LedgerReader> m_reader;
    std::unique_ptr<LedgerWriter> m_writer;

private Q_SLOTS:
    void init()
    {
        m_segment.emplace(LedgerSegment::create({.run = "r", .rank = 0}).value());
        m_reader = std::make_unique<LedgerReader>(*m_segment);
        m_writer = LedgerWriter::attach(m_segment->path().c_str(), Recorder::Compiled).writer;
        QVERIFY(m_writer != nullptr);
    }

    void cleanup()
    {
        m_writer.reset();
        m_reader.reset();
        m_segment.reset();
    }

    void bothEndsOfACallThatWaitsAreOneRecord()
    {
        const auto one = call(Caller::Waits);
        one->ended(300, false);
        QCOMPARE(written(), QStringList());
        QVERIFY(!one->isOver());
        one->returned(400, false);
        QCOMPARE(written(), QStringList{"done 300 400"});
        QVERIFY(one->isOver());
        one->returned(500, false);
        one->ended(500, false);
        one->forgone();
        QCOMPARE(written(), QStringList());

        const auto other = call(Caller::Waits);
        other->returned(290, false);
        QCOMPARE(written(), QStringList());
        other->ended(300, true);
        QCOMPARE(written(), QStringList{"failed 300 290"});
    }

    /// A backend wakes up who waits, and tells the recorder then.
    void whatIsWaitedForIsOverWhenTheWaitIs()
    {
        const auto one = call(Caller::Waits);
        one->returned(290, false);
        one->ended(300, false);
        QCOMPARE(written(), QStringList{"done 290 290"});

        const auto timedOut = call(Caller::Waits);
        timedOut->returned(290, true);
        timedOut->ended(300, false);
        QCOMPARE(written(), QStringList{"done 300 290"});
    }

    void whoGoesOnIsTold()
    {
        const auto one = call(Caller::GoesOn);
        one->ended(300, false);
        QCOMPARE(written(), QStringList{"done 300 to come"});
        one->waits();
        one->returned(900, false);
        QCOMPARE(written(), QStringList{"returned 900"});
        QVERIFY(one->isOver());
    }

    void whoWaitsLaterIsOneRecordFromThenOn()
    {
        const auto one = call(Caller::GoesOn);
        one->waits();
        one->ended(300, false);
        QCOMPARE(written(), QStringList());
        one->returned(310, false);
        QCOMPARE(written(), QStringList{"done 300 310"});
    }

    void aWorkThatIsLetGoIsntWaitedFor()
    {
        const auto before = call(Caller::GoesOn);
        before->forgone();
        QCOMPARE(written(), QStringList());
        before->ended(300, false);
        QCOMPARE(written(), QStringList{"done 300 0"});

        const auto after = call(Caller::GoesOn);
        after->ended(300, false);
        after->forgone();
        QCOMPARE(written(), (QStringList{"done 300 to come", "returned 0"}));

        const auto waits = call(Caller::Waits);
        waits->ended(300, false);
        waits->forgone();
        QCOMPARE(written(), QStringList{"done 300 0"});
    }

    void theWaitIsTheEndWhereNothingElseTells()
    {
        const auto one = call(Caller::Unknown);
        one->endByReturn();
        QCOMPARE(written(), QStringList());
        one->returned(700, false);
        QCOMPARE(written(), QStringList{"done 700 700"});

        const auto failed = call(Caller::Unknown);
        failed->endByReturn();
        failed->returned(700, true);
        QCOMPARE(written(), QStringList{"failed 700 700"});

        const auto never = call(Caller::Unknown);
        never->endByReturn();
        never->forgone();
        QCOMPARE(written(), QStringList{"done 0 0"});
    }

    void withoutAWorkThereIsNothingToWaitFor()
    {
        RecordedCall one(*m_writer, Call{.caller = Caller::Waits}, 100);
        one.ended(300, false);
        QCOMPARE(written(), (QStringList{"open", "done 300 0"}));
        QVERIFY(one.isOver());
    }

    void bothAtOnceLoseNothing()
    {
        for (const Caller caller : {Caller::Waits, Caller::GoesOn}) {
            for (int round = 0; round < 200; ++round) {
                const auto one = call(caller);
                std::thread backend([&] { one->ended(300, false); });
                one->waits();
                one->returned(400, false);
                backend.join();
                const QStringList texts = written();
                QVERIFY2(texts == QStringList{"done 300 400"} ||
                             texts == (QStringList{"done 300 to come", "returned 400"}),
                         qPrintable(texts.join(", ")));
            }
        }
    }
};

QTEST_GUILESS_MAIN(tst_recorded_call)
#include "tst_recorded_call.moc"

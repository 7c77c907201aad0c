#include "RecordedProgram.h"
#include "engine/diagnose/OperationMatcher.h"
#include "engine/ledger/OperationDecoder.h"
#include "engine/ledger/OperationNames.h"
#include "tests/support/TorchTest.h"

#include <QtTest>

#include <algorithm>
#include <map>

using namespace ringmaster;

/// How long collectives take by the recording and by the program's own clock.
class tst_felt : public test::TorchTest
{
    Q_OBJECT

private:
    using Call = std::pair<QString, qint64>;           ///< Operation and bytes.
    using Times = std::map<Call, std::vector<double>>; ///< Of each call, nanoseconds.

    /// "WORD OPERATION SIZE NANOSECONDS…"
    static Times timesOf(const QByteArray& word, const QByteArray& output)
    {
        Times all;
        for (const QByteArray& line : output.split('\n')) {
            const QList<QByteArray> words = line.split(' ');
            if (words.first() != word)
                continue;
            auto& times = all[{QString::fromUtf8(words[1]), words[2].toLongLong()}];
            for (const QByteArray& time : words.mid(3))
                times.push_back(time.toDouble());
        }
        return all;
    }

    static Times recordedTimes(RecordedProgram& program, int rank,
                               std::int64_t (*timeOf)(const Operation&))
    {
        OperationDecoder decoder;
        for (const ledger::Record& record : program.records(rank))
            decoder.take(record);
        std::vector<Operation> operations = decoder.takeTold();
        std::ranges::sort(operations, {}, &Operation::id);
        Times all;
        for (const Operation& operation : operations) {
            const std::string_view name = ledger::nameOf(operation.kind);
            all[{QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())),
                 static_cast<qint64>(operation.bytes)}]
                .push_back(static_cast<double>(timeOf(operation)));
        }
        return all;
    }

    static double median(std::vector<double> of) { return quantile(std::move(of), 2); }

    static double quantile(std::vector<double> of, size_t part)
    {
        const auto place = of.begin() + static_cast<std::ptrdiff_t>(of.size() / part);
        std::ranges::nth_element(of, place);
        return *place;
    }

private Q_SLOTS:
    void whatIsFeltAgreesWithTheProgramsOwnClock_data()
    {
        QTest::addColumn<QString>("backend");
        QTest::newRow("gloo") << "gloo";
        QTest::newRow("ring") << "ring";
    }

    /// Call by call: the program's own clock is read before the recorder's and after it, and what
    /// gets the processor between two readings only adds to what they are apart. What the recording
    /// itself misses is in every call, so in those that were disturbed least, too: no more than
    /// 50 us, or on a slow machine what it costs there to make a call that moves nothing, with
    /// caches as cold as the one before it has left them.
    void whatIsFeltAgreesWithTheProgramsOwnClock()
    {
        QFETCH(QString, backend);
        const QString ring = QStringLiteral(RINGMASTER_BUILD_DIR "/bin/ringmaster-ring");
        if (backend == "ring" && !QFileInfo::exists(ring + "/ringmaster_ring"))
            QSKIP("The ring isn't built for Python.");
        RecordedProgram program({.program = "felt.py",
                                 .arguments = {backend, "65536", "1048576", "16777216"},
                                 .pythonPath = ring});
        QVERIFY2(program.finish(), program.output(0) + program.output(1));
        for (const int rank : {0, 1}) {
            const Times own = timesOf("felt", program.output(rank));
            QCOMPARE(own.size(), size_t(3 * (backend == "gloo" ? 7 : 8)));
            const Times alone = timesOf("alone", program.output(rank));
            const Times recorded = recordedTimes(program, rank, &diagnose::feltOf);
            const Times wire = recordedTimes(program, rank, &diagnose::durationOf);
            QCOMPARE(program.lost(rank), 0U);
            for (const auto& [call, told] : own) {
                const auto found = recorded.find(call);
                QVERIFY2(found != recorded.end(), qPrintable(call.first));
                QCOMPARE(found->second.size(), told.size());
                std::vector<double> missed;
                for (size_t i = 0; i < told.size(); ++i) {
                    missed.push_back(told[i] - found->second[i]);
                    QVERIFY2(missed.back() >= 0, qPrintable(call.first));
                }
                const double apart = quantile(missed, 10);
                const double usual = median(told);
                const double aCall = quantile(alone.at(call), 10);
                const QString text =
                    QString("%1 of %2 bytes on rank %3: %4 us by its own clock, %5 us apart; "
                            "alone %6 us")
                        .arg(call.first)
                        .arg(call.second)
                        .arg(rank)
                        .arg(usual / 1e3, 0, 'f', 1)
                        .arg(apart / 1e3, 0, 'f', 1)
                        .arg(aCall / 1e3, 0, 'f', 1);
                qInfo("%s", qPrintable(text));
                QVERIFY2(apart <= std::max({0.05 * usual, 50e3, aCall}), qPrintable(text));
                QVERIFY2(median(wire.at(call)) <= median(found->second), qPrintable(text));
            }
        }
    }
};

QTEST_GUILESS_MAIN(tst_felt)
#include "tst_felt.moc"

#include "engine/record/NumberTally.h"
#include "tests/support/Nanoseconds.h"

#include <QtTest>

#include <cmath>

using namespace ringmaster;

namespace {

/// The wall's clock before the monotonic one.
constexpr std::int64_t Ahead = 1000 * Second;

/// PrintingJob of workers, a second between two writes.
class PrintingJob
{
public:
    explicit PrintingJob(NumberRules rules = {}) : m_tally(std::move(rules)) {}

    PrintingJob& print(const std::string& bytes, int rank = 0, int attempt = 0)
    {
        std::uint64_t& offset = m_offsets[{attempt, rank}];
        m_ns += Second;
        m_tally.add(
            {++m_cursor, {m_ns, m_ns + Ahead}, attempt, rank, Stream::Stdout, offset, bytes});
        offset += bytes.size();
        return *this;
    }

    void skip(std::uint64_t bytes) { m_offsets[{0, 0}] += bytes; }
    std::int64_t now() const { return m_ns + Ahead; }
    NumberTally& tally() { return m_tally; }

    NumberSummary summary(const std::vector<std::string>& names = {})
    {
        m_tally.readAll();
        return m_tally.summary(names, now());
    }

    /// "loss 0.31, step 3/10" of the latest attempt.
    QString latest()
    {
        QStringList texts;
        for (const auto& one : summary().latest) {
            QString text = QString("%1 %2").arg(QString::fromStdString(one.name)).arg(one.value);
            if (one.total)
                text += QString("/%1").arg(*one.total);
            texts += text;
        }
        return texts.join(", ");
    }

private:
    NumberTally m_tally;
    std::map<std::pair<int, int>, std::uint64_t> m_offsets;
    std::uint64_t m_cursor = 0;
    std::int64_t m_ns = 0;
};

/// Seconds until the end that is told; -1: none is.
double secondsLeft(PrintingJob& output)
{
    const auto progress = output.summary().progress;
    return progress && progress->endWallNs
               ? static_cast<double>(*progress->endWallNs - output.now()) / 1e9
               : -1;
}

} // namespace

class tst_printed_numbers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsLinesThatComeInPieces()
    {
        PrintingJob output;
        output.print("step 1/10 lo").print("ss 0.5\nstep 2/10 loss 0.").print("25\nstep 3");
        QCOMPARE(output.latest(), QString("loss 0.25, step 2/10"));
    }

    void readsEachRedrawOfABar()
    {
        PrintingJob output;
        output.print("\r 10%|#         | 1/10 [00:01<00:09,  1.00it/s, loss=0.9]\r 20%|##        | "
                     "2/10 [00:02<00:08,  1.00it/s, loss=0.8]");
        QCOMPARE(output.latest(), QString("loss 0.8, it/s 1, step 2/10"));
        const auto lines = output.summary({"loss"}).lines;
        QCOMPARE(lines.size(), size_t{1});
        QCOMPARE(lines[0].points.size(), size_t{2});
        // Read once, though its end comes later.
        output.print("\n");
        QCOMPARE(output.summary({"loss"}).lines[0].points.size(), size_t{2});
        output.print("\r 30%|###       | 3/10 [00:0");
        QCOMPARE(output.latest(), QString("loss 0.8, it/s 1, step 2/10"));
    }

    void readsColouredLines()
    {
        PrintingJob output;
        output.print("\x1b[32mloss\x1b[0m: \x1b[1m0.5\x1b[0m\n");
        QCOMPARE(output.latest(), QString("loss 0.5"));
    }

    void leavesOutTracebacks()
    {
        PrintingJob output;
        output.print("[rank0]: Traceback (most recent call last):\n"
                     "[rank0]:   File \"/tmp/train.py\", line 3, in <module>\n"
                     "[rank0]:     loss = 3\n"
                     "[rank0]: ValueError: no\n");
        QCOMPARE(output.latest(), QString());
        output.print("  File \"/tmp/train.py\", line 3\n    loss = 4\nloss = 5\n");
        QCOMPARE(output.latest(), QString("loss 5"));
    }

    void leavesOutALineWhoseBeginningIsMissing()
    {
        PrintingJob output;
        output.skip(100);
        output.print("loss=3\nloss=4\n");
        QCOMPARE(output.latest(), QString("loss 4"));
    }

    void keepsRanksAndAttemptsApart()
    {
        PrintingJob output;
        output.print("loss 1\n", 0)
            .print("loss 2\n", 1)
            .print("loss 3\n", 0, 1)
            .print("loss 4\n", 1, 1);
        const NumberSummary summary = output.summary({"loss"});
        QCOMPARE(summary.attempt, 1);
        QCOMPARE(summary.lines.size(), size_t{4});
        QCOMPARE(summary.lines[1].rank, 1);
        QCOMPARE(summary.lines[1].points[0].value, 2.0);
        QCOMPARE(summary.lines[3].attempt, 1);
        QCOMPARE(summary.latest.size(), size_t{2});
        QCOMPARE(summary.latest[1].value, 4.0);
        QCOMPARE(output.summary().lines.size(), size_t{0});
    }

    void aSeriesKeepsItsExtremesAndItsLast()
    {
        NumberSeries series;
        constexpr int Count = 100'000;
        for (int i = 0; i < Count; ++i) {
            const double value = i == 4321 ? 1000 : i == 77'777 ? -1000 : std::sin(i);
            series.add({i, value});
        }
        const auto points = series.points();
        QVERIFY(points.size() <= NumberSeries::MostPoints + 1);
        QVERIFY(points.size() >= NumberSeries::MostPoints / 2);
        QVERIFY(std::ranges::is_sorted(points, {}, &NumberSeries::Point::ns));
        const auto [least, greatest] =
            std::ranges::minmax_element(points, {}, &NumberSeries::Point::value);
        QCOMPARE(least->ns, 77'777);
        QCOMPARE(greatest->ns, 4321);
        QCOMPARE(points.back().ns, Count - 1);
        QCOMPARE(series.count(), std::uint64_t{Count});
        // Thinned evenly: no part has much more than another.
        const auto early = std::ranges::count_if(
            points, [](const NumberSeries::Point& point) { return point.ns < Count / 2; });
        QVERIFY(std::abs(static_cast<double>(early) / static_cast<double>(points.size()) - 0.5) <
                0.1);
    }

    void aShortSeriesKeepsAll()
    {
        NumberSeries series;
        for (int i = 0; i < 500; ++i)
            series.add({i, i * 0.5});
        QCOMPARE(series.points().size(), size_t{500});
        QCOMPARE(series.points()[3].value, 1.5);
    }

    void tellsTheEndOfStepsThatAreCounted()
    {
        PrintingJob output;
        output.print("step 1/100\n");
        QCOMPARE(secondsLeft(output), -1.0);
        output.print("step 2/100\n").print("step 3/100\n");
        QCOMPARE(secondsLeft(output), 97.0);
        const auto progress = output.summary().progress;
        QCOMPARE(progress->name, std::string("step"));
        QCOMPARE(progress->value, 3.0);
        QCOMPARE(progress->part, 0.03);
        QCOMPARE(*progress->perSecond, 1.0);
    }

    void tellsNoEndWithoutATotal()
    {
        PrintingJob output;
        output.print("step 1\n").print("step 2\n").print("step 3\n");
        QVERIFY(!output.summary().progress);
        QCOMPARE(output.latest(), QString("step 3"));
    }

    void tellsNoEndOfWhatStandsStill()
    {
        PrintingJob output;
        output.print("step 1/100\n").print("step 2/100\n").print("step 3/100\n");
        QVERIFY(output.tally().summary({}, output.now() + 5 * Second).progress->endWallNs);
        QVERIFY(!output.tally().summary({}, output.now() + 60 * Second).progress->endWallNs);
        // Nor of what is over.
        QVERIFY(!output.tally().summary({}, std::nullopt).progress->endWallNs);
    }

    void tellsNoEndOfAnEpochAsThatOfTheJob()
    {
        PrintingJob bars; // of an unknown number of epochs
        for (int epoch = 0; epoch < 2; ++epoch) {
            for (int step = 1; step <= 3; ++step)
                bars.print("Epoch " + std::to_string(epoch) + " step " + std::to_string(step) +
                           "/3\n");
            QCOMPARE(secondsLeft(bars), -1.0);
        }
        QVERIFY(bars.summary().progress);
    }

    void tellsTheEndOfEpochsWithTheirSteps()
    {
        PrintingJob output;
        for (int step = 1; step <= 10; ++step)
            output.print("Epoch 1/3 step " + std::to_string(step) + "/10\n");
        QCOMPARE(secondsLeft(output), 20.0);
        output.print("Epoch 2/3 step 1/10\n");
        QCOMPARE(secondsLeft(output), 19.0);
        QCOMPARE(output.summary().progress->name, std::string("epoch"));
        QCOMPARE(output.summary().progress->part, 11.0 / 30);
        PrintingJob fromZero;
        for (int step = 1; step <= 10; ++step)
            fromZero.print("Epoch 0/3 step " + std::to_string(step) + "/10\n");
        QCOMPARE(secondsLeft(fromZero), 20.0);
        PrintingJob resumed; // 1 of 0, 1, 2 or of 1, 2, 3?
        for (int step = 1; step <= 10; ++step)
            resumed.print("Epoch 2/3 step " + std::to_string(step) + "/10\n");
        QCOMPARE(secondsLeft(resumed), -1.0);
    }

    void epochsAloneTellTheirEnd()
    {
        PrintingJob output;
        for (int epoch = 1; epoch <= 4; ++epoch)
            output.print("Epoch " + std::to_string(epoch) + "/10 loss 0.5\n");
        QCOMPARE(secondsLeft(output), 6.0);
    }

    void aHuggingFaceTrainerTellsItsEnd()
    {
        PrintingJob output;
        for (int step = 1; step <= 4; ++step) {
            const std::string number = std::to_string(step);
            output.print("\r  " + number + "%|#  | " + number + "/100 [00:0" + number +
                         "<01:36,  1.00it/s]");
            output.print("{'loss': 0.5, 'learning_rate': 5e-05, 'epoch': 0.0" + number + "}\n");
        }
        QCOMPARE(output.summary().progress->name, std::string("step"));
        QVERIFY(secondsLeft(output) > 0);
    }

    void whatIsKeptIsBounded()
    {
        PrintingJob output;
        for (int i = 0; i < 300; ++i)
            output.print("loss_" + std::to_string(i) + "=1\n");
        QVERIFY(output.summary().isCut);
        QCOMPARE(output.summary().names.size(), NumberTally::MostNames);
        PrintingJob ranks;
        for (int rank = 0; rank < 5000; ++rank)
            ranks.print("loss=1\n", rank);
        QVERIFY(ranks.summary().isCut);
        QCOMPARE(ranks.summary({"loss"}).lines.size(), NumberTally::MostSeries);
    }

    void aRuleOfTheJobIsFollowed()
    {
        PrintingJob output(NumberRules::parse({{"cache", "cache is (\\S+) GB"}}).value());
        output.print("cache is 3.5 GB\n");
        QCOMPARE(output.latest(), QString("cache 3.5"));
    }
};

QTEST_GUILESS_MAIN(tst_printed_numbers)
#include "tst_printed_numbers.moc"

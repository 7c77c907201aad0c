#include "OutputFixture.h"
#include "engine/base/Codes.h"
#include "engine/worker/output/LineSplitter.h"
#include "engine/worker/output/OutputConsumer.h"

#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::test;

class tst_output_parts : public QObject
{
    Q_OBJECT

private:
    static std::vector<std::string> piecesOf(const std::vector<std::string>& inputs)
    {
        LineSplitter splitter;
        std::vector<std::string> pieces;
        const auto emit = [&](std::string_view text, bool endsLine) {
            pieces.push_back(std::string(text) + (endsLine ? "|" : "…"));
        };
        for (const std::string& input : inputs)
            splitter.feed(input, emit);
        splitter.flush(emit);
        return pieces;
    }

private Q_SLOTS:
    void endsLinesAsPythonDoes()
    {
        using Pieces = std::vector<std::string>;
        QCOMPARE(piecesOf({"a\nb\rc\r\nd"}), (Pieces{"a|", "b|", "c|", "d…"}));
        QCOMPARE(piecesOf({"a\r", "\nb"}), (Pieces{"a|", "b…"}));
        QCOMPARE(piecesOf({"a\r", "b\n"}), (Pieces{"a|", "b|"}));
        QCOMPARE(piecesOf({"\n\r\n\r\r"}), (Pieces{"|", "|", "|", "|"}));
        QCOMPARE(piecesOf({"un", "finished"}), (Pieces{"unfinished…"}));
    }

    void boundsALineThatNeverEnds()
    {
        LineSplitter splitter;
        std::size_t longest = 0;
        std::size_t sum = 0;
        const std::string block(10'000, 'x');
        for (int i = 0; i < 1000; ++i)
            splitter.feed(block, [&](std::string_view text, bool endsLine) {
                QVERIFY(!endsLine);
                longest = std::max(longest, text.size());
                sum += text.size();
            });
        QVERIFY(longest < LineSplitter::LongestPiece + block.size());
        QVERIFY(sum > 9'000'000);
    }

    void reportsAFullDiskOnceAndTheSumAtTheEnd()
    {
        RecordingSink sink;
        KeptOutput kept({.localRank = 3, .file = "/dev/full"}, KeptOutput::Capture::Yes, sink);
        for (int i = 0; i < 100; ++i)
            kept.consume("0123456789");
        QCOMPARE(sink.losses().size(), size_t{1});
        kept.end();
        QCOMPARE(sink.losses().size(), size_t{2});
        QCOMPARE(sink.losses()[1].bytes, std::uint64_t{1000});
        QCOMPARE(sink.losses()[1].error.code, code::DiskFull);
        QCOMPARE(sink.losses()[1].localRank, 3);
        QVERIFY(!sink.allKept());
        // Who watches live sees it all the same.
        QCOMPARE(sink.text(3).size(), size_t{1000});
    }

    void reportsALogThatCantBeMade()
    {
        RecordingSink sink;
        KeptOutput kept({.file = "/nowhere/log"}, KeptOutput::Capture::Yes, sink);
        QVERIFY(sink.losses().empty());
        kept.consume("text");
        QCOMPARE(sink.losses().at(0).error.code, code::FileNotWritable);
    }

    void remembersTheEndOfStandardError()
    {
        RecordingSink sink;
        KeptOutput kept({.stream = OutputStream::Stderr}, KeptOutput::Capture::No, sink);
        for (int i = 0; i < 100; ++i)
            kept.consume(std::string(50'000, static_cast<char>('a' + i % 26)));
        QCOMPARE(kept.tail().size(), KeptOutput::TailBytes);
        QCOMPARE(kept.tail().back(), static_cast<char>('a' + 99 % 26));
    }

    void writesTheLinesOfTwoWorkersWhole()
    {
        QTemporaryFile file;
        QVERIFY(file.open());
        EventLoop loop;
        Console console(file.handle());
        const auto shown = [&] {
            console.waitUntilWritten(Console::Patience::Endless);
            return contentOf(file.fileName().toStdString());
        };
        LinesOnConsole one(loop, console);
        LinesOnConsole other(loop, console);
        one.consume("sum");
        other.consume("sum");
        one.consume(" 3.0");
        other.consume(" 3.0\nand ");
        one.consume("\n");
        other.consume("more");
        QCOMPARE(shown(), std::string("sum 3.0\nsum 3.0\n"));
        one.consume("10 %\r20");
        QCOMPARE(shown(), std::string("sum 3.0\nsum 3.0\n10 %\r"));
        other.end();
        one.consume(std::string(LineSplitter::LongestPiece, 'x'));
        QCOMPARE(shown().size(), std::string("sum 3.0\nsum 3.0\n10 %\rand more20").size() +
                                     LineSplitter::LongestPiece);
    }

    void showsAnUnfinishedLineAfterAMoment()
    {
        QTemporaryFile file;
        QVERIFY(file.open());
        EventLoop loop;
        Console console(file.handle());
        LinesOnConsole lines(loop, console);
        lines.consume("name? ");
        QCOMPARE(contentOf(file.fileName().toStdString()), std::string());
        const EventLoop::Registration look =
            loop.callAfter(std::chrono::seconds(1), [&] { loop.stop(); });
        loop.run();
        console.waitUntilWritten(Console::Patience::Endless);
        QCOMPARE(contentOf(file.fileName().toStdString()), std::string("name? "));
    }

    void endsALineThatAnotherLeftUnfinished()
    {
        QTemporaryFile file;
        QVERIFY(file.open());
        EventLoop loop;
        Console console(file.handle());
        const int one = 0;
        const int other = 0;
        console.writeLine(&one, "1:", "start", false);
        console.writeLine(&one, "1:", " end", true);
        console.writeLine(&one, "1:", "open", false);
        console.writeLine(&other, "2:", "line", true);
        console.waitUntilWritten(Console::Patience::Endless);
        QCOMPARE(contentOf(file.fileName().toStdString()),
                 std::string("1:start end\n1:open\n2:line\n"));
    }
};

QTEST_GUILESS_MAIN(tst_output_parts)
#include "tst_output_parts.moc"

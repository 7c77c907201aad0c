#include "engine/record/LogAssembler.h"

#include <QtTest>

using namespace ringmaster;
using namespace std::string_literals;

Q_DECLARE_METATYPE(ringmaster::TextStyle)

namespace {

TextColor palette(int index)
{
    return {TextColor::Kind::Palette, static_cast<std::uint8_t>(index), 0, 0};
}

/// The last line of what a program wrote in pieces.
LogLine lineOf(const std::vector<std::string>& pieces)
{
    LogLine last;
    LogAssembler assembler([&last](const LogLine& line) { last = line; });
    std::uint64_t offset = 0;
    for (const std::string& piece : pieces) {
        assembler.add({offset + 1, {}, 0, 0, Stream::Stdout, offset, piece});
        offset += piece.size();
    }
    return last;
}

using Runs = std::vector<StyledRun>;

const TextStyle Red{.foreground = palette(1)};
const TextStyle BoldRed{.foreground = palette(1), .isBold = true};

} // namespace

class tst_text_style : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsWhatATerminalReads_data()
    {
        QTest::addColumn<QByteArray>("parameters");
        QTest::addColumn<TextStyle>("style");
        const auto row = [](const char* parameters, const TextStyle& style) {
            QTest::newRow(parameters) << QByteArray(parameters) << style;
        };
        row("31", Red);
        row("1;31", BoldRed);
        row("97;40", {.foreground = palette(15), .background = palette(0)});
        row("107", {.background = palette(15)});
        row("38;5;208", {.foreground = palette(208)});
        row("48;5;17;1", {.background = palette(17), .isBold = true});
        row("38;2;1;2;3", {.foreground = {TextColor::Kind::Direct, 1, 2, 3}});
        row("38:2::1:2:3", {.foreground = {TextColor::Kind::Direct, 1, 2, 3}});
        row("2;3;4;7",
            {.isFaint = true, .isItalic = true, .isUnderlined = true, .isInverse = true});
        row("1;2;3;4;7;22;23;24;27", {});
        row("31;42;39;49", {});
        row("31;0", {});
        row("31;", {});
        row("", {});
        // Not understood: without effect.
        row("38;5;256", {});
        row("38;2;1;2", {.foreground = {TextColor::Kind::Direct, 1, 2, 0}});
        row("38;9;1;31", {.foreground = palette(1), .isBold = true});
        row("999999999999", {});
        row("?31", {});
        row(">4;31", {});
    }

    void readsWhatATerminalReads()
    {
        QFETCH(QByteArray, parameters);
        QFETCH(TextStyle, style);
        TextStyle read;
        applyGraphicRendition(read, parameters.toStdString());
        QVERIFY(read == style);
    }

    void linesHaveTheirColoursBesideTheText()
    {
        const LogLine line = lineOf({"a \x1B[1;31mred\x1B[0m b\n"});
        QCOMPARE(line.text, "a red b"s);
        QVERIFY(line.runs == (Runs{{2, BoldRed}, {5, {}}}));
        QVERIFY(lineOf({"plain\x1B[0m\n"}).runs.empty());
    }

    void aSequenceMayBeCutAnywhere()
    {
        const std::string whole = "x\x1B[31my\x1B[0m";
        for (size_t cut = 1; cut < whole.size(); ++cut)
            QVERIFY(lineOf({whole.substr(0, cut), whole.substr(cut)}).runs == (Runs{{1, Red}}));
    }

    void otherSequencesLeaveNothing()
    {
        const LogLine line = lineOf({"\x1B[31mr\x1B[2K\x1B[1A\x1B[?25l\x1B]0;t\as\n"});
        QCOMPARE(line.text, "rs"s);
        QVERIFY(line.runs == (Runs{{0, Red}}));
    }

    void aReturnRedrawsTheColoursToo()
    {
        const LogLine line = lineOf({"\x1B[32mlong green\x1B[0m\r\x1B[31mx\n"});
        QCOMPARE(line.text, "x"s);
        QVERIFY(line.runs == (Runs{{0, Red}}));
        const LogLine erased = lineOf({"a\x1B[31mb\x1B[0m\b"});
        QCOMPARE(erased.text, "a"s);
        QVERIFY(erased.runs.empty());
    }

    void aLineBeginsPlain() { QVERIFY(lineOf({"\x1B[31ma\nb\n"}).runs.empty()); }

    void howManyRunsALineHasIsBounded()
    {
        std::string many;
        for (int i = 0; i < 10'000; ++i)
            many += "\x1B[3" + std::to_string(i % 2) + "mx";
        const LogLine line = lineOf({many});
        QCOMPARE(line.text.size(), size_t{10'000});
        QCOMPARE(line.runs.size(), TerminalText::MostRuns);
        QVERIFY(lineOf({"\x1B[" + std::string(100'000, '1') + "mx"}).runs.empty());
    }
};

QTEST_GUILESS_MAIN(tst_text_style)
#include "tst_text_style.moc"
